/** Quantised tensors, whose blocks share a scale in another tensor. A cut goes between blocks, and cuts the scales
 *  there, too. Neither is cast.
 *
 *  fp8      W (N,K) and W_scale_inv (N/128,K/128), or W_scale
 *  MXFP4    W_blocks (..,K/32,16) and W_scales (..,K/32)
 *  GPTQ     W.qweight (K/8,N), W.scales (K/g,N), W.qzeros (K/g,N/8), W.g_idx (K)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reshard/match.h"

/** X(ending of the tensor, ending of its companion, is the companion the coarser one only of fp8 elements?) */
#define COMPANIONS(X)                   \
  X("weight", "weight_scale_inv", true) \
  X("weight", "weight_scale", true)     \
  X("_blocks", "_scales", false)        \
  X(".qweight", ".scales", false)       \
  X(".scales", ".qzeros", false)        \
  X(".g_idx", ".qweight", false)

typedef struct companion {
    char const *fine, *coarse;
    bool fp8;
} companion;

static companion const companions[] = {
#define X(fine, coarse, fp8) {fine, coarse, fp8},
    COMPANIONS(X)
#undef X
};

/** The tensor whose name ends in `coarse` where this one's ends in `fine`; NULL: there is none. */
static reshard_tensor *coarse_of(tsr_reshard const *r, reshard_tensor const *t, companion const *c)
{
    size_t const n = strlen(t->name), m = strlen(c->fine), size = n + strlen(c->coarse) + 1;
    if (n < m || strcmp(t->name + n - m, c->fine) != 0)
        return NULL;
    char *const name = (char *)malloc(size);
    if (name)
        snprintf(name, size, "%.*s%s", (int)(n - m), t->name, c->coarse);
    int64_t const i = name ? tsr_reshard_find_(r, name) : -1;
    free(name);
    return i >= 0 ? &r->tensor[i] : NULL;
}

static bool is_fp8(tsr_dtype type) { return tsr_dtype_bits(type) == 8 && tsr_dtype_code(type) > 1; }

/** How many elements of n share one of `coarse`: a power of two, or all of them; 0: no such number. */
static int64_t block_of(int64_t n, int64_t coarse)
{
    if (coarse <= 1)
        return tsr_max64(n, 1);
    if (tsr_ceil_div64(n, 128) == coarse)
        return 128;
    for (int64_t b = 1; b <= n; b *= 2)
        if (tsr_ceil_div64(n, b) == coarse)
            return b;
    return 0;
}

/** Where an index of a mode is: its rank, and its place among the indices of the mode that the rank has. */
static bool where(tsr_dist_layout const *d, int mode, int64_t i, int64_t *rank, int64_t *local)
{
    int64_t index[TSR_DIST_MODES] = {0}, offset = 0;
    tsr_dist_part part;
    index[mode] = i;
    if (!tsr_dist_at(d, index, rank, &offset))
        return false;
    (void)tsr_dist_part_of(d, *rank, &part);
    *local = part.stride[mode] > 0 ? offset / part.stride[mode] : 0;
    return true;
}

/** A side of both tensors, and the words for it. */
typedef struct block_check {
    tsr_reshard *r;
    reshard_tensor *fine, *coarse;
    tsr_dist_layout d[2]; /* of the fine one, of the coarse one */
    int side;
} block_check;

static bool cuts(tsr_dist_layout const *d, int mode, int64_t n)
{
    int64_t rank[2] = {0, 0}, local[2] = {0, 0};
    return n > 1
           && !(where(d, mode, 0, &rank[0], &local[0]) && where(d, mode, n - 1, &rank[1], &local[1])
                && rank[0] == rank[1] && local[1] - local[0] == n - 1);
}

/** Mode m: every block of the fine tensor is on one rank, which is that of its scale. */
static bool check_mode(block_check *x, int m, int64_t n, int64_t coarse)
{
    int64_t const block = block_of(n, coarse);
    bool const follows = cuts(&x->d[1], m, coarse);
    if (block == 0)
        return tsr_reshard_note_(
            x->r, TSR_RESHARD_BLOCKS, x->fine->name,
            "mode %d of tensor %s has %lld elements, and %lld scales in %s: they are no blocks of one "
            "size, so parts that ranks padded by themselves are not joined",
            m, x->fine->name, (long long)n, (long long)coarse, x->coarse->name);
    for (int64_t j = 0; j < coarse && coarse > 1; ++j) {
        int64_t const first = j * block, last = tsr_min64(first + block, n) - 1;
        int64_t rank[3], local[3];
        if (!where(&x->d[0], m, first, &rank[0], &local[0]) || !where(&x->d[0], m, last, &rank[1], &local[1])
            || !where(&x->d[1], m, j, &rank[2], &local[2]))
            return true;
        int64_t cut = first + 1;
        if (rank[0] != rank[1] || local[1] - local[0] != last - first) {
            for (int64_t rank_of_cut = rank[0], place = 0; cut <= last && rank_of_cut == rank[0]; ++cut)
                if (!where(&x->d[0], m, cut, &rank_of_cut, &place) || rank_of_cut != rank[0])
                    break;
            return tsr_reshard_note_(
                x->r, TSR_RESHARD_BLOCKS, x->fine->name,
                "tensor %s: the %s cuts mode %d at %lld, inside of a block of %lld, whose scale is in %s",
                x->fine->name, x->side ? "target" : "source", m, (long long)cut, (long long)block, x->coarse->name);
        }
        if (follows && rank[2] != rank[0])
            return tsr_reshard_note_(
                x->r, TSR_RESHARD_BLOCKS, x->fine->name,
                "tensor %s: the %s puts block %lld of mode %d on another rank than its scale in %s", x->fine->name,
                x->side ? "target" : "source", (long long)j, m, x->coarse->name);
    }
    return true;
}

static bool check_side(tsr_reshard *r, reshard_tensor *fine, reshard_tensor *coarse, int side)
{
    block_check x = {.r = r, .fine = fine, .coarse = coarse, .side = side};
    reshard_tensor const *const both[] = {fine, coarse};
    tsr_message why;
    int const modes = fine->side[0].view.modes, shared = (int)tsr_min64(modes, coarse->side[0].view.modes);
    if (fine->side[side].view.groups > 0 || coarse->side[side].view.groups > 0)
        return tsr_reshard_note_(r, TSR_RESHARD_BLOCKS, fine->name,
                                 "tensor %s is quantised in blocks, and is not joined in groups", fine->name);
    for (int k = 0; k < 2; ++k)
        if (!tsr_reshard_layout_(r->spec[side], &r->spec[side]->rule[both[k]->side[side].rule],
                                 &both[k]->side[side].view, &x.d[k], &why))
            return tsr_reshard_note_(r, TSR_RESHARD_BLOCKS, fine->name, "tensor %s: %s", both[k]->name, why.text);
    for (int m = 0; m < shared; ++m)
        if (!check_mode(&x, m, fine->side[0].view.extent[m], coarse->side[0].view.extent[m]))
            return false;
    for (int m = shared; m < modes && modes > 2; ++m)
        if (cuts(&x.d[0], m, fine->side[0].view.extent[m]))
            return tsr_reshard_note_(r, TSR_RESHARD_BLOCKS, fine->name,
                                     "tensor %s: the %s cuts mode %d, the bytes of a block, whose scale is in %s",
                                     fine->name, side ? "target" : "source", m, coarse->name);
    return true;
}

void tsr_reshard_blocks_(tsr_reshard *r)
{
    for (int64_t i = 0; i < r->tensors; ++i)
        for (size_t k = 0; k < sizeof companions / sizeof *companions; ++k) {
            reshard_tensor *const fine = &r->tensor[i];
            reshard_tensor *const coarse = fine->valid ? coarse_of(r, fine, &companions[k]) : NULL;
            if (!coarse || !coarse->valid || (companions[k].fp8 && !is_fp8(fine->type)))
                continue;
            fine->to = fine->type;
            coarse->to = coarse->type;
            (void)(check_side(r, fine, coarse, 0) && check_side(r, fine, coarse, 1));
        }
}
