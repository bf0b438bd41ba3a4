/* Plans of rows and tiles, by the kernels of a row: what the machine is asked for beforehand, what passes its
 * caches. */
#include "exec/cursor.h"

/** So many places are moved at once, which takes memory longer than finding the next ones takes here, and so many at most
 *  are asked for before; a way of the first cache holds the lines of a page. */
enum { AT_ONCE = 8, MOST_AHEAD = 128, WAYS = 8 };

/** Places that wait for their turn, at[first] to at[last - 1]; `move` moves them. */
typedef struct places {
    void (*move)(engine_place const *at, int64_t count, engine_path const *path);
    engine_path path;
    int first, last;
    engine_place at[4 * MOST_AHEAD];
} places;

/** Moves all places but those that are only asked for yet. */
static void move_places(places *q, int but)
{
    int const n = q->last - q->first - but;
    if (n <= 0)
        return;
    q->move(q->at + q->first, n, &q->path);
    q->first += n;
    if (q->last + AT_ONCE + MOST_AHEAD > 4 * MOST_AHEAD) {
        memmove(q->at, q->at + q->first, (size_t)but * sizeof q->at[0]);
        q->first = 0;
        q->last = but;
    }
}

static inline void add_place(places *q, engine_place at)
{
    q->at[q->last++] = at;
    if (q->last - q->first == AT_ONCE + q->path.ahead)
        move_places(q, q->path.ahead);
}

/** Moves the last places: behind them nothing is asked for. */
static void end_places(places *q)
{
    engine_place const none = {NULL, NULL, 0, 0, 0, false, false};
    for (int i = 0; i < q->path.ahead; ++i)
        q->at[q->last + i] = none;
    move_places(q, 0);
}

/** Whether of so many lines that lie a step apart more fall into one set of the first cache than it has ways. */
static bool is_far(int64_t step, int64_t lines)
{
    unsigned char in_set[TSR_PAGE_BYTES / ENGINE_LINE] = {0};
    bool far = false;
    for (int64_t i = 0; i < lines; ++i)
        far = ++in_set[(uint64_t)(i * step) % TSR_PAGE_BYTES / ENGINE_LINE] > WAYS || far;
    return far;
}

/** No places of the tiles of a plan yet. */
static void places_of(places *q, void (*move)(engine_place const *, int64_t, engine_path const *), tsr_plan const *p,
                      bool stream)
{
    int64_t const rows = tsr_min64(tsr_group_items_(p->kind, tsr_tile_items_(p->item)), p->loop[0].count);
    engine_path const path = {p->box > 1 ? p->loop[1].to / 8 : 0, p->loop[0].from / 8, p->stream ? p->ahead : 0,
                              p->stream && is_far(p->loop[0].from / 8, rows), stream, NULL};
    q->move = move;
    q->path = path;
    q->first = q->last = 0;
}

/** Rows: short ones by places. */
static int64_t run_rows(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                        int64_t last)
{
    int64_t moved = 0;
    int64_t const row = p->loop[0].count * p->item / 8;
    bool const listed = p->stream && row <= 2 * ENGINE_AHEAD;
    cursor c = cursor_at(p, first, last);
    places q;
    places_of(&q, k->run, p, true);
    q.path.ahead = (int)tsr_min64(ENGINE_AHEAD / row + 1, MOST_AHEAD);
    while (c.index < last) {
        int64_t const n = c.block.count[0] * p->item / 8;
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = tsr_byte_at_(to, c.to + c.j * c.block.to[1]);
        moved += n;
        if (listed) {
            for (int64_t j = 0; j < c.block.count[1]; ++j) {
                engine_place const at = {d + j * (c.block.to[1] / 8), s + j * (c.block.from[1] / 8), 1, (int16_t)n, 0,
                                         false, false};
                add_place(&q, at);
            }
            moved += n * (c.block.count[1] - 1);
            next_block(&c);
        } else {
            advance(&c, c.block.count[0], 1);
            k->row(d, s, n, c.index < last ? source(&c, from) : s, p->stream);
        }
    }
    if (listed)
        end_places(&q);
    return moved * 8 / p->item;
}

/** Tiles; lines of the destination are whole cache lines, or they do not pass the caches. TSR_GROUP_LINES in the
 *  destination side by side, so that memory gets them together, then along the source. */
static int64_t run_tiles(engine_tile const *tile, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                         int64_t last, bool stream)
{
    int64_t const n = tsr_tile_items_(p->item), group = tsr_group_items_(p->kind, n);
    int64_t moved = 0;
    places q;
    places_of(&q, tile->tiles, p, stream);
    for (cursor c = cursor_at(p, first, last); c.index < last; next_block(&c)) {
        int64_t const lines = c.block.count[0], items = c.block.count[1];
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = destination(&c, to);
        for (int64_t g = 0; g < lines; g += group)
            for (int64_t j = 0; j < items; j += n)
                for (int64_t i = g; i < lines && i < g + group; i += n) {
                    engine_place const at = {d + i * p->item / 8 + j * q.path.to_step,
                                             s + i * q.path.from_step + j * p->item / 8,
                                             (int16_t)tsr_min64(lines - i, n),
                                             (int16_t)tsr_min64(items - j, n),
                                             0, false, false};
                    add_place(&q, at);
                }
        moved += items * lines;
    }
    end_places(&q);
    return moved;
}

/** Tiles whose lines in the destination begin anywhere: what is no whole cache line yet waits beside. */
static int64_t run_skewed(engine_tile const *tile, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                          int64_t last)
{
    _Alignas(ENGINE_LINE) unsigned char carry[TSR_SKEWED_LINES][ENGINE_LINE];
    int64_t const n = tsr_tile_items_(p->item), group = tsr_group_items_(p->kind, n);
    int64_t moved = 0;
    places q;
    places_of(&q, tile->skewed, p, true);
    q.path.ahead = (int)tsr_max64(p->ahead * n / group, 1);
    q.path.carry = carry;
    for (cursor c = cursor_at(p, first, last); c.index < last; next_block(&c)) {
        int64_t const lines = c.block.count[0], items = c.block.count[1];
        unsigned char const *const s = source(&c, from);
        unsigned char *const d = destination(&c, to);
        for (int64_t i = 0; i < lines; i += group)
            for (int64_t j = 0; j < items; j += n) {
                engine_place const at = {d + i * p->item / 8 + j * q.path.to_step,
                                         s + i * q.path.from_step + j * p->item / 8,
                                         (int16_t)tsr_min64(lines - i, group),
                                         (int16_t)tsr_min64(items - j, n),
                                         (int16_t)j,
                                         i == 0,
                                         i + group >= lines};
                add_place(&q, at);
            }
        moved += items * lines;
    }
    end_places(&q);
    return moved;
}

/** Whether lines of tiles are so few, and lie so, that they are woven into one. */
static bool is_woven(tsr_plan const *p)
{
    int64_t const n = p->loop[0].count;
    return (n == 2 || n == 4 || n == 8) && p->item <= 64 && p->loop[1].to == n * p->item;
}

/** Blocks whose destination is one run, of the lines of the source in turn. */
static int64_t run_woven(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                         int64_t last)
{
    int const item = tsr_bit_width((uint64_t)p->item / 8) - 1;
    int64_t const n = p->loop[0].count, room = tsr_tile_items_(p->item);
    int64_t moved = 0;
    for (cursor c = cursor_at(p, first, last); c.index < last; advance(&c, n, c.block.count[1])) {
        unsigned char *const d = tsr_byte_at_(to, c.to);
        unsigned char const *const s = tsr_byte_at_(from, c.from);
        int64_t const lines = c.block.count[0], items = c.block.count[1], step = c.block.from[0] / 8;
        int64_t const woven = lines == n ? k->weave[item](d, s, step, (int)n, items, p->stream) : 0;
        for (int64_t j = woven; j < items; j += room)
            k->tile[item].part(d + j * n * p->item / 8, n * p->item / 8, s + j * p->item / 8, step, lines,
                               tsr_min64(items - j, room));
        moved += lines * items;
    }
    return moved;
}

int64_t engine_run_blocks(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first,
                          int64_t last)
{
    int64_t moved = 0;
    uint64_t grain = to * 8 + (uint64_t)p->to.begin;
    for (int i = 1; i < p->loops; ++i)
        grain |= (uint64_t)p->loop[i].to;
    bool const on_lines = grain % (ENGINE_LINE * 8) == 0;
    if (p->way == TSR_WAY_CONVERT) {
        moved = engine_convert(k, p, to, from, first, last, on_lines);
    } else if (p->kind == TSR_BLOCK_ROWS) {
        moved = run_rows(k, p, to, from, first, last);
    } else if (is_woven(p)) {
        moved = run_woven(k, p, to, from, first, last);
    } else {
        engine_tile const *const tile = &k->tile[tsr_bit_width((uint64_t)p->item / 8) - 1];
        bool const skewed = p->kind == TSR_BLOCK_SKEWED && !on_lines && p->loop[1].count <= TSR_SKEWED_LINES;
        moved = skewed ? run_skewed(tile, p, to, from, first, last)
                       : run_tiles(tile, p, to, from, first, last, p->stream && on_lines);
    }
    if (p->stream)
        ENGINE_FENCE();
    return moved;
}

bool engine_is_fill(tsr_plan const *p)
{
    return p->way == TSR_WAY_BYTES && p->kind == TSR_BLOCK_ITEMS && p->box > 0 && p->loop[0].from == 0
           && p->loop[0].to == p->item && p->item <= ENGINE_LINE * 8 && tsr_is_pow2(p->item);
}

int64_t engine_fill(engine_kernels const *k, tsr_plan const *p, uint64_t to, uint64_t from, int64_t first, int64_t last)
{
    unsigned char pattern[2 * ENGINE_LINE];
    int64_t const bytes = p->item / 8;
    int64_t moved = 0;
    tsr_unit_ unit = tsr_unit_at_(p, first);
    bool const stream = p->units * p->loop[0].count * (p->box > 1 ? p->loop[1].count : 1) >= TSR_STREAMED_BYTES / bytes;
    for (int64_t i = first; i < last; ++i, tsr_unit_next_(&unit, p)) {
        int64_t x = 0, y = 0;
        tsr_block_ const b = tsr_unit_block_(p, &unit, &x, &y);
        for (int64_t j = 0; j < b.count[1] && b.count[0] > 0; ++j, moved += b.count[0]) {
            unsigned char const *const s = tsr_byte_at_(from, x + j * b.from[1]);
            for (int64_t n = 0; n < (int64_t)sizeof pattern; n += bytes)
                memcpy(pattern + n, s, (size_t)bytes);
            k->fill(tsr_byte_at_(to, y + j * b.to[1]), pattern, b.count[0] * bytes, stream);
        }
    }
    if (stream)
        ENGINE_FENCE();
    return moved;
}
