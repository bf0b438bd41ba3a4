/** Packing: what a kernel reads becomes a panel, whatever the layout and the type of the operand. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"
#include "exec/compute/out_of_line.h"

#if defined(__GNUC__)
#  define PREFETCH(p) __builtin_prefetch(p)
#else
#  define PREFETCH(p) ((void)(p))
#endif

/* Elements of K that are gathered before they are converted; bytes of rows that are lined up before they become
 * panels; elements or units of K that are spread over panels together; the rows side by side from which that pays where
 * units are made. Rows of up to SHORT_BYTES are asked for AHEAD elements of K before they are read: processors follow
 * longer ones by themselves. */
enum {
    CHUNK = 32,
    LINE_BYTES = 16384,
    TOGETHER = 4,
    LEAST_LINE = 16,
    SHORT_BYTES = 256,
    AHEAD = 16,
    WAY_BYTES = 4096,
    WAYS = 8
};

int64_t tsr_gemm_units(gemm_row const *row, int parts, int64_t k)
{
    return gemm_ceil(k * parts, gemm_group(row->form) * row->depth) * row->depth;
}

void tsr_gemm_convert(gemm_choice const *c, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                      int64_t n)
{
    if (!c->table->convert(to_type, to, from_type, from, n))
        tsr_convert_by_loops_(to_type, to, from_type, from, n);
}

/** The destination of gathered elements: bytes from row to row and along K. One of the two is the size of an element.
 */
typedef struct target {
    unsigned char *to;
    int64_t row, k;
} target;

/** Element by element, through the swizzle of the layout. */
static void gather_swizzled(gemm_source const *s, target t, int64_t const *row, int rows, int64_t const *step,
                            int64_t k)
{
    int64_t const size = gemm_bytes(s->tensor);
    for (int64_t x = 0; x < k; ++x)
        for (int r = 0; r < rows; ++r)
            memcpy(t.to + x * t.k + r * t.row,
                   s->base + tsr_finish_(&s->tensor->layout, (uint64_t)((row[r] + step[x]) / size)) * size,
                   (size_t)size);
}

/** How many places from the first on are equally far apart: `most` at most. */
static int64_t even_steps(int64_t const *place, int64_t most)
{
    int64_t n = tsr_min64(most, 2);
    while (n < most && place[n] - place[n - 1] == place[1] - place[0])
        ++n;
    return n;
}

/** Elements of `size` bytes: (r,k) from the byte base + row[r] + step[k]. Rows and steps that are equally far apart are
 *  a block of two loops, which the engine of copies moves. Of many rows that begin in one set of the first cache it
 *  moves WAYS at a time: the set keeps the lines of no more. */
static void gather_blocks(gemm_source const *s, int64_t size, target t, int64_t const *row, int rows,
                          int64_t const *step, int64_t k)
{
    unsigned char const *const base = s->base;
    engine_kernels const *const engine = tsr_engine_chosen_();
    for (int64_t r = 0, n = 0; r < rows; r += n) {
        n = even_steps(row + r, rows - r);
        if (t.row == size && rows > 2 * WAYS && n > 1 && (row[r + 1] - row[r]) % WAY_BYTES == 0)
            n = tsr_min64(n, WAYS);
        for (int64_t x = 0, m = 0; x < k; x += m) {
            m = s->even ? k : even_steps(step + x, k - x);
            int64_t const d = n > 1 ? row[r + 1] - row[r] : size, e = m > 1 ? step[x + 1] - step[x] : size;
            tsr_block_ const across = {{n, m}, {d * 8, e * 8}, {t.row * 8, t.k * 8}},
                             along = {{m, n}, {e * 8, d * 8}, {t.k * 8, t.row * 8}};
            tsr_engine_move_block_(engine, t.to + x * t.k + r * t.row, base + row[r] + step[x],
                                   t.row == size ? &across : &along, size * 8);
        }
    }
}

static void gather(gemm_source const *s, target t, int64_t const *row, int rows, int64_t const *step, int64_t k)
{
    if (gemm_is_swizzled(s->tensor))
        gather_swizzled(s, t, row, rows, step, k);
    else
        gather_blocks(s, gemm_bytes(s->tensor), t, row, rows, step, k);
}

/** A product of complex numbers is one of real ones of twice the extents: (re, im) of A becomes the rows re, im and,
 *  along K, -im, re; that of B re and, along K, im. */
#define EXPAND(name, T)                                                                                           \
  static void name(T *to, T const *from, int64_t numbers, int64_t k, bool of_b)                                   \
  {                                                                                                               \
    for (int64_t i = 0; i < k * numbers; ++i, from += 2) {                                                        \
      T *const p =                                                                                                \
          of_b ? to + i / numbers * 2 * numbers + i % numbers : to + i / numbers * 4 * numbers + i % numbers * 2; \
      p[0] = from[0];                                                                                             \
      p[of_b ? numbers : 1] = from[1];                                                                            \
      if (!of_b) {                                                                                                \
        p[2 * numbers] = -from[1];                                                                                \
        p[2 * numbers + 1] = from[0];                                                                             \
      }                                                                                                           \
    }                                                                                                             \
  }
EXPAND(expand_floats, float)
EXPAND(expand_doubles, double)

/** Whether units of neighbours along K lie side by side, so that they move as one. */
static bool has_units(int64_t const *step, int64_t k, int group, int64_t size)
{
    bool whole = k % group == 0;
    for (int64_t x = 0; whole && x < k; x += group)
        whole = gemm_is_run(step + x, size, group);
    return whole;
}

static void pack_chunk(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t width,
                       int64_t const *row, int rows, int64_t const *step, int64_t k)
{
    _Alignas(64) unsigned char raw[CHUNK * GEMM_ROWS * 16], elements[CHUNK * GEMM_ROWS * 8];
    gemm_form const form = c->row->form;
    tsr_dtype const type = s->tensor->engine.type, element = gemm_element_type(form);
    int const group = gemm_group(form);
    int64_t const numbers = s->parts == 2 && !s->of_b ? width / 2 : width, size = gemm_bytes(s->tensor);
    int64_t const whole = gemm_ceil(k, group) * group;
    bool const converts = s->parts == 1 && type != element && !(group == 4 && tsr_dtype_bits(type) == 8);
    unsigned char *from = raw;
    if (rows < numbers || whole > k)
        memset(raw, 0, (size_t)(whole * numbers * size));
    gather(s, (target){raw, size, numbers * size}, row, rows, step, k);
    if (converts) {
        from = group == 1 ? to : elements;
        tsr_gemm_convert(c, element, from, type, raw, whole * numbers);
    }
    if (s->parts == 2 && type == TSR_C64)
        expand_floats((float *)(void *)to, (float const *)(void const *)raw, numbers, k, s->of_b);
    else if (s->parts == 2)
        expand_doubles((double *)(void *)to, (double const *)(void const *)raw, numbers, k, s->of_b);
    else if (group > 1)
        (group == 2 ? c->table->zip_pairs : c->table->zip_quads)(to, from, width, whole);
    else if (from != to)
        memcpy(to, from, (size_t)(k * numbers * size));
}

/** What makes u8 of i8, and what that adds to the sums, with the other sign. */
static void flip_signs(unsigned char *panel, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; ++i)
        panel[i] ^= 0x80;
}

/** Sums of bytes, of 4 columns side by side: of those at even and at odd places in 16 bits, which keep SAFE of them. */
static void sum_bytes(unsigned char const *units, int64_t width, int64_t n, uint32_t flip, uint32_t sum[4])
{
    enum { SAFE = 128 };
    for (int64_t u = 0, m = 0; u < n; u += m) {
        uint32_t even[4] = {0}, odd[4] = {0};
        m = tsr_min64(SAFE, n - u);
        for (int64_t i = u; i < u + m; ++i) {
            uint32_t x[4];
            memcpy(x, units + i * width * 4, sizeof x);
            for (int r = 0; r < 4; ++r) {
                even[r] += (x[r] ^ flip) & 0x00ff00ff;
                odd[r] += (x[r] ^ flip) >> 8 & 0x00ff00ff;
            }
        }
        for (int r = 0; r < 4; ++r)
            sum[r] += (even[r] & 0xffff) + (even[r] >> 16) + (odd[r] & 0xffff) + (odd[r] >> 16);
    }
}

/** Columns of bytes are many by 4. Those of i8 are summed as u8, each 128 more. */
static void begin_columns(unsigned char *panel, int64_t width, int64_t units, bool sums, bool of_i8)
{
    uint32_t const flip = of_i8 ? 0x80808080 : 0, more = of_i8 ? 512 * (uint32_t)units : 0;
    for (int64_t r = 0; r < width; r += 4) {
        uint32_t sum[4] = {0};
        if (sums)
            sum_bytes(panel + r * 4, width, units, flip, sum);
        for (int i = 0; i < 4; ++i)
            sum[i] = 128 * (of_i8 ? (sums ? more : 0) - sum[i] : sum[i]);
        memcpy(panel + (units * width + r) * 4, sum, sizeof sum);
    }
}

/** Whether elements of an operand are units of panels as they are, so that they are only moved. */
static bool is_moved(gemm_choice const *c, gemm_source const *s)
{
    tsr_dtype const type = s->tensor->engine.type;
    gemm_form const form = c->row->form;
    return s->parts == 1 && !gemm_is_swizzled(s->tensor)
           && (gemm_is_element(form, type) || (gemm_group(form) == 4 && tsr_dtype_bits(type) == 8));
}

/** Rows in groups of `count`, each equally far apart; groups beside each other, `beside` of them. */
typedef struct groups {
    int64_t count, beside;
} groups;

/** The groups that n rows are; count 0: they are others. */
static groups groups_of(int64_t const *row, int64_t n, int64_t size)
{
    groups g = {n < 2 ? 0 : even_steps(row, n), 1};
    if (g.count == n) { /* without a division for each row */
        g.count = n > 1 && row[1] - row[0] == size ? n : 0;
        return g;
    }
    while (g.count > 0 && (g.beside + 1) * g.count <= n && row[g.beside * g.count] == row[0] + g.beside * size)
        ++g.beside;
    int64_t const all = g.count * g.beside;
    bool even = g.count >= 8 && g.beside >= 8;
    for (int64_t i = 0, first = 0; even && i < n; ++i, first += i % all == 0 ? all : 0)
        even = row[i] == row[first] + (i - first) % g.count * (row[1] - row[0]) + (i - first) / g.count * size;
    g.count = even ? g.count : 0;
    return g;
}

/** The elements of rows `first` to `last` - 1 of such groups, one after the other: transposed from groups beside each
 *  other. */
static void line_up(engine_kernels const *engine, unsigned char *to, unsigned char const *base, int64_t size,
                    int64_t const *row, int64_t first, int64_t last, groups g)
{
    for (int64_t i = first, rows = 0; i < last; i += rows) {
        int64_t const left = tsr_min64(g.count - i % g.count, last - i);
        int64_t const whole =
            left == g.count ? tsr_min64((last - i) / g.count, g.beside - i / g.count % g.beside) : 1;
        tsr_block_ const b = {{left, whole}, {(row[1] - row[0]) * 8, size * 8}, {size * 8, g.count * size * 8}};
        tsr_engine_move_block_(engine, to + (i - first) * size, base + row[i], &b, size * 8);
        rows = left * whole;
    }
}

/** Copies adjacent pieces of a constant number of bytes for several elements of K. Each piece goes to its own panel;
 *  `step` is the bytes of a panel from one element to the next. */
TSR_LOCAL_REF void spread_pieces(unsigned char *to, int64_t bytes, int64_t step, unsigned char const *base,
                                 int64_t const *at, int const k, int const piece, int64_t panels)
{
    for (int64_t p = 0; p < panels; ++p)
        for (int x = 0; x < k; ++x)
            memcpy(to + p * bytes + x * step, base + at[x] + p * piece, (size_t)piece);
}

/** TOGETHER elements of K, so that panels are written line by line; false: of another size. */
static bool spread(unsigned char *to, int64_t bytes, int64_t step, unsigned char const *base, int64_t const *at,
                   int64_t piece, int64_t panels)
{
    switch (piece) {
/* clang-format off */
#define X(n)                                                                           \
    case n:                                                                            \
        spread_pieces(to, bytes, step, base, at, TOGETHER, n, panels);                 \
        return true;
        X(16) X(32) X(64) X(96)
/* clang-format on */
#undef X
            default : return false;
    }
}

/** Asks for `bytes` bytes of TOGETHER elements of K. */
static void fetch_rows(unsigned char const *base, int64_t const *at, int64_t bytes)
{
    for (int x = 0; x < TOGETHER; ++x)
        for (int64_t i = 0; i < bytes; i += ENGINE_LINE)
            PREFETCH(base + at[x] + i);
}

/** What a panel ends with: other signs, and behind its units the numbers at which columns begin. */
static void end_panel(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t width, int64_t units)
{
    if (s->flip)
        flip_signs(to, units * width * gemm_unit_bytes(c->row->form));
    if (gemm_group(c->row->form) == 4 && s->of_b)
        begin_columns(to, width, units, s->sums, c->row->form == FORM_U8I8);
}

/** A line of n units from n rows side by side, whose first one is at `base`, and k elements along K, `group` at most:
 *  converted and zipped. */
static void make_line(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t n,
                      unsigned char const *base, int64_t const *step, int64_t k, bool moved)
{
    _Alignas(64) unsigned char raw[LINE_BYTES / TOGETHER];
    tsr_dtype const type = s->tensor->engine.type, element = gemm_element_type(c->row->form);
    int const group = gemm_group(c->row->form);
    unsigned char *const out = group == 1 ? to : raw;
    int64_t const bytes = n * tsr_dtype_bits(element) / 8;
    for (int x = 0; x < group; ++x)
        if (x >= k)
            memset(out + x * bytes, 0, (size_t)bytes);
        else if (moved)
            memcpy(out + x * bytes, base + step[x], (size_t)bytes);
        else
            tsr_gemm_convert(c, element, out + x * bytes, type, base + step[x], n);
    if (group > 1)
        (group == 2 ? c->table->zip_pairs : c->table->zip_quads)(to, raw, n, group);
}

/** How many panels of `rows` rows, of `most`, lie side by side one behind the other. */
static int64_t panels_in_line(int64_t const *row, int64_t size, int64_t rows, int64_t most)
{
    int64_t i = 1;
    while (i < most * rows && row[i] == row[i - 1] + size)
        ++i;
    return i / rows;
}

/** n panels whose rows all lie side by side, of units that are made of elements. */
static void make_line_of_panels(engine_kernels const *engine, gemm_choice const *c, gemm_source const *s,
                                unsigned char *first, int64_t bytes, int64_t width, int64_t const *row, int64_t rows,
                                int64_t n, int64_t const *step, int64_t k)
{
    _Alignas(64) unsigned char line[LINE_BYTES];
    int64_t const unit = gemm_unit_bytes(c->row->form), group = gemm_group(c->row->form), units = gemm_ceil(k, group);
    int64_t const piece = rows * unit, next = width * unit;
    bool const moved = is_moved(c, s);
    for (int64_t u = 0, count = 0; u < units; u += count) {
        int64_t at[TOGETHER];
        count = tsr_min64(TOGETHER, units - u);
        for (int64_t i = 0; i < count; ++i) {
            int64_t const x = (u + i) * group;
            at[i] = i * n * piece;
            make_line(c, s, line + at[i], n * rows, s->base + row[0], step + x, tsr_min64(group, k - x), moved);
        }
        if (count == TOGETHER && spread(first + u * next, bytes, next, line, at, piece, n))
            continue;
        for (int64_t i = 0; i < count; ++i)
            engine->rows(first + (u + i) * next, bytes, line + at[i], piece, piece, n);
    }
    for (int64_t p = 0; p < n; ++p)
        end_panel(c, s, first + p * bytes, width, units);
}

/** The same of units that are elements as they are. */
static void copy_line_of_panels(engine_kernels const *engine, unsigned char *to, int64_t bytes, int64_t next,
                                unsigned char const *base, int64_t piece, int64_t n, int64_t const *step, int64_t k)
{
    int64_t x = 0;
    for (; x + TOGETHER <= k; x += TOGETHER) {
        if (n * piece <= SHORT_BYTES && x + AHEAD + TOGETHER <= k)
            fetch_rows(base, step + x + AHEAD, n * piece);
        if (!spread(to + x * next, bytes, next, base, step + x, piece, n))
            break;
    }
    for (; x < k; ++x)
        engine->rows(to + x * next, bytes, base + step[x], piece, piece, n);
}

/** tsr_gemm_pack_panels, as many panels at a time as lie in a line, at most `most`. */
static void pack_lines_of_panels(engine_kernels const *engine, gemm_choice const *c, gemm_source const *s,
                                 unsigned char *to, int64_t bytes, int64_t width, int64_t const *row, int64_t rows,
                                 int64_t panels, int64_t most, int64_t const *step, int64_t k)
{
    int64_t const size = gemm_bytes(s->tensor);
    bool const copied = is_moved(c, s) && gemm_group(c->row->form) == 1;
    for (int64_t p = 0, n = 0; p < panels; p += n, to += n * bytes, row += n * rows) {
        n = panels_in_line(row, size, rows, tsr_min64(panels - p, most));
        if (n == 0 || (!copied && n * rows < LEAST_LINE)) {
            n = 1;
            tsr_gemm_pack(c, s, to, width, row, (int)rows, step, k);
        } else if (copied) {
            copy_line_of_panels(engine, to, bytes, width * size, s->base + row[0], rows * size, n, step, k);
        } else {
            make_line_of_panels(engine, c, s, to, bytes, width, row, rows, n, step, k);
        }
    }
}

bool tsr_gemm_pack_panels(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t bytes, int64_t width,
                          int64_t const *row, int64_t rows, int64_t panels, int64_t const *step, int64_t k)
{
    unsigned char line[LINE_BYTES];
    engine_kernels const *const engine = tsr_engine_chosen_();
    int64_t const size = gemm_bytes(s->tensor), piece = rows * size, all = panels * rows;
    bool const copied = is_moved(c, s) && gemm_group(c->row->form) == 1, in_line = all > 1 && row[1] - row[0] == size;
    if (!engine || s->parts > 1 || gemm_is_swizzled(s->tensor) || c->row->depth > 1 || (!copied && !in_line))
        return false;
    if (in_line) {
        int64_t const most = copied ? panels : LINE_BYTES / TOGETHER / gemm_unit_bytes(c->row->form) / rows;
        pack_lines_of_panels(engine, c, s, to, bytes, width, row, rows, panels, most, step, k);
        return true;
    }
    groups const g = groups_of(row, all, size);
    int64_t const most = LINE_BYTES / piece;
    for (int64_t p = 0, n = 0; p < panels && g.count > 0; p += n) {
        n = tsr_min64(panels - p, most);
        for (int64_t x = 0; x < k; ++x) {
            line_up(engine, line, s->base + step[x], size, row, p * rows, (p + n) * rows, g);
            engine->rows(to + p * bytes + x * width * size, bytes, line, piece, piece, n);
        }
    }
    return g.count > 0;
}

/** A panel of B for AMX: `slab` elements of K of a column, then of the next one. */
static void pack_lines(gemm_source const *s, unsigned char *to, int64_t width, int64_t const *row, int rows,
                       int64_t const *step, int64_t k, int64_t slab)
{
    int64_t const size = gemm_bytes(s->tensor);
    for (int64_t x = 0, n = 0; x < k; x += n, to += width * slab * size) {
        n = tsr_min64(slab, k - x);
        if (n < slab || rows < width)
            memset(to, 0, (size_t)(width * slab * size));
        gather(s, (target){to, slab * size, size}, row, rows, step + x, n);
    }
}

/** A panel of `rows` lines of k units, `apart` bytes apart: those that engines weave, then the others. */
static void turn_lines(unsigned char *to, int64_t width, unsigned char const *from, int64_t apart, int rows,
                       int64_t k, int64_t unit)
{
    engine_kernels const *const engine = tsr_engine_chosen_();
    int const log = tsr_bit_width((uint64_t)unit) - 1;
    bool const weaves = engine && (rows == 4 || rows == 8) && rows == width && engine->weave[log];
    int64_t const n = weaves ? engine->weave[log](to, from, apart, rows, k, false) : 0;
    tsr_block_ const rest = {{rows, k - n}, {apart * 8, unit * 8}, {unit * 8, width * unit * 8}};
    if (n < k)
        tsr_engine_move_block_(engine, to + n * width * unit, from + n * unit, &rest, unit * 8);
}

/** Whether the elements of rows lie side by side along K. */
static bool is_along(gemm_source const *s, int64_t const *step, int64_t k)
{
    return s->even && k > 1 && step[1] - step[0] == gemm_bytes(s->tensor);
}

/** A panel of elements that lie along K and are converted, line by line. */
static void convert_lines(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t width,
                          int64_t const *row, int rows, int64_t const *step, int64_t k)
{
    _Alignas(64) unsigned char lines[LINE_BYTES];
    tsr_dtype const element = gemm_element_type(c->row->form);
    int64_t const unit = gemm_unit_bytes(c->row->form), group = gemm_group(c->row->form);
    int64_t const most = LINE_BYTES / (rows * unit) * group;
    for (int64_t x = 0; x < k; x += most) {
        int64_t const n = tsr_min64(most, k - x), units = gemm_ceil(n, group), apart = units * unit;
        for (int r = 0; r < rows; ++r) {
            memset(lines + (r + 1) * apart - unit, 0, (size_t)unit);
            tsr_gemm_convert(c, element, lines + r * apart, s->tensor->engine.type, s->base + row[r] + step[x], n);
        }
        turn_lines(to + x / group * width * unit, width, lines, apart, rows, units, unit);
    }
}

void tsr_gemm_pack(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t width, int64_t const *row,
                   int rows, int64_t const *step, int64_t k)
{
    gemm_form const form = c->row->form;
    int const group = gemm_group(form);
    int64_t const size = gemm_bytes(s->tensor), units = tsr_gemm_units(c->row, s->parts, k);
    int64_t const unit = gemm_unit_bytes(form) * width, used = gemm_ceil(k * s->parts, group);
    bool const same = is_moved(c, s);
    if (s->of_b && c->row->depth > 1) {
        pack_lines(s, to, width, row, rows, step, k, c->row->depth * group);
        return;
    }
    if (s->parts == 1 && rows < width)
        memset(to, 0, (size_t)(units * unit));
    else if (used < units)
        memset(to + used * unit, 0, (size_t)((units - used) * unit));
    if (same && group == 1 && is_along(s, step, k) && gemm_is_run(row, rows > 1 ? row[1] - row[0] : 0, rows)
        && rows == width && rows <= 8) {
        turn_lines(to, width, s->base + row[0] + step[0], rows > 1 ? row[1] - row[0] : 0, rows, k, size);
    } else if (same && group == 1) {
        gather(s, (target){to, size, width * size}, row, rows, step, k);
    } else if (same && row[rows - 1] - row[0] != (rows - 1) * size && has_units(step, k, group, size)) {
        for (int64_t x = 0; x < k; x += CHUNK * group) {
            int64_t at[CHUNK];
            int64_t const n = tsr_min64(CHUNK, (k - x) / group);
            for (int64_t i = 0; i < n; ++i)
                at[i] = step[x + i * group];
            gather_blocks(s, 4, (target){to + x / group * unit, 4, unit}, row, rows, at, n);
        }
    } else if (!same && s->parts == 1 && !gemm_is_swizzled(s->tensor) && is_along(s, step, k)) {
        convert_lines(c, s, to, width, row, rows, step, k);
    } else {
        for (int64_t x = 0; x < k; x += CHUNK)
            pack_chunk(c, s, to + x * s->parts / group * unit, width, row, rows, step + x, tsr_min64(CHUNK, k - x));
    }
    end_panel(c, s, to, width, units);
}
