/** A layout over named sizes as code: its guards, and its offset at a 1-D coordinate. */
#include <string.h>

#include "convert/reserved.h"
#include "symbolic/evaluation.h"

/** How a language writes the two functions. */
typedef struct words {
    char const *front, *comment, *comment_end; /* in front of all; around a remark */
    char const *guards, *offset, *integer;     /* how they begin; the type of an argument */
    char const *begin, *result, *end;          /* behind the arguments; the result; behind it */
    spelling spelled;                          /* && and / */
    char const *unused;                        /* of an argument that may not be used */
    char const *assign, *assign_end;           /* around what becomes x */
} words;

#define C_LIKE(front, inlined)                                                                                       \
  {                                                                                                                  \
    front "#include <stdint.h>\n\n", "/* ", " */\n", inlined " int guards(", inlined " int64_t offset(", "int64_t ", \
        ")\n{\n", "    return ", ";\n}\n", {" && ", "/"}, "(void)", "    int64_t const x = ", ";\n"                  \
  }
#define PYTHON_LIKE(front, decorated)                                                                       \
  {                                                                                                         \
    front, "# ", "\n", decorated "def guards(", decorated "def offset(", "", "):\n", "    return (", ")\n", \
        {" and ", "//"}, NULL, "    x = (", ")\n"                                                           \
  }

static words const languages[TSR_CODES] = {
    C_LIKE("", "static inline"),
    C_LIKE("", "__host__ __device__ inline"),
    C_LIKE("#include <hip/hip_runtime.h>\n", "__host__ __device__ inline"),
    PYTHON_LIKE("", ""),
    PYTHON_LIKE("import triton\nimport triton.language as tl\n\n\n", "@triton.jit\n"),
};

/** Is it a name of the code that is emitted? */
static bool is_own(char const *name)
{
    static char const *const own[] = {"guards", "offset", "i", "x", "main"};
    bool found = false;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        found = found || strcmp(own[i], name) == 0;
    return found;
}

/** A product as an operand: in parentheses unless it is a number or a name. */
static void emit_operand(writer *w, sizes const *s, words const *in, product a)
{
    bool const plain = tsr_product_is_plain_(s, a);
    put(w, "%s", plain ? "" : "(");
    tsr_product_write_(w, s, in->spelled, a);
    put(w, "%s", plain ? "" : ")");
}

/** The digit of mode i, of which `before` is the size of the modes in front of it, times its stride. */
static void emit_term(writer *w, sizes const *s, words const *in, product before, product extent, product stride,
                      bool last)
{
    bool const whole = tsr_product_is_(&before, 1), digit = !last || !whole;
    bool const times = !tsr_product_is_(&stride, 1);
    put(w, times && digit ? "(i" : "i");
    if (!whole) {
        put(w, " %s ", in->spelled.divide);
        emit_operand(w, s, in, before);
    }
    if (!last) {
        put(w, " %% ");
        emit_operand(w, s, in, extent);
    }
    put(w, times && digit ? ")" : "");
    if (times) {
        put(w, " * ");
        emit_operand(w, s, in, stride);
    }
}

static void emit_sum(writer *w, sizes *s, words const *in, tsr_layout const *l)
{
    product before = tsr_product_of_(1);
    int terms = 0, end = l->shape.leaves;
    while (end > 1 && tsr_leaf_is(l->shape.leaf[end - 1], 1))
        --end;
    for (int i = 0; i < end; ++i) {
        product const extent = tsr_size_product_(s, l->shape.leaf[i]),
                      stride = tsr_size_product_(s, l->stride.leaf[i]);
        if (stride.c != 0 && !tsr_product_is_(&extent, 1)) {
            put(w, "%s", terms++ ? "\n            + " : "");
            emit_term(w, s, in, before, extent, stride, i + 1 == end);
        }
        before = tsr_product_mul_(s, before, extent);
    }
    put(w, "%s", terms ? "" : "0 * i");
}

/** The result of x, which is assigned: x ^ (x >> 3 & 7) << 4. */
static void emit_swizzle(writer *w, words const *in, tsr_swizzle sw)
{
    int const from = sw.shift >= 0 ? sw.base + sw.shift : sw.base, to = sw.shift >= 0 ? sw.base : sw.base - sw.shift;
    put(w, "%s%sx ^ ((x >> %d & %lld) << %d)", in->assign_end, in->result, from, (1ll << sw.bits) - 1, to);
}

/** The arguments of a function, what it does not use, and what its result, or x, begins with. */
static void emit_head(writer *w, sizes const *s, words const *in, bool coordinate, char const *begin)
{
    for (int i = 0; i < s->names; ++i)
        put(w, "%s%s%s", i ? ", " : "", in->integer, s->name[i]);
    if (coordinate)
        put(w, "%s%si", s->names ? ", " : "", in->integer);
    else
        put(w, "%s", s->names == 0 && in->unused ? "void" : "");
    put(w, "%s", in->begin);
    for (int i = 0; in->unused && i < s->names; ++i)
        put(w, "%s%s%s%s", i ? ", " : "    ", in->unused, s->name[i], i + 1 < s->names ? "" : ";\n");
    put(w, "%s", begin);
}

static void emit_code(writer *w, sizes *s, words const *in, tsr_symbolic const *e)
{
    put(w, "%s%sDoes offset hold for these sizes?%s%s", in->front, in->comment, in->comment_end, in->guards);
    emit_head(w, s, in, false, in->result);
    tsr_size_write_guards_(w, s, in->spelled);
    put(w, "%s\n%s%s", in->end, in->unused ? "" : "\n", in->comment);
    tsr_symbolic_write_(w, e);
    put(w, "%s%s", in->comment_end, in->offset);
    tsr_layout const *const l = &e->result.v.as.layout;
    emit_head(w, s, in, true, l->composed ? in->assign : in->result);
    emit_sum(w, s, in, l);
    if (l->composed)
        emit_swizzle(w, in, l->swizzle);
    put(w, "%s", in->end);
}

bool tsr_symbolic_emit(char *out, size_t size, tsr_code in, tsr_symbolic const *e, tsr_message *error)
{
    sizes s = e->s;
    writer w;
    error->at = 0;
    error->text[0] = 0;
    s.error = error;
    if (in >= TSR_CODES)
        tsr_size_fail_(&s, "the languages are c, cuda, hip, python and triton");
    else if (!languages[in].front)
        tsr_size_fail_(&s, "CuTe has no layouts whose sizes have names");
    if (!tsr_symbolic_is_layout(e))
        tsr_size_fail_(&s, "code is made of a layout, and this is none");
    else if (!tsr_symbolic_is_of_sizes_(&e->result.v) || tsr_has_basis(&e->result.v.as.layout.stride))
        tsr_size_fail_(&s, "code is made of a layout of sizes, or of one behind a swizzle");
    for (int i = 0; i < s.names; ++i)
        if (is_own(s.name[i]) || tsr_code_reserves_(in, s.name[i]))
            tsr_size_fail_(&s, "%s means something else in the code: give this size another name", s.name[i]);
    if (s.failed)
        return false;
    writer_open(&w, out, size);
    emit_code(&w, &s, &languages[in], e);
    if (w.used >= size)
        tsr_size_fail_(&s, "the code is longer than the text that holds it");
    return !s.failed;
}
