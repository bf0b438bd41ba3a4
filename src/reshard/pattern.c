/** Names by patterns. */
#include "reshard/pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char const local_word[] = "-local";

enum { MOST_FIRST = 1000000 };

char const *tsr_reshard_hole_(char const *p, reshard_capture *c, int *width)
{
    memset(c, 0, sizeof *c);
    *width = 0;
    if (*p == '*')
        return p + 1;
    size_t const all = strcspn(++p, "+:}"), suffix = sizeof local_word - 1;
    size_t n = all;
    if (n > suffix && strncmp(p + n - suffix, local_word, suffix) == 0) {
        c->local = true;
        n -= suffix;
    }
    if (n == 0 || n >= sizeof c->word)
        return NULL;
    memcpy(c->word, p, n);
    p += all;
    if (*p == '+') {
        if (!isdigit((unsigned char)p[1]))
            return NULL;
        for (++p; isdigit((unsigned char)*p) && c->first <= MOST_FIRST; ++p)
            c->first = c->first * 10 + (*p - '0');
    }
    if (*p == ':') {
        if (!isdigit((unsigned char)p[1]))
            return NULL;
        for (++p; isdigit((unsigned char)*p); ++p)
            *width = *width < 100 ? *width * 10 + (*p - '0') : *width;
    }
    return *p == '}' && *width < 20 && c->first <= MOST_FIRST ? p + 1 : NULL;
}

bool tsr_reshard_pattern_check_(char const *pattern, tsr_message *error)
{
    reshard_capture hole[RESHARD_HOLES];
    int n = 0, width = 0;
    error->at = 0;
    for (char const *p = pattern; *p;) {
        if (*p == '}')
            return snprintf(error->text, sizeof error->text, "%s: a brace closes that none opens", pattern), false;
        if (*p != '*' && *p != '{') {
            ++p;
            continue;
        }
        if (n == RESHARD_HOLES)
            return snprintf(error->text, sizeof error->text, "%s: more than %d stars and words", pattern, n), false;
        p = tsr_reshard_hole_(p, &hole[n], &width);
        if (!p)
            return snprintf(error->text, sizeof error->text,
                            "%s: braces hold a word of at most %d letters, and may have a first number and a width, "
                            "as in {rank+1:05}",
                            pattern, RESHARD_WORD - 1),
                   false;
        for (int i = 0; i < n; ++i)
            if (hole[n].word[0] && strcmp(hole[i].word, hole[n].word) == 0)
                return snprintf(error->text, sizeof error->text, "%s: {%s} is there twice", pattern, hole[n].word),
                       false;
        ++n;
    }
    return true;
}

/** Takes a number; false: there is none, it has more than 18 digits, or it is below the first one. */
static bool take_number(char const **s, reshard_capture *c, int width)
{
    char const *const begin = *s;
    while (isdigit((unsigned char)**s) && *s - begin <= 18)
        c->number = c->number * 10 + (*(*s)++ - '0');
    c->number -= c->first;
    c->width = *begin == '0' && *s - begin > tsr_max64(width, 1) ? (int)(*s - begin) : 0;
    return *s > begin && *s - begin <= 18 && c->number >= 0;
}

/** The law of tsr_reshard_match_: what follows a star is found as early as it can be, so only the last star may have to
 *  take more. */
bool tsr_reshard_match_(char const *pattern, char const *name, reshard_captures *c)
{
    char const *p = pattern, *s = name, *behind = NULL, *from = NULL; /* of the last star: what follows, its end */
    int kept = 0, width = 0;
    c->count = 0;
    for (;;) {
        bool same = true;
        if (*p == '*' || *p == '{') {
            reshard_capture *const hole = &c->hole[c->count];
            char const *const next = c->count < RESHARD_HOLES ? tsr_reshard_hole_(p, hole, &width) : NULL;
            if (!next)
                return false;
            if (*p == '*') {
                hole->begin = from = s;
                behind = next;
                kept = ++c->count;
            } else if (take_number(&s, hole, width)) {
                ++c->count;
            } else {
                same = false;
            }
            p = same ? next : p;
        } else if (*p == 0 && *s == 0) {
            return true;
        } else {
            same = *p && *p == *s;
            p += same;
            s += same;
        }
        if (!same && (!behind || !*from))
            return false;
        if (!same) {
            s = ++from;
            p = behind;
            c->count = kept;
        }
        if (kept > 0)
            c->hole[kept - 1].length = (size_t)(from - c->hole[kept - 1].begin);
    }
}

bool tsr_reshard_has_word_(char const *pattern, char const *word)
{
    reshard_capture hole;
    int width = 0;
    for (char const *p = pattern; p && *p;)
        if (*p == '{' || *p == '*') {
            p = tsr_reshard_hole_(p, &hole, &width);
            if (p && strcmp(hole.word, word) == 0 && hole.word[0])
                return true;
        } else {
            ++p;
        }
    return false;
}

reshard_capture *tsr_reshard_put_(reshard_captures *c, char const *word, int64_t number)
{
    reshard_capture *const hole = &c->hole[c->count++];
    memset(hole, 0, sizeof *hole);
    snprintf(hole->word, sizeof hole->word, "%s", word);
    hole->number = number;
    return hole;
}

reshard_capture *tsr_reshard_captured_(reshard_captures *c, char const *word)
{
    for (int i = 0; i < c->count; ++i)
        if (c->hole[i].word[0] && strcmp(c->hole[i].word, word) == 0)
            return &c->hole[i];
    return NULL;
}

/** The value of a hole: star number k, or a word. */
static reshard_capture const *value_of(reshard_captures const *c, reshard_capture const *hole, int k)
{
    for (int i = 0; i < c->count; ++i)
        if (strcmp(c->hole[i].word, hole->word) == 0 && (hole->word[0] || k-- == 0))
            return &c->hole[i];
    return NULL;
}

char *tsr_reshard_name_(char const *pattern, reshard_captures const *c)
{
    size_t size = strlen(pattern) + 24 * RESHARD_HOLES + 1, n = 0;
    int stars = 0;
    for (int i = 0; i < c->count; ++i)
        size += c->hole[i].length;
    char *const name = (char *)malloc(size);
    for (char const *p = pattern; name && *p;) {
        reshard_capture hole;
        int width = 0;
        if (*p != '*' && *p != '{') {
            name[n++] = *p++;
            continue;
        }
        p = tsr_reshard_hole_(p, &hole, &width);
        reshard_capture const *const value = p ? value_of(c, &hole, stars) : NULL;
        if (!value)
            return free(name), NULL;
        stars += !hole.word[0];
        if (hole.word[0]) {
            width = width > value->width ? width : value->width;
            n += (size_t)snprintf(name + n, size - n, "%0*lld", width, (long long)(value->number + hole.first));
        } else {
            memcpy(name + n, value->begin, value->length);
            n += value->length;
        }
    }
    if (name)
        name[n] = 0;
    return name;
}
