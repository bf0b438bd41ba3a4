/** Programs as text, a statement a line:
 *
 *      statement  =  "warps" number | name ":" shape [ "@" fragment ] | name "=" call [ "@" fragment ]
 *      call       =  operation [ "<" argument ">" ] "(" name { "," name } ")"
 *
 *  and how the coordinates of each operation are those of its operands.
 */
#include <stdlib.h>

#include "infer/infer.h"
#include "text/scan.h"

typedef struct program {
    tsr_inference *p;
    scan in;
    char argument[128]; /* between the brackets of a call */
} program;

/** The name at the place, of at most INFER_NAME - 1 characters. */
static bool read_name(program *r, char *name)
{
    scan_blanks(&r->in);
    size_t n = 0;
    for (char c = scan_char(&r->in, 0);
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || scan_is_digit(&r->in);
         c = scan_char(&r->in, 0)) {
        if (n + 1 == INFER_NAME)
            return scan_fail(&r->in, "a name has at most %d characters", INFER_NAME - 1);
        name[n++] = c;
        ++r->in.p;
    }
    name[n] = 0;
    return n > 0 || scan_fail(&r->in, "a name is expected here");
}

static int value_named(tsr_inference const *p, char const *name)
{
    for (int i = 0; i < p->values; ++i)
        if (strcmp(p->value[i].name, name) == 0)
            return i;
    return -1;
}

/** The exponent of a power of two, or -1. */
static int log_of(int64_t n)
{
    int bits = 0;
    while (bits < 62 && (int64_t)1 << bits < n)
        ++bits;
    return n > 0 && (int64_t)1 << bits == n ? bits : -1;
}

static bool set_shape(program *r, value_of *v, tsr_tuple const *shape)
{
    if (shape->status || shape->leaves > INFER_DIMS)
        return scan_fail(&r->in, "a shape has 1 to %d extents", INFER_DIMS);
    v->dims = v->total = 0;
    for (int i = 0; i < shape->leaves; ++i) {
        int const bits = tsr_leaf_is_number(shape->leaf[i]) ? log_of(shape->leaf[i].value) : -1;
        if (bits < 0)
            return scan_fail(&r->in, "extent %lld of mode %d is no power of two", (long long)shape->leaf[i].value, i);
        v->bits[v->dims++] = bits;
        v->total += bits <= INFER_BITS ? bits : INFER_BITS + 1;
    }
    return v->total <= INFER_BITS || scan_fail(&r->in, "a value has at most 2^%d elements", INFER_BITS);
}

/** The first bit of a dimension. */
static int first_bit(value_of const *v, int dim)
{
    int bit = 0;
    for (int i = 0; i < dim; ++i)
        bit += v->bits[i];
    return bit;
}

/** A linear map, or a layout (thread, value). */
static tsr_linear map_of(char const *text, tsr_message *error)
{
    tsr_linear map = tsr_parse_linear(text, TSR_TEXT_STATIC, error);
    if (!map.why.status)
        return map;
    tsr_layout const l = tsr_parse_layout(text, TSR_TEXT_STATIC, NULL);
    if (!l.shape.status)
        map = tsr_linear_of_tv(l);
    error->text[0] = 0;
    if (map.why.status)
        tsr_format_reason(error->text, sizeof error->text, map.why);
    return map;
}

/** The rest of the line behind @ is the fragment of a value. */
static bool read_fragment(program *r, value_of *v)
{
    char text[TSR_TEXT_SIZE];
    tsr_message error = {0, ""};
    scan_blanks(&r->in);
    size_t const n = (size_t)(r->in.end - r->in.p);
    if (n >= sizeof text)
        return scan_fail(&r->in, "a fragment has at most %d characters", (int)sizeof text - 1);
    memcpy(text, r->in.p, n);
    text[n] = 0;
    tsr_linear const map = map_of(text, &error);
    v->given = !map.why.status && tsr_infer_from_(&v->fixed, &map, v, &error);
    r->in.p = r->in.end;
    return v->given || scan_fail(&r->in, "%.200s", error.text);
}

/* Operations: the bits of their coordinate, and those of each operand. */

static void leave_out(value_of *v)
{
    for (int i = 0; i < INFER_OPERANDS; ++i)
        memset(v->to[i], -1, sizeof v->to[i]);
}

/** Operands of extents that are equal or 1. */
static bool relate_elementwise(program *r, value_of *v)
{
    value_of const *const all = r->p->value;
    v->dims = all[v->operand[0]].dims;
    for (int i = 0; i < v->operands; ++i) {
        value_of const *const a = &all[v->operand[i]];
        if (a->dims != v->dims)
            return scan_fail(&r->in, "%s has %d modes, and %s has %d", all[v->operand[0]].name, v->dims, a->name,
                             a->dims);
        for (int d = 0; d < v->dims; ++d)
            v->bits[d] = a->bits[d] > v->bits[d] ? a->bits[d] : v->bits[d];
    }
    if (first_bit(v, v->dims) > INFER_BITS)
        return scan_fail(&r->in, "a value has at most 2^%d elements", INFER_BITS);
    for (int d = 0; d < v->dims; ++d) {
        for (int i = 0; i < v->operands; ++i) {
            value_of const *const a = &all[v->operand[i]];
            if (a->bits[d] != 0 && a->bits[d] != v->bits[d])
                return scan_fail(&r->in, "extent %lld of mode %d of %s is neither 1 nor %lld", 1ll << a->bits[d], d,
                                 a->name, 1ll << v->bits[d]);
            for (int b = 0; b < a->bits[d]; ++b)
                v->to[i][v->space + b] = (int8_t)(first_bit(a, d) + b);
        }
        for (int b = 0; b < v->bits[d]; ++b)
            v->to[v->operands][v->space + b] = (int8_t)(v->space + b);
        v->space += v->bits[d];
    }
    return true;
}

/** The integers of the argument, n of them below `limit`. */
static bool read_axes(program *r, int *axis, int n, int limit)
{
    char text[sizeof r->argument + 2];
    snprintf(text, sizeof text, "(%s)", r->argument);
    tsr_tuple const t = tsr_parse_tuple(text, TSR_TEXT_STATIC, NULL);
    bool ok = !t.status && t.leaves == n;
    for (int i = 0; ok && i < n; ++i) {
        axis[i] = (int)t.leaf[i].value;
        ok = tsr_leaf_is_number(t.leaf[i]) && t.leaf[i].value >= 0 && t.leaf[i].value < limit;
    }
    return ok || scan_fail(&r->in, "%d modes from 0 to %d are expected in the brackets", n, limit - 1);
}

/** One axis is reduced to the extent 1. */
static bool relate_reduce(program *r, value_of *v)
{
    value_of const *const a = &r->p->value[v->operand[0]];
    int axis = 0, bit = 0;
    if (!read_axes(r, &axis, 1, a->dims))
        return false;
    v->dims = a->dims;
    for (int d = 0; d < a->dims; ++d) {
        v->bits[d] = d == axis ? 0 : a->bits[d];
        for (int b = 0; b < a->bits[d]; ++b, ++v->space) {
            v->to[0][v->space] = (int8_t)v->space;
            v->to[1][v->space] = (int8_t)(d == axis ? -1 : bit++);
        }
    }
    return true;
}

static bool relate_transpose(program *r, value_of *v)
{
    value_of const *const a = &r->p->value[v->operand[0]];
    int axis[INFER_DIMS], bit = 0;
    unsigned seen = 0;
    if (!read_axes(r, axis, a->dims, a->dims))
        return false;
    v->dims = a->dims;
    v->space = a->total;
    for (int d = 0; d < a->dims; ++d) {
        seen |= 1u << axis[d];
        v->bits[d] = a->bits[axis[d]];
        for (int b = 0; b < v->bits[d]; ++b)
            v->to[1][first_bit(a, axis[d]) + b] = (int8_t)bit++;
    }
    for (int i = 0; i < v->space; ++i)
        v->to[0][i] = (int8_t)i;
    return seen + 1 == 1u << a->dims || scan_fail(&r->in, "transpose names each mode once");
}

/** The bits of a value from the one that changes fastest on, the last dimension first. */
static void fastest_first(value_of const *v, int *bit)
{
    int n = 0;
    for (int d = v->dims - 1; d >= 0; --d)
        for (int b = 0; b < v->bits[d]; ++b)
            bit[n++] = first_bit(v, d) + b;
}

/** The elements in the order of rows, as NumPy has them. */
static bool relate_reshape(program *r, value_of *v)
{
    value_of const *const a = &r->p->value[v->operand[0]];
    int from[INFER_BITS], to[INFER_BITS];
    tsr_tuple const shape = tsr_parse_tuple(r->argument, TSR_TEXT_STATIC, NULL);
    if (!set_shape(r, v, &shape))
        return false;
    if (v->total != a->total)
        return scan_fail(&r->in, "the shape has %lld elements, %s has %lld", 1ll << v->total, a->name,
                         1ll << a->total);
    fastest_first(a, from);
    fastest_first(v, to);
    v->space = a->total;
    for (int i = 0; i < v->space; ++i) {
        v->to[0][from[i]] = (int8_t)from[i];
        v->to[1][from[i]] = (int8_t)to[i];
    }
    return true;
}

/** Is the fragment of an atom a linear map of one warp onto a tile of these bits? */
static bool is_linear_onto(tsr_layout l, int bits)
{
    tsr_linear const map = tsr_linear_of_tv(tsr_static_all(l));
    int const lane = map.why.status ? -1 : tsr_linear_dim(&map.in, "lane");
    int const warp = map.why.status ? -1 : tsr_linear_dim(&map.in, "warp");
    return lane >= 0 && map.in.bits[lane] == INFER_LANES && (warp < 0 || map.in.bits[warp] == 0)
           && tsr_linear_bits(&map.out) == bits;
}

/** Are all three of them? */
static bool has_linear_fragments(tsr_mma_atom x, int m, int n, int k)
{
    return is_linear_onto(tsr_mma_layout_a(x), m + k) && is_linear_onto(tsr_mma_layout_b(x), n + k)
           && is_linear_onto(tsr_mma_layout_c(x), m + n);
}

/** A (M,K), B (N,K) and C (M,N); the fragments are the atom's. */
static bool relate_mma(program *r, value_of *v)
{
    value_of const *const all = r->p->value, *const a = &all[v->operand[0]], *const b = &all[v->operand[1]];
    value_of const *const c = &all[v->operand[2]];
    v->atom = tsr_mma_atom_named(r->argument);
    if (tsr_mma_why(v->atom).status)
        return scan_fail(&r->in, "%.100s is no MMA atom", r->argument);
    tsr_tuple const shape = tsr_mma_shape(v->atom), threads = tsr_product(tsr_mma_thr_id(v->atom).shape);
    if (tsr_tuple_number(threads) != 1 << INFER_LANES)
        return scan_fail(&r->in, "an atom of a warp is needed, and %.100s has %lld threads", r->argument,
                         (long long)tsr_tuple_number(threads));
    bool const fits = a->dims == 2 && b->dims == 2 && c->dims == 2 && a->bits[1] == b->bits[1]
                      && a->bits[0] == c->bits[0] && b->bits[0] == c->bits[1];
    if (!fits)
        return scan_fail(&r->in, "the operands of mma are (M,K), (N,K) and (M,N)");
    int const have[3] = {c->bits[0], c->bits[1], a->bits[1]};
    for (int i = 0; i < 3; ++i)
        if (log_of(shape.leaf[i].value) < 0 || have[i] < log_of(shape.leaf[i].value))
            return scan_fail(&r->in, "extent %lld is no multiple of the %lld of %.100s", 1ll << have[i],
                             (long long)shape.leaf[i].value, r->argument);
    if (!has_linear_fragments(v->atom, log_of(shape.leaf[0].value), log_of(shape.leaf[1].value),
                              log_of(shape.leaf[2].value)))
        return scan_fail(&r->in, "the fragments of %.100s are no linear maps of one warp", r->argument);
    v->dims = 2;
    v->bits[0] = c->bits[0];
    v->bits[1] = c->bits[1];
    return true;
}

/** A value of the shape of its operand, which comes from shared memory in whatever fragment. */
static bool relate_shared(program *r, value_of *v)
{
    value_of const *const a = &r->p->value[v->operand[0]];
    v->dims = a->dims;
    memcpy(v->bits, a->bits, sizeof v->bits);
    return true;
}

static struct operation {
    char const *name;
    op_kind kind;
    int least, most;
    bool (*relate)(program *r, value_of *v);
} const operations[] = {
    {"shared", OP_SHARED, 1, 1, relate_shared},    {"elementwise", OP_ELEMENTWISE, 1, 4, relate_elementwise},
    {"reduce", OP_REDUCE, 1, 1, relate_reduce},    {"transpose", OP_TRANSPOSE, 1, 1, relate_transpose},
    {"reshape", OP_RESHAPE, 1, 1, relate_reshape}, {"mma", OP_MMA, 3, 3, relate_mma},
};

/** What is between < and the > in front of the parenthesis. */
static bool read_argument(program *r)
{
    size_t n = 0;
    int depth = 0;
    r->argument[0] = 0;
    if (!scan_take(&r->in, "<"))
        return true;
    for (char c = scan_char(&r->in, 0); c && !(c == '>' && depth == 0); c = scan_char(&r->in, 0)) {
        depth += (c == '<') - (c == '>');
        if (n + 1 == sizeof r->argument)
            return scan_fail(&r->in, "an argument has at most %d characters", (int)sizeof r->argument - 1);
        r->argument[n++] = c;
        ++r->in.p;
    }
    r->argument[n] = 0;
    return scan_take(&r->in, ">") || scan_fail(&r->in, "`>` is expected here");
}

static bool read_operands(program *r, value_of *v, int most)
{
    char name[INFER_NAME];
    if (!scan_take(&r->in, "("))
        return scan_fail(&r->in, "`(` is expected here");
    do {
        if (!read_name(r, name))
            return false;
        int const x = value_named(r->p, name);
        if (x < 0)
            return scan_fail(&r->in, "%s has no value", name);
        if (v->operands == most)
            return scan_fail(&r->in, "at most %d operands are expected", most);
        v->operand[v->operands++] = x;
    } while (scan_take(&r->in, ","));
    return scan_take(&r->in, ")") || scan_fail(&r->in, "`,` or `)` is expected here");
}

static bool read_call(program *r, value_of *v)
{
    char name[INFER_NAME];
    struct operation const *x = NULL;
    if (!read_name(r, name))
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; ++i)
        x = strcmp(operations[i].name, name) == 0 ? &operations[i] : x;
    if (!x)
        return scan_fail(&r->in, "%s is none of shared, elementwise, reduce, transpose, reshape, mma", name);
    if (!read_argument(r) || !read_operands(r, v, x->most))
        return false;
    if (v->operands < x->least)
        return scan_fail(&r->in, "%s takes %d operands", name, x->least);
    v->kind = x->kind;
    leave_out(v);
    if (!x->relate(r, v))
        return false;
    v->total = first_bit(v, v->dims);
    v->operand[v->operands] = r->p->values;
    return v->total <= INFER_BITS || scan_fail(&r->in, "a value has at most 2^%d elements", INFER_BITS);
}

/** The shape at the place, up to @ or the end. */
static bool read_shape(program *r, value_of *v)
{
    char text[64];
    size_t n = 0;
    while (n + 1 < sizeof text && r->in.p < r->in.end && *r->in.p != '@')
        text[n++] = *r->in.p++;
    text[n] = 0;
    tsr_tuple const shape = tsr_parse_tuple(text, TSR_TEXT_STATIC, NULL);
    return set_shape(r, v, &shape);
}

static bool read_warps(program *r)
{
    scan_blanks(&r->in);
    int64_t const n = scan_integer(&r->in);
    r->p->warps = log_of(n);
    return r->p->warps >= 0 && r->p->warps <= INFER_THREADS - INFER_LANES
               ? true
               : scan_fail(&r->in, "the number of warps is a power of two up to %d",
                           1 << (INFER_THREADS - INFER_LANES));
}

static bool read_statement(program *r, int line)
{
    tsr_inference *const p = r->p;
    value_of *const v = &p->value[p->values];
    scan_blanks(&r->in);
    if (r->in.p == r->in.end)
        return true;
    if (p->values == INFER_VALUES)
        return scan_fail(&r->in, "a program has at most %d values", INFER_VALUES);
    memset(v, 0, sizeof *v);
    v->line = line;
    if (!read_name(r, v->name))
        return false;
    bool const input = scan_take(&r->in, ":"), call = !input && scan_take(&r->in, "=");
    if (!input && !call && strcmp(v->name, "warps") == 0)
        return read_warps(r);
    if (!input && !call)
        return scan_fail(&r->in, "`:` or `=` is expected behind %s", v->name);
    if (value_named(p, v->name) >= 0)
        return scan_fail(&r->in, "%s has a value already", v->name);
    bool const ok = (input ? read_shape(r, v) : read_call(r, v)) && (!scan_take(&r->in, "@") || read_fragment(r, v));
    scan_blanks(&r->in);
    if (ok && r->in.p != r->in.end)
        return scan_fail(&r->in, "nothing more is expected on this line");
    p->values += ok;
    return ok;
}

/** How many warps the given fragments have, unless the program says it. */
static int warps_of(tsr_inference const *p)
{
    int warps = 0;
    for (int i = 0; i < p->values; ++i)
        for (int k = 0; p->value[i].given && k < INFER_THREADS - INFER_LANES; ++k)
            warps = p->value[i].fixed.thread[INFER_LANES + k] && k >= warps ? k + 1 : warps;
    return warps;
}

bool tsr_infer_read_(tsr_inference *p, char const *text, tsr_message *error)
{
    int line = 1;
    bool ok = true;
    p->warps = -1;
    for (char const *at = text; ok && *at; ++line) {
        size_t const n = strcspn(at, "\n"), shown = strcspn(at, "#\n");
        program r = {p, tsr_scan_open_(at, shown, error), ""};
        ok = read_statement(&r, line) && !r.in.failed;
        at += n + (at[n] == '\n');
    }
    int const warps = warps_of(p);
    p->warps = p->warps < 0 ? warps : p->warps;
    if (ok && p->warps < warps) {
        snprintf(error->text, sizeof error->text, "a given fragment has %d warps, the program only %d", 1 << warps,
                 1 << p->warps);
        return false;
    }
    if (ok && p->values == 0)
        snprintf(error->text, sizeof error->text, "the program has no values");
    if (!ok) {
        char words[sizeof error->text];
        snprintf(words, sizeof words, "%s", error->text);
        snprintf(error->text, sizeof error->text, "line %d: %.*s", line - 1, (int)(sizeof words - 24), words);
    }
    return ok && p->values > 0;
}
