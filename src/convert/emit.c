/** The index function of a layout, or of a linear map, as code that needs nothing else: a function of the index for
 *  each output. It computes what tsr_at_index and tsr_linear_at do. */
#include "convert/emit.h"
#include "convert/reserved.h"

/** How a language writes a function; %s is its name. */
typedef struct words {
    char const *front, *begin, *divide, *assign, *result;
} words;

static words const languages[] = {
    {"", "static inline long long %s(long long i)\n{\n", "/", "    long long const x = ", "    return %s;\n}\n"},
    {"", "__host__ __device__ inline long long %s(long long i)\n{\n", "/",
     "    long long const x = ", "    return %s;\n}\n"},
    {"#include <hip/hip_runtime.h>\n\n", "__host__ __device__ inline long long %s(long long i)\n{\n", "/",
     "    long long const x = ", "    return %s;\n}\n"},
    {"", "def %s(i):\n", "//", "    x = ", "    return %s\n"},
    {"import triton\nimport triton.language as tl\n\n\n", "@triton.jit\ndef %s(i):\n", "//",
     "    x = ", "    return %s\n"},
    {"#include <cute/tensor.hpp>\n\n", "", "", "", ""},
};

static char const *const names[] = {
#define X(id, name) #name,
    TSR_CODE_LIST(X)
#undef X
};

tsr_code tsr_code_named(char const *name)
{
    int i = 0;
    while (i < TSR_CODES && strcmp(names[i], name) != 0)
        ++i;
    return (tsr_code)i;
}

static bool is_python(tsr_code in) { return in == TSR_CODE_PYTHON || in == TSR_CODE_TRITON; }

/** A statement ends with ; in C. */
static char const *end(tsr_code in) { return is_python(in) ? "\n" : ";\n"; }

/** What stands between two functions. */
static char const *between(tsr_code in) { return is_python(in) ? "\n\n" : "\n"; }

/** i / 4 % 8 * 16 + ..: the leaves along one basis element; the last leaf of all goes on beyond the size. */
static void write_sum(writer *w, tsr_layout const *l, uint32_t path, words const *in)
{
    int64_t before = 1;
    bool some = false;
    int const leaves = tsr_leaves_with_integers_(&l->shape);
    for (int k = 0; k < leaves; ++k) {
        int64_t const n = l->shape.leaf[k].kind == TSR_UNIT ? 1 : l->shape.leaf[k].value;
        int64_t const d = l->stride.leaf[k].value;
        bool const last = k + 1 == leaves, mine = l->stride.leaf[k].aux == path;
        if (mine && d != 0 && (n > 1 || last)) {
            put(w, "%si", some ? " + " : "");
            if (before > 1)
                put(w, " %s %lld", in->divide, (long long)before);
            if (!last)
                put(w, " %% %lld", (long long)n);
            if (d != 1)
                put(w, " * %s%lld%s", d < 0 ? "(" : "", (long long)d, d < 0 ? ")" : "");
            some = true;
        }
        before *= n;
    }
    put(w, "%s", some ? "" : "0 * i");
}

/** x ^ (x >> 3 & 7) << 4, of an offset that is added first. */
static void write_swizzle(writer *w, tsr_swizzle sw, int64_t offset, int round, char const *type, tsr_code in)
{
    char const *const x = round == 0 ? "x" : "y";
    long long const mask = ((long long)1 << sw.bits) - 1;
    char sum[64];
    snprintf(sum, sizeof sum, offset ? "(%s + %lld)" : "%s", x, (long long)offset);
    put(w, "    %s%s = ", type, round == 0 ? "y" : "z");
    if (sw.bits == 0)
        put(w, "%s", sum);
    else if (sw.shift >= 0)
        put(w, "%s ^ ((%s >> %d & %lld) << %d)", sum, sum, sw.shift + sw.base, mask, sw.base);
    else
        put(w, "%s ^ ((%s >> %d & %lld) << %d)", sum, sum, sw.base, mask, sw.base - sw.shift);
    put(w, "%s", end(in));
}

static void write_layout(writer *w, tsr_layout const *l, tsr_code in, char const *only)
{
    words const *const to = &languages[in];
    char const *const type = is_python(in) ? "" : "long long const ";
    uint32_t seen[TSR_MAX_LEAVES];
    int count = 0;
    for (int k = 0; k < l->shape.leaves; ++k) {
        uint32_t const path = l->stride.leaf[k].aux;
        bool known = path == 0 && l->stride.leaf[k].value == 0 && tsr_has_basis(&l->stride);
        for (int i = 0; i < count; ++i)
            known = known || seen[i] == path;
        if (known)
            continue;
        seen[count++] = path;
        char name[40];
        writer n;
        writer_open(&n, name, sizeof name);
        put(&n, "%s", path ? "" : "offset");
        for (uint32_t p = path; p; p >>= 5)
            put(&n, p == path ? "dim%u" : "_%u", (p & 31u) - 1);
        put(w, "%s", count > 1 ? between(in) : "");
        put(w, to->begin, only ? only : name);
        put(w, "%s", to->assign);
        write_sum(w, l, path, to);
        put(w, "%s", end(in));
        if (l->composed)
            write_swizzle(w, l->swizzle, tsr_leaf_value(l->offset), 0, type, in);
        if (l->composed && l->twice)
            write_swizzle(w, l->outer_swizzle, tsr_leaf_value(l->outer_offset), 1, type, in);
        put(w, to->result, l->twice ? "z" : l->composed ? "y" : "x");
    }
}

/** What bit b of the input gives of an output. */
static uint64_t part_of(tsr_linear const *f, int b, int begin, int bits)
{
    uint64_t const mask = bits ? ~(uint64_t)0 >> (64 - bits) : 0;
    return b < tsr_linear_bits(&f->in) && begin < 64 ? f->basis[b] >> begin & mask : 0;
}

/** ((i & 7) * 4) ^ ((i >> 3 & 1) * 20) ..: the xor of what each bit gives, and bits in a row together. */
static void write_map(writer *w, tsr_linear const *f, tsr_code in, char const *only)
{
    words const *const to = &languages[in];
    int begin = 0;
    for (int d = 0; d < f->out.count; begin += f->out.bits[d++]) {
        bool some = false;
        put(w, "%s", d > 0 ? between(in) : "");
        put(w, to->begin, only ? only : f->out.name[d]);
        put(w, "%s", to->assign);
        for (int b = 0, n = 1; b < tsr_linear_bits(&f->in); b += n) {
            uint64_t const part = part_of(f, b, begin, f->out.bits[d]);
            n = 1;
            while (part && (part & (part - 1)) == 0 && part_of(f, b + n, begin, f->out.bits[d]) == part << n)
                ++n;
            if (part == 0)
                continue;
            put(w, "%s((i >> %d & %llu) * %llu)", some ? " ^ " : "", b, ~0ull >> (64 - n), (unsigned long long)part);
            some = true;
        }
        put(w, "%s%s", some ? "" : "0 * i", end(in));
        put(w, to->result, "x");
    }
}

/** The outputs of a map are names of functions. */
static void check_names(tsr_linear const *f, tsr_code in, scan *s)
{
    for (int d = 0; d < f->out.count; ++d)
        if (tsr_code_reserves_(in, f->out.name[d]) || strcmp(f->out.name[d], "main") == 0)
            scan_fail(s, "%s means something else in the code: give this output another name", f->out.name[d]);
}

void tsr_emit_function_(writer *w, tsr_converted const *v, tsr_code in, char const *name, scan *s)
{
    if (in == TSR_CODE_CUTE)
        tsr_emit_cute_(w, v, name ? name : "layout", s);
    else if (!v->is_map)
        write_layout(w, &v->layout, in, name);
    else if (name || (check_names(&v->map, in, s), !s->failed))
        write_map(w, &v->map, in, name);
}

tsr_reason tsr_converted_why_(tsr_converted const *v) { return v->is_map ? v->map.why : tsr_layout_why(v->layout); }

bool tsr_emit_begin_(writer *w, scan *s, tsr_code in, tsr_converted const *v)
{
    tsr_reason const why = tsr_converted_why_(v);
    s->error->at = 0;
    s->error->text[0] = 0;
    if (in >= TSR_CODES)
        scan_fail(s, "there is no such language");
    else if (why.status)
        scan_refuse(s, why);
    else
        put(w, "%s", languages[in].front);
    return !s->failed;
}

bool tsr_emit(char *out, size_t size, tsr_code in, tsr_converted const *v, tsr_message *error)
{
    writer w;
    scan s = tsr_scan_open_("", 0, error);
    writer_open(&w, out, size);
    if (tsr_emit_begin_(&w, &s, in, v))
        tsr_emit_function_(&w, v, in, NULL, &s);
    return tsr_convert_end_(&w, &s);
}
