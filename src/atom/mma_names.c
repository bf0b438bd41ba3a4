/** MMA atoms by name. A name is read into the description of an instruction; whether it is one follows from the
 *  list in atom/mma.h, and whether it is spelled as CuTe spells it from writing it again. */
#include <string.h>

#include "atom/names.h"
#include "text/write.h"

bool tsr_name_take_(char const **p, char const *token)
{
    size_t const n = strlen(token);
    if (strncmp(*p, token, n) != 0)
        return false;
    *p += n;
    return true;
}

int tsr_name_number_(char const **p)
{
    int v = 0, digits = 0;
    for (; **p >= '0' && **p <= '9' && digits < 6; ++*p, ++digits)
        v = 10 * v + (**p - '0');
    return digits > 0 ? v : -1;
}

static size_t name_length(char const *p)
{
    size_t n = 0;
    while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= '0' && p[n] <= '9') || p[n] == '_'
           || (p[n] == ':' && p[n + 1] == ':') || (n > 0 && p[n] == ':' && p[n - 1] == ':'))
        ++n;
    return n;
}

/* The parts of a name */

static char const sparse_prefix[] = "SM90::GMMA::SPARSE::GMMA_";

static char const *const form_names[TSR_MMA_FORMS] = {"", "_SATURATE", "_XORPOPC", "_ANDPOPC"};

/** How many characters stand behind the shape: nothing, or 16B_. */
static bool take_blocks(char const **p, tsr_mma_atom *x)
{
    int const blocks = tsr_name_number_(p);
    if (blocks < 0)
        return true;
    for (int form = TSR_MMA_BLOCKS_2; form <= TSR_MMA_BLOCKS_16; ++form) {
        x->form = (uint8_t)form;
        if (tsr_mma_blocks(*x) == blocks)
            return tsr_name_take_(p, "B_");
    }
    return false;
}

static bool take_type(char const **p, tsr_dtype *type)
{
#define X(name, id)               \
  if (tsr_name_take_(p, #name)) { \
    *type = TSR_##id;             \
    return true;                  \
  }
    TSR_MMA_TYPE_LIST(X)
#undef X
    return false;
}

static char const *type_name(tsr_dtype type)
{
#define X(name, id)     \
  if (type == TSR_##id) \
    return #name;
    TSR_MMA_TYPE_LIST(X)
#undef X
    return "?";
}

/** SM80_ or the prefix of another architecture; -1 for none. */
static int take_arch(char const **p)
{
#define X(id, number, prefix)    \
  if (tsr_name_take_(p, prefix)) \
    return number;
    TSR_MMA_ARCH_LIST(X)
#undef X
    int const sm = tsr_name_take_(p, "SM") ? tsr_name_number_(p) : -1;
    return sm <= 120 && tsr_name_take_(p, "_") ? sm : -1;
}

/** Who executes the instructions of an architecture whose names have `types` types. */
static uint8_t kind_of(int arch, int types)
{
    for (int i = 0; i < TSR_MMA_ROWS; ++i) {
        tsr_mma_row const row = tsr_mma_row_at(i);
        if (row.arch == arch && (row.kind == TSR_MMA_WARPGROUP) == (types == 3))
            return row.kind;
    }
    return TSR_MMA_WARP;
}

/** D, A, B and perhaps C; the accumulators of a GC64 are three products. */
static int take_types(char const **p, tsr_mma_atom *x)
{
    tsr_dtype *const types[] = {&x->d, &x->a, &x->b, &x->c};
    int n = 0;
    for (; n < 4; ++n) {
        if ((n == 0 || n == 3) && tsr_name_take_(p, "G"))
            x->form = TSR_MMA_GAUSS;
        if (!take_type(p, types[n]))
            break;
    }
    if (n == 3)
        x->c = x->d;
    return n;
}

static void take_endings(char const **p, tsr_mma_atom *x)
{
    if (x->kind == TSR_MMA_WARPGROUP) {
        if (tsr_name_take_(p, "_RS"))
            x->flags |= TSR_MMA_A_REGISTERS;
        else
            tsr_name_take_(p, "_SS");
    }
    if (tsr_name_take_(p, "_N"))
        x->flags |= TSR_MMA_A_MN;
    else
        tsr_name_take_(p, "_T");
    if (tsr_name_take_(p, "T"))
        x->flags |= TSR_MMA_B_MN;
    else
        tsr_name_take_(p, "N");
    for (int form = TSR_MMA_SATURATE; form <= TSR_MMA_ANDPOPC; ++form)
        if (tsr_name_take_(p, form_names[form]))
            x->form = (uint8_t)form;
}

/** <K,MN>: the majors of A and B, which the name does not have. */
static bool take_majors(char const **p, tsr_mma_atom *x)
{
    uint8_t const flags[] = {TSR_MMA_A_MN, TSR_MMA_B_MN};
    if (!tsr_name_take_(p, "<"))
        return true;
    for (int i = 0; i < 2; ++i) {
        tsr_name_take_(p, "SM90::");
        tsr_name_take_(p, "GMMA::Major::");
        if (tsr_name_take_(p, "MN"))
            x->flags |= flags[i];
        else if (!tsr_name_take_(p, "K"))
            return false;
        while (**p == ' ' || (i == 0 && **p == ','))
            ++*p;
    }
    return tsr_name_take_(p, ">");
}

/** DP4A, DP2A; UniversalFMA<D,A,B,C>, where A is D, B is A and C is D unless it is said. */
static size_t read_thread(char const *text, tsr_mma_atom *x)
{
    char const *p = text;
    tsr_dtype type[4] = {0, 0, 0, 0};
    int n = 0;
    if (tsr_name_take_(&p, "SM61_DP4A") || tsr_name_take_(&p, "SM61_DP2A")) {
        *x = tsr_sm61_dot(p[-2] - '0');
        return (size_t)(p - text);
    }
    if (!tsr_name_take_(&p, "UniversalFMA<"))
        return 0;
    for (; n < 4; ++n) {
        size_t const length = tsr_type_read_(p, &type[n]);
        p += length;
        if (length == 0 || !tsr_name_take_(&p, ","))
            break;
        p += strspn(p, " ");
    }
    *x = tsr_fma(type[0], type[1] ? type[1] : type[0],
                 type[2]   ? type[2]
                 : type[1] ? type[1]
                           : type[0],
                 type[3] ? type[3] : type[0]);
    if (type[0] == 0 || !tsr_name_take_(&p, ">"))
        *x = tsr_mma_refuse(*x, TSR_ATOM_NAME, 0, 0);
    return (size_t)(p - text);
}

size_t tsr_mma_read_(char const *text, tsr_mma_atom *x)
{
    char const *p = text;
    bool const sparse = tsr_name_take_(&p, sparse_prefix);
    char written[128];
    writer w;
    size_t const other = tsr_umma_read_(text, x);
    if (other > 0)
        return other;
    if (read_thread(text, x) > 0)
        return read_thread(text, x);
    int const arch = sparse ? 90 : take_arch(&p);
    if (arch < 0)
        return 0;
    int const m = tsr_name_number_(&p), n = tsr_name_take_(&p, "x") ? tsr_name_number_(&p) : -1;
    int const k = tsr_name_take_(&p, "x") ? tsr_name_number_(&p) : -1;
    if (m < 0 || n < 0 || k < 0 || !tsr_name_take_(&p, "_"))
        return 0;
    *x = tsr_mma_of(arch, TSR_MMA_WARP, m, n, k);
    x->flags = sparse ? TSR_MMA_SPARSE : 0;
    bool const blocks = take_blocks(&p, x);
    x->kind = kind_of(arch, take_types(&p, x));
    take_endings(&p, x);
    bool const majors = take_majors(&p, x);
    *x = tsr_mma_checked(*x);
    writer_open(&w, written, sizeof written);
    if (!x->status)
        tsr_mma_write_(&w, *x);
    size_t const length = name_length(text);
    if (!x->status && (!blocks || !majors || length != name_length(written) || strncmp(written, text, length) != 0))
        *x = tsr_mma_refuse(*x, TSR_ATOM_NAME, 0, 0);
    return (size_t)(p - text) > length ? (size_t)(p - text) : length;
}

void tsr_mma_write_(writer *w, tsr_mma_atom x)
{
    bool const group = x.kind == TSR_MMA_WARPGROUP, sparse = (x.flags & TSR_MMA_SPARSE) != 0;
    bool const a_mn = (x.flags & TSR_MMA_A_MN) != 0, b_mn = (x.flags & TSR_MMA_B_MN) != 0;
    char const *prefix = sparse ? sparse_prefix : NULL;
    char const *const gauss = x.form == TSR_MMA_GAUSS ? "G" : "";
    if (x.kind == TSR_MMA_THREAD && x.arch == 0) {
        put(w, "UniversalFMA<%s,%s,%s,%s>", tsr_type_cute_name_(x.d), tsr_type_cute_name_(x.a),
            tsr_type_cute_name_(x.b), tsr_type_cute_name_(x.c));
        return;
    }
    if (x.kind == TSR_MMA_THREAD) {
        put(w, "SM%d_DP%dA", x.arch, (int)x.k);
        return;
    }
    if (tsr_mma_is_umma(x) || x.arch == 120) {
        tsr_umma_write_(w, x);
        return;
    }
#define X(id, number, text) \
  if (x.arch == number)     \
    prefix = text;
    TSR_MMA_ARCH_LIST(X)
#undef X
    if (prefix)
        put(w, "%s", prefix);
    else
        put(w, "SM%d_", x.arch);
    put(w, "%dx%dx%d_", (int)x.m, (int)x.n, (int)x.k);
    if (tsr_mma_blocks(x) > 1)
        put(w, "%dB_", (int)tsr_mma_blocks(x));
    put(w, "%s%s%s%s", gauss, type_name(x.d), type_name(x.a), type_name(x.b));
    if (group)
        put(w, "_%s%s", x.flags & TSR_MMA_A_REGISTERS ? "RS" : "SS", tsr_dtype_bits(x.a) == 16 ? "" : "_TN");
    else
        put(w, "%s%s_%c%c", gauss, type_name(x.c), a_mn ? 'N' : 'T', b_mn ? 'T' : 'N');
    if (form_names[x.form])
        put(w, "%s", form_names[x.form]);
    if (group && (a_mn || b_mn))
        put(w, "<%s,%s>", a_mn ? "MN" : "K", b_mn ? "MN" : "K");
}

tsr_mma_atom tsr_mma_atom_named(char const *name)
{
    tsr_mma_atom x = TSR_ZERO;
    size_t const n = tsr_mma_read_(name, &x);
    return n == 0 || name[n] != 0 ? tsr_mma_refuse(x, TSR_ATOM_NAME, 0, 0) : x;
}

size_t tsr_format_mma_atom(char *out, size_t size, tsr_mma_atom x)
{
    writer w;
    if (x.status)
        return tsr_format_reason(out, size, tsr_mma_why(x));
    writer_open(&w, out, size);
    tsr_mma_write_(&w, x);
    return w.used;
}

/* All of them: the rows of the list with every choice that they leave open. */

typedef struct each {
    void (*visit)(void *context, tsr_mma_atom x);
    void *context;
    int count;
} each;

static void visit_legal(each *e, tsr_mma_atom x)
{
    if (tsr_mma_checked(x).status)
        return;
    e->visit(e->context, x);
    ++e->count;
}

static void visit_types(each *e, tsr_mma_row row, tsr_mma_atom x)
{
    static tsr_dtype const types[] = {
#define X(name, id) TSR_##id,
        TSR_MMA_TYPE_LIST(X)
#undef X
    };
    int const count = sizeof types / sizeof types[0];
    for (int i = 0; i < count * count; ++i) {
        x.c = x.d = types[i % count];
        x.a = types[i / count];
        for (int b = 0; b < count && (row.accumulators >> i % count & 1) && (row.inputs >> i / count & 1); ++b) {
            x.b = types[b];
            if (row.inputs >> b & 1)
                visit_legal(e, x);
        }
    }
}

int tsr_each_mma_atom(void (*visit)(void *context, tsr_mma_atom x), void *context)
{
    each e = {visit, context, 0};
    for (int i = 0; i < TSR_MMA_ROWS; ++i) {
        tsr_mma_row const row = tsr_mma_row_at(i);
        bool const group = row.kind == TSR_MMA_WARPGROUP;
        for (int n = row.n ? row.n : 8; n <= (row.n ? row.n : 256); n += 8) {
            for (int choice = 0; choice < 16 * TSR_MMA_FORMS; ++choice) {
                int const flags = choice % 16;
                tsr_mma_atom x = tsr_mma_of(row.arch, (tsr_mma_kind)row.kind, row.m, n, row.k);
                x.k *= flags & TSR_MMA_SPARSE ? 2 : 1;
                x.flags = (uint8_t)flags;
                x.form = (uint8_t)(choice / 16);
                if ((row.forms >> x.form & 1) && !(group && (flags & 3))) /* majors of a group have no name */
                    visit_types(&e, row, x);
            }
        }
    }
    return e.count;
}
