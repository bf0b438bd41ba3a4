/** JSON, as much of it as the header of a safetensors file has: objects, arrays of integers, strings. Strict: what the
 *  grammar of RFC 8259 does not have is refused, and so is what is well-formed but not needed here. */
#ifndef TSR_SRC_IO_JSON_H
#define TSR_SRC_IO_JSON_H

#include "file.h"

typedef struct json {
    char const *text;
    size_t at, size;
    char *pool; /* where decoded strings go: a string is never longer than its text */
    size_t used;
    tsr_io_error *error;
} json;

/** The next character after white space; 0 at the end. */
char json_peek(json *j);

/** Takes a character if it is the next one. */
bool json_take(json *j, char c);

/** The same, but it must be. */
bool json_expect(json *j, char c, char const *where);

/** A string: decoded, UTF-8, ended by a zero, in the pool. */
bool json_string(json *j, char const **out, char const *what);

/** A non-negative integer of 63 bits. */
bool json_integer(json *j, int64_t *out, char const *what);

#endif
