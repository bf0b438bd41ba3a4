/** Text of a header, character by character: what Python's dictionaries and JSON have in common. A failure names the
 *  character at which the text goes wrong, counted from 0. */
#ifndef TSR_SRC_IO_SCAN_H
#define TSR_SRC_IO_SCAN_H

#include "io/file.h"

typedef struct scan {
    char const *text;
    size_t at, size;
    char *pool; /* where strings of JSON go */
    tsr_message *error;
} scan;

/** The next character after white space; 0 at the end. */
char scan_peek(scan *s);

/** Takes a character if it is the next one. */
bool scan_take(scan *s, char c);

/** The same, but it must be. */
bool scan_expect(scan *s, char c, char const *where);

/** A non-negative integer of 63 bits, in decimal digits. */
bool scan_integer(scan *s, int64_t *out, char const *what);

/** A string of JSON: decoded and ended by a zero, at the pool, which moves on. What is written is never longer than the
 *  text. */
bool scan_json_string(scan *s, char const **out, char const *what);

/** Whether bytes are well-formed UTF-8, without a zero. */
bool scan_is_utf8(char const *text, size_t n);

#endif
