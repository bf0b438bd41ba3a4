/** MPI datatypes as calls of C, without MPI:
 *
 *      MPI_Type_vector(8, 4, 10, MPI_FLOAT, &a); MPI_Type_create_resized(a, 0, 16, &b); MPI_Type_contiguous(2, b, &c);
 *
 *  The layout of the last type, from the inside out: element i of the type map is at offset L(i). It counts elements of
 *  the basic datatype; of MPI_BYTE, elements of the size that is asked for.
 *  Source  MPI: A Message-Passing Interface Standard, version 4.1, chapter 5. */
#include "convert/convert.h"

enum { TYPES = 16, NAME = 32 };

/** A datatype: its modes, the innermost first, with steps in bytes; where the first element is, and its bounds. */
typedef struct mpi_type {
    char name[NAME];
    int modes;
    int64_t count[TSR_MAX_LEAVES], step[TSR_MAX_LEAVES], begin, lower, upper, bytes;
} mpi_type;

typedef struct reader {
    scan *s;
    int types;
    int64_t bytes; /* of an element made of MPI_BYTE */
    mpi_type type[TYPES];
} reader;

/* clang-format off */
/** X(name, bytes): basic datatypes; 0: bytes. */
#define BASIC_LIST(X) \
    X(BYTE, 0) X(PACKED, 0) X(CHAR, 1) X(SIGNED_CHAR, 1) X(UNSIGNED_CHAR, 1) X(SHORT, 2) X(UNSIGNED_SHORT, 2) \
    X(INT, 4) X(UNSIGNED, 4) X(LONG, 8) X(UNSIGNED_LONG, 8) X(LONG_LONG, 8) X(LONG_LONG_INT, 8) \
    X(UNSIGNED_LONG_LONG, 8) X(FLOAT, 4) X(DOUBLE, 8) X(INT8_T, 1) X(INT16_T, 2) X(INT32_T, 4) X(INT64_T, 8) \
    X(UINT8_T, 1) X(UINT16_T, 2) X(UINT32_T, 4) X(UINT64_T, 8) X(C_BOOL, 1) X(C_COMPLEX, 8) X(C_FLOAT_COMPLEX, 8) \
    X(C_DOUBLE_COMPLEX, 16) X(AINT, 8) X(COUNT, 8) X(OFFSET, 8)
/* clang-format on */

static struct {
    char const *name;
    int bytes;
} const basic[] = {
#define X(name, bytes) {"MPI_" #name, bytes},
    BASIC_LIST(X)
#undef X
};

static int64_t multiply(scan *s, int64_t a, int64_t b)
{
    int64_t r = 0;
    if (!tsr_mul64(a, b, &r))
        scan_fail(s, "the datatype has more than 2^63 bytes");
    return s->failed ? 0 : r;
}

static int64_t add(scan *s, int64_t a, int64_t b)
{
    int64_t r = 0;
    if (!tsr_add64(a, b, &r) || r == TSR_BAD_OFFSET)
        scan_fail(s, "the datatype has more than 2^63 bytes");
    return s->failed ? 0 : r;
}

/** a - b. The least integer has no negative. */
static int64_t subtract(scan *s, int64_t a, int64_t b)
{
    if (b == INT64_MIN)
        scan_fail(s, "the datatype has more than 2^63 bytes");
    return b == INT64_MIN ? 0 : add(s, a, -b);
}

/** `count` of what is there, `step` bytes apart. Modes that go on are one. */
static void add_mode(scan *s, mpi_type *t, int64_t count, int64_t step)
{
    int const k = t->modes - 1;
    int64_t end = 0;
    if (!s->failed && (count < 1 || count > INT32_MAX))
        scan_fail(s, "counts are from 1 to 2^31 - 1");
    if (s->failed || count == 1)
        return;
    int64_t const reach = multiply(s, count - 1, step);
    t->lower = add(s, t->lower, tsr_min64(reach, 0));
    t->upper = add(s, t->upper, tsr_max64(reach, 0));
    if (k >= 0 && tsr_mul64(t->step[k], t->count[k], &end) && end == step) {
        t->count[k] = multiply(s, t->count[k], count);
        return;
    }
    if (t->modes == TSR_MAX_LEAVES)
        scan_fail(s, "the datatype has more modes than a layout has leaves");
    if (s->failed)
        return;
    t->count[t->modes] = count;
    t->step[t->modes++] = step;
}

static void move(scan *s, mpi_type *t, int64_t bytes)
{
    t->begin = add(s, t->begin, bytes);
    t->lower = add(s, t->lower, bytes);
    t->upper = add(s, t->upper, bytes);
}

/** Copies of what is there at displacements in units of `unit` bytes, which are a layout themselves. */
static void add_displacements(scan *s, mpi_type *t, integers const *at, int64_t unit)
{
    int64_t from[MOST];
    if (!s->failed && at->count < 1)
        scan_fail(s, "a datatype without elements");
    for (int i = 0; i < at->count && !s->failed; ++i)
        from[i] = multiply(s, subtract(s, at->at[i], at->at[0]), unit);
    if (s->failed)
        return;
    tsr_layout const l = tsr_fit(from, at->count, tsr_int(at->count));
    if (!tsr_ok(l) || l.composed)
        scan_fail(s, "the displacements of the blocks are no layout");
    for (int k = 0; !s->failed && k < l.shape.leaves; ++k)
        add_mode(s, t, l.shape.leaf[k].value, l.stride.leaf[k].value);
    move(s, t, multiply(s, s->failed ? 0 : at->at[0], unit));
}

/* Arguments */

static int64_t take_number(scan *s)
{
    int64_t const n = scan_integer(s);
    scan_expect(s, ",");
    return n;
}

/** {1, 2}, (int[]){1, 2}, (const MPI_Aint [2]){..} */
static void take_array(scan *s, integers *r)
{
    if (scan_take(s, "(")) {
        scan_until(s, ")");
        scan_expect(s, ")");
    }
    take_integers(s, "{", "}", r);
    scan_expect(s, ",");
}

/** The type that the arguments begin with: a basic one, or one that was made before. */
static void take_old(reader *r, mpi_type *t)
{
    char word[NAME];
    scan_word(r->s, word, sizeof word);
    memset(t, 0, sizeof *t);
    for (size_t i = 0; i < sizeof basic / sizeof basic[0]; ++i)
        if (!r->s->failed && strcmp(word, basic[i].name) == 0) {
            t->bytes = basic[i].bytes;
            t->upper = basic[i].bytes ? basic[i].bytes : 1;
            return;
        }
    for (int i = r->types - 1; i >= 0 && !r->s->failed; --i)
        if (strcmp(word, r->type[i].name) == 0) {
            *t = r->type[i];
            return;
        }
    scan_fail(r->s, "a basic datatype, or one that was made before, is expected here");
}

/** &name */
static void take_new(reader *r, mpi_type *t)
{
    scan *const s = r->s;
    scan_expect(s, ",");
    scan_expect(s, "&");
    scan_word(s, t->name, sizeof t->name);
    if (!s->failed && r->types == TYPES)
        scan_fail(s, "at most 16 datatypes are made");
    if (!s->failed)
        r->type[r->types++] = *t;
}

static int64_t extent_of(scan *s, mpi_type const *t) { return subtract(s, t->upper, t->lower); }

/** contiguous, vector, hvector: count, block and step are read. */
static void read_vector(reader *r, bool blocks, bool bytes)
{
    mpi_type t;
    int64_t const count = take_number(r->s), block = blocks ? take_number(r->s) : 1,
                  step = blocks ? take_number(r->s) : 1;
    take_old(r, &t);
    int64_t const extent = extent_of(r->s, &t);
    add_mode(r->s, &t, block, extent);
    add_mode(r->s, &t, count, bytes ? step : multiply(r->s, step, extent));
    take_new(r, &t);
}

/** indexed, hindexed, and those of one block length. */
static void read_indexed(reader *r, bool same, bool bytes)
{
    scan *const s = r->s;
    mpi_type t;
    integers lengths = {0, {0}}, at = {0, {0}};
    int64_t const count = take_number(s);
    if (same)
        lengths.at[0] = take_number(s);
    else
        take_array(s, &lengths);
    take_array(s, &at);
    take_old(r, &t);
    if (!s->failed && (at.count != count || (!same && lengths.count != count)))
        scan_fail(s, "an array has another number of integers than there are blocks");
    for (int i = 1; i < lengths.count; ++i)
        if (lengths.at[i] != lengths.at[0])
            scan_fail(s, "blocks of several lengths are no layout");
    int64_t const extent = extent_of(s, &t);
    add_mode(s, &t, lengths.at[0], extent);
    add_displacements(s, &t, &at, bytes ? 1 : extent);
    take_new(r, &t);
}

static void read_subarray(reader *r)
{
    scan *const s = r->s;
    mpi_type t;
    integers size = {0, {0}}, part = {0, {0}}, begin = {0, {0}};
    int64_t const n = take_number(s);
    take_array(s, &size);
    take_array(s, &part);
    take_array(s, &begin);
    bool const c_order = scan_take(s, "MPI_ORDER_C");
    if (!c_order)
        scan_expect(s, "MPI_ORDER_FORTRAN");
    scan_expect(s, ",");
    take_old(r, &t);
    if (!s->failed && (n < 1 || size.count != n || part.count != n || begin.count != n))
        scan_fail(s, "an array has another number of integers than there are dimensions");
    int64_t step = extent_of(s, &t), first = 0;
    int64_t const lower = t.lower;
    for (int k = 0; k < n && !s->failed; ++k) {
        int const m = c_order ? (int)n - 1 - k : k;
        if (size.at[m] < 1 || size.at[m] > INT32_MAX)
            scan_fail(s, "sizes are from 1 to 2^31 - 1");
        else if (begin.at[m] < 0 || part.at[m] < 1 || begin.at[m] > size.at[m]
                 || part.at[m] > size.at[m] - begin.at[m])
            scan_fail(s, "a part of a dimension is outside of it");
        add_mode(s, &t, part.at[m], step);
        first = add(s, first, multiply(s, begin.at[m], step));
        step = multiply(s, step, size.at[m]);
    }
    move(s, &t, first);
    t.lower = lower;
    t.upper = add(s, lower, step);
    take_new(r, &t);
}

/** resized, dup */
static void read_changed(reader *r, bool resized)
{
    mpi_type t;
    take_old(r, &t);
    if (resized) {
        scan_expect(r->s, ",");
        t.lower = take_number(r->s);
        t.upper = add(r->s, t.lower, scan_integer(r->s));
    }
    take_new(r, &t);
}

static void read_call(reader *r)
{
    scan *const s = r->s;
    char word[48];
    scan_word(s, word, sizeof word);
    if (s->failed)
        return;
    char const *const name = strncmp(word, "MPI_Type_", 9) == 0 ? word + 9 : "";
    char const *const kind = strncmp(name, "create_", 7) == 0 ? name + 7 : name;
    if (strcmp(word, "MPI_Datatype") == 0) { /* MPI_Datatype a, b; */
        scan_until(s, ";");
        return;
    }
    scan_expect(s, "(");
    if (strcmp(name, "commit") == 0) {
        scan_expect(s, "&");
        scan_word(s, word, sizeof word);
    } else if (strcmp(name, "contiguous") == 0)
        read_vector(r, false, false);
    else if (strcmp(name, "vector") == 0 || strcmp(kind, "hvector") == 0)
        read_vector(r, true, *kind == 'h');
    else if (strcmp(name, "indexed") == 0 || strcmp(kind, "hindexed") == 0)
        read_indexed(r, false, *kind == 'h');
    else if (strcmp(kind, "indexed_block") == 0 || strcmp(kind, "hindexed_block") == 0)
        read_indexed(r, true, *kind == 'h');
    else if (strcmp(kind, "subarray") == 0)
        read_subarray(r);
    else if (strcmp(kind, "resized") == 0 || strcmp(name, "dup") == 0)
        read_changed(r, *kind == 'r');
    else
        scan_fail(s, "the constructors are contiguous, vector, indexed, subarray, resized and dup");
    scan_expect(s, ")");
}

/** The layout of a type in elements. */
static tsr_layout layout_of(scan *s, mpi_type const *t, int64_t bytes)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    bool const raw = t->bytes == 0, run = raw && t->modes > 0 && t->step[0] == 1;
    int64_t const element = raw ? bytes : t->bytes;
    int64_t const items = run ? t->count[0] / tsr_max64(element, 1) : 1;
    if (element < 1 || (raw && (run ? t->count[0] : 1) % element != 0))
        scan_fail(s, "runs of bytes are no whole elements");
    if (run && items > 1) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(items));
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(1));
    }
    bool ok = !s->failed && t->begin % element == 0;
    for (int k = run; k < t->modes && ok; ++k) {
        ok = t->step[k] % element == 0;
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(t->count[k]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(t->step[k] / element));
    }
    if (!ok)
        scan_fail(s, "a step in bytes is no multiple of the size of an element");
    if (s->failed)
        return tsr_make_layout(1);
    tsr_tuple all = TSR_ZERO, steps = TSR_ZERO;
    tsr_layout_push_(&all, &steps, shape, stride);
    tsr_layout const l = tsr_layout_checked(tsr_layout_unchecked(all, steps));
    return t->begin ? tsr_make_composed_layout(tsr_make_swizzle(0, 0, 0), tsr_s(t->begin / element), l) : l;
}

void tsr_read_mpi_(scan *s, int64_t bytes, tsr_layout *l)
{
    reader r = {s, 0, bytes, {{"", 0, {0}, {0}, 0, 0, 0, 0}}};
    do {
        read_call(&r);
        if (!scan_take(s, ";"))
            break;
    } while (scan_next(s) && !s->failed);
    if (!s->failed && r.types == 0)
        scan_fail(s, "no datatype is made");
    if (!s->failed)
        *l = layout_of(s, &r.type[r.types - 1], r.bytes);
}

/* Writing: a run, and an hvector for each mode beyond */

static char const *basic_of(int64_t bytes)
{
    return bytes == 1    ? "MPI_BYTE"
           : bytes == 2  ? "MPI_INT16_T"
           : bytes == 4  ? "MPI_FLOAT"
           : bytes == 8  ? "MPI_DOUBLE"
           : bytes == 16 ? "MPI_C_DOUBLE_COMPLEX"
                         : NULL;
}

void tsr_write_mpi_(writer *w, tsr_layout const *l, int64_t bytes, scan *s)
{
    tsr_layout const c = tsr_coalesce(tsr_static_all(*l));
    int64_t const offset = l->composed ? tsr_leaf_value(l->offset) : 0;
    char old[NAME];
    int made = 0, first = 0;
    if ((l->composed && (l->swizzle.bits > 0 || l->twice)) || tsr_has_basis(&l->stride))
        scan_fail(s, "a swizzled layout, or one of coordinates, has no steps in bytes");
    if (!basic_of(bytes))
        scan_fail(s, "elements have 1, 2, 4, 8 or 16 bytes");
    for (int k = 0; k < c.shape.leaves && !s->failed; ++k)
        if (c.shape.leaf[k].value > INT32_MAX)
            scan_fail(s, "counts are from 1 to 2^31 - 1");
    if (s->failed)
        return;
    mpi_type whole = {"", 0, {0}, {0}, 0, 0, bytes, bytes}; /* its bounds must be integers too */
    for (int k = 0; k < c.shape.leaves; ++k)
        add_mode(s, &whole, c.shape.leaf[k].value, multiply(s, c.stride.leaf[k].value, bytes));
    move(s, &whole, multiply(s, offset, bytes));
    snprintf(old, sizeof old, "%s", basic_of(bytes));
    int64_t block = 1;
    if (c.stride.leaf[0].value == 1 || c.shape.leaf[0].value == 1) {
        block = c.shape.leaf[0].value;
        first = 1;
    }
    if (first == c.shape.leaves) {
        put(w, "MPI_Type_contiguous(%lld, %s, &t%d);", (long long)block, old, made);
        snprintf(old, sizeof old, "t%d", made++);
    }
    for (int k = first; k < c.shape.leaves; ++k) {
        int64_t const step = multiply(s, c.stride.leaf[k].value, bytes);
        put(w, "%s", made ? " " : "");
        put(w,
            made ? "MPI_Type_create_hvector(%lld, %lld, %lld, %s, &t%d);"
                 : "MPI_Type_vector(%lld, %lld, %lld, %s, &t%d);",
            (long long)c.shape.leaf[k].value, (long long)(k == first ? block : 1),
            (long long)(made ? step : c.stride.leaf[k].value), old, made);
        snprintf(old, sizeof old, "t%d", made++);
    }
    if (offset)
        put(w, " MPI_Type_create_hindexed_block(1, 1, (MPI_Aint[]){%lld}, %s, &t%d);",
            (long long)multiply(s, offset, bytes), old, made);
}
