/** The bodies of tma/lint.h. */
#ifndef TSR_TMA_BODY_LINT_H
#define TSR_TMA_BODY_LINT_H

#include "tessera/tma/lint.h"
#include "tessera/tma/body/descriptor.h"

TSR_HEADER_BEGIN

/** A broken rule with up to five numbers. */
TSR_LOCAL tsr_reason tsr_tma_broken_(tsr_status status, int mode, int64_t a, int64_t b, int64_t c, int64_t d,
                                     int64_t e)
{
    tsr_reason r = tsr_because(status, mode, a, b, c);
    r.number[3] = d;
    r.number[4] = e;
    return r;
}

/** n things in boxes of at most `most`. */
TSR_LOCAL tsr_reason tsr_tma_parts_(tsr_status status, int mode, int64_t n, int64_t most)
{
    int64_t const parts = n > 0 ? tsr_ceil_div64(n, most) : 1;
    return tsr_because(status, mode, n, parts, n > 0 ? tsr_ceil_div64(n, parts) : 1);
}

/** Do 16 values of the format take 16 bytes of shared memory? */
TSR_LOCAL bool tsr_tma_padded_(tsr_tma_desc const *d)
{
    return tsr_tma_smem_bits(d->format) != tsr_tma_format_bits(d->format);
}

TSR_LOCAL int64_t tsr_tma_unit_(tsr_tma_desc const *d)
{
    return d->interleave == TSR_TMA_INTERLEAVE_32B || tsr_tma_padded_(d) ? 32 : 16;
}

/* One function a rule: no reason, or the rule that is broken. */

TSR_LOCAL tsr_reason tsr_tma_rule_rank_(tsr_tma_desc const *d)
{
    int const least = d->im2col || d->interleave != TSR_TMA_INTERLEAVE_NONE ? 3 : 1;
    return d->rank < least || d->rank > TSR_TMA_DIMS ? tsr_because(TSR_TMA_RANK, 0, d->rank, least, 0)
                                                     : tsr_no_reason();
}

TSR_LOCAL tsr_reason tsr_tma_rule_address_(tsr_tma_desc const *d)
{
    int64_t const unit = tsr_tma_unit_(d), off = (int64_t)(d->address % (uint64_t)unit);
    int64_t const at = (int64_t)(d->address & (uint64_t)TSR_INT_MAX);
    return off == 0 ? tsr_no_reason()
                    : tsr_tma_broken_(TSR_TMA_ADDRESS, 0, at, unit, unit - off, tsr_round_up64(at, unit), 0);
}

/** Whether a window slides along dimension i of an im2col map: it has a corner there. */
TSR_LOCAL bool tsr_tma_slides_(tsr_tma_desc const *d, int i)
{
    return d->im2col && i >= 1 && i <= d->rank - 2 && i <= TSR_TMA_DIMS - 2;
}

/** The corners of im2col are added to 32-bit extents: not documented, but the driver (580.159) refuses 2^31. */
TSR_LOCAL tsr_reason tsr_tma_rule_dim_(tsr_tma_desc const *d, int i)
{
    bool const image = tsr_tma_slides_(d, i);
    int64_t const most = image ? ((int64_t)1 << 31) - 1 : (int64_t)1 << 32;
    return d->dim[i] >= 1 && d->dim[i] <= most ? tsr_no_reason() : tsr_because(TSR_TMA_DIM, i, d->dim[i], most, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_dim_packed_(tsr_tma_desc const *d)
{
    int64_t const unit = tsr_tma_padded_(d) ? 128 : tsr_tma_format_bits(d->format) < 8 ? 2 : 1;
    return d->dim[0] % unit == 0 || d->dim[0] < 1
               ? tsr_no_reason()
               : tsr_because(TSR_TMA_DIM_PACKED, 0, d->dim[0], unit, tsr_round_up64(d->dim[0], unit));
}

TSR_LOCAL bool tsr_tma_in_stride_range_(int64_t stride) { return stride >= 0 && stride < (int64_t)1 << 40; }

TSR_LOCAL tsr_reason tsr_tma_rule_stride_range_(tsr_tma_desc const *d, int i)
{
    bool const ok = i == 0 || tsr_tma_in_stride_range_(d->stride[i]);
    return ok ? tsr_no_reason() : tsr_because(TSR_TMA_STRIDE_RANGE, i, d->stride[i], 0, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_stride_(tsr_tma_desc const *d, int i)
{
    int64_t const unit = tsr_tma_unit_(d), stride = d->stride[i], bits = tsr_tma_format_bits(d->format);
    if (i == 0 || !tsr_tma_in_stride_range_(stride) || stride % unit == 0)
        return tsr_no_reason();
    int64_t const whole = tsr_round_up64(stride, unit * bits / tsr_gcd64(unit * 8, bits));
    return tsr_tma_broken_(TSR_TMA_STRIDE, i, stride, unit, whole, stride * 8 / bits, whole * 8 / bits);
}

TSR_LOCAL tsr_reason tsr_tma_rule_box_(tsr_tma_desc const *d, int i)
{
    bool const ok = d->im2col || (d->box[i] >= 1 && d->box[i] <= 256);
    return ok ? tsr_no_reason() : tsr_tma_parts_(TSR_TMA_BOX, i, d->box[i], 256);
}

/** The elements of a row of a box: its innermost extent, or the channels. */
TSR_LOCAL int64_t tsr_tma_row_(tsr_tma_desc const *d) { return d->im2col ? d->channels : d->box[0]; }

/** Documented for maps without interleave; the driver (580.159) asks it of all. */
TSR_LOCAL tsr_reason tsr_tma_rule_box_row_(tsr_tma_desc const *d)
{
    int64_t const n = tsr_tma_row_(d), bits = tsr_tma_format_bits(d->format);
    bool const looks = n >= 1 && n <= 256 && !tsr_tma_padded_(d);
    if (!looks || n * bits % 128 == 0)
        return tsr_no_reason();
    return tsr_because(TSR_TMA_BOX_ROW, 0, n, n * bits / 8, tsr_round_up64(n, 128 / bits));
}

TSR_LOCAL tsr_reason tsr_tma_rule_box_packed_(tsr_tma_desc const *d)
{
    return tsr_tma_padded_(d) && tsr_tma_row_(d) != 128 ? tsr_because(TSR_TMA_BOX_PACKED, 0, tsr_tma_row_(d), 0, 0)
                                                        : tsr_no_reason();
}

TSR_LOCAL tsr_reason tsr_tma_rule_box_span_(tsr_tma_desc const *d)
{
    int64_t const span = tsr_tma_swizzle_span(d->swizzle), bits = tsr_tma_smem_bits(d->format);
    int64_t const n = tsr_tma_row_(d);
    if (d->interleave != TSR_TMA_INTERLEAVE_NONE || span == 0 || n < 1 || n > 256 || n * bits <= span * 8)
        return tsr_no_reason();
    return tsr_because(TSR_TMA_BOX_SPAN, 0, n * bits / 8, span, span * 8 / bits);
}

/** The innermost step counts only when the map is interleaved. */
TSR_LOCAL tsr_reason tsr_tma_rule_step_(tsr_tma_desc const *d, int i)
{
    bool const ok = d->step[i] >= 1 && d->step[i] <= 8;
    return ok ? tsr_no_reason() : tsr_because(TSR_TMA_STEP, i, d->step[i], 0, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_interleave_swizzle_(tsr_tma_desc const *d)
{
    bool const ok = d->interleave != TSR_TMA_INTERLEAVE_32B || d->swizzle == TSR_TMA_SWIZZLE_32B;
    return ok ? tsr_no_reason() : tsr_because(TSR_TMA_INTERLEAVE_SWIZZLE, 0, d->swizzle, 0, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_interleave_packed_(tsr_tma_desc const *d)
{
    bool const ok = d->interleave == TSR_TMA_INTERLEAVE_NONE || d->format != TSR_TMA_16U6_ALIGN16B;
    return ok ? tsr_no_reason() : tsr_because(TSR_TMA_INTERLEAVE_PACKED, 0, d->interleave, 0, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_swizzle_packed_(tsr_tma_desc const *d)
{
    bool const six = d->format == TSR_TMA_16U6_ALIGN16B;
    bool const ok = d->swizzle == TSR_TMA_SWIZZLE_NONE || d->swizzle == TSR_TMA_SWIZZLE_128B
                    || d->swizzle == TSR_TMA_SWIZZLE_128B_ATOM_32B
                    || (six && d->swizzle == TSR_TMA_SWIZZLE_128B_ATOM_64B);
    return ok || !tsr_tma_padded_(d) ? tsr_no_reason()
                                     : tsr_because(TSR_TMA_SWIZZLE_PACKED, 0, d->swizzle, d->format, 0);
}

TSR_LOCAL tsr_reason tsr_tma_rule_fill_(tsr_tma_desc const *d)
{
    bool const ok = d->fill == TSR_TMA_FILL_ZERO || tsr_tma_is_float(d->format);
    return ok ? tsr_no_reason() : tsr_because(TSR_TMA_FILL, 0, d->format, 0, 0);
}

/** The range of one corner: 16 bits of one dimension, 8 of two, 5 of three. */
TSR_LOCAL tsr_reason tsr_tma_rule_corner_(tsr_tma_desc const *d, int i)
{
    int64_t const half = d->rank == 3 ? 32768 : d->rank == 4 ? 128 : 16;
    if (!tsr_tma_slides_(d, i))
        return tsr_no_reason();
    int64_t const low = d->lower[i - 1], high = d->upper[i - 1];
    if (low < -half || low >= half)
        return tsr_because(TSR_TMA_CORNER, i, low, -half, half - 1);
    return high < -half || high >= half ? tsr_because(TSR_TMA_CORNER, i, high, -half, half - 1) : tsr_no_reason();
}

TSR_LOCAL tsr_reason tsr_tma_rule_bounding_(tsr_tma_desc const *d, int i)
{
    bool const looks = tsr_tma_slides_(d, i) && !tsr_tma_rule_corner_(d, i).status && !tsr_tma_rule_dim_(d, i).status;
    if (!looks || d->dim[i] + d->upper[i - 1] - d->lower[i - 1] > 0)
        return tsr_no_reason();
    return tsr_because(TSR_TMA_BOUNDING, i, d->dim[i], d->lower[i - 1], d->upper[i - 1]);
}

TSR_LOCAL tsr_reason tsr_tma_rule_channels_(tsr_tma_desc const *d)
{
    bool const ok = !d->im2col || (d->channels >= 1 && d->channels <= 256);
    return ok ? tsr_no_reason() : tsr_tma_parts_(TSR_TMA_CHANNELS, 0, d->channels, 256);
}

TSR_LOCAL tsr_reason tsr_tma_rule_pixels_(tsr_tma_desc const *d)
{
    bool const ok = !d->im2col || (d->pixels >= 1 && d->pixels <= 1024);
    return ok ? tsr_no_reason() : tsr_tma_parts_(TSR_TMA_PIXELS, 0, d->pixels, 1024);
}

TSR_LOCAL tsr_reason tsr_tma_rule_smem_size_(tsr_tma_desc const *d)
{
    int64_t const bytes = tsr_tma_smem_bytes(d), most = TSR_TMA_SMEM_MOST;
    return bytes <= most ? tsr_no_reason()
                         : tsr_because(TSR_TMA_SMEM_SIZE, 0, bytes, most, tsr_ceil_div64(bytes, most));
}

TSR_OP int tsr_tma_rules(void)
{
    int n = 0;
#define TSR_ONCE_(rule) n += 1;
#define TSR_EACH_DIM_(rule) n += TSR_TMA_DIMS;
    TSR_TMA_RULE_LIST(TSR_ONCE_, TSR_EACH_DIM_)
#undef TSR_ONCE_
#undef TSR_EACH_DIM_
    return n;
}

TSR_OP tsr_reason tsr_tma_rule(tsr_tma_desc const *d, int at)
{
    int n = 0;
    int const rank = d->rank < TSR_TMA_DIMS ? d->rank : TSR_TMA_DIMS;
#define TSR_ONCE_(rule)               \
  if (at == n)                        \
    return tsr_tma_rule_##rule##_(d); \
  n += 1;
#define TSR_EACH_DIM_(rule)                                                     \
  if (at < n + TSR_TMA_DIMS)                                                    \
    return at - n < rank ? tsr_tma_rule_##rule##_(d, at - n) : tsr_no_reason(); \
  n += TSR_TMA_DIMS;
    TSR_TMA_RULE_LIST(TSR_ONCE_, TSR_EACH_DIM_)
#undef TSR_ONCE_
#undef TSR_EACH_DIM_
    return tsr_no_reason();
}

TSR_LOCAL tsr_verdict tsr_broken_(tsr_reason why)
{
    tsr_verdict r = tsr_yes_();
    r.answer = TSR_NO;
    r.why = why;
    return r;
}

TSR_OP tsr_verdict tsr_tma_lint(tsr_tma_desc d)
{
    int const rank = d.rank < TSR_TMA_DIMS ? d.rank : TSR_TMA_DIMS;
    tsr_reason r = d.why;
    if (r.status)
        return tsr_undecided_(r);
#define TSR_ONCE_(rule) \
  if (!r.status)        \
    r = tsr_tma_rule_##rule##_(&d);
#define TSR_EACH_DIM_(rule)                   \
  for (int i = 0; i < rank && !r.status; ++i) \
    r = tsr_tma_rule_##rule##_(&d, i);
    TSR_TMA_RULE_LIST(TSR_ONCE_, TSR_EACH_DIM_)
#undef TSR_ONCE_
#undef TSR_EACH_DIM_
    return r.status ? tsr_broken_(r) : tsr_yes_();
}

TSR_OP tsr_verdict tsr_tma_lint_smem_at(tsr_tma_desc d, int64_t at, int64_t most, int64_t unit)
{
    tsr_verdict const first = tsr_tma_lint(d);
    int64_t const need = tsr_tma_smem_bytes(&d);
    if (first.answer != TSR_YES)
        return first;
    if (at < 0 || at % unit != 0) {
        int64_t const off = at < 0 ? 0 : at % unit;
        return tsr_broken_(
            tsr_tma_broken_(TSR_TMA_SMEM_ALIGN, 0, at, unit, unit - off, at < 0 ? 0 : tsr_round_up64(at, unit), 0));
    }
    if (need > most)
        return tsr_broken_(
            tsr_because(TSR_TMA_SMEM_SIZE, 0, need, most, most > 0 ? tsr_ceil_div64(need, most) : need));
    return tsr_yes_();
}

TSR_OP tsr_verdict tsr_tma_lint_smem(tsr_tma_desc d, tsr_tuple address, tsr_tuple bytes)
{
    if (d.why.status || address.status || bytes.status)
        return tsr_undecided_(tsr_reason_or(d.why, tsr_tuple_why(address.status ? address : bytes)));
    return tsr_tma_lint_smem_at(d, tsr_tuple_number(address), tsr_tuple_number(bytes), tsr_tma_smem_alignment(&d));
}

TSR_HEADER_END

#endif
