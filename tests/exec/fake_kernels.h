/* Kernels of copies that move nothing and note what they are asked for: how a plan goes by tiles or rows, on any
 * machine and for vectors of any width. */
#ifndef TESTS_FAKE_KERNELS_H
#define TESTS_FAKE_KERNELS_H

#include <stdio.h>

#include "exec/engine.h"
#include "exec/move/machine.h"

enum { NOTES = 32, NOTE = 64 };

/** Calls that differ, in the order in which they came first, and how often each came. */
static struct {
    char text[NOTES][NOTE];
    int count[NOTES], notes;
} noted;

static void note(char const *name, int64_t a, int64_t b, int64_t c)
{
    char text[NOTE];
    int i = 0;
    snprintf(text, sizeof text, "%s %lldx%lld%s", name, (long long)a, (long long)b, c ? " past" : "");
    while (i < noted.notes && strcmp(noted.text[i], text) != 0)
        ++i;
    if (i == noted.notes && i < NOTES)
        memcpy(noted.text[noted.notes++], text, sizeof text);
    if (i < NOTES)
        ++noted.count[i];
}

static void fake_full(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, bool stream)
{
    (void)to, (void)from;
    note("tile", to_step, from_step, stream);
}

static void fake_part(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t lines,
                      int64_t items)
{
    (void)to, (void)from, (void)to_step, (void)from_step;
    note("part", lines, items, 0);
}

static void fake_strip(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                       int64_t bytes)
{
    (void)to, (void)from, (void)to_step;
    note("strip", bytes, from_step, 0);
}

static void fake_row(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next, bool stream)
{
    (void)to, (void)from, (void)next;
    note("row", n, 1, stream);
}

static void fake_rows(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t n,
                      int64_t rows)
{
    (void)to, (void)from, (void)to_step, (void)from_step;
    note("rows", n, rows, 0);
}

static void fake_stream_rows(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                             int64_t n, int64_t rows)
{
    (void)to, (void)from, (void)to_step, (void)from_step;
    note("rows", n, rows, 1);
}

static void fake_run(engine_place const *at, int64_t count, int ahead)
{
    note("places", count, ahead, 0);
    note("place", at->lines, at->items, 0);
}

static void fake_skew(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t lines,
                      int64_t n, unsigned char (*carry)[ENGINE_LINE], bool first, bool last)
{
    (void)to, (void)from, (void)to_step, (void)from_step, (void)carry;
    note(first && last ? "skew whole" : first ? "skew first" : last ? "skew last" : "skew", n, lines, 0);
}

static void fake_convert_lines(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from, int64_t from_step,
                               int64_t n, int64_t lines)
{
    (void)pass, (void)to, (void)to_step, (void)from, (void)from_step;
    note("convert", n, lines, 0);
}

/** Where the last lines that were updated end. */
static void const *lines_end;

static void fake_update(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                        int64_t n)
{
    (void)u, (void)to_type, (void)from_type, (void)from;
    note(to == lines_end ? "update behind" : "update", n, 1, 0);
}

/** Knows lines of up to 32 bits. */
static bool fake_update_lines(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                              tsr_lines_ b)
{
    (void)u, (void)from_type, (void)from;
    lines_end = (unsigned char *)to + b.lines * b.to;
    if (tsr_dtype_bits(to_type) <= 32)
        note(b.prefetch ? "update asking" : "update", b.n, b.lines, 0);
    return tsr_dtype_bits(to_type) <= 32;
}

static int64_t fake_weave(unsigned char *to, unsigned char const *from, int64_t from_step, int lines, int64_t items,
                          bool stream)
{
    (void)to, (void)from, (void)from_step;
    note("weave", lines, items, stream);
    return items / 16 * 16;
}

static void fake_braid(unsigned char *to, unsigned char const *from, int64_t step, int lines, bool apart,
                       int64_t items)
{
    (void)to, (void)from, (void)step;
    note(apart ? "unbraid" : "braid", lines, items, 0);
}

/** Kernels of vectors of so many bytes. */
static engine_kernels fake_kernels(int vector)
{
    engine_kernels k;
    memset(&k, 0, sizeof k);
    k.vector = vector;
    k.convert_lines = fake_convert_lines;
    k.update = fake_update;
    k.update_lines = fake_update_lines;
    k.row = fake_row;
    k.rows = fake_rows;
    k.stream_rows = fake_stream_rows;
    k.run = fake_run;
    k.skew = fake_skew;
    for (int i = 0; i < 4; ++i) {
        k.weave[i] = fake_weave;
        k.braid[i] = fake_braid;
    }
    for (int i = 0; i < 8; ++i) {
        engine_tile const t = {fake_full, fake_part, fake_part, fake_strip, 4, i < 6 ? vector >> i : 0};
        k.tile[i] = t;
    }
    return k;
}

/** The calls that some units of a plan make. */
static void put_moves(char *out, size_t size, tsr_planned_copy const *p, int vector, int64_t units)
{
    engine_kernels const k = fake_kernels(vector);
    bool const rows = p->kind == TSR_BLOCK_ROWS;
    uint64_t const to = (uint64_t)1 << 45 | p->to.byte, from = (uint64_t)1 << 44 | p->from.byte;
    memset(&noted, 0, sizeof noted);
    if (p->kind == TSR_BLOCK_ITEMS || (p->way != TSR_WAY_BYTES && p->way != TSR_WAY_CONVERT)) {
        snprintf(out, size, "by loops");
        return;
    }
    units = tsr_min64(units, p->units);
    (rows ? tsr_engine_rows_ : tsr_engine_tiles_)(&k, p, to, from, 0, units);
    size_t used = (size_t)snprintf(out, size, "%s of %lld units", rows ? "rows" : "tiles", (long long)units);
    for (int i = 0; i < noted.notes && used < size; ++i)
        used += (size_t)snprintf(out + used, size - used, "; %s, %d times", noted.text[i], noted.count[i]);
}

#endif
