/** Nibbles: the functions of exec/move/nibbles.h. */
#include "exec/move/nibbles.h"

#include "exec/move/run.h"

TSR_LOCAL unsigned tsr_nibble_(uint64_t base, int64_t bit)
{
    return (unsigned)*tsr_byte_at_(base, bit) >> (bit & 4) & 15u;
}

TSR_LOCAL void tsr_set_nibble_(uint64_t base, int64_t bit, unsigned x)
{
    unsigned char *const at = tsr_byte_at_(base, bit);
    *at = (unsigned char)((*at & ~(15u << (bit & 4))) | (x & 15u) << (bit & 4));
}

/** How many elements from the first whole byte on go eight at a time. */
TSR_LOCAL int64_t tsr_nibble_words_(int64_t at, int64_t step, int64_t n)
{
    return step != 4 || TSR_BIG_ENDIAN ? 0 : (n - ((at & 4) != 0 && n > 0)) / 8 * 8;
}

void tsr_nibbles_spread_(unsigned char *out, uint64_t base, int64_t at, int64_t step, int64_t n)
{
    int64_t const words = tsr_nibble_words_(at, step, n);
    int64_t i = 0;
    if (words > 0) {
        if ((at & 4) != 0)
            out[i++] = (unsigned char)tsr_nibble_(base, at);
        unsigned char const *const from = tsr_byte_at_(base, at + 4 * i);
        for (int64_t w = 0; w < words; w += 8, i += 8) {
            uint32_t word;
            TSR_COPY(&word, from + w / 2, 4);
            uint64_t x = word;
            x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
            x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
            x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
            TSR_COPY(out + i, &x, 8);
        }
    }
    for (int64_t bit = at + i * step; i < n; ++i, bit += step)
        out[i] = (unsigned char)tsr_nibble_(base, bit);
}

void tsr_nibbles_join_(uint64_t base, int64_t at, int64_t step, unsigned char const *in, int64_t n)
{
    int64_t const words = tsr_nibble_words_(at, step, n);
    int64_t i = 0;
    if (words > 0) {
        if ((at & 4) != 0)
            tsr_set_nibble_(base, at, in[i++]);
        unsigned char *const to = tsr_byte_at_(base, at + 4 * i);
        for (int64_t w = 0; w < words; w += 8, i += 8) {
            uint64_t x;
            TSR_COPY(&x, in + i, 8);
            x &= UINT64_C(0x0f0f0f0f0f0f0f0f);
            x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
            x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
            uint32_t const word = (uint32_t)(x | x >> 16);
            TSR_COPY(to + w / 2, &word, 4);
        }
    }
    for (int64_t bit = at + i * step; i < n; ++i, bit += step)
        tsr_set_nibble_(base, bit, in[i]);
}

/** Two lines of the destination that are neighbours in the source: both halves of every source byte are used. */
TSR_LOCAL void tsr_nibbles_turn_(unsigned char *TSR_RESTRICT a, unsigned char *TSR_RESTRICT b,
                                 unsigned char const *TSR_RESTRICT from, int64_t step, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; ++i, from += 2 * step) {
        unsigned const x = from[0], y = from[step];
        a[i] = (unsigned char)((x & 15u) | y << 4);
        b[i] = (unsigned char)(x >> 4 | (y & 0xf0u));
    }
}

/** One line of the destination, side by side, of elements that are `step` bits apart. */
TSR_LOCAL void tsr_nibbles_line_(uint64_t to, int64_t y, uint64_t from, int64_t x, int64_t step, int64_t n)
{
    int64_t i = 0;
    if ((y & 4) != 0 && n > 0) {
        tsr_set_nibble_(to, y, tsr_nibble_(from, x));
        i = 1;
    }
    unsigned char *out = tsr_byte_at_(to, y + 4 * i);
    int64_t bit = x + i * step;
    for (; i + 2 <= n; i += 2, bit += 2 * step)
        *out++ = (unsigned char)(tsr_nibble_(from, bit) | tsr_nibble_(from, bit + step) << 4);
    if (i < n)
        tsr_set_nibble_(to, y + 4 * i, tsr_nibble_(from, bit));
}

/** A part of a block; n elements of lines, m lines. */
TSR_LOCAL void tsr_nibbles_part_(uint64_t to, int64_t y, uint64_t from, int64_t x, int64_t n, int64_t m,
                                 int64_t const *to_step, int64_t const *from_step)
{
    int64_t j = 0;
    bool const bytes = y % 8 == 0 && x % 8 == 0 && to_step[1] % 8 == 0 && from_step[0] % 8 == 0;
    if (to_step[0] == 4 && from_step[1] == 4 && bytes)
        for (; j + 2 <= m; j += 2) {
            unsigned char *const a = tsr_byte_at_(to, y + j * to_step[1]);
            tsr_nibbles_turn_(a, a + to_step[1] / 8, tsr_byte_at_(from, x + j * 4), from_step[0] / 8, n / 2);
            if (n % 2 != 0)
                for (int64_t k = j; k < j + 2; ++k)
                    tsr_set_nibble_(to, y + (n - 1) * 4 + k * to_step[1],
                                    tsr_nibble_(from, x + (n - 1) * from_step[0] + k * 4));
        }
    for (; j < m; ++j) {
        int64_t const q = y + j * to_step[1], s = x + j * from_step[1];
        if (to_step[0] == 4)
            tsr_nibbles_line_(to, q, from, s, from_step[0], n);
        else
            for (int64_t i = 0; i < n; ++i)
                tsr_set_nibble_(to, q + i * to_step[0], tsr_nibble_(from, s + i * from_step[0]));
    }
}

void tsr_nibbles_block_(uint64_t to, int64_t y, uint64_t from, int64_t x, int64_t const *count,
                        int64_t const *to_step, int64_t const *from_step)
{
    int64_t const side = TSR_NIBBLE_SIDE;
    for (int64_t j = 0; j < count[1]; j += side)
        for (int64_t i = 0; i < count[0]; i += side)
            tsr_nibbles_part_(to, y + i * to_step[0] + j * to_step[1], from, x + i * from_step[0] + j * from_step[1],
                              tsr_min64(side, count[0] - i), tsr_min64(side, count[1] - j), to_step, from_step);
}

/** Puts loop l among the first n, the smallest steps of the destination first. */
TSR_LOCAL void tsr_nibbles_sort_(tsr_loop const **sorted, int n, tsr_loop const *l)
{
    for (; n > 0 && sorted[n - 1]->to > l->to; --n)
        sorted[n] = sorted[n - 1];
    sorted[n] = l;
}

/** Whether the loops fill all bits from 0 on. */
TSR_LOCAL bool tsr_nibbles_dense_(tsr_loop const *const *sorted, int n)
{
    int64_t reach = 4;
    for (int i = 0; i < n; reach = sorted[i]->to * sorted[i]->count, ++i)
        if (sorted[i]->to != reach)
            return false;
    return true;
}

/** Whether whole sets of the first `loops` loops begin at whole bytes. */
TSR_LOCAL bool tsr_nibbles_begin_(tsr_planned_copy const *p, int loops)
{
    bool whole = p->from.begin % 8 == 0 && p->to.begin % 8 == 0;
    for (int i = loops; i < p->loops; ++i)
        whole = whole && p->loop[i].from % 8 == 0 && p->loop[i].to % 8 == 0;
    return whole;
}

void tsr_nibbles_of_plan_(tsr_nibbles_ *t, tsr_planned_copy const *p)
{
    tsr_loop const *sorted[TSR_PLAN_LOOPS];
    int64_t units = 1, count = 1, reach = 0;
    int loops = 0;
    t->count = 0;
    if (p->way != TSR_WAY_PARTS || p->item != 4 || p->edges > 0)
        return;
    for (int i = 0; i < p->loops; ++i) {
        int64_t const n = p->loop[i].count, step = p->loop[i].from / 4;
        if (n > TSR_NIBBLE_TABLE / count || tsr_abs64(step) > (UINT64_C(1) << 24))
            break;
        count *= n;
        units *= i < p->box ? 1 : n;
        reach += (n - 1) * (int64_t)tsr_abs64(step);
        tsr_nibbles_sort_(sorted, i, &p->loop[i]);
        if (i + 1 < p->box || count % 2 != 0 || reach > INT32_MAX || !tsr_nibbles_dense_(sorted, i + 1)
            || !tsr_nibbles_begin_(p, i + 1))
            continue;
        loops = i + 1;
        t->count = count;
        t->units = units;
    }
    int64_t filled = 1;
    t->from[0] = 0;
    for (int i = 0, k = 0; k < loops; ++i) {
        if (sorted[i] >= p->loop + loops)
            continue; /* one that was tried behind them */
        for (int64_t n = 1; n < sorted[i]->count; ++n)
            for (int64_t j = 0; j < filled; ++j)
                t->from[n * filled + j] = (int32_t)(t->from[j] + n * (sorted[i]->from / 4));
        filled *= sorted[i]->count;
        ++k;
    }
}

void tsr_nibbles_by_table_(tsr_nibbles_ const *t, uint64_t to, int64_t y, uint64_t from, int64_t x)
{
    unsigned char *TSR_RESTRICT out = tsr_byte_at_(to, y);
    unsigned char const *TSR_RESTRICT in = tsr_byte_at_(from, x);
    for (int64_t i = 0; i < t->count; i += 2) {
        int32_t const a = t->from[i], b = t->from[i + 1];
        out[i / 2] = (unsigned char)((in[a >> 1] >> (a & 1) * 4 & 15) | (in[b >> 1] >> (b & 1) * 4) << 4);
    }
}
