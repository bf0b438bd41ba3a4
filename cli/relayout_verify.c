/** tessera relayout --verify: the way back, by divisions and the layout itself, not by what the copy was made from.
 */
#include "relayout.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 16 };

/** The bits of an element; one smaller than a byte has a byte for itself. */
static void take_bits(tsr_dtype type, unsigned char const *p, int bit, unsigned char *to)
{
    int const bits = tsr_dtype_bits(type);
    if (bits % 8 != 0)
        to[0] = (unsigned char)tsr_load_part_(p, bit, bits);
    else
        memcpy(to, p, (size_t)bits / 8);
}

/** Whether element k of the output is this one. */
static bool is_there(tsr_tensor const *out, int64_t k, unsigned char const *want)
{
    unsigned char there[LARGEST] = {0};
    int bit = 0;
    unsigned char const *const p = tsr_element_place(&out->engine, k, &bit);
    take_bits(out->engine.type, p, bit, there);
    return memcmp(there, want, LARGEST) == 0;
}

/** The element of the input at a coordinate of the view, as the output should have it. */
static void expect_element(relayout const *r, tsr_tensor const *in, int64_t const *v, unsigned char *want)
{
    int64_t offset = 0;
    int bit = 0;
    for (int i = 0; i < r->rank; ++i)
        offset += v[i] * in->layout.stride.leaf[r->permute[i]].value;
    unsigned char const *const p = tsr_element_place(&in->engine, offset, &bit);
    if (in->engine.type == r->type)
        take_bits(r->type, p, bit, want);
    else
        tsr_store(r->type, want, 0, tsr_load(in->engine.type, p, bit));
}

/** The coordinate of the view of an element of the output; false for padding. */
static bool way_back(relayout const *r, int64_t const *at, int64_t *v)
{
    for (int i = 0; i < r->rank; ++i) {
        v[i] = r->kind == RELAYOUT_TILED ? at[i] * r->tile[i] + at[r->rank + i] : at[i];
        if (v[i] >= r->extent[i])
            return false;
    }
    return true;
}

/** To the next coordinate, the last index fastest; false after the last one. */
static bool next_coordinate(int64_t *at, tsr_tuple const *shape, int rank)
{
    for (int i = rank - 1; i >= 0; --i) {
        if (++at[i] < shape->leaf[i].value)
            return true;
        at[i] = 0;
    }
    return false;
}

static bool differs(options const *o, int64_t offset)
{
    complain(o, "verify: element %lld of the output is wrong", (long long)offset);
    return false;
}

enum { PART = 1 << 20 };

/** Element by element of the output. */
static bool verify_back(options const *o, relayout const *r, tsr_tensor const *in, tsr_tensor const *out,
                        relayout_progress progress, void *context)
{
    int64_t at[TSR_MAX_LEAVES] = {0}, v[TSR_MAX_LEAVES] = {0}, offset = 0;
    int const rank = tsr_mode_count(&out->layout.shape);
    do {
        unsigned char want[LARGEST] = {0};
        if (way_back(r, at, v))
            expect_element(r, in, v, want);
        if (!is_there(out, offset, want))
            return differs(o, offset);
        ++offset;
        if (progress && offset % PART == 0 && !progress(context, PART, false))
            return false;
    } while (next_coordinate(at, &out->layout.shape, rank));
    return offset == tsr_layout_size(out->layout);
}

/** Any layout: each element where the layout has it, and a bit for each place so that the others are seen to be 0. */
static bool verify_forth(options const *o, relayout const *r, tsr_tensor const *in, tsr_tensor const *out,
                         relayout_progress progress, void *context)
{
    int64_t v[TSR_MAX_LEAVES] = {0};
    int64_t const size = tsr_layout_size(out->layout);
    unsigned char const zeros[LARGEST] = {0};
    unsigned char *const seen = (unsigned char *)calloc((size_t)size / 8 + 1, 1);
    tsr_tuple shape = TSR_ZERO, coord = TSR_ZERO;
    int64_t done = 0;
    bool ok = seen != NULL;
    for (int i = 0; i < r->rank; ++i) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(r->extent[i]));
        tsr_tuple_push_leaf(&coord, tsr_leaf_dynamic(0));
    }
    coord = tsr_is_leaf(&r->layout.shape) ? coord : tsr_tuple_close(coord);
    if (!seen)
        complain(o, "out of memory");
    while (ok) {
        unsigned char want[LARGEST] = {0};
        for (int i = 0; i < r->rank; ++i)
            coord.leaf[i].value = v[i];
        int64_t const k = tsr_at_coord(r->layout, coord);
        expect_element(r, in, v, want);
        ok = k >= 0 && k < size && !(seen[k / 8] >> k % 8 & 1) && is_there(out, k, want);
        if (!ok)
            return free(seen), differs(o, k);
        seen[k / 8] |= (unsigned char)(1 << k % 8);
        if (!next_coordinate(v, &shape, r->rank))
            break;
        ok = ++done % PART != 0 || !progress || progress(context, PART, false);
    }
    for (int64_t k = 0; ok && k < size; ++k)
        if (!(seen[k / 8] >> k % 8 & 1) && !is_there(out, k, zeros))
            ok = differs(o, k);
    free(seen);
    return ok;
}

bool relayout_verify(options const *o, relayout const *r, tsr_tensor in, tsr_tensor out, relayout_progress progress,
                     void *context)
{
    return (r->kind == RELAYOUT_LAID_OUT ? verify_forth : verify_back)(o, r, &in, &out, progress, context);
}
