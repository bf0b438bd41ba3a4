/** Copy atoms by name: the patterns of the list in atom/copy.h, where `#` is the number and `@` the element types. */
#include <string.h>

#include "atom/names.h"
#include "text/write.h"

static char const *const patterns[] = {
#define X(id, name, ...) name,
    TSR_COPY_LIST(X)
#undef X
};

/** Reads T or S,D. */
static size_t read_copied_types(char const *text, tsr_dtype *from, tsr_dtype *to)
{
    size_t n = tsr_type_read_(text, from);
    *to = *from;
    if (n > 0 && text[n] == ',') {
        size_t const blanks = strspn(text + n + 1, " "), second = tsr_type_read_(text + n + 1 + blanks, to);
        n = second > 0 ? n + 1 + blanks + second : 0;
    }
    return n;
}

/** The atom of one operation that the text begins with; returns its length, 0 for none. */
static size_t read_pattern(char const *text, int op, tsr_copy_atom *x)
{
    char const *p = text;
    tsr_dtype from = 0, to = 0;
    int32_t number = 0;
    for (char const *want = patterns[op]; *want; ++want) {
        if (*want == '#') {
            int digits = 0;
            for (; *p >= '0' && *p <= '9' && digits < 9; ++p, ++digits)
                number = 10 * number + (*p - '0');
            if (digits == 0)
                return 0;
        } else if (*want == '@') {
            size_t const n = read_copied_types(p, &from, &to);
            if (n == 0)
                return 0;
            p += n;
        } else if (*p++ != *want) {
            return 0;
        }
    }
    *x = from ? tsr_make_copy_types((tsr_copy_op)op, from, to) : tsr_make_copy((tsr_copy_op)op, number);
    return (size_t)(p - text);
}

static struct {
    char const *name;
    tsr_copy_op op;
    int32_t number;
} const aliases[] = {
#define X(name, id, number) {name, TSR_COPY_##id, number},
    TSR_COPY_ALIAS_LIST(X)
#undef X
};

/** The longest reading, one that is an operation before one that is none. */
static size_t read_operation(char const *text, tsr_copy_atom *x)
{
    size_t longest = 0;
    for (int op = 0; op < TSR_COPY_OPS; ++op) {
        tsr_copy_atom found = TSR_ZERO;
        size_t const n = read_pattern(text, op, &found);
        if (n > longest || (n > 0 && n == longest && x->status)) {
            longest = n;
            *x = found;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; ++i) {
        size_t const n = strlen(aliases[i].name);
        if (n > longest && strncmp(text, aliases[i].name, n) == 0) {
            longest = n;
            *x = tsr_make_copy(aliases[i].op, aliases[i].number);
        }
    }
    return longest;
}

size_t tsr_copy_read_(char const *text, tsr_copy_atom *x)
{
    static char const prefix[] = "Copy_Atom<";
    size_t n = sizeof prefix - 1;
    tsr_dtype type = 0;
    if (strncmp(text, prefix, n) != 0)
        return read_operation(text, x);
    size_t const operation = read_operation(text + n, x);
    n += operation;
    size_t const comma = text[n] == ',' ? 1 + strspn(text + n + 1, " ") : 0;
    size_t const length = tsr_type_read_(text + n + comma, &type);
    if (operation == 0 || comma == 0 || length == 0 || text[n + comma + length] != '>') {
        *x = tsr_copy_refuse(*x, TSR_ATOM_NAME, 0, 0, 0);
        return n;
    }
    *x = tsr_copy_values(*x, type);
    return n + comma + length + 1;
}

size_t tsr_smem_read_(char const *text, tsr_layout *x)
{
    static char const *const majors[] = {"Layout_K_", "Layout_MN_"};
    static char const *const swizzles[] = {"INTER_Atom<", "SW32_Atom<", "SW64_Atom<", "SW128_Atom<",
                                           "SW128_32B_Atom<"};
    for (int i = 0; i < 10; ++i) {
        char const *const major = majors[i / 5], *const swizzle = swizzles[i % 5];
        size_t const n = strlen(major), m = strlen(swizzle);
        tsr_dtype type = 0;
        if (strncmp(text, major, n) != 0 || strncmp(text + n, swizzle, m) != 0)
            continue;
        size_t const length = tsr_type_read_(text + n + m, &type);
        bool const closed = length > 0 && text[n + m + length] == '>';
        *x = closed ? tsr_smem_atom((tsr_major)(i / 5), i % 5, type) : tsr_bad_layout(TSR_ATOM_NAME, 0, 0, 0, 0);
        return n + m + length + closed;
    }
    return 0;
}

void tsr_copy_write_(writer *w, tsr_copy_atom x)
{
    if (x.type)
        put(w, "Copy_Atom<");
    for (char const *p = patterns[x.op]; *p; ++p) {
        if (*p == '#')
            put(w, "%d", (int)x.number);
        else if (*p == '@' && x.from == x.to)
            put(w, "%s", tsr_type_cute_name_(x.from));
        else if (*p == '@')
            put(w, "%s,%s", tsr_type_cute_name_(x.from), tsr_type_cute_name_(x.to));
        else
            put(w, "%c", *p);
    }
    if (x.type)
        put(w, ",%s>", tsr_type_cute_name_(x.type));
}

tsr_copy_atom tsr_copy_atom_named(char const *name)
{
    tsr_copy_atom x = TSR_ZERO;
    size_t const n = tsr_copy_read_(name, &x);
    return n == 0 || name[n] != 0 ? tsr_copy_refuse(x, TSR_ATOM_NAME, 0, 0, 0) : x;
}

size_t tsr_format_copy_atom(char *out, size_t size, tsr_copy_atom x)
{
    writer w;
    if (x.status)
        return tsr_format_reason(out, size, tsr_copy_why(x));
    writer_open(&w, out, size);
    tsr_copy_write_(&w, x);
    return w.used;
}

int tsr_each_copy_atom(void (*visit)(void *context, tsr_copy_atom x), void *context)
{
    int count = 0;
    for (int op = 0; op < TSR_COPY_OPS; ++op) {
        tsr_copy_row const row = tsr_copy_row_at(op);
        bool const numbered = strpbrk(patterns[op], "#@") != NULL, thread = row.kind == TSR_COPY_THREAD;
        int32_t const most = row.most > 0 ? row.most : thread ? 128 : 1024;
        int32_t n = row.most > 0 || !numbered ? row.least : thread ? 8 : 1024;
        do {
            visit(context, tsr_make_copy((tsr_copy_op)op, n));
            ++count;
            n *= 2;
        } while (numbered && n <= most);
    }
    return count;
}
