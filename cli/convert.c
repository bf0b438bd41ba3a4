/** tessera convert and emit: layouts in the words of other systems, and their index functions as code. */
#include "commands.h"
#include "given.h"
#include "option.h"
#include "output.h"
#include "usage.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/convert.h"

/** What standard input holds, up to the room of a text. False: complained of. */
static bool read_input(options const *o, char *text, size_t size)
{
    size_t const n = fread(text, 1, size, stdin);
    if (n == size || ferror(stdin))
        return complain(o, "standard input is longer than %zu characters, or cannot be read", size - 1), false;
    text[n] = 0;
    return true;
}

/** The value of a text: of a system that it looks like, or of an expression. False: complained of. */
static bool read_any(options const *o, char const *text, int64_t bytes, tsr_converted *v)
{
    static char input[1 << 16];
    if (strcmp(text, "-") == 0 && !read_input(o, input, sizeof input))
        return false;
    text = strcmp(text, "-") == 0 ? input : text;
    tsr_message error = {0, ""};
    char const *const extents = option_of(o, "--shape");
    tsr_system const from = tsr_system_of(text);
    tsr_tuple const shape = extents ? tsr_parse_tuple(extents, TSR_TEXT_STATIC, &error) : tsr_unit();
    if (extents && error.text[0])
        return complain(o, "--shape: %s", error.text), false;
    if (from < TSR_SYSTEMS) {
        if (!tsr_convert_read(from, text, shape, bytes, v, &error))
            return complain(o, "%s (%s, at character %zu)", error.text, tsr_system_name(from), error.at), false;
        return true;
    }
    if (tsr_converted_of(text, o->flags, shape, bytes, v, &error))
        return true;
    complain(o, "%s", error.text);
    point_at_error(o, text);
    return false;
}

int command_convert(options const *o, int n, char **argument)
{
    static char text[1 << 16];
    tsr_message error;
    tsr_converted v = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
    tsr_dtype type = 0;
    char const *const to = option_of(o, "--to");
    tsr_system const system = to ? tsr_system_named(to) : TSR_SYSTEMS;
    if (n != 1)
        return misuse(o, "convert needs one text: tessera convert --to triton \"(4,8):(8,1)\"");
    if (to && system == TSR_SYSTEMS)
        return misuse(o,
                      "--to takes triton, ttg, gluon, cute, cutedsl, ck, numpy, ggml, onednn, mdspan, isl, "
                      "tilelang, mpi or ttg_named, not %s",
                      to);
    if (!type_of_option(o, "--type", TSR_F32, &type))
        return MISUSE;
    int64_t const bytes = tsr_dtype_bits(type) % 8 == 0 ? tsr_dtype_bits(type) / 8 : 0;
    if (!read_any(o, argument[0], bytes, &v))
        return FAILED;
    if (to && !tsr_convert_write(text, sizeof text, system, &v, bytes, &error))
        return complain(o, "%s has no words for this: %s", to, error.text), FAILED;
    size_t const length = to         ? 0
                          : v.is_map ? tsr_format_linear(text, sizeof text, v.map)
                                     : tsr_format_layout(text, sizeof text, v.layout, o->flags);
    if (length >= sizeof text)
        return complain(o, "the result is longer than %zu characters", sizeof text - 1), FAILED;
    printf("%s\n", text);
    return DONE;
}

int command_emit(options const *o, int n, char **argument)
{
    static char text[1 << 16];
    tsr_message error;
    tsr_converted v = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())}, to = v;
    tsr_dtype type = 0;
    tsr_code const in = n == 2 || n == 3 ? tsr_code_named(argument[0]) : TSR_CODES;
    if (n == 2 && option_of(o, "--given"))
        return emit_given(o, option_of(o, "--given"), argument[0], argument[1]);
    if (in == TSR_CODES)
        return misuse(o, "emit needs a language, c, cuda, hip, python, triton or cute, and one or two layouts: "
                         "tessera emit c \"(4,8):(8,1)\"");
    if (!type_of_option(o, "--type", TSR_F32, &type))
        return MISUSE;
    if (!read_any(o, argument[1], 4, &v) || (n == 3 && !read_any(o, argument[2], 4, &to)))
        return FAILED;
    bool const ok = n == 3 ? tsr_emit_copy(text, sizeof text, in, &v, &to, type, &error)
                           : tsr_emit(text, sizeof text, in, &v, &error);
    if (!ok)
        return complain(o, "%s", error.text), FAILED;
    printf("%s", text);
    return DONE;
}
