/** Words of Blackwell as texts: the bits of descriptors, and what they say. */
#include "ops/ops.h"

#include "atom/names.h"
#include "text/write.h"

/** The text of a word, or why there is none. */
static tsr_tuple put_word(tsr_text *out, tsr_reason why, uint64_t bits)
{
    put(out, "0x%llx", (long long unsigned)bits);
    return why.status ? tsr_reason_tuple(why) : tsr_unit();
}

/** An integer of 64 bits in a tuple; false: another value. */
static bool take_bits(tsr_tuple const *t, int64_t *bits)
{
    bool const one = !t->status && tsr_is_leaf(t) && tsr_leaf_is_int(t->leaf[0]);
    *bits = one ? t->leaf[0].value : 0;
    return one;
}

static tsr_tuple not_integer(tsr_tuple const *t)
{
    return t->status ? *t : tsr_bad_tuple(TSR_NOT_INTEGER, 0, tsr_mode_count(t), 0, 0);
}

/** An integer of 32 bits. */
static tsr_tuple take_word(tsr_tuple const *t, uint32_t *bits)
{
    int64_t wide = 0;
    if (!take_bits(t, &wide))
        return not_integer(t);
    *bits = (uint32_t)wide;
    return wide < 0 || wide > UINT32_MAX ? tsr_bad_tuple(TSR_UMMA_BITS, 0, wide, 0, 0) : tsr_unit();
}

/* Instruction descriptors */

tsr_tuple tsr_word_umma(tsr_mma_atom x, tsr_text *out)
{
    return put_word(out, tsr_umma_why(x, 0), tsr_umma_bits(x, 0));
}

tsr_tuple tsr_word_umma_flags(tsr_mma_atom x, tsr_tuple flags, tsr_text *out)
{
    uint32_t bits = 0;
    tsr_tuple const read = x.status ? tsr_reason_tuple(tsr_mma_why(x)) : take_word(&flags, &bits);
    return read.status ? read : put_word(out, tsr_umma_why(x, bits), tsr_umma_bits(x, bits));
}

tsr_tuple tsr_word_umma_at(tsr_mma_atom x, tsr_tuple flags, tsr_tuple scales, tsr_text *out)
{
    uint32_t bits = 0, at[2] = {0, 0};
    if (x.status || flags.status || scales.status)
        return x.status ? tsr_reason_tuple(tsr_mma_why(x)) : flags.status ? flags : scales;
    tsr_tuple read = take_word(&flags, &bits);
    if (!read.status && tsr_mode_count(&scales) != 2)
        return tsr_bad_tuple(TSR_RANK, 0, tsr_mode_count(&scales), 2, 0);
    for (int i = 0; i < 2 && !read.status; ++i) {
        tsr_tuple const one = tsr_get(scales, i);
        read = take_word(&one, &at[i]);
    }
    uint32_t const all = bits | tsr_umma_scale_ids(at[0], at[1]);
    return read.status ? read : put_word(out, tsr_umma_why(x, all), tsr_umma_bits(x, all));
}

/** The element type of a number in field A or B. */
static char const *type_of(tsr_umma_kind kind, uint32_t n)
{
    static tsr_dtype const floats[] = {TSR_F16, TSR_BF16, TSR_TF32};
    static tsr_dtype const bytes[] = {TSR_F8_E4M3FN, TSR_F8_E5M2, 0, TSR_F6_E2M3, TSR_F6_E3M2, TSR_F4_E2M1};
    bool const wide = kind == TSR_UMMA_KIND_TF32 || kind == TSR_UMMA_KIND_F16;
    return tsr_type_cute_name_(wide                         ? floats[n]
                               : kind == TSR_UMMA_KIND_I8   ? n ? TSR_I8 : TSR_U8
                               : kind == TSR_UMMA_KIND_MXF4 ? TSR_F4_E2M1
                                                            : bytes[n]);
}

static uint32_t field(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f)
{
    return tsr_umma_field_of(kind, bits, f);
}

static void put_operand(tsr_text *out, tsr_umma_kind kind, uint32_t bits, bool b)
{
    int const next = b ? 1 : 0;
    put(out, "%s%c %s %s", field(kind, bits, (tsr_umma_field)(TSR_UMMA_FIELD_NEGATE_A + next)) ? "-" : "", "AB"[next],
        type_of(kind, field(kind, bits, (tsr_umma_field)(TSR_UMMA_FIELD_A + next))),
        field(kind, bits, (tsr_umma_field)(TSR_UMMA_FIELD_MN_A + next)) ? "MN" : "K");
}

/** kind::f16: D float, A half_t K, B half_t MN, M 128, N 64 */
static void put_kind(tsr_text *out, tsr_umma_kind kind, uint32_t bits)
{
    static char const *const names[] = {
#define X(id, name, scaled) name,
        TSR_UMMA_KIND_LIST(X)
#undef X
    };
    static char const *const sums[] = {"half_t", "float", "int32_t"};
    bool const scaled = kind >= TSR_UMMA_KIND_MXF8F6F4;
    uint32_t const a = field(kind, bits, TSR_UMMA_FIELD_SCALE_A), b = field(kind, bits, TSR_UMMA_FIELD_SCALE_B);
    put(out, "%skind::%s: ", out->used ? "; " : "", names[kind]);
    if (!scaled)
        put(out, "D %s, ", sums[field(kind, bits, TSR_UMMA_FIELD_D)]);
    put_operand(out, kind, bits, false);
    put(out, ", ");
    put_operand(out, kind, bits, true);
    put(out, ", M %u, N %u", 16 * field(kind, bits, TSR_UMMA_FIELD_M), 8 * field(kind, bits, TSR_UMMA_FIELD_N));
    if (scaled)
        put(out, ", scales %s", field(kind, bits, TSR_UMMA_FIELD_SCALE) ? "float_ue8m0_t" : "float_ue4m3_t");
    if (a || b)
        put(out, " of bytes %u and %u", a, b);
    if (field(kind, bits, TSR_UMMA_FIELD_SPARSE))
        put(out, ", sparse by id %u", field(kind, bits, TSR_UMMA_FIELD_SPARSE_ID));
    if (field(kind, bits, TSR_UMMA_FIELD_SATURATE))
        put(out, ", saturated");
    if (field(kind, bits, TSR_UMMA_FIELD_K96))
        put(out, ", K 96");
    if (field(kind, bits, TSR_UMMA_FIELD_SHIFT))
        put(out, ", shift up to %u", 4u << field(kind, bits, TSR_UMMA_FIELD_SHIFT));
}

tsr_tuple tsr_word_umma_decode(tsr_tuple word, tsr_text *out)
{
    uint32_t bits = 0;
    tsr_tuple const read = take_word(&word, &bits);
    if (read.status)
        return read;
    for (int kind = 0; kind < TSR_UMMA_KINDS; ++kind)
        if (tsr_umma_fault((tsr_umma_kind)kind, bits) == TSR_UMMA_FIELDS)
            put_kind(out, (tsr_umma_kind)kind, bits);
    return out->used ? tsr_unit() : tsr_umma_fields(tsr_umma_nearest(bits), bits);
}

tsr_tuple tsr_word_umma_fields(tsr_tuple word, int64_t kind)
{
    uint32_t bits = 0;
    tsr_tuple const read = take_word(&word, &bits);
    return read.status ? read : tsr_umma_fields(kind, bits);
}

tsr_tuple tsr_word_umma_of(tsr_tuple fields, int64_t kind, tsr_text *out)
{
    tsr_tuple const word = tsr_umma_word(kind, fields);
    return word.status ? word : put_word(out, tsr_no_reason(), (uint64_t)word.leaf[0].value);
}

/* Descriptors of shared memory */

tsr_tuple tsr_word_smem_at(tsr_layout block, tsr_tuple shape, tsr_tiler tile, tsr_tuple address, tsr_tuple at,
                           tsr_text *out)
{
    int64_t begin = 0;
    tsr_tuple const *const inputs[] = {&block.shape, &shape, &tile.by.shape, &address, &at};
    for (int i = 0; i < 5; ++i)
        if (inputs[i]->status)
            return *inputs[i];
    if (!take_bits(&address, &begin))
        return not_integer(&address);
    tsr_smem_word const word = tsr_make_smem_desc(block, shape, tile, begin, at);
    return put_word(out, word.why, word.bits);
}

tsr_tuple tsr_word_smem(tsr_layout block, tsr_tuple shape, tsr_tiler tile, tsr_tuple address, tsr_text *out)
{
    return tsr_word_smem_at(block, shape, tile, address, tsr_int(0), out);
}

tsr_tuple tsr_word_smem_fields(tsr_tuple word)
{
    int64_t bits = 0;
    return take_bits(&word, &bits) ? tsr_smem_desc_fields((uint64_t)bits) : not_integer(&word);
}
