/** Texts of distributions: scalapack(..), dtensor(..), xla(..), hpf(..). */
#include <string.h>

#include "dist/scan.h"
#include "tessera/dist/make.h"

bool tsr_dist_wrong_(dist_scan *s, char const *words)
{
    (void)tsr_dist_fail_(s->error, "%s, at character %zu", words, s->at);
    s->error->at = s->at;
    return false;
}

bool tsr_dist_next_(dist_scan *s, char const *word)
{
    size_t const n = strlen(word);
    while (s->text[s->at] == ' ' || s->text[s->at] == '\t')
        ++s->at;
    if (strncmp(s->text + s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

bool tsr_dist_expect_(dist_scan *s, char const *word)
{
    char words[64];
    if (tsr_dist_next_(s, word))
        return true;
    snprintf(words, sizeof words, "`%s` is needed here", word);
    return tsr_dist_wrong_(s, words);
}

bool tsr_dist_integer_(dist_scan *s, int64_t *value)
{
    int digits = 0;
    (void)tsr_dist_next_(s, "");
    for (*value = 0; s->text[s->at] >= '0' && s->text[s->at] <= '9' && digits < 18; ++s->at, ++digits)
        *value = 10 * *value + (s->text[s->at] - '0');
    return digits > 0 || tsr_dist_wrong_(s, "an integer is needed here");
}

bool tsr_dist_integers_(dist_scan *s, char const *open, char const *close, int most, int64_t *value, int *n)
{
    *n = 0;
    if (!tsr_dist_expect_(s, open))
        return false;
    while (!tsr_dist_next_(s, close)) {
        if (*n == most)
            return tsr_dist_wrong_(s, "there are too many integers");
        if (!tsr_dist_integer_(s, &value[(*n)++]))
            return false;
        if (!tsr_dist_next_(s, ",") && (tsr_dist_next_(s, "") && strncmp(s->text + s->at, close, strlen(close)) != 0))
            return tsr_dist_wrong_(s, "`,` or an end is needed here");
    }
    return true;
}

static bool scan_scalapack(dist_scan *s, tsr_dist_layout *d)
{
    int64_t v[9] = {0};
    int n = 0;
    bool columns = false;
    if (!tsr_dist_expect_(s, "("))
        return false;
    do {
        columns = tsr_dist_next_(s, "C");
        if (!columns && n == 9)
            return tsr_dist_wrong_(s, "a descriptor has at most 9 integers");
        if (!columns && !tsr_dist_integer_(s, &v[n++]))
            return false;
    } while (!columns && tsr_dist_next_(s, ","));
    if (n != 6 && n != 8 && n != 9)
        return tsr_dist_wrong_(s, "a descriptor is M,N,MB,NB,P,Q, then RSRC,CSRC and LLD where they are given");
    tsr_scalapack const x = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], columns};
    return tsr_dist_expect_(s, ")") && tsr_dist_from_scalapack(&x, d, s->error);
}

static bool scan_placement(dist_scan *s, tsr_placement *p)
{
    int64_t v[2] = {0};
    int n = 0;
    bool const strided = tsr_dist_next_(s, "SS"), shard = strided || tsr_dist_next_(s, "S");
    p->kind = strided ? TSR_PLACE_STRIDED : shard ? TSR_PLACE_SHARD : TSR_PLACE_REPLICATE;
    if (!shard && tsr_dist_next_(s, "P"))
        p->kind = TSR_PLACE_PARTIAL;
    else if (!shard && !tsr_dist_next_(s, "R"))
        return tsr_dist_wrong_(s, "a placement is S(mode), SS(mode,factor), R or P");
    if (shard && (!tsr_dist_integers_(s, "(", ")", 2, v, &n) || n != 1 + strided))
        return tsr_dist_wrong_(s, "S has a mode, SS a mode and a factor");
    p->mode = (int)tsr_min64(v[0], TSR_DIST_MODES);
    p->factor = v[1];
    return true;
}

static bool scan_dtensor(dist_scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    int64_t mesh[TSR_DIST_SPLITS];
    tsr_placement placement[TSR_DIST_SPLITS];
    int axes = 0;
    if (!tsr_dist_integers_(s, "(", ")", TSR_DIST_SPLITS, mesh, &axes) || !tsr_dist_expect_(s, ",")
        || !tsr_dist_expect_(s, "["))
        return false;
    for (int a = 0; a < axes; ++a)
        if ((a > 0 && !tsr_dist_expect_(s, ",")) || !scan_placement(s, &placement[a]))
            return false;
    return tsr_dist_expect_(s, "]")
           && tsr_dist_from_placements(modes, extent, axes, mesh, placement, NULL, d, s->error);
}

static bool scan_hpf(dist_scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    tsr_hpf_format format[TSR_DIST_MODES];
    int64_t grid[TSR_DIST_MODES], size = 0;
    int axes = 0, n = 0;
    if (!tsr_dist_expect_(s, "("))
        return false;
    for (int m = 0; m < modes; ++m) {
        if (m > 0 && !tsr_dist_expect_(s, ","))
            return false;
        bool const block = tsr_dist_next_(s, "BLOCK"), cyclic = !block && tsr_dist_next_(s, "CYCLIC");
        tsr_hpf_format const f = {block ? TSR_HPF_BLOCK : cyclic ? TSR_HPF_CYCLIC : TSR_HPF_WHOLE, 0};
        format[m] = f;
        if (!block && !cyclic && !tsr_dist_next_(s, "*"))
            return tsr_dist_wrong_(s, "a format is *, BLOCK, BLOCK(m), CYCLIC or CYCLIC(k)");
        if ((block || cyclic) && tsr_dist_next_(s, "") && s->text[s->at] == '(') {
            if (!tsr_dist_integers_(s, "(", ")", 1, &size, &n) || n != 1 || size < 1)
                return tsr_dist_wrong_(s, "the size of a block is positive");
            format[m].size = size;
        }
    }
    return tsr_dist_expect_(s, ")") && tsr_dist_expect_(s, ",")
           && tsr_dist_integers_(s, "(", ")", TSR_DIST_MODES, grid, &axes)
           && tsr_dist_from_hpf(modes, extent, format, axes, grid, d, s->error);
}

bool tsr_dist_parse(char const *text, tsr_dist_layout *d, tsr_message *error)
{
    static bool (*const makers[])(dist_scan *, int, int64_t const *, tsr_dist_layout *) = {
        scan_dtensor, tsr_dist_scan_sharding_, scan_hpf};
    static char const *const names[] = {"dtensor(", "xla(", "hpf("};
    dist_scan s = {text, 0, error};
    int64_t extent[TSR_DIST_MODES], first = 0;
    int modes = 0, k = 0;
    error->text[0] = 0;
    error->at = 0;
    if (tsr_dist_next_(&s, "scalapack")) {
        if (!scan_scalapack(&s, d))
            return false;
    } else {
        while (k < 3 && !tsr_dist_next_(&s, names[k]))
            ++k;
        if (k == 3)
            return tsr_dist_wrong_(&s, "a distribution is scalapack(..), dtensor(..), xla(..) or hpf(..)");
        if (!tsr_dist_integers_(&s, "(", ")", TSR_DIST_MODES, extent, &modes) || !tsr_dist_expect_(&s, ",")
            || !makers[k](&s, modes, extent, d) || !tsr_dist_expect_(&s, ")"))
            return false;
    }
    if (tsr_dist_next_(&s, "@") && !tsr_dist_integer_(&s, &first))
        return false;
    d->first += first;
    if (tsr_dist_next_(&s, "") && s.text[s.at])
        return tsr_dist_wrong_(&s, "the text goes on behind its end");
    return tsr_dist_check(d, error);
}
