/** Patterns of names: `*` is any text, {word} a number, {word:05} a number of at least five digits where it is written,
 *  {word+1} a number that names count from 1, {word-local} a number that counts from 0 on each coordinate of the axis
 *  that the word places. */
#ifndef TSR_SRC_RESHARD_PATTERN_H
#define TSR_SRC_RESHARD_PATTERN_H

#include "tessera/text.h"

enum { RESHARD_HOLES = 12, RESHARD_WORD = 16 };

/** What a hole of a pattern matches. */
typedef struct reshard_capture {
    char word[RESHARD_WORD]; /* "": a star */
    bool local;
    int64_t first;     /* what names have for 0 */
    int64_t number;    /* counts from 0 */
    int width;         /* digits, where zeros are in front that the pattern does not say */
    char const *begin; /* of a star */
    size_t length;
} reshard_capture;

typedef struct reshard_captures {
    int count;
    reshard_capture hole[RESHARD_HOLES];
} reshard_captures;

/** Reads the hole that begins at `p`, which is a star or an opening brace. Returns where it ends; NULL: it has no end,
 *  or no word. */
char const *tsr_reshard_hole_(char const *p, reshard_capture *c, int *width);

/** Is the text a pattern: closed braces, each word once, at most RESHARD_HOLES holes? */
bool tsr_reshard_pattern_check_(char const *pattern, tsr_message *error);

/** Law  A star takes as few characters as it can, a number all digits. So each name is matched in one way. */
bool tsr_reshard_match_(char const *pattern, char const *name, reshard_captures *c);

/** Has the pattern the word? */
bool tsr_reshard_has_word_(char const *pattern, char const *word);

/** One more word with its number. There is room for it. */
reshard_capture *tsr_reshard_put_(reshard_captures *c, char const *word, int64_t number);

/** The capture of a word; NULL: none. */
reshard_capture *tsr_reshard_captured_(reshard_captures *c, char const *word);

/** The name in which star k of the pattern has the text of star k, and each word its number. NULL: no memory, or a hole
 *  without a value. */
char *tsr_reshard_name_(char const *pattern, reshard_captures const *c);

#endif
