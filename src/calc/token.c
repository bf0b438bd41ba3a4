/** Tokens, numbers, names and the values of one token. */
#include "calc/token.h"

#include <string.h>

#include "atom/names.h"

void tsr_token_fail_at_(tokens *s, char const *where, char const *text)
{
    if (s->failed)
        return;
    s->failed = true;
    s->error->at = (size_t)(where - s->text);
    if (text)
        snprintf(s->error->text, sizeof s->error->text, "%s", text);
}

void tsr_token_fail_(tokens *s, char const *text) { tsr_token_fail_at_(s, s->p, text); }

bool tsr_token_take_(tokens *s, char const *token)
{
    size_t const n = strlen(token);
    if (s->failed || strncmp(s->p, token, n) != 0)
        return false;
    s->p += n;
    return true;
}

void tsr_token_blanks_(tokens *s) { s->p += strspn(s->p, " \t\r\n"); }

bool tsr_token_take_open_(tokens *s, char const *word, char const *open)
{
    char const *const start = s->p;
    if (!tsr_token_take_(s, word))
        return false;
    tsr_token_blanks_(s);
    if (tsr_token_take_(s, open))
        return true;
    s->p = start;
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int64_t tsr_token_number_(tokens *s)
{
    int64_t v = 0;
    char const *const start = s->p;
    bool const negative = tsr_token_take_(s, "-");
    if (!is_digit(*s->p))
        tsr_token_fail_(s, "a number is expected here");
    for (; is_digit(*s->p) && !s->failed; ++s->p)
        if (!tsr_mul64(v, 10, &v) || !tsr_add64(v, *s->p - '0', &v))
            tsr_token_fail_at_(s, start, "this number does not fit in 64 bits");
    return negative ? -v : v;
}

/** _8@0@1 */
static tsr_leaf read_leaf(tokens *s)
{
    bool const is_static = tsr_token_take_(s, "_") || (s->flags & TSR_TEXT_STATIC);
    tsr_leaf leaf = tsr_leaf_make(is_static ? TSR_STATIC : TSR_DYNAMIC, tsr_token_number_(s));
    char const *const path = s->p;
    int levels = 0;
    while (!s->failed && tsr_token_take_(s, "@")) {
        int64_t const mode = tsr_token_number_(s);
        if (mode < 0 || mode >= TSR_BASIS_MODES || ++levels > TSR_BASIS_LEVELS)
            tsr_token_fail_at_(s, path, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            leaf.aux = leaf.aux << 5 | (uint32_t)(mode + 1); /* innermost first: the outermost ends lowest */
    }
    return leaf;
}

/** +_1@1 .. behind a basis stride */
static void read_further(tokens *s)
{
    further *const f = &s->further;
    while (!s->failed && tsr_token_take_(s, "+")) {
        if (!f->open)
            tsr_token_fail_(s, "a sum of basis elements is a stride: (4,8):(_1@0+_1@1,_1@1)");
        else if (f->count == TSR_MAX_LEAVES * TSR_SUM_TERMS)
            tsr_token_fail_(s, "the strides have more basis elements than a sum of layouts");
        if (s->failed)
            return;
        f->leaf[f->count] = f->leaves;
        f->stride[f->count++] = read_leaf(s);
    }
}

static tsr_tuple read_integer(tokens *s)
{
    tsr_leaf const leaf = read_leaf(s);
    if (leaf.aux != 0)
        read_further(s);
    ++s->further.leaves;
    return tsr_from_leaf(leaf);
}

/** E<a,b,..>{} of CuTe, from the bracket on, behind a factor: the basis element of mode a, in it of mode b. */
static tsr_tuple read_basis(tokens *s, tsr_leaf factor)
{
    char const *const path = s->p;
    int levels = 0;
    bool more = true;
    for (; more && !s->failed; more = tsr_token_take_(s, ",")) {
        int64_t const mode = tsr_token_number_(s);
        if (mode < 0 || mode >= TSR_BASIS_MODES || levels == TSR_BASIS_LEVELS)
            tsr_token_fail_at_(s, path, "a basis element names modes 0 to 30, in at most 6 levels");
        else
            factor.aux |= (uint32_t)(mode + 1) << 5 * levels++; /* the outermost is lowest */
    }
    if (!tsr_token_take_(s, ">{}"))
        tsr_token_fail_(s, "`>{}` is expected here: E<0>{}");
    return tsr_from_leaf(factor);
}

/** Int<8>{} of CuTe, from the number on; inside of a type without {}. */
static tsr_tuple read_constant_integer(tokens *s)
{
    tsr_leaf const leaf = tsr_leaf_make(TSR_STATIC, tsr_token_number_(s));
    tsr_token_take_(s, "ll");
    if (!tsr_token_take_(s, ">"))
        tsr_token_fail_(s, "`>` is expected here: Int<8>{}");
    tsr_token_take_open_(s, "", "{}");
    return tsr_from_leaf(leaf);
}

static void read_swizzle(tokens *s, value *r)
{
    int64_t n[3] = {0, 0, 0};
    for (int i = 0; i < 3 && !s->failed; ++i) {
        n[i] = tsr_token_number_(s);
        tsr_token_blanks_(s);
        if (!tsr_token_take_(s, i < 2 ? "," : ">"))
            tsr_token_fail_(s, i < 2 ? "`,` is expected here: Sw<B,M,S>" : "`>` is expected here: Sw<B,M,S>");
        tsr_token_blanks_(s);
    }
    while (s->p[-1] == ' ' && !s->failed) /* the blank belongs to " o " */
        --s->p;
    tsr_token_take_(s, "{}");
    r->kind = VALUE_SWIZZLE;
    r->as.swizzle = tsr_make_swizzle(n[0], n[1], n[2]);
}

/** M_s|(d&f)=v, as it is printed. */
static tsr_tuple read_mixed(tokens *s)
{
    int64_t const bits = tsr_token_number_(s);
    int64_t const d = tsr_token_take_(s, "|(") ? tsr_token_number_(s)
                                               : (tsr_token_fail_(s, "`|(` is expected here: M_s|(d&f)=v"), 0);
    int64_t const f =
        tsr_token_take_(s, "&") ? tsr_token_number_(s) : (tsr_token_fail_(s, "`&` is expected here: M_s|(d&f)=v"), 0);
    if (!tsr_token_take_(s, ")="))
        tsr_token_fail_(s, "`)=` is expected here: M_s|(d&f)=v");
    int64_t const v = tsr_token_number_(s);
    tsr_tuple const r = tsr_make_mixed_bits(tsr_s(bits), tsr_int(d), tsr_s(f));
    if (!s->failed && (bits | (d & f)) != v)
        tsr_token_fail_(s, "M_s|(d&f)=v needs v = s|(d&f)");
    return r;
}

static bool is_type(char const *name, tsr_dtype *type) { return (*type = tsr_dtype_named(name)) != 0; }

static void read_name(tokens *s, char *name, size_t size)
{
    size_t n = 0;
    while (is_letter(*s->p) || is_digit(*s->p) || *s->p == '_') {
        if (n + 1 < size)
            name[n++] = *s->p;
        ++s->p;
    }
    name[n] = 0;
}

/** The integers and types of name<..>. */
static void read_brackets(tokens *s, call *c)
{
    do {
        char name[64];
        tsr_token_blanks_(s);
        char const *const start = s->p;
        if (c->brackets == MAX_BRACKET) {
            tsr_token_fail_(s, "too many entries in these brackets");
            return;
        }
        bracketed *const b = &c->bracket[c->brackets++];
        b->is_type = !is_digit(*s->p) && *s->p != '-';
        if (!b->is_type) {
            b->number = tsr_token_number_(s);
        } else {
            read_name(s, name, sizeof name);
            if (!is_type(name, &b->type))
                tsr_token_fail_at_(s, start, "an integer or an element type is expected here");
        }
        tsr_token_blanks_(s);
    } while (!s->failed && tsr_token_take_(s, ","));
    if (!tsr_token_take_(s, ">"))
        tsr_token_fail_(s, "`>` is expected here");
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
static void read_typed_integer(tokens *s, value *r)
{
    tsr_token_take_(s, "{");
    tsr_tuple const t = tsr_int(tsr_token_number_(s));
    if (!tsr_token_take_(s, "}"))
        tsr_token_fail_(s, "`}` is expected here: int{8}");
    r->kind = VALUE_TUPLE;
    r->as.tuple = t;
}

/** A name that is no call: an integer of a type, an element type, type/type, or a TMA operation. False: nothing was
 *  read. */
static bool read_constant(tokens *s, value *r)
{
    char const *const start = s->p;
    char name[64];
    read_name(s, name, sizeof name);
    if (*s->p == '{' && (strcmp(name, "size_t") == 0 || (is_type(name, &r->as.types.value) && is_integer(r)))) {
        read_typed_integer(s, r);
        return true;
    }
    if (*s->p != '(' && *s->p != '<' && read_tma_op(name, r))
        return true;
    if (*s->p == '(' || *s->p == '<' || !is_type(name, &r->as.types.value)) {
        s->p = start;
        return false;
    }
    r->kind = VALUE_TYPE;
    r->as.types.internal = r->as.types.value;
    if (tsr_token_take_(s, "/")) {
        read_name(s, name, sizeof name);
        if (!is_type(name, &r->as.types.internal))
            tsr_token_fail_(s, "an element type is expected here: type/type");
    }
    return true;
}

/** The name of a hardware atom. */
static bool read_atom_name(tokens *s, value *r)
{
    size_t const mma = tsr_mma_read_(s->p, &r->as.mma), copy = mma > 0 ? 0 : tsr_copy_read_(s->p, &r->as.copy);
    size_t const smem = mma + copy > 0 ? 0 : tsr_smem_read_(s->p, &r->as.layout);
    r->kind = mma > 0 ? VALUE_MMA : copy > 0 ? VALUE_COPY : smem > 0 ? VALUE_LAYOUT : VALUE_TUPLE;
    s->p += mma + copy + smem;
    return mma + copy + smem > 0;
}

void tsr_token_call_name_(tokens *s, call *c)
{
    static struct {
        char const *cute, *name;
    } const others[] = {{"make_gmem_ptr", "gmem"},
                        {"make_smem_ptr", "smem"},
                        {"make_rmem_ptr", "rmem"},
                        {"make_tmem_ptr", "tmem"},
                        {"cast", "cast_iter"}};
    c->brackets = 0;
    read_name(s, c->name, sizeof c->name);
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
static bool give_integer(tokens *s, value *r)
{
    bool const constant = tsr_token_take_open_(s, "Int", "<") || tsr_token_take_open_(s, "C", "<");
    tsr_tuple t = constant ? read_constant_integer(s) : read_integer(s);
    if (!tsr_token_take_(s, "{}"))
        tsr_token_take_(s, "ll");
    r->runtime = tsr_token_take_(s, "?");
    if (r->runtime)
        t.leaf[0].kind = TSR_DYNAMIC;
    return give_tuple(r, t.leaf[0].aux == 0 && tsr_token_take_(s, " * E<") ? read_basis(s, t.leaf[0]) : t);
}

bool tsr_token_value_(tokens *s, value *r)
{
    char const *const start = s->p;
    bool const constant = tsr_token_take_open_(s, "Int", "<") || tsr_token_take_open_(s, "C", "<");
    s->p = start;
    if (constant || *s->p == '-' || is_digit(*s->p) || (*s->p == '_' && (s->p[1] == '-' || is_digit(s->p[1]))))
        return give_integer(s, r);
    if (tsr_token_take_(s, "E<"))
        return give_tuple(r, read_basis(s, tsr_leaf_make(TSR_STATIC, 1)));
    if (tsr_token_take_(s, "_"))
        return give_tuple(r, tsr_wild());
    if (tsr_token_take_(s, "M_"))
        return give_tuple(r, read_mixed(s));
    bool const left = tsr_token_take_(s, "LayoutLeft") || tsr_token_take_(s, "GenColMajor");
    if (left || tsr_token_take_(s, "LayoutRight") || tsr_token_take_(s, "GenRowMajor")) {
        tsr_token_take_(s, "{}");
        return give_tuple(r, left ? tsr_left() : tsr_right());
    }
    if (tsr_token_take_(s, "Sw<") || tsr_token_take_open_(s, "Swizzle", "<")) {
        read_swizzle(s, r);
        if (*s->p == '_' && !tsr_token_pointer_(s, r))
            tsr_token_fail_(s, "a pointer is expected here: Sw<2,4,3>_smem_ptr[16b](0x400)");
        return true;
    }
    return is_letter(*s->p)
           && (tsr_token_pointer_(s, r) || tsr_token_distribution_(s, r) || tsr_token_linear_(s, r)
               || read_atom_name(s, r) || read_constant(s, r));
}
