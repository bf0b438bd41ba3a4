/** einsum: the functions of exec/einsum.h. */
#include "exec/gemm/einsum.h"
#include "exec/by_address.h"

#include <string.h>

int tsr_letter_(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1; }

void tsr_einsum_read_(tsr_einsum_ *e, char const *text)
{
    int tensor = 0, i = 0;
    e->why = tsr_no_reason();
    for (int t = 0; t < 3; ++t) {
        e->count[t] = 0;
        for (int x = 0; x < TSR_EINSUM_LETTERS; ++x) {
            e->mode[t][x] = -1;
            e->at[t][x] = -1;
        }
    }
    for (; text[i] != 0 && !e->why.status; ++i) {
        int const x = tsr_letter_(text[i]);
        if (text[i] == ' ')
            continue;
        if (tensor == 0 && text[i] == ',') {
            tensor = 1;
        } else if (tensor == 1 && text[i] == '-' && text[i + 1] == '>') {
            tensor = 2;
            ++i;
        } else if (tensor == 1 && text[i] == ',') {
            e->why = tsr_because(TSR_EINSUM_TENSORS, 0, i, 0, 0);
        } else if (x < 0 || e->count[tensor] == TSR_EINSUM_LETTERS) {
            e->why = tsr_because(TSR_EINSUM_TEXT, 0, i, 0, 0);
        } else if (e->at[tensor][x] >= 0) {
            e->why = tsr_because(TSR_EINSUM_REPEATED, 0, i, e->at[tensor][x], 0);
        } else {
            e->at[tensor][x] = i;
            e->mode[tensor][x] = (int8_t)e->count[tensor]++;
        }
    }
    if (!e->why.status && tensor < 2)
        e->why = tsr_because(TSR_EINSUM_ENDS, 0, i, 0, 0);
}

/** Whether the tensors have the modes that the text names, of the same extents in each. */
static void tsr_einsum_check_(tsr_einsum_ *e, tsr_tensor const *const t[3])
{
    for (int i = 0; i < 3 && !e->why.status; ++i) {
        int64_t const rank = tsr_layout_rank(t[i]->layout);
        e->why = tsr_tensor_why(*t[i]);
        if (e->why.status)
            break;
        if (rank != e->count[i] && !(e->count[i] == 0 && tsr_layout_size(t[i]->layout) == 1))
            e->why = tsr_because(TSR_EINSUM_RANK, i, rank, e->count[i], 0);
    }
    for (int x = 0; x < TSR_EINSUM_LETTERS && !e->why.status; ++x) {
        int const a = e->at[0][x], b = e->at[1][x], c = e->at[2][x];
        int64_t size = -1;
        if (a < 0 && b < 0 && c >= 0)
            e->why = tsr_because(TSR_EINSUM_UNKNOWN, 0, c, 0, 0);
        else if (c < 0 && (a < 0) != (b < 0))
            e->why = tsr_because(TSR_EINSUM_ALONE, 0, a < 0 ? b : a, 0, 0);
        for (int i = 0; i < 3 && !e->why.status; ++i) {
            if (e->mode[i][x] < 0)
                continue;
            int64_t const n = tsr_layout_size(tsr_mode(t[i]->layout, e->mode[i][x]));
            if (size >= 0 && n != size)
                e->why = tsr_because(TSR_EINSUM_SIZE, 0, e->at[i][x], n, size);
            size = n;
        }
    }
}

/** The letters in `in` and `also` but not in `but`, in the order of the modes of `in`, as one mode of tensor i. */
static tsr_layout tsr_einsum_mode_(tsr_einsum_ const *e, tsr_layout const *l, int i, int in, int also, int but)
{
    tsr_layout r = tsr_pad_();
    int found = 0;
    for (int m = 0; m < e->count[in]; ++m)
        for (int x = 0; x < TSR_EINSUM_LETTERS; ++x) {
            if (e->mode[in][x] != m || e->mode[also][x] < 0 || (but >= 0 && e->mode[but][x] >= 0))
                continue;
            tsr_layout const mode = tsr_mode(tsr_layout_inner(*l), e->mode[i][x]);
            r.shape = found ? tsr_tuple_append(r.shape, mode.shape) : tsr_wrap(mode.shape);
            r.stride = found ? tsr_tuple_append(r.stride, mode.stride) : tsr_wrap(mode.stride);
            ++found;
        }
    return r;
}

/** Tensor i with the modes (V, own, K or the other's). */
static tsr_tensor tsr_einsum_tensor_(tsr_einsum_ const *e, tsr_tensor const *t, int i)
{
    tsr_tensor r = *t;
    tsr_einsum_ batch = *e; /* V are the letters of C that are in A and in B */
    for (int x = 0; x < TSR_EINSUM_LETTERS; ++x)
        if (e->mode[0][x] < 0 || e->mode[1][x] < 0)
            batch.mode[2][x] = -1;
    tsr_layout const v = tsr_einsum_mode_(&batch, &t->layout, i, 2, 0, -1);
    tsr_layout const m =
        i == 1 ? tsr_einsum_mode_(e, &t->layout, i, 2, 1, 0) : tsr_einsum_mode_(e, &t->layout, i, 2, 0, 1);
    tsr_layout const k =
        i == 2 ? tsr_einsum_mode_(e, &t->layout, i, 2, 1, 0) : tsr_einsum_mode_(e, &t->layout, i, 0, 1, 2);
    r.layout =
        tsr_with_(t->layout, tsr_tuple_3(v.shape, m.shape, k.shape), tsr_tuple_3(v.stride, m.stride, k.stride));
    return r;
}

tsr_reason tsr_einsum_quote_(tsr_reason why, char const *text)
{
    size_t const room = (TSR_NOTES - 3) * sizeof why.number[3], n = strlen(text);
    if ((TSR_EINSUM_TEXT <= why.status && why.status <= TSR_EINSUM_SIZE) || why.status == TSR_EINSUM_TENSORS)
        memcpy(&why.number[3], text, n < room ? n : room);
    return why;
}

tsr_reason tsr_einsum_as_gemm(char const *text, tsr_tensor *a, tsr_tensor *b, tsr_tensor *c, tsr_tensor *bias)
{
    tsr_einsum_ e;
    tsr_tensor const *const t[3] = {a, b, c}, *const with[3] = {a, b, bias};
    tsr_einsum_read_(&e, text);
    tsr_einsum_check_(&e, t);
    if (!e.why.status && bias)
        tsr_einsum_check_(&e, with);
    if (e.why.status)
        return tsr_einsum_quote_(e.why, text);
    *a = tsr_einsum_tensor_(&e, a, 0);
    *b = tsr_einsum_tensor_(&e, b, 1);
    *c = tsr_einsum_tensor_(&e, c, 2);
    if (bias)
        *bias = tsr_einsum_tensor_(&e, bias, 2);
    return e.why;
}

tsr_reason tsr_einsum_with(char const *text, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                           tsr_epilogue const *how)
{
    tsr_epilogue ours = *how;
    tsr_tensor x = *a, y = *b, z = *c, bias = how->bias ? *how->bias : *c;
    tsr_reason const why = tsr_einsum_as_gemm(text, &x, &y, &z, how->bias ? &bias : NULL);
    ours.bias = how->bias ? &bias : NULL;
    return why.status ? why : tsr_gemm_with(&x, &y, &z, &ours);
}

tsr_reason tsr_einsum(char const *text, tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c)
{
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    return tsr_einsum_with(text, a, b, c, &e);
}
