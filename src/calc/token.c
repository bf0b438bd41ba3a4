/** Names and the values of one token. */
#include "calc/parser.h"

#include <string.h>

#include "atom/names.h"

bool tsr_token_take_open_(parser *s, char const *word, char const *open)
{
    char const *const start = s->in.p;
    if (!scan_take_here(&s->in, word))
        return false;
    scan_blanks(&s->in);
    if (scan_take_here(&s->in, open))
        return true;
    s->in.p = start;
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/** Digits behind an optional minus, or the bits of an integer, 0xff. */
static int64_t read_whole(parser *s)
{
    char const *const begin = s->in.p;
    uint64_t bits = 0;
    if (!scan_take_here(&s->in, "0x"))
        return scan_integer_here(&s->in);
    if (!scan_digits(&s->in, 16, &bits) || bits == (uint64_t)1 << 63)
        scan_fail_at(&s->in, begin, "1 to 16 hexadecimal digits are the bits of an integer");
    return (int64_t)bits;
}

/** _8@0@1 */
static tsr_leaf read_leaf(parser *s)
{
    bool const is_static = scan_take_here(&s->in, "_") || (s->flags & TSR_TEXT_STATIC);
    tsr_leaf leaf = tsr_leaf_make(is_static ? TSR_STATIC : TSR_DYNAMIC, read_whole(s));
    char const *const path = s->in.p;
    int levels = 0;
    while (!s->in.failed && scan_take_here(&s->in, "@")) {
        int64_t const mode = scan_integer_here(&s->in);
        if (mode < 0 || mode >= TSR_BASIS_MODES || ++levels > TSR_BASIS_LEVELS)
            scan_fail_at(&s->in, path, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            leaf.aux = leaf.aux << 5 | (uint32_t)(mode + 1); /* innermost first: the outermost ends lowest */
    }
    return leaf;
}

/** +_1@1 .. behind a basis stride */
static void read_further(parser *s)
{
    further *const f = &s->further;
    while (!s->in.failed && scan_take_here(&s->in, "+")) {
        if (!f->open)
            scan_fail(&s->in, "a sum of basis elements is a stride: (4,8):(_1@0+_1@1,_1@1)");
        else if (f->count == TSR_MAX_LEAVES * TSR_SUM_TERMS)
            scan_fail(&s->in, "the strides have more basis elements than a sum of layouts");
        if (s->in.failed)
            return;
        f->leaf[f->count] = f->leaves;
        f->stride[f->count++] = read_leaf(s);
    }
}

static tsr_tuple read_integer(parser *s)
{
    tsr_leaf const leaf = read_leaf(s);
    if (leaf.aux != 0)
        read_further(s);
    ++s->further.leaves;
    return tsr_from_leaf(leaf);
}

/** E<a,b,..>{} of CuTe, from the bracket on, behind a factor: the basis element of mode a, in it of mode b. */
static tsr_tuple read_basis(parser *s, tsr_leaf factor)
{
    char const *const path = s->in.p;
    int levels = 0;
    bool more = true;
    for (; more && !s->in.failed; more = scan_take_here(&s->in, ",")) {
        int64_t const mode = scan_integer_here(&s->in);
        if (mode < 0 || mode >= TSR_BASIS_MODES || levels == TSR_BASIS_LEVELS)
            scan_fail_at(&s->in, path, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            factor.aux |= (uint32_t)(mode + 1) << 5 * levels++; /* the outermost is lowest */
    }
    (void)(scan_take_here(&s->in, ">{}") || scan_fail(&s->in, "`>{}` is expected here: E<0>{}"));
    return tsr_from_leaf(factor);
}

/** Int<8>{} of CuTe, from the number on; inside of a type without {}. */
static tsr_tuple read_constant_integer(parser *s)
{
    tsr_leaf const leaf = tsr_leaf_make(TSR_STATIC, scan_integer_here(&s->in));
    scan_take_here(&s->in, "ll");
    scan_expect_in(&s->in, ">", "Int<8>{}");
    tsr_token_take_open_(s, "", "{}");
    return tsr_from_leaf(leaf);
}

static void read_swizzle(parser *s, value *r)
{
    int64_t n[3] = {0, 0, 0};
    for (int i = 0; i < 3 && !s->in.failed; ++i) {
        n[i] = scan_integer(&s->in);
        scan_expect_in(&s->in, i < 2 ? "," : ">", "Sw<B,M,S>");
    }
    scan_take_here(&s->in, "{}");
    r->kind = VALUE_SWIZZLE;
    r->as.swizzle = tsr_make_swizzle(n[0], n[1], n[2]);
}

/** M_s|(d&f)=v, as it is printed. */
static tsr_tuple read_mixed(parser *s)
{
    int64_t const bits = scan_integer_here(&s->in);
    scan_expect_in(&s->in, "|(", "M_s|(d&f)=v");
    int64_t const d = scan_integer_here(&s->in);
    scan_expect_in(&s->in, "&", "M_s|(d&f)=v");
    int64_t const f = scan_integer_here(&s->in);
    scan_expect_in(&s->in, ")=", "M_s|(d&f)=v");
    int64_t const v = scan_integer_here(&s->in);
    tsr_tuple const r = tsr_make_mixed_bits(tsr_s(bits), tsr_int(d), tsr_s(f));
    if (!s->in.failed && (bits | (d & f)) != v)
        scan_fail(&s->in, "M_s|(d&f)=v needs v = s|(d&f)");
    return r;
}

static bool is_type(char const *name, tsr_dtype *type) { return (*type = tsr_dtype_named(name)) != 0; }

/** A name of fewer than `size` characters; false, and nothing is read: there is none. */
static bool take_name(parser *s, char *name, size_t size)
{
    size_t const n = scan_letters(&s->in);
    return n > 0 && n < size && scan_word(&s->in, name, size);
}

/** The integers and types of name<..>. */
static void read_brackets(parser *s, call *c)
{
    for (bool more = true; more; more = scan_more(&s->in, ">")) {
        char name[64];
        scan_blanks(&s->in);
        char const *const start = s->in.p;
        if (c->brackets == MAX_BRACKET) {
            scan_fail(&s->in, "too many entries in these brackets");
            return;
        }
        bracketed *const b = &c->bracket[c->brackets++];
        b->is_type = !scan_is_digit(&s->in) && !scan_is(&s->in, "-");
        if (!b->is_type)
            b->number = scan_integer_here(&s->in);
        else if (!take_name(s, name, sizeof name) || !is_type(name, &b->type))
            scan_fail_at(&s->in, start, "an integer or an element type is expected here");
    }
}

static bool read_tma_op(char const *name, value *v)
{
#define X(op_name, peers, mode)      \
  if (strcmp(name, #op_name) == 0) { \
    v->kind = VALUE_TMA_OP;          \
    v->as.op = TSR_##op_name;        \
    return true;                     \
  }
    TSR_TMA_OP_LIST(X)
#undef X
    return false;
}

/** Is the type just read one of integers? */
static bool is_integer(value const *r) { return tsr_dtype_code(r->as.types.value) <= 1; }

/** int{8} of C++, from the brace on: known at run time only. */
static void read_typed_integer(parser *s, value *r)
{
    scan_take_here(&s->in, "{");
    tsr_tuple const t = tsr_int(scan_integer_here(&s->in));
    scan_expect_in(&s->in, "}", "int{8}");
    r->kind = VALUE_TUPLE;
    r->as.tuple = t;
}

/** A name that is no call: an integer of a type, an element type, type/type, or a TMA operation. False: nothing was
 *  read. */
static bool read_constant(parser *s, value *r)
{
    char const *const start = s->in.p;
    char name[64];
    if (!take_name(s, name, sizeof name))
        return false;
    if (scan_is(&s->in, "{")
        && (strcmp(name, "size_t") == 0 || (is_type(name, &r->as.types.value) && is_integer(r)))) {
        read_typed_integer(s, r);
        return true;
    }
    bool const called = scan_is(&s->in, "(<");
    if (!called && read_tma_op(name, r))
        return true;
    if (called || !is_type(name, &r->as.types.value)) {
        s->in.p = start;
        return false;
    }
    r->kind = VALUE_TYPE;
    r->as.types.internal = r->as.types.value;
    if (scan_take_here(&s->in, "/") && !(take_name(s, name, sizeof name) && is_type(name, &r->as.types.internal)))
        scan_fail(&s->in, "an element type is expected here: type/type");
    return true;
}

/** The name of a hardware atom. */
static bool read_atom_name(parser *s, value *r)
{
    size_t const mma = tsr_mma_read_(s->in.p, &r->as.mma), copy = mma > 0 ? 0 : tsr_copy_read_(s->in.p, &r->as.copy);
    size_t const smem = mma + copy > 0 ? 0 : tsr_smem_read_(s->in.p, &r->as.layout);
    r->kind = mma > 0 ? VALUE_MMA : copy > 0 ? VALUE_COPY : smem > 0 ? VALUE_LAYOUT : VALUE_TUPLE;
    s->in.p += mma + copy + smem;
    return mma + copy + smem > 0;
}

void tsr_token_call_name_(parser *s, call *c)
{
    static struct {
        char const *cute, *name;
    } const others[] = {{"make_gmem_ptr", "gmem"},
                        {"make_smem_ptr", "smem"},
                        {"make_rmem_ptr", "rmem"},
                        {"make_tmem_ptr", "tmem"},
                        {"cast", "cast_iter"}};
    c->brackets = 0;
    scan_word(&s->in, c->name, sizeof c->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (strcmp(c->name, others[i].cute) == 0)
            snprintf(c->name, sizeof c->name, "%s", others[i].name);
    if (tsr_token_take_open_(s, "", "<"))
        read_brackets(s, c);
}

static bool give_tuple(value *r, tsr_tuple t)
{
    r->kind = VALUE_TUPLE;
    r->as.tuple = t;
    return true;
}

/** An integer, in CuTe's words too. A `?` says that it is known at run time only. */
static bool give_integer(parser *s, value *r)
{
    bool const constant = tsr_token_take_open_(s, "Int", "<") || tsr_token_take_open_(s, "C", "<");
    tsr_tuple t = constant ? read_constant_integer(s) : read_integer(s);
    if (!scan_take_here(&s->in, "{}"))
        scan_take_here(&s->in, "ll");
    r->runtime = scan_take_here(&s->in, "?");
    if (r->runtime)
        t.leaf[0].kind = TSR_DYNAMIC;
    return give_tuple(r, t.leaf[0].aux == 0 && scan_take_here(&s->in, " * E<") ? read_basis(s, t.leaf[0]) : t);
}

bool tsr_token_value_(parser *s, value *r)
{
    char const *const start = s->in.p;
    bool const constant = tsr_token_take_open_(s, "Int", "<") || tsr_token_take_open_(s, "C", "<");
    s->in.p = start;
    char const *const number = scan_is(&s->in, "_") ? start + 1 : start; /* an integer, or `_` */
    if (constant || (number < s->in.end && *number && strchr("-0123456789", *number)))
        return give_integer(s, r);
    if (scan_take_here(&s->in, "E<"))
        return give_tuple(r, read_basis(s, tsr_leaf_make(TSR_STATIC, 1)));
    if (scan_take_here(&s->in, "_"))
        return give_tuple(r, tsr_wild());
    if (scan_take_here(&s->in, "M_"))
        return give_tuple(r, read_mixed(s));
    bool const left = scan_take_here(&s->in, "LayoutLeft") || scan_take_here(&s->in, "GenColMajor");
    if (left || scan_take_here(&s->in, "LayoutRight") || scan_take_here(&s->in, "GenRowMajor")) {
        scan_take_here(&s->in, "{}");
        return give_tuple(r, left ? tsr_left() : tsr_right());
    }
    if (scan_take_here(&s->in, "Sw<") || tsr_token_take_open_(s, "Swizzle", "<")) {
        read_swizzle(s, r);
        if (scan_is(&s->in, "_") && !tsr_token_pointer_(s, r))
            scan_fail(&s->in, "a pointer is expected here: Sw<2,4,3>_smem_ptr[16b](0x400)");
        return true;
    }
    return is_letter(scan_char(&s->in, 0))
           && (tsr_token_pointer_(s, r) || tsr_token_distribution_(s, r) || tsr_token_linear_(s, r)
               || read_atom_name(s, r) || read_constant(s, r));
}
