/** Texts of headers: what Python's dictionaries and JSON have in common. A failure names the character at which the
 *  text goes wrong, counted from 0. */
#ifndef TSR_SRC_IO_SCAN_H
#define TSR_SRC_IO_SCAN_H

#include "io/file.h"
#include "text/scan.h"

/** A token that must be next: "[", "of a shape". */
bool tsr_header_expect_(scan *s, char const *token, char const *where);

/** A non-negative integer of 63 bits, in decimal digits. */
bool tsr_header_integer_(scan *s, int64_t *out, char const *what);

/** A string of JSON: decoded and ended by a zero, at the pool, which moves on. What is written is never longer than the
 *  text. */
bool tsr_header_string_(scan *s, char **pool, char const **out, char const *what);

/** Whether bytes are well-formed UTF-8, without a zero. */
bool tsr_is_utf8_(char const *text, size_t n);

#endif
