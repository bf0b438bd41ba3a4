/** Pointers as they are printed: gmem_ptr[32b](0x1000). */
#include <string.h>

#include "calc/parser.h"

/** The type of integers of so many bits; 0: there is none. */
static tsr_dtype type_of_bits(int64_t bits)
{
    tsr_dtype const i = (tsr_dtype)(bits & 255), u = (tsr_dtype)(256 + i);
    return bits < 1 || bits > 255 ? 0 : tsr_dtype_name(i) ? i : tsr_dtype_name(u) ? u : 0;
}

/** The address of a pointer, 0x100000 or 0x100000.4 with its bit, or of a lane and a column, 0x0001.0100. */
static bool take_address(parser *s, int bits, tsr_space space, tsr_engine *e)
{
    uint64_t high = 0, low = 0;
    bool const parts = space == TSR_TMEM || bits < 8;
    if (!scan_take_here(&s->in, "(0x") || !scan_digits(&s->in, 16, &high)
        || (parts && (!scan_take_here(&s->in, ".") || !scan_digits(&s->in, 16, &low)))
        || !scan_take_here(&s->in, ")"))
        return false;
    if (space == TSR_TMEM && (high > 0xffff || low > 0xffff))
        return false;
    if (space != TSR_TMEM && low > 7)
        return false;
    e->address = space == TSR_TMEM ? high << 16 | low : high;
    e->bit = (uint8_t)(space == TSR_TMEM ? 0 : low);
    return true;
}

bool tsr_token_pointer_(parser *s, value *r)
{
    static char const *const words[] = {"ptr[",      "subptr[",      "gmem_ptr[", "gmem_subptr[",
                                        "smem_ptr[", "smem_subptr[", "tmem_["};
    static tsr_space const spaces[] = {TSR_RMEM, TSR_RMEM, TSR_GMEM, TSR_GMEM, TSR_SMEM, TSR_SMEM, TSR_TMEM};
    tsr_swizzle const sw = r->as.swizzle;
    bool const swizzled = r->kind == VALUE_SWIZZLE && scan_take_here(&s->in, "_");
    int const count = (int)(sizeof words / sizeof words[0]);
    int i = 0;
    while (i < count && !scan_take_here(&s->in, words[i]))
        ++i;
    if (i == count)
        return false;
    tsr_dtype const type = type_of_bits(scan_integer_here(&s->in));
    int const bits = tsr_dtype_bits(type);
    tsr_engine e = spaces[i] == TSR_TMEM ? tsr_tmem_ptr(tsr_int(0), type) : tsr_gmem_ptr(tsr_int(0), type);
    bool const sub = strstr(words[i], "sub") != NULL;
    if (!scan_take_here(&s->in, "b]") || type == 0 || (spaces[i] != TSR_TMEM && sub != (bits < 8)))
        scan_fail(&s->in,
                  "a pointer is to elements of 1, 2, 4, 6 (subptr), 8, 16, 32, 64 or 128 bits: ptr[32b](0x0)");
    else if (!take_address(s, bits, spaces[i], &e))
        scan_fail(&s->in,
                  "an address is written (0x1000), of fewer than 8 bits (0x1000.4), of tensor memory (0x0000.0000)");
    e.space = (uint8_t)spaces[i];
    if (swizzled)
        e.swizzle = sw;
    r->kind = VALUE_ENGINE;
    r->as.engine = e;
    return true;
}
