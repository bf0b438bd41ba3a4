/** A layout over named sizes as code in C: its guards, and its index at a 1-D coordinate. */
#include <string.h>

#include "symbolic/evaluation.h"

/** A name that would hide what the code is made of. */
static bool is_taken(char const *name)
{
    static char const *const words[] = {
        "auto",   "break",   "case",   "char",   "const",    "continue", "default", "do",     "double",  "else",
        "enum",   "extern",  "float",  "for",    "goto",     "guards",   "i",       "if",     "inline",  "int",
        "long",   "int64_t", "main",   "offset", "register", "restrict", "return",  "short",  "signed",  "sizeof",
        "static", "struct",  "switch", "typedef", "union",   "unsigned", "void",    "volatile", "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

/** A product as an operand: in parentheses unless it is a number or a name. */
static void emit_operand(writer *w, sizes const *s, product a)
{
    char text[512];
    writer inner;
    writer_open(&inner, text, sizeof text);
    product_write_(&inner, s, a);
    put(w, strpbrk(text, "*/-") == NULL ? "%s" : "(%s)", text);
}

/** The digit of a mode, of which `before` is the size of the modes in front of it, times its stride. */
static void emit_term(writer *w, sizes const *s, product before, product extent, product stride, bool last)
{
    bool const whole = product_is_(&before, 1), digit = !last || !whole;
    bool const times = !product_is_(&stride, 1);
    put(w, times && digit ? "(i" : "i");
    if (!whole) {
        put(w, " / ");
        emit_operand(w, s, before);
    }
    if (!last) {
        put(w, " %% ");
        emit_operand(w, s, extent);
    }
    put(w, times && digit ? ")" : "");
    if (times) {
        put(w, " * ");
        emit_operand(w, s, stride);
    }
}

static void emit_index(writer *w, sizes *s, symbol_layout const *l)
{
    int const leaves = l->shape.frame.leaves;
    product before = product_of_(1);
    int terms = 0, end = leaves;
    while (end > 1 && product_is_(&l->shape.leaf[end - 1], 1))
        --end;
    for (int i = 0; i < end; ++i) {
        product const extent = l->shape.leaf[i], stride = l->stride.leaf[i];
        if (stride.c != 0 && !product_is_(&extent, 1)) {
            put(w, "%s", terms++ ? "\n         + " : "");
            emit_term(w, s, before, extent, stride, i + 1 == end);
        }
        before = product_mul_(s, before, extent);
    }
    put(w, "%s", terms ? "" : "0 * i");
}

static void emit_names(writer *w, sizes const *s)
{
    for (int i = 0; i < s->names; ++i)
        put(w, "%sint64_t %s", i ? ", " : "", s->name[i]);
}

/** What C warns of where it is not used. */
static void emit_unused(writer *w, sizes const *s)
{
    for (int i = 0; i < s->names; ++i)
        put(w, "%s(void)%s%s", i ? ", " : "    ", s->name[i], i + 1 < s->names ? "" : ";\n");
}

bool tsr_symbolic_emit_c(char *out, size_t size, tsr_symbolic const *e, tsr_message *error)
{
    sizes s = e->s;
    writer w;
    char text[TSR_TEXT_SIZE];
    error->at = 0;
    error->text[0] = 0;
    s.error = error;
    if (e->result.kind != SYMBOL_LAYOUT)
        size_fail_(&s, "code is made of a layout, and this is none");
    for (int i = 0; i < s.names; ++i)
        if (is_taken(s.name[i]))
            size_fail_(&s, "%s means something else in the code: give this size another name", s.name[i]);
    if (s.failed)
        return false;
    writer_open(&w, out, size);
    put(&w, "#include <stdint.h>\n\n/* Does offset hold for these sizes? */\nstatic inline int guards(");
    emit_names(&w, &s);
    put(&w, "%s)\n{\n", s.names ? "" : "void");
    emit_unused(&w, &s);
    put(&w, "    return ");
    size_write_guards_(&w, &s);
    tsr_symbolic_format(text, sizeof text, e);
    put(&w, ";\n}\n\n/* %s */\nstatic inline int64_t offset(", text);
    emit_names(&w, &s);
    put(&w, "%sint64_t i)\n{\n", s.names ? ", " : "");
    emit_unused(&w, &s);
    put(&w, "    return ");
    emit_index(&w, &s, &e->result.layout);
    put(&w, ";\n}\n");
    if (w.used >= size)
        size_fail_(&s, "the code is longer than the text that holds it");
    return !s.failed;
}
