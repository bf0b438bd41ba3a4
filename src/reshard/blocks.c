/** Quantised tensors, whose blocks share a scale in another tensor. A cut goes between blocks, and cuts the scales
 *  there, too. Neither is cast.
 *
 *  fp8      W (N,K) and W_scale_inv (N/128,K/128), or W_scale
 *  MXFP4    W_blocks (..,K/32,16) and W_scales (..,K/32)
 *  GPTQ     W.qweight (K/8,N), W.scales (K/g,N), W.qzeros (K/g,N/8), W.g_idx (K)
 *
 *  W.g_idx says the group of each k. Where that is not k / g, as with act-order, a group's rows lie anywhere: its scale
 *  is needed on all ranks among which K is cut.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reshard/match.h"

/** X(ending of the tensor, ending of its companion, what that has of a block, is it one only of fp8 elements?) */
#define COMPANIONS(X)                            \
  X("weight", "weight_scale_inv", "scale", true) \
  X("weight", "weight_scale", "scale", true)     \
  X("_blocks", "_scales", "scale", false)        \
  X(".qweight", ".scales", "scale", false)       \
  X(".scales", ".qzeros", "zero point", false)   \
  X(".g_idx", ".qweight", "row", false)

typedef struct companion {
    char const *fine, *coarse, *what;
    bool fp8;
} companion;

static companion const companions[] = {
#define X(fine, coarse, what, fp8) {fine, coarse, what, fp8},
    COMPANIONS(X)
#undef X
};

/** Are these the endings of GPTQ's weights and scales? */
static bool is_gptq(companion const *c) { return strcmp(c->fine, ".qweight") == 0; }

/** The tensor whose name ends in `other` where this one's ends in `own`; NULL: there is none. */
static reshard_tensor *coarse_of(tsr_reshard const *r, reshard_tensor const *t, char const *own, char const *other)
{
    size_t const n = strlen(t->name), m = strlen(own), size = n + strlen(other) + 1;
    if (n < m || strcmp(t->name + n - m, own) != 0)
        return NULL;
    char *const name = (char *)malloc(size);
    if (name)
        snprintf(name, size, "%.*s%s", (int)(n - m), t->name, other);
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
    companion const *companion;
} block_check;

static bool cuts(tsr_dist_layout const *d, int mode, int64_t n)
{
    int64_t rank[2] = {0, 0}, local[2] = {0, 0};
    return n > 1
           && !(where(d, mode, 0, &rank[0], &local[0]) && where(d, mode, n - 1, &rank[1], &local[1])
                && rank[0] == rank[1] && local[1] - local[0] == n - 1);
}

/** A mode of one scale alone: it is on each rank that has some of its elements. */
static bool check_alone(block_check *x, int m)
{
    int64_t const ranks = tsr_dist_ranks(&x->d[0]);
    for (int64_t rank = 0; rank < ranks; ++rank) {
        tsr_dist_part part[2];
        for (int k = 0; k < 2; ++k)
            (void)tsr_dist_part_of(&x->d[k], rank, &part[k]);
        if (part[0].elements > 0 && part[1].extent[m] == 0)
            return tsr_reshard_note_(x->r, TSR_RESHARD_BLOCKS, x->fine->name,
                                     "tensor %s: the %s cuts mode %d among ranks, and rank %lld has no %s of it: let "
                                     "all ranks have %s (R)",
                                     x->fine->name, x->side ? "target" : "source", m, (long long)rank,
                                     x->companion->what, x->coarse->name);
    }
    return true;
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
                "tensor %s: the %s cuts mode %d at %lld, inside of a block of %lld, whose %s is in %s", x->fine->name,
                x->side ? "target" : "source", m, (long long)cut, (long long)block, x->companion->what,
                x->coarse->name);
        }
        if (follows && rank[2] != rank[0])
            return tsr_reshard_note_(x->r, TSR_RESHARD_BLOCKS, x->fine->name,
                                     "tensor %s: the %s puts block %lld of mode %d on another rank than its %s in %s",
                                     x->fine->name, x->side ? "target" : "source", (long long)j, m,
                                     x->companion->what, x->coarse->name);
    }
    return coarse != 1 || n < 2 || check_alone(x, m);
}

/** Is group k / g that of each k? */
static bool is_plain(tsr_reshard const *r, reshard_tensor const *g_idx, int64_t groups)
{
    int64_t const size = block_of(g_idx->side[0].view.extent[0], groups);
    int64_t const ranks = tsr_reshard_mesh_(r->spec[0], &r->spec[0]->rule[g_idx->side[0].rule]).ranks;
    bool plain = true;
    for (int64_t sub = 0; plain && sub < ranks && size > 0; ++sub) {
        reshard_place place;
        tsr_message why;
        if (!tsr_reshard_place_(r, g_idx, 0, sub, &place, &why))
            return true;
        unsigned char const *const memory = (unsigned char const *)tsr_reshard_memory_(r, g_idx, sub, &place);
        for (int64_t i = 0; plain && memory && i < place.part.elements; ++i) {
            int64_t index = 0;
            int32_t group = 0;
            memcpy(&group, memory + i * (int64_t)sizeof group, sizeof group);
            plain = !tsr_dist_index_at(&place.layout, sub, &i, &index) || group == index / size;
        }
    }
    return plain;
}

/** K of a tensor of GPTQ, whose rows lie in groups by g_idx. 1: as blocks of neighbours; 0: as no blocks, and scales
 *  are there on all ranks; -1: a problem. */
static int check_order(block_check *x)
{
    reshard_tensor const *const g_idx = coarse_of(x->r, x->fine, x->companion->fine, ".g_idx");
    bool const scales = cuts(&x->d[1], 0, x->coarse->side[0].view.extent[0]);
    if (!g_idx || !g_idx->valid || g_idx->type != TSR_I32 || g_idx->side[0].view.modes != 1
        || !(scales || cuts(&x->d[0], 0, x->fine->side[0].view.extent[0]))
        || is_plain(x->r, g_idx, x->coarse->side[0].view.extent[0]))
        return 1;
    if (!scales)
        return 0;
    (void)tsr_reshard_note_(
        x->r, TSR_RESHARD_BLOCKS, x->fine->name,
        "tensor %s: the %s cuts mode 0, whose groups lie in no order, as %s says (act-order): cut "
        "mode 1, or let all ranks have %s and its zero points (R)",
        x->fine->name, x->side ? "target" : "source", g_idx->name, x->coarse->name);
    return -1;
}

static bool check_side(tsr_reshard *r, companion const *c, reshard_tensor *fine, reshard_tensor *coarse, int side)
{
    block_check x = {.r = r, .fine = fine, .coarse = coarse, .side = side, .companion = c};
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
    int const ordered = is_gptq(c) && shared > 0 ? check_order(&x) : 1;
    if (ordered < 0)
        return false;
    for (int m = !ordered; m < shared; ++m)
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
            reshard_tensor *const coarse =
                fine->valid ? coarse_of(r, fine, companions[k].fine, companions[k].coarse) : NULL;
            if (!coarse || !coarse->valid || (companions[k].fp8 && !is_fp8(fine->type)))
                continue;
            fine->to = fine->type;
            coarse->to = coarse->type;
            (void)(check_side(r, &companions[k], fine, coarse, 0) && check_side(r, &companions[k], fine, coarse, 1));
        }
}
