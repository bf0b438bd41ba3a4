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
char tsr_scan_peek_(scan *s);

/** Takes a character if it is the next one. */
bool tsr_scan_take_(scan *s, char c);

/** The same, but it must be. */
bool tsr_scan_expect_(scan *s, char c, char const *where);

/** A non-negative integer of 63 bits, in decimal digits. */
bool tsr_scan_integer_(scan *s, int64_t *out, char const *what);

/** A string of JSON: decoded and ended by a zero, at the pool, which moves on. What is written is never longer than the
 *  text. */
bool tsr_scan_json_string_(scan *s, char const **out, char const *what);

/** Whether bytes are well-formed UTF-8, without a zero. */
bool tsr_scan_is_utf8_(char const *text, size_t n);

#endif
