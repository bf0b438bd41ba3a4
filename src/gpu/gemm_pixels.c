/** Products with an im2col view of an image: an operand whose pixels and taps step through the same memory.
 *
 *  Its loops along M (or N) are pixels, its loops along K are channels, which are neighbours, and taps. A dimension of
 *  the image steps by the greatest common divisor of the step of its pixels and that of its taps; stride and dilation
 *  are the quotients. Taps that go with no pixels get a dimension of one pixel. Every choice of partners is the same
 *  matrix, so the first one with the fewest dimensions is taken that the copy engine can count. */
#include "gpu/gemm.h"

/** What the copy engine takes in one step of an image, at most. */
enum { MOST_STRIDE = 8 };

/** The loops of the view: those of its pixels, and of its taps, whose number is `count`. */
typedef struct view_loops {
    tsr_gemm_loops const *pixels, *k;
    int operand, bits, channels; /* which tensor, the bits of an element; the loop of K */
    int tap[TSR_PIXEL_DIMS], count;
} view_loops;

/** How far from its pixel a tap of an image of `dims` dimensions may be. */
static int64_t most_reach(int dims) { return (int64_t)1 << (16 / dims - 1); }

/** Whether the loops of a mode go through a tensor as one. */
static bool is_one(tsr_gemm_loops const *x, int operand)
{
    for (int i = 1; i < x->loops; ++i)
        if (x->step[operand][i] != x->step[operand][i - 1] * x->count[i - 1])
            return false;
    return true;
}

/** The loops of an operand as pixels, channels and taps. */
static bool find_loops(tsr_gemm_problem const *p, int operand, view_loops *v)
{
    tsr_gemm_loops const *const other = operand == TSR_IN_A ? &p->n : &p->m;
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->product.a : &p->product.b;
    *v =
        (view_loops){operand == TSR_IN_A ? &p->m : &p->n, &p->k, operand, tsr_dtype_bits(t->engine.type), -1, {0}, 0};
    if (p->v.loops > 0 || other->loops > 1 || v->pixels->loops < 1 || v->pixels->loops > TSR_PIXEL_DIMS + 1
        || !is_one(v->pixels, TSR_IN_C) || (p->product.biased && !is_one(v->pixels, TSR_IN_BIAS)))
        return false;
    for (int i = 0; i < v->pixels->loops; ++i)
        if (v->pixels->step[operand][i] <= 0)
            return false;
    for (int i = 0; i < v->k->loops; ++i) {
        if (v->k->step[operand][i] == 1 && v->channels < 0)
            v->channels = i;
        else if (v->k->step[operand][i] <= 0 || v->count == TSR_PIXEL_DIMS)
            return false;
        else
            v->tap[v->count++] = i;
    }
    return v->channels >= 0;
}

/** The image if tap i goes with loop partner[i] of the pixels. A partner that is the number of loops is none of them.
 *  False if the copy engine cannot count in it. */
static bool make_image(view_loops const *v, int const partner[TSR_PIXEL_DIMS], gpu_pixels *x)
{
    tsr_gemm_loops const *const p = v->pixels, *const k = v->k;
    int const loops = p->loops;
    int tap_of[TSR_PIXEL_DIMS + 1] = {-1, -1, -1, -1}, alone = 0;
    for (int i = 0; i < v->count; ++i) {
        if (partner[i] < loops && tap_of[partner[i]] >= 0)
            return false;
        if (partner[i] < loops)
            tap_of[partner[i]] = v->tap[i];
        alone += partner[i] == loops;
    }
    int const paired = loops - (tap_of[loops - 1] < 0), dims = paired + alone;
    if (dims < 1 || dims > TSR_PIXEL_DIMS)
        return false;
    memset(x, 0, sizeof *x);
    x->view.dims = dims;
    for (int i = 0, next = 0; i < dims; ++i) {
        while (i >= paired && partner[next] < loops)
            ++next;
        int const tap = i < paired ? tap_of[i] : v->tap[next++];
        int64_t const pixels = i < paired ? p->count[i] : 1, taps = tap >= 0 ? k->count[tap] : 1;
        int64_t const by_pixel = i < paired ? p->step[v->operand][i] : 0,
                      by_tap = tap >= 0 ? k->step[v->operand][tap] : 0;
        x->pitch[i] = tsr_gcd64(by_pixel, by_tap);
        int64_t const stride = i < paired ? by_pixel / x->pitch[i] : 1, dilation = by_tap / x->pitch[i];
        if (stride > MOST_STRIDE || taps > most_reach(dims) || (taps - 1) * dilation > most_reach(dims))
            return false;
        x->tap[i] = tap;
        x->extent[i] = (pixels - 1) * stride + (taps - 1) * dilation + 1;
        x->view.pixels[i] = (int32_t)pixels;
        x->view.stride[i] = (int32_t)stride;
        x->view.taps[i] = (int32_t)taps;
        x->view.dilation[i] = (int32_t)dilation;
    }
    x->images = paired < loops ? p->count[loops - 1] : 1;
    x->between = paired < loops ? p->step[v->operand][loops - 1] : 0;
    return true;
}

/** How bad an image is: its dimensions, and many more where one does not step by the units of the copy engine. */
static int badness(view_loops const *v, gpu_pixels const *x)
{
    int bad = x->view.dims;
    for (int i = 0; i < x->view.dims; ++i)
        bad += x->pitch[i] * v->bits % 128 == 0 ? 0 : TSR_PIXEL_DIMS + 1;
    return bad;
}

/** The best image of all choices of partners. */
static bool find_image(view_loops const *v, gpu_pixels *best)
{
    int const loops = v->pixels->loops;
    int choices = 1;
    best->view.dims = 0;
    for (int i = 0; i < v->count; ++i)
        choices *= loops + 1;
    for (int c = 0; c < choices; ++c) {
        int partner[TSR_PIXEL_DIMS] = {0};
        gpu_pixels next;
        for (int i = 0, rest = c; i < v->count; ++i, rest /= loops + 1)
            partner[i] = rest % (loops + 1);
        if (make_image(v, partner, &next) && (best->view.dims == 0 || badness(v, &next) < badness(v, best)))
            *best = next;
    }
    return best->view.dims > 0;
}

/** One loop of `size` with the steps of a loop of another mode. */
static void make_one(tsr_gemm_loops *x, tsr_gemm_loops const *of, int loop, int64_t size)
{
    x->loops = 1;
    x->size = x->count[0] = size;
    for (int i = 0; i < TSR_OPERANDS; ++i)
        x->step[i][0] = of->step[i][loop];
}

bool tsr_gpu_find_pixels_(tsr_gemm_problem const *p, gpu_pixels *x, tsr_gemm_problem *seen)
{
    view_loops v;
    for (int operand = TSR_IN_A; operand <= TSR_IN_B; ++operand) {
        if (!find_loops(p, operand, &v) || !find_image(&v, x))
            continue;
        bool const second = operand == TSR_IN_B;
        int64_t const step = 1024 / v.bits, channels = p->k.count[v.channels];
        int64_t const blocks = tsr_ceil_div64(channels, step);
        int64_t depth = blocks * step;
        for (int i = 0; i < x->view.dims; ++i)
            depth *= x->view.taps[i];
        if (depth > INT32_MAX / 2)
            continue;
        x->view.blocks = (int32_t)blocks;
        x->channels = v.channels;
        x->operand = operand;
        x->swapped = p->swapped != second;
        *seen = *p;
        make_one(&seen->k, &p->k, v.channels, depth);
        make_one(second ? &seen->n : &seen->m, v.pixels, 0, v.pixels->size);
        return true;
    }
    return false;
}

static uint64_t address_of(tsr_tensor const *t, int64_t begin)
{
    return t->engine.address + (uint64_t)(begin * (tsr_dtype_bits(t->engine.type) / 8));
}

tsr_tma_desc tsr_gpu_image_map_(tsr_gemm_problem const *p, gpu_pixels const *x, int rows)
{
    tsr_tensor const *const t = x->operand == TSR_IN_A ? &p->product.a : &p->product.b;
    int const bits = tsr_dtype_bits(t->engine.type), dims = x->view.dims;
    tsr_tma_tile const boxes = tsr_gpu_boxes_(t->engine.type, rows, 1024 / bits, 1, 1);
    int64_t extent[2] = {rows, p->k.count[x->channels]}, stride[2] = {0, 1};
    tsr_tma_desc d = tsr_tma_tile_map(&boxes, t->engine.type, 2, extent, stride);
    d.im2col = true;
    d.rank = dims + 2;
    d.channels = d.box[0];
    d.pixels = d.box[1];
    for (int i = 0; i <= dims; ++i) {
        int64_t const step = i < dims ? x->pitch[i] : x->between;
        d.dim[i + 1] = i < dims ? x->extent[i] : x->images;
        d.stride[i + 1] = d.dim[i + 1] > 1 ? step * (bits / 8) : 16;
        d.box[i + 1] = 1;
        if (i < dims) {
            d.step[i + 1] = x->view.stride[i];
            d.upper[i] = (int64_t)(1 - x->view.taps[i]) * x->view.dilation[i];
        }
    }
    d.address = address_of(t, p->begin[x->operand]);
    if (!d.why.status)
        d.why = tsr_tma_lint(d).why;
    return d;
}

tsr_tma_desc tsr_gpu_filter_map_(tsr_gemm_problem const *p, gpu_pixels const *x, int columns, int flags)
{
    int const operand = TSR_IN_B - x->operand;
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->product.a : &p->product.b;
    tsr_gemm_loops const *const own = operand == TSR_IN_A ? &p->m : &p->n;
    tsr_tma_tile const boxes = tsr_gpu_boxes_(t->engine.type, columns, 1024 / tsr_dtype_bits(t->engine.type),
                                              flags & TSR_HOPPER_B_MN ? 0 : 1, flags & TSR_HOPPER_PAIRS ? 2 : 1);
    int64_t extent[2 + TSR_PIXEL_DIMS] = {own->size, p->k.count[x->channels]},
                       stride[2 + TSR_PIXEL_DIMS] = {tsr_gpu_step_(own, operand), p->k.step[operand][x->channels]};
    for (int i = 0; i < x->view.dims; ++i) {
        extent[2 + i] = x->view.taps[i];
        stride[2 + i] = x->tap[i] >= 0 ? p->k.step[operand][x->tap[i]] : 0;
    }
    tsr_tma_desc d = tsr_tma_tile_map(&boxes, t->engine.type, 2 + x->view.dims, extent, stride);
    d.address = address_of(t, p->begin[operand]);
    if (!d.why.status)
        d.why = tsr_tma_lint(d).why;
    return d;
}
