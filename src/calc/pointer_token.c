/** Pointers as they are printed: gmem_ptr[32b](0x1000). */
#include <string.h>

#include "calc/token.h"

/** Hexadecimal digits; false: there are none, or more than 64 bits of them. */
static bool take_hex(tokens *s, uint64_t *x)
{
    char const *const start = s->p;
    static char const digits[] = "0123456789abcdef";
    *x = 0;
    for (char const *at; *s->p && (at = strchr(digits, *s->p)) && *x >> 60 == 0; ++s->p)
        *x = *x << 4 | (uint64_t)(at - digits);
    return s->p > start && !(*s->p && strchr(digits, *s->p));
}

/** The type of integers of so many bits; 0: there is none. */
static tsr_dtype type_of_bits(int64_t bits)
{
    tsr_dtype const i = (tsr_dtype)(bits & 255), u = (tsr_dtype)(256 + i);
    return bits < 1 || bits > 255 ? 0 : tsr_dtype_name(i) ? i : tsr_dtype_name(u) ? u : 0;
}

/** The address of a pointer, 0x100000 or 0x100000.4 with its bit, or of a lane and a column, 0x0001.0100. */
static bool take_address(tokens *s, int bits, tsr_space space, tsr_engine *e)
{
    uint64_t high = 0, low = 0;
    bool const parts = space == TSR_TMEM || bits < 8;
    if (!tsr_token_take_(s, "(0x") || !take_hex(s, &high)
        || (parts && (!tsr_token_take_(s, ".") || !take_hex(s, &low))) || !tsr_token_take_(s, ")"))
        return false;
    if (space == TSR_TMEM && (high > 0xffff || low > 0xffff))
        return false;
    if (space != TSR_TMEM && low > 7)
        return false;
    e->address = space == TSR_TMEM ? high << 16 | low : high;
    e->bit = (uint8_t)(space == TSR_TMEM ? 0 : low);
    return true;
}

bool tsr_token_pointer_(tokens *s, value *r)
{
    static char const *const words[] = {"ptr[",      "subptr[",      "gmem_ptr[", "gmem_subptr[",
                                        "smem_ptr[", "smem_subptr[", "tmem_["};
    static tsr_space const spaces[] = {TSR_RMEM, TSR_RMEM, TSR_GMEM, TSR_GMEM, TSR_SMEM, TSR_SMEM, TSR_TMEM};
    tsr_swizzle const sw = r->as.swizzle;
    bool const swizzled = r->kind == VALUE_SWIZZLE && tsr_token_take_(s, "_");
    int const count = (int)(sizeof words / sizeof words[0]);
    int i = 0;
    while (i < count && !tsr_token_take_(s, words[i]))
        ++i;
    if (i == count)
        return false;
    tsr_dtype const type = type_of_bits(tsr_token_number_(s));
    int const bits = tsr_dtype_bits(type);
    tsr_engine e = spaces[i] == TSR_TMEM ? tsr_tmem_ptr(tsr_int(0), type) : tsr_gmem_ptr(tsr_int(0), type);
    bool const sub = strstr(words[i], "sub") != NULL;
    if (!tsr_token_take_(s, "b]") || type == 0 || (spaces[i] != TSR_TMEM && sub != (bits < 8)))
        tsr_token_fail_(s,
                        "a pointer is to elements of 1, 2, 4, 6 (subptr), 8, 16, 32, 64 or 128 bits: ptr[32b](0x0)");
    else if (!take_address(s, bits, spaces[i], &e))
        tsr_token_fail_(
            s, "an address is written (0x1000), of fewer than 8 bits (0x1000.4), of tensor memory (0x0000.0000)");
    e.space = (uint8_t)spaces[i];
    if (swizzled)
        e.swizzle = sw;
    r->kind = VALUE_ENGINE;
    r->as.engine = e;
    return true;
}
