/** Characters of UTF-8. */
#ifndef TSR_SRC_TEXT_UTF8_H
#define TSR_SRC_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/** The character that n bytes begin with: returns how many of them it has; 0: they are not UTF-8 (well-formed, the
 *  shortest form, no surrogate). */
size_t tsr_utf8_read_(char const *text, size_t n, uint32_t *code);

#endif
