/** Calls on tensors of the host that make a new tensor: copies, sums, products. Each gives None where the function of
 *  the package is to do it, which also says what is wrong with a call. */
#include "cuda_replay.h"

#include "exec/rows.h"
#include "host.h"

#include "tessera/exec/reduce.h"

#include <string.h>

/** What is less is converted at once. */
enum { FEW_ELEMENTS = 1 << 14 };

static PyObject *left(void) { return Py_BuildValue(""); }

/** The result of a call that may have been refused: then the function of the package says why. */
static PyObject *result(PyObject *r, tsr_reason why)
{
    if (!why.status)
        return r;
    Py_DECREF(r);
    return left();
}

/** The number that a tensor of one element is; takes `r`. */
static PyObject *as_number(PyObject *r, host const *h)
{
    PyObject *const number = number_to_python(tsr_load(h->type, h->at, 0));
    Py_DECREF(r);
    return number;
}

/** _relayout(x, type or None): a new tensor with the elements in the order of x */
static PyObject *relayout(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x, y;
    (void)module;
    if (count != 2 || !host_from_python(args[0], &x))
        return left();
    tsr_dtype type = x.type;
    if (args[1] != Py_None && !type_from_python(args[1], &type)) {
        PyErr_Clear();
        return left();
    }
    if (tsr_dtype_bits(type) % 8 != 0 || tsr_number_kind_of(type) == TSR_NO_NUMBER)
        return left();
    PyObject *const r = host_new_like(&x, type, &y);
    if (!r)
        return NULL;
    if (x.side_by_side && x.count < FEW_ELEMENTS) { /* both in one order: there is nothing to plan */
        if (x.type == type)
            memcpy(y.at, x.at, (size_t)(x.count * (tsr_dtype_bits(type) / 8)));
        else
            tsr_engine_convert(type, y.at, x.type, x.at, x.count);
        return r;
    }
    PyThreadState *const state = host_unlock(x.count);
    tsr_reason const why = tsr_copy(x.of->v.as.tensor, y.of->v.as.tensor);
    host_lock(state);
    return result(r, why);
}

/* Views */

/** Whether the last mode is the fastest, and each goes on where the one behind it ends. */
static bool is_in_c_order(host const *h)
{
    int64_t next = 1;
    bool is = true;
    for (int i = h->rank; is && i-- > 0; next *= h->extent[i])
        is = h->stride[i] == next;
    return is;
}

/** Integers of a call, a tuple or a list of them as the one argument, too. False: it has others. */
static bool take_integers(PyObject *const *args, Py_ssize_t count, int64_t *to, int *n)
{
    bool const one = count == 1 && (PyTuple_Check(args[0]) || PyList_Check(args[0]));
    Py_ssize_t const size = one ? PySequence_Size(args[0]) : count;
    bool good = size > 0 && size <= TSR_MAX_LEAVES;
    for (Py_ssize_t i = 0; good && i < size; ++i) {
        PyObject *const x = !one                     ? args[i]
                            : PyTuple_Check(args[0]) ? PyTuple_GetItem(args[0], i)
                                                     : PyList_GetItem(args[0], i);
        good = PyLong_CheckExact(x);
        to[i] = good ? PyLong_AsLongLong(x) : 0;
    }
    *n = (int)size;
    good = good && !PyErr_Occurred();
    PyErr_Clear();
    return good;
}

/** _reshaped(x, extents..): x in C order in another shape, of which one extent may be -1 */
static PyObject *reshaped(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES], next = 1;
    int rank = 0, free_one = -1;
    (void)module;
    if (count < 2 || !host_from_python(args[0], &x) || !take_integers(args + 1, count - 1, extent, &rank)
        || !is_in_c_order(&x))
        return left();
    bool good = true;
    for (int i = 0; good && i < rank; ++i) {
        good = extent[i] > 0 || (extent[i] == -1 && free_one < 0);
        free_one = extent[i] == -1 ? i : free_one;
        good = good && (extent[i] == -1 || tsr_mul64(next, extent[i], &next));
    }
    if (!good || x.count % next != 0 || (free_one < 0 && next != x.count))
        return left();
    if (free_one >= 0)
        extent[free_one] = x.count / next;
    next = 1;
    for (int i = rank; i-- > 0; next *= extent[i])
        stride[i] = next;
    return host_view(&x, 0, rank, extent, stride);
}

/** _permuted(x, axes..): the modes in another order */
static PyObject *permuted(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x;
    int64_t axis[TSR_MAX_LEAVES], extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    int rank = 0;
    unsigned seen = 0;
    (void)module;
    if (count < 2 || !host_from_python(args[0], &x) || !take_integers(args + 1, count - 1, axis, &rank)
        || rank != x.rank)
        return left();
    for (int i = 0; i < rank; ++i) {
        int64_t const k = axis[i] < 0 ? axis[i] + rank : axis[i];
        if (k < 0 || k >= rank || (seen >> k & 1) != 0)
            return left();
        seen |= 1u << k;
        extent[i] = x.extent[k];
        stride[i] = x.stride[k];
    }
    return host_view(&x, 0, rank, extent, stride);
}

/** Which modes are reduced: one, or all. False: another axis, which is left to the function. */
static bool take_axis(PyObject *axis, int rank, bool *reduced)
{
    long const k = axis != Py_None && Py_TYPE(axis) == &PyLong_Type ? PyLong_AsLong(axis) : rank;
    if (axis != Py_None && (k < -rank || k >= rank)) {
        PyErr_Clear();
        return false;
    }
    for (int i = 0; i < rank; ++i)
        reduced[i] = axis == Py_None || i == (k < 0 ? k + rank : k);
    return true;
}

/** The type of a sum: integers are summed in 64 bits. */
static tsr_dtype type_of_sum(tsr_dtype type)
{
    int const code = (int)tsr_dtype_code(type);
    return code == 0 || type == TSR_BOOL ? TSR_I64 : code == 1 ? TSR_U64 : type;
}

/** _reduce_new(0 for the sum, 1 for the least, 2 for the greatest, x, axis or None): a new tensor, or a number */
static PyObject *reduce(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    host x, y;
    bool reduced[TSR_MAX_LEAVES];
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    int rank = 0;
    (void)module;
    int const op = count == 3 ? (int)PyLong_AsLong(args[0]) : -1;
    if (op < 0 || !host_from_python(args[1], &x) || !take_axis(args[2], x.rank, reduced))
        return PyErr_Occurred() ? NULL : left();
    for (int i = 0; i < x.rank; ++i)
        if (!reduced[i])
            extent[rank++] = x.extent[i];
    tsr_dtype const type = op == 0 ? type_of_sum(x.type) : x.type;
    PyObject *const made = host_new(&x, rank ? rank : 1, rank ? extent : (int64_t const[]){1}, type, &y);
    if (!made)
        return NULL;
    for (int i = 0, k = 0; i < x.rank; ++i)
        stride[i] = reduced[i] ? 0 : y.stride[k++];
    tsr_tensor const to = host_part(&y, 0, x.rank, x.extent, stride);
    PyThreadState *const state = host_unlock(x.count);
    tsr_reason const why = tsr_reduce_to((tsr_reducer)op, x.of->v.as.tensor, to);
    host_lock(state);
    return why.status || rank > 0 ? result(made, why) : as_number(made, &y);
}

/* Einsums of letters alone, of one tensor or of two of one type */

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

/** Computes the result of two tensors, or of one, whose letters are read. */
static tsr_reason run_einsum(einsum *e, host const *x, host const *y)
{
    char text[3 * (TSR_MAX_LEAVES + 1) + 4], letters[OPERANDS + 1][4];
    bool const two = e->operands == 2, sums = is_summed(e, 0) || (two && is_summed(e, 1));
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
    return why.status || rank ? result(made, why) : as_number(made, &y);
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
        return left();
    for (int i = 0; i < e.operands; ++i)
        if (!host_from_python(object[i], &x[i]) || x[i].type != x[0].type || x[i].type == TSR_BOOL
            || !read_modes(&e, i, &x[i]))
            return left();
    if (!read_result(&e) || (e.operands == 2 && !are_shared(&e)))
        return left();
    if (e.operands == 1 && !is_summed(&e, 0) && e.rank[OPERANDS] > 0)
        return view_of(&e, x);
    return compute_einsum(&e, x);
}

/** _einsum_new(text, x, ..): a new tensor, a view, or a number */
static PyObject *einsum_new(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char const *text = NULL;
    (void)module;
    if (count < 2 || Py_TYPE(args[0]) != &PyUnicode_Type || !PyArg_Parse(args[0], "s", &text)) {
        PyErr_Clear();
        return left();
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
    return text ? einsum_of(text, both, 2) : left();
}

/* Arrays */

/** What __array_struct__ of NumPy gives. */
typedef struct array_struct {
    int two, nd;
    char kind;
    int bytes, flags;
    Py_ssize_t *shape, *strides;
    void *data;
} array_struct;

enum { IN_C_ORDER = 1, IS_NATIVE = 0x200, IS_WRITEABLE = 0x400 };

static tsr_dtype type_of_array(char kind, int bytes)
{
    static char const kinds[] = "iufcb";
    static tsr_dtype const types[sizeof kinds - 1][5] = {{TSR_I8, TSR_I16, TSR_I32, TSR_I64, 0},
                                                         {TSR_U8, TSR_U16, TSR_U32, TSR_U64, 0},
                                                         {0, TSR_F16, TSR_F32, TSR_F64, 0},
                                                         {0, 0, 0, TSR_C64, TSR_C128},
                                                         {TSR_BOOL, 0, 0, 0, 0}};
    char const *const row = (char const *)memchr(kinds, kind, sizeof kinds - 1);
    bool const known = row && bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
    return known ? types[row - kinds][tsr_bit_width((uint64_t)bytes) - 1] : (tsr_dtype)0;
}

/** An array of NumPy, and of no subclass; that type is looked for until NumPy is imported. */
static bool is_array(PyObject *x)
{
    static PyTypeObject *array_type;
    if (!array_type) {
        PyObject *const modules = PyImport_GetModuleDict(), *const numpy = PyDict_GetItemString(modules, "numpy");
        array_type = numpy ? (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray") : NULL;
        PyErr_Clear();
    }
    return array_type && Py_TYPE(x) == array_type;
}

/** _array(x): an array of NumPy as a tensor; None: that is left to the function */
static PyObject *array_to_tensor(PyObject *module, PyObject *x)
{
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    (void)module;
    PyObject *const capsule = is_array(x) ? PyObject_GetAttrString(x, "__array_struct__") : NULL;
    array_struct const *const a = capsule ? (array_struct const *)PyCapsule_GetPointer(capsule, NULL) : NULL;
    tsr_dtype const type = a && a->two == 2 ? type_of_array(a->kind, a->bytes) : (tsr_dtype)0;
    bool good = type && (a->flags & IS_NATIVE) && a->nd > 0 && a->nd <= TSR_MAX_LEAVES;
    int64_t next = 1;
    for (int i = good ? a->nd : 0; good && i-- > 0; next *= extent[i]) {
        good = a->data && a->shape[i] > 0 && a->strides[i] % a->bytes == 0;
        extent[i] = a->shape[i];
        stride[i] = a->flags & IN_C_ORDER ? next : a->strides[i] / a->bytes; /* also of modes of extent 1 */
    }
    PyErr_Clear();
    bool const constant = good && !(a->flags & IS_WRITEABLE);
    PyObject *const r = good ? host_array(a->data, type, a->nd, extent, stride, constant, x) : left();
    Py_XDECREF(capsule);
    return r;
}

#define AS_METHOD(f) ((PyCFunction)(void (*)(void))(f))

PyMethodDef host_functions[] = {{"_relayout", AS_METHOD(relayout), METH_FASTCALL, NULL},
                                {"_reshaped", AS_METHOD(reshaped), METH_FASTCALL, NULL},
                                {"_permuted", AS_METHOD(permuted), METH_FASTCALL, NULL},
                                {"_reduce_new", AS_METHOD(reduce), METH_FASTCALL, NULL},
                                {"_einsum_new", AS_METHOD(einsum_new), METH_FASTCALL, NULL},
                                {"_array", array_to_tensor, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};
