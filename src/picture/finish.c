/** What all pictures share: the labels asked for, banks and their conflicts, the isolated thread, the panels wanted.
 */
#include "picture/build.h"

#include <stdlib.h>
#include <string.h>

/** (row,column,rest..) */
static uint32_t coord_label(tsr_picture *p, tsr_panel const *g, int64_t row, int64_t column)
{
    char text[256];
    char const *const r = tsr_line_coord_(p, &g->row, row), *const c = tsr_line_coord_(p, &g->column, column);
    if (g->one_mode)
        snprintf(text, sizeof text, "%s", g->row.count == 1 ? c : r);
    else
        snprintf(text, sizeof text, "(%s,%s%s)", r, c, tsr_picture_string_(p, g->rest));
    return tsr_picture_text_(p, "%s", text);
}

/** The bank and the word of an offset, whose distance in bits fits in 64 of them. */
static int64_t bank_of(tsr_picture const *p, int64_t offset, int64_t *word)
{
    int const banks = p->phase.banks > 0 ? p->phase.banks : 32;
    *word = offset * p->element_bits / 32;
    return (*word % banks + banks) % banks;
}

/** The row at a place in the order in which rows go together. */
static int64_t row_at(tsr_picture const *p, int64_t place)
{
    return p->phase.threads > 0 ? tsr_bank_thread(&p->phase, place) : place;
}

/** The first place of the rows that go together with a row. */
static int64_t first_place(tsr_picture const *p, int64_t row)
{
    int64_t place = row / 32 * 32;
    while (p->phase.threads > 0 && row_at(p, place) != row)
        ++place;
    return (p->phase.threads > 0 ? place : row) / p->access_rows * p->access_rows;
}

/** Does a cell need its bank for another word than some cell of the same access? */
static bool is_conflict(tsr_picture *p, int panel, int64_t row, int64_t column)
{
    tsr_panel const *const g = &p->panel[panel];
    tsr_cell const *const a = tsr_picture_cell_(p, panel, row, column);
    int64_t const rows = p->access_rows, columns = p->access_columns, m = first_place(p, row),
                  n = column / columns * columns;
    int64_t word = 0, other = 0;
    int64_t const bank = a->offset == TSR_BAD_OFFSET ? -1 : bank_of(p, a->offset, &word);
    for (int64_t i = m; bank >= 0 && i < m + rows; ++i)
        for (int64_t k = n; k < n + columns && k < g->column.count && row_at(p, i) < g->row.count; ++k) {
            int64_t const offset = tsr_picture_cell_(p, panel, row_at(p, i), k)->offset;
            if (offset != TSR_BAD_OFFSET && bank_of(p, offset, &other) == bank && other != word)
                return true;
        }
    return false;
}

/** "before 256 of 256, after 0 of 256": the panels of one name together, as they stand. */
static void count_conflicts(tsr_picture const *p, char *out, size_t size)
{
    writer w;
    writer_open(&w, out, size);
    for (int k = 0, end = 0; k < p->panels; k = end) {
        int64_t conflicts = 0, cells = 0;
        char const *const name = tsr_picture_string_(p, p->panel[k].name);
        for (; end < p->panels && strcmp(tsr_picture_string_(p, p->panel[end].name), name) == 0; ++end) {
            size_t const first = p->panel[end].first,
                         n = (size_t)p->panel[end].row.count * (size_t)p->panel[end].column.count;
            for (size_t i = first; i < first + n; ++i) {
                conflicts += (p->cell[i].mark & TSR_MARK_CONFLICT) != 0;
                cells += p->cell[i].offset != TSR_BAD_OFFSET;
            }
        }
        bool const named = *name && (k > 0 || end < p->panels);
        put(&w, "%s%s%s%lld of %lld", k > 0 ? ", " : "", named ? name : "", named ? " " : "", (long long)conflicts,
            (long long)cells);
    }
}

static void label_banks(tsr_picture *p, tsr_picture_options const *o)
{
    int64_t word = 0, cells = 0;
    bool conflicts = false;
    for (size_t i = 0; i < p->cells; ++i) {
        tsr_cell *const c = &p->cell[i];
        int64_t bits = 0;
        if (c->offset == TSR_BAD_OFFSET)
            continue;
        if (!tsr_mul64(c->offset, p->element_bits, &bits)) {
            tsr_picture_refuse_(p, "the offset %lld in elements of %d bits does not fit in 64 bits",
                                (long long)c->offset, p->element_bits);
            return;
        }
        int64_t const bank = bank_of(p, c->offset, &word);
        c->label = tsr_picture_number_(p, bank);
        c->colour = tsr_picture_hue_(o, bank);
        ++cells;
    }
    for (int k = 0; k < p->panels; ++k)
        for (int64_t m = 0; m < p->panel[k].row.count; ++m)
            for (int64_t n = 0; n < p->panel[k].column.count; ++n)
                if (is_conflict(p, k, m, n)) {
                    tsr_picture_cell_(p, k, m, n)->mark |= TSR_MARK_CONFLICT;
                    conflicts = true;
                }
    if (cells == 0) {
        tsr_picture_refuse_(p, "this picture has no offsets in memory, so no banks");
        return;
    }
    p->legends = 0;
    tsr_picture_legend_(p, TSR_COLOUR_HUE, TSR_COLOUR_HUE + TSR_HUES - 1, 0,
                        p->phase.banks > 32 ? "bank 0 to 63" : "bank 0 to 31");
    if (conflicts)
        tsr_picture_legend_(p, 0, 0, TSR_MARK_CONFLICT, "its bank is needed for two different words at once");
    char counts[512];
    count_conflicts(p, counts, sizeof counts);
    tsr_picture_note_(
        p,
        "Banks of 4 bytes, elements of %d bits. Cells in conflict when %d rows at a time read %d column%s together: "
        "%s.",
        p->element_bits, p->access_rows, p->access_columns, p->access_columns > 1 ? "s" : "", counts);
}

static void label_cells(tsr_picture *p, tsr_picture_options const *o)
{
    for (int k = 0; k < p->panels && !p->refused[0]; ++k)
        for (int64_t m = 0; m < p->panel[k].row.count; ++m)
            for (int64_t n = 0; n < p->panel[k].column.count; ++n) {
                tsr_cell *const c = tsr_picture_cell_(p, k, m, n);
                if (c->mark & TSR_MARK_EMPTY)
                    continue;
                if (o->label == TSR_LABEL_COORD)
                    c->label = coord_label(p, &p->panel[k], m, n);
                else if (o->label == TSR_LABEL_INDEX && c->index >= 0)
                    c->label = tsr_picture_number_(p, c->index);
                else if (o->label == TSR_LABEL_OFFSET && c->offset != TSR_BAD_OFFSET)
                    c->label = tsr_picture_number_(p, c->offset);
            }
}

/** Frames the cells of a thread; a cell that it shares shows its own value of it. */
static void isolate_thread(tsr_picture *p, int64_t thread)
{
    int64_t most = -1;
    bool found = false;
    char const *const owner = p->ranks ? "rank" : "thread";
    for (size_t i = 0; i < p->cells; ++i) {
        tsr_cell *const c = &p->cell[i];
        most = c->thread > most ? c->thread : most;
        if (c->thread >= 0)
            c->mark = (uint8_t)((c->mark & ~(TSR_MARK_CHOSEN | TSR_MARK_FADED))
                                | (c->thread == thread ? TSR_MARK_CHOSEN : TSR_MARK_FADED));
        found = found || c->thread == thread;
    }
    for (size_t i = 0; i < p->owners; ++i) {
        tsr_owner const *const also = &p->owner[i];
        most = also->thread > most ? also->thread : most;
        if (also->thread != thread)
            continue;
        tsr_cell *const c = &p->cell[also->cell];
        if (!(c->mark & TSR_MARK_CHOSEN) && strncmp(tsr_picture_string_(p, c->label), p->ranks ? "R" : "T", 1) == 0)
            c->label = tsr_picture_owner_text_(p, also->thread, also->value);
        c->mark = (uint8_t)((c->mark & ~TSR_MARK_FADED) | TSR_MARK_CHOSEN);
        found = true;
    }
    if (most < 0)
        tsr_picture_refuse_(p, "thread %lld cannot be isolated: this picture has no threads", (long long)thread);
    else if (!found)
        tsr_picture_refuse_(p, "%s %lld owns nothing here: the %ss of this picture are 0 to %lld", owner,
                            (long long)thread, owner, (long long)most);
    tsr_picture_legend_(p, 0, 0, TSR_MARK_CHOSEN, "%s %lld", owner, (long long)thread);
}

/** Which panels "A,B,2" names; numbers count from 1. False: an entry is none, which is refused. */
static bool find_panels(tsr_picture *p, char const *list, bool *wanted)
{
    for (size_t n = 0; *list; list += n + (list[n] == ',')) {
        char number[16], names[400];
        bool known = false;
        n = strcspn(list, ",");
        for (int k = 0; k < p->panels; ++k) {
            char const *const name = tsr_picture_string_(p, p->panel[k].name);
            snprintf(number, sizeof number, "%d", k + 1);
            bool const is = (strlen(name) == n && strncmp(name, list, n) == 0)
                            || (strlen(number) == n && strncmp(number, list, n) == 0);
            wanted[k] = wanted[k] || is;
            known = known || is;
        }
        if (known)
            continue;
        writer w;
        writer_open(&w, names, sizeof names);
        for (int k = 0; k < p->panels && k < 16; ++k)
            put(&w, "%s%d%s%s", k ? ", " : "", k + 1, p->panel[k].name ? " or " : "",
                tsr_picture_string_(p, p->panel[k].name));
        tsr_picture_refuse_(p, "there is no panel %.*s; there are %d: %s", (int)(n < 63 ? n : 63), list, p->panels,
                            names);
        return false;
    }
    return true;
}

static void choose_panels(tsr_picture *p, char const *list)
{
    size_t cells = 0, owners = 0;
    int panels = 0;
    bool wanted[TSR_PICTURE_PANELS] = {false};
    if (!find_panels(p, list, wanted))
        return;
    for (int k = 0; k < p->panels; ++k) {
        tsr_panel g = p->panel[k];
        size_t const n = (size_t)g.row.count * (size_t)g.column.count;
        if (!wanted[k])
            continue;
        for (size_t i = 0; i < p->owners; ++i)
            if (p->owner[i].cell >= g.first && p->owner[i].cell < g.first + n) {
                tsr_owner also = p->owner[i];
                also.cell = (uint32_t)(also.cell - g.first + cells);
                p->owner[owners++] = also;
            }
        memmove(p->cell + cells, p->cell + g.first, n * sizeof *p->cell);
        g.first = cells;
        g.at_row = g.at_column = -1;
        g.joint = panels == 0 ? 0 : g.joint;
        cells += n;
        p->panel[panels++] = g;
    }
    p->cells = cells;
    p->owners = owners;
    p->panels = panels;
}

void tsr_picture_finish_(tsr_picture *p, tsr_picture_options const *o)
{
    if (!p->refused[0] && o->panel)
        choose_panels(p, o->panel);
    if (o->label == TSR_LABEL_BANK && p->access_rows == 0)
        p->access_rows = 32, p->access_columns = 1;
    if (!p->refused[0] && p->access_rows > 0)
        label_banks(p, o);
    else if (!p->refused[0] && o->label != TSR_LABEL_OWN)
        label_cells(p, o);
    if (!p->refused[0] && o->thread >= 0)
        isolate_thread(p, o->thread);
    p->plain = p->plain && o->label == TSR_LABEL_OWN && !o->panel;
}
