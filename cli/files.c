/** Files of data: what `tessera show` says of them. */
#include "files.h"

#include "guard.h"
#include "escape.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/text.h"

enum { VALUES = 8 };

bool has_ending(char const *text, char const *end)
{
    size_t const n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

bool is_data_file(char const *argument) { return has_ending(argument, ".npy") || tsr_model_is_path(argument); }

/** The shortest decimal number that reads back as the same element. */
static void print_real(tsr_dtype type, double x)
{
    char text[64];
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (tsr_encode(type, tsr_number_real(strtod(text, NULL))) == tsr_encode(type, tsr_number_real(x)))
            break;
    }
    fputs(isnan(x) ? "nan" : text, stdout);
}

static void print_element(tsr_dtype type, void const *p, int bit)
{
    tsr_number const x = tsr_load(type, p, bit);
    tsr_dtype const part = (tsr_dtype)(tsr_dtype_bits(type) == 128 ? TSR_F64 : TSR_F32);
    if (x.kind == TSR_NO_NUMBER) {
        int const n = tsr_dtype_bits(type) / 8;
        for (int i = 0; i < n; ++i) /* the highest byte first */
            printf("%02x", ((unsigned char const *)p)[TSR_BIG_ENDIAN ? i : n - 1 - i]);
    } else if (x.kind == TSR_SIGNED) {
        printf("%lld", (long long)(int64_t)x.bits);
    } else if (x.kind == TSR_UNSIGNED) {
        printf("%llu", (unsigned long long)x.bits);
    } else if (x.kind == TSR_REAL) {
        print_real(type, x.re);
    } else {
        print_real(part, x.re);
        printf(x.im < 0 || (x.im == 0 && signbit(x.im)) ? "" : "+");
        print_real(part, x.im);
        printf("i");
    }
}

/** The first elements, the last index fastest, as NumPy counts. */
static void print_values(tsr_tensor t)
{
    int64_t const size = tsr_layout_size(t.layout);
    tsr_layout l = t.layout;
    int const modes = tsr_is_unit(&l.shape) ? 0 : l.shape.leaves;
    for (int64_t i = 0; i < size && i < VALUES; ++i) {
        int64_t rest = i, offset = 0;
        int bit = 0;
        for (int k = modes - 1; k >= 0; --k) {
            offset += rest % l.shape.leaf[k].value * l.stride.leaf[k].value;
            rest /= l.shape.leaf[k].value;
        }
        unsigned char const *const p = tsr_element_place(&t.engine, offset, &bit);
        printf(i ? " " : "  ");
        print_element(t.engine.type, p, bit);
    }
    printf(size > VALUES ? " ..\n" : "\n");
}

static void print_guarded(void *context) { print_values(*(tsr_tensor const *)context); }

/** The first elements of a tensor in a file. */
static bool print_values_of(options const *o, char const *path, tsr_bytes const *bytes, tsr_tensor t)
{
    guarded const file = {bytes->data, bytes->size};
    if (guard(&file, 1, print_guarded, &t))
        return true;
    complain(o, "%s became shorter, or cannot be read any more, while it was shown", path);
    return false;
}

/** A name from a file, and blanks up to a width. */
static void print_name(char const *name, int width)
{
    int const n = escaped_columns(name, strlen(name));
    print_escaped(stdout, name);
    printf("%*s", n < width ? width - n : 0, "");
}

tsr_tensor empty_array(tsr_dtype type, int rank, int64_t const *extent)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    for (int i = 0; i < rank; ++i) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(extent[i]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(0));
    }
    tsr_layout const l = tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride));
    return tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, NULL, true, type), l);
}

tsr_tensor array_of_file(tsr_file const *file)
{
    tsr_npy const *const a = &file->npy;
    return a->elements > 0 ? file->tensor : empty_array(file->tensor.engine.type, a->rank, a->extent);
}

bool array_of_model(tsr_model const *model, tsr_model_tensor const *t, tsr_tensor *array, tsr_message *error)
{
    if (t->type == 0 || t->elements > 0 || t->rank > TSR_MAX_LEAVES)
        return tsr_model_get(model, t->name, array, error);
    *array = empty_array(t->type, t->rank, t->extent);
    return true;
}

void format_array(char *text, size_t size, tsr_layout layout, unsigned flags)
{
    bool const empty = tsr_layout_size(layout) == 0;
    size_t const n =
        empty ? tsr_format_tuple(text, size, layout.shape, flags) : tsr_format_layout(text, size, layout, flags);
    if (empty && n < size)
        snprintf(text + n, size - n, ", no elements");
}

static bool show_array(options const *o, char const *path, tsr_dtype type)
{
    char layout[TSR_TEXT_SIZE];
    tsr_file file;
    tsr_message error;
    if (!tsr_npy_open_as(path, type, &file, &error)) {
        complain(o, "%s", error.text);
        return false;
    }
    tsr_npy const *const a = &file.npy;
    tsr_tensor const t = array_of_file(&file);
    format_array(layout, sizeof layout, t.layout, o->flags);
    print_escaped(stdout, path);
    printf("\n  type    %s ('%s'%s)\n  layout  %s\n", tsr_dtype_name(t.engine.type), a->descr,
           a->big_endian ? ", big-endian" : "", layout);
    printf("  order   %s\n  bytes   %llu from byte %llu on, version %d.%d\n  values",
           a->order == TSR_F_ORDER ? "Fortran" : "C", (unsigned long long)a->bytes, (unsigned long long)a->begin,
           a->major, a->minor);
    bool const ok = print_values_of(o, path, &file.bytes, t);
    tsr_file_close(&file);
    return ok;
}

static bool show_tensors(options const *o, char const *path)
{
    tsr_model file;
    tsr_message error;
    int width = 0;
    bool ok = true;
    if (!tsr_model_open(path, &file, &error)) {
        complain(o, "%s", error.text);
        return false;
    }
    uint64_t const bytes = file.count ? file.tensor[file.count - 1].end : 0;
    print_escaped(stdout, path);
    printf(": %d tensors, %llu bytes\n", file.count, (unsigned long long)bytes);
    for (int i = 0; i < file.count; ++i) {
        int const columns = escaped_columns(file.tensor[i].name, strlen(file.tensor[i].name));
        width = columns > width ? columns : width;
    }
    for (int i = 0; i < file.count && ok; ++i) {
        char layout[TSR_TEXT_SIZE];
        tsr_tensor t;
        printf("  ");
        print_name(file.tensor[i].name, width < 60 ? width : 60);
        printf("  %-9s ", file.tensor[i].type ? tsr_dtype_name(file.tensor[i].type) : file.tensor[i].format);
        if (!array_of_model(&file, &file.tensor[i], &t, &error)) {
            printf("no layout: %s\n", tsr_model_is_opaque(&file.tensor[i]) ? "unknown type"
                                      : file.tensor[i].type == 0           ? "quantised"
                                                                           : "too many dimensions");
            continue;
        }
        format_array(layout, sizeof layout, t.layout, o->flags);
        printf(tsr_layout_size(t.layout) > 0 ? "%-24s" : "%s", layout);
        ok = print_values_of(o, path, &file.bytes, t);
    }
    tsr_model_close(&file);
    return ok;
}

bool show_data_file(options const *o, char const *path, tsr_dtype type)
{
    return has_ending(path, ".npy") ? show_array(o, path, type) : show_tensors(o, path);
}

bool read_text(options const *o, char const *path, char *text, size_t size)
{
    bool const standard = strcmp(path, "-") == 0;
    FILE *const file = standard ? stdin : fopen(path, "r");
    if (!file)
        return complain(o, "%s cannot be read: %s", path, strerror(errno)), false;
    size_t const n = fread(text, 1, size, file);
    bool const failed = ferror(file);
    if (failed)
        complain(o, "%s cannot be read: %s", path, strerror(errno));
    else if (n == size)
        complain(o, "%s: more than %zu characters", path, size - 1);
    text[n < size ? n : 0] = 0;
    for (size_t i = 0; i < n && n < size; ++i)
        text[i] = text[i] == 0 ? '?' : text[i]; /* what ends a text is no part of one */
    if (!standard)
        fclose(file);
    return !failed && n < size;
}
