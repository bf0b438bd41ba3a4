/** Einsums and products of tensors of the host: texts of letters alone, of one tensor or of two of one type. All others
 *  are left to the function of the package. */
#include "host.h"

#include "tessera/exec/reduce.h"

#include <string.h>

enum { LETTERS = 128, OPERANDS = 2 };

/** The letters of a text: of each tensor its modes, one for each letter, and those of the result. */
typedef struct einsum {
    int operands, rank[OPERANDS + 1];
    char letter[OPERANDS + 1][TSR_MAX_LEAVES + 1];
    int64_t extent[OPERANDS + 1][TSR_MAX_LEAVES], stride[OPERANDS + 1][TSR_MAX_LEAVES];
    int64_t size[LETTERS];     /* of a letter, 0: no tensor has it */
    unsigned char in[LETTERS]; /* which tensors, and 4: the result */
} einsum;

/** The result that is implied: the letters that occur once, in their order. */
static void imply_result(einsum *e)
{
    for (char c = 'A'; c <= 'z'; ++c) {
        int found = 0;
        for (int i = 0; i < e->operands; ++i)
            for (int k = 0; k < e->rank[i]; ++k)
                found += e->letter[i][k] == c;
        if (found == 1 && e->rank[OPERANDS] < TSR_MAX_LEAVES)
            e->letter[OPERANDS][e->rank[OPERANDS]++] = c;
    }
}

/** The letters of a text. False: there is something else in it. */
static bool read_text(einsum *e, char const *text)
{
    int i = 0;
    bool arrow = false;
    *e = (einsum){.operands = 1};
    for (char const *c = text; *c; ++c) {
        bool const small = *c >= 'a' && *c <= 'z', letter = small || (*c >= 'A' && *c <= 'Z');
        if (letter && e->rank[i] < TSR_MAX_LEAVES) {
            e->letter[i][e->rank[i]++] = *c;
        } else if (*c == ',' && i == 0) {
            e->operands = ++i + 1;
        } else if (*c == '-' && c[1] == '>' && !arrow) {
            arrow = true;
            i = OPERANDS;
            ++c;
        } else {
            return false;
        }
    }
    if (!arrow)
        imply_result(e);
    return true;
}

/** The modes of a tensor, those of one letter as their diagonal. */
static bool read_modes(einsum *e, int i, host const *h)
{
    int n = 0;
    bool fits = h->rank == e->rank[i];
    for (int k = 0; fits && k < h->rank; ++k) {
        char const c = e->letter[i][k], *const before = (char const *)memchr(e->letter[i], c, (size_t)n);
        int const at = before ? (int)(before - e->letter[i]) : n++;
        int64_t *const size = &e->size[(int)c];
        fits = *size == 0 || *size == h->extent[k];
        *size = h->extent[k];
        e->in[(int)c] |= (unsigned char)(1 << i);
        e->letter[i][at] = c;
        e->extent[i][at] = h->extent[k];
        e->stride[i][at] = (before ? e->stride[i][at] : 0) + h->stride[k];
    }
    e->rank[i] = n;
    e->letter[i][n] = 0;
    return fits;
}

/** Whether the result has letters of the tensors, each once. */
static bool read_result(einsum *e)
{
    bool fits = true;
    for (int k = 0; fits && k < e->rank[OPERANDS]; ++k) {
        int const c = e->letter[OPERANDS][k];
        fits = e->in[c] != 0 && e->in[c] < 4;
        e->in[c] |= 4;
        e->extent[OPERANDS][k] = e->size[c];
    }
    return fits;
}

/** Whether some letters of tensor i are summed. */
static bool is_summed(einsum const *e, int i)
{
    bool r = false;
    for (int k = 0; k < e->rank[i]; ++k)
        r = r || e->in[(int)e->letter[i][k]] < 4;
    return r;
}

/** Whether every letter that is summed is in both. */
static bool are_shared(einsum const *e)
{
    bool r = true;
    for (int i = 0; i < e->operands; ++i)
        for (int k = 0; k < e->rank[i]; ++k)
            r = r && (e->in[(int)e->letter[i][k]] >= 4 || e->in[(int)e->letter[i][k]] == 3);
    return r;
}

/** Tensor i with the modes of some letters, where it lacks one its elements repeated. */
static tsr_tensor arranged(einsum const *e, host const *h, int i, char const *letters)
{
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    int const n = (int)strlen(letters);
    for (int k = 0; k < n; ++k) {
        char const *const own = strchr(e->letter[i], letters[k]);
        extent[k] = e->size[(int)letters[k]];
        stride[k] = own ? e->stride[i][own - e->letter[i]] : 0;
    }
    if (n > 0)
        return host_part(h, 0, n, extent, stride);
    return host_part(h, 0, 1, (int64_t const[]){1}, (int64_t const[]){1});
}

enum { NOTHING = '#' }; /* a letter of extent 1, in the place of one that there is not */

/** The letters of tensors i as a product has them, (V,M,K), (V,N,K) and (V,M,N), each of one letter at most; false:
 *  there are more. */
static bool letters_of_product(einsum *e, char letters[OPERANDS + 1][4])
{
    char found[8] = {0}; /* by the tensors that have it: 7 is V, 5 M, 6 N, 3 K */
    for (char c = 'A'; c <= 'z'; ++c) {
        char *const at = &found[e->in[(int)c] & 7];
        if (*at && e->in[(int)c])
            return false;
        *at = c;
    }
    e->size[NOTHING] = 1;
    char const m = found[5] ? found[5] : NOTHING, n = found[6] ? found[6] : NOTHING, k = found[3], v = found[7];
    char const own[OPERANDS + 1][3] = {{m, k, 0}, {n, k, 0}, {m, n, 0}};
    for (int i = 0; i <= OPERANDS; ++i) {
        letters[i][0] = v;
        memcpy(letters[i] + (v != 0), own[i], sizeof own[i]);
    }
    return k != 0;
}

/** The place of a letter in tensor i, or -1. */
static int place_of(einsum const *e, int i, char letter)
{
    char const *const at = strchr(e->letter[i], letter);
    return at ? (int)(at - e->letter[i]) : -1;
}

/** Whether in every tensor that has them letter d goes on inside of c: both are one mode. */
static bool are_one_mode(einsum const *e, char c, char d)
{
    bool r = e->in[(int)c] == e->in[(int)d];
    for (int i = 0; r && i <= OPERANDS; ++i) {
        int const outer = place_of(e, i, c), inner = place_of(e, i, d);
        r = outer < 0 || e->stride[i][outer] == e->stride[i][inner] * e->size[(int)d];
    }
    return r;
}

/** Joins letters of the first tensor that follow each other in all tensors, as in "ij,ij->". */
static void join_letters(einsum *e)
{
    for (int k = 0; k + 1 < e->rank[0];) {
        char const c = e->letter[0][k], d = e->letter[0][k + 1];
        if (!are_one_mode(e, c, d)) {
            ++k;
            continue;
        }
        e->size[(int)d] *= e->size[(int)c];
        e->in[(int)c] = 0;
        for (int i = 0; i <= OPERANDS; ++i) {
            int const outer = place_of(e, i, c), inner = place_of(e, i, d);
            if (outer < 0)
                continue;
            e->extent[i][inner] = e->size[(int)d];
            size_t const behind = (size_t)(--e->rank[i] - outer);
            memmove(&e->letter[i][outer], &e->letter[i][outer + 1], behind + 1);
            memmove(&e->extent[i][outer], &e->extent[i][outer + 1], behind * sizeof e->extent[i][0]);
            memmove(&e->stride[i][outer], &e->stride[i][outer + 1], behind * sizeof e->stride[i][0]);
        }
    }
}

/** Computes the result of two tensors, or of one, whose letters are read. */
static tsr_reason run_einsum(einsum *e, host const *x, host const *y)
{
    char text[3 * (TSR_MAX_LEAVES + 1) + 4], letters[OPERANDS + 1][4];
    bool const two = e->operands == 2, sums = is_summed(e, 0) || (two && is_summed(e, 1));
    if (two && sums)
        join_letters(e);
    bool const as_product = two && sums && letters_of_product(e, letters);
    tsr_tensor t[OPERANDS + 1];
    tsr_number const one = tsr_number_int(1);
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    for (int i = 0; i <= OPERANDS; ++i)
        if (i == OPERANDS || i < e->operands)
            t[i] = arranged(e, i < OPERANDS ? &x[i] : y, i,
                            as_product     ? letters[i]
                            : two && !sums ? e->letter[OPERANDS]
                            : !two         ? e->letter[0]
                                           : e->letter[i]);
    if (two && sums && !as_product)
        snprintf(text, sizeof text, "%s,%s->%s", e->letter[0], e->letter[1], e->letter[2]);
    PyThreadState *const state = host_unlock(x[0].count + (two ? x[1].count : 0));
    tsr_reason const why = !two         ? tsr_reduce_to(TSR_REDUCE_SUM, t[0], t[OPERANDS])
                           : !sums      ? tsr_combine(TSR_COMBINE_PRODUCT, one, t[0], one, t[1], t[OPERANDS])
                           : as_product ? tsr_gemm_with(t[0], t[1], t[OPERANDS], &plain)
                                        : tsr_einsum(text, t[0], t[1], t[OPERANDS]);
    host_lock(state);
    return why;
}

/** A new tensor of an einsum whose letters are read. */
static PyObject *compute_einsum(einsum *e, host const *x)
{
    host y;
    int const rank = e->rank[OPERANDS];
    PyObject *const made =
        host_new(x, rank ? rank : 1, rank ? e->extent[OPERANDS] : (int64_t const[]){1}, x->type, &y);
    if (!made)
        return NULL;
    memcpy(e->stride[OPERANDS], y.stride, sizeof y.stride);
    tsr_reason const why = run_einsum(e, x, &y);
    return why.status || rank ? host_result(made, why) : host_number(made, &y);
}

/** A view of a tensor, as its letters in the result say. */
static PyObject *view_of(einsum const *e, host const *x)
{
    int64_t stride[TSR_MAX_LEAVES];
    for (int k = 0; k < e->rank[OPERANDS]; ++k)
        stride[k] = e->stride[0][strchr(e->letter[0], e->letter[OPERANDS][k]) - e->letter[0]];
    return host_view(x, 0, e->rank[OPERANDS], e->extent[OPERANDS], stride);
}

/** What an einsum of a text makes of one or two tensors. */
static PyObject *einsum_of(char const *text, PyObject *const *object, Py_ssize_t count)
{
    einsum e;
    host x[OPERANDS];
    if (!read_text(&e, text) || e.operands != (int)count)
        return host_left();
    for (int i = 0; i < e.operands; ++i)
        if (!host_from_python(object[i], &x[i]) || x[i].type != x[0].type || x[i].type == TSR_BOOL
            || !read_modes(&e, i, &x[i]))
            return host_left();
    if (!read_result(&e) || (e.operands == 2 && !are_shared(&e)))
        return host_left();
    if (e.operands == 1 && !is_summed(&e, 0) && e.rank[OPERANDS] > 0)
        return view_of(&e, x);
    return compute_einsum(&e, x);
}

PyObject *host_einsum(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char const *text = NULL;
    (void)module;
    if (count < 2 || Py_TYPE(args[0]) != &PyUnicode_Type || !PyArg_Parse(args[0], "s", &text)) {
        PyErr_Clear();
        return host_left();
    }
    return einsum_of(text, args + 1, count - 1);
}

PyObject *host_matmul(PyObject *a, PyObject *b)
{
    static char const *const texts[4][4] = {
        [1][1] = "k,k->", [2][2] = "mk,kn->mn", [2][1] = "mk,k->m", [1][2] = "k,kn->n", [3][3] = "vmk,vkn->vmn"};
    PyObject *const both[2] = {a, b};
    int rank[2] = {0, 0};
    for (int i = 0; i < 2; ++i)
        if (Py_TYPE(both[i]) == tensor_type)
            rank[i] = ((object *)both[i])->v.as.tensor.layout.shape.leaves;
    char const *const text = rank[0] < 4 && rank[1] < 4 ? texts[rank[0]][rank[1]] : NULL;
    return text ? einsum_of(text, both, 2) : host_left();
}
