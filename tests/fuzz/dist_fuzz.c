/** Two texts of distributions: what is accepted keeps its law, and small pairs are redistributed, each element once. */
#include "fuzz.h"

#include <string.h>

#include "in_time.h"
#include "tessera/mesh.h"

/** Reads and writes a distribution; the law holds of what was read. */
static bool read_one(char const *text, tsr_dist_layout *d)
{
    char out[TSR_TEXT_SIZE];
    tsr_message error;
    tsr_layout l;
    if (!tsr_dist_parse(text, d, &error))
        return false;
    if (!tsr_dist_check(d, &error) || tsr_dist_format(out, sizeof out, d) == 0)
        abort();
    if (tsr_dist_as_layout(d, &l, &error) && !tsr_layout_ok(l))
        abort();
    return true;
}

static int64_t elements_of(tsr_dist_layout const *d)
{
    int64_t n = tsr_dist_copies(d) * tsr_dist_sums(d);
    for (int m = 0; m < d->modes; ++m)
        n = tsr_mul64_most(n, tsr_max64(tsr_max64(d->extent[m], d->pitch[m]), 1));
    return n;
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    clock_t const begin = clock();
    tsr_dist_layout from, to;
    tsr_dist_plan p;
    tsr_dist_simulation s;
    tsr_dist_clock const model = {1e-6, 1e9, 2};
    tsr_message error;
    char *const text = fuzz_text(data, size);
    char *const second = text ? strchr(text, '>') : NULL;
    if (second)
        *second = 0;
    if (second && read_one(text, &from) && read_one(second + 1, &to)
        && tsr_dist_plan_make(&from, &to, tsr_dist_ranks(&to) / 2, 2, &p, &error)) {
        if (p.receive_elements != tsr_dist_plan_least(&p))
            abort();
        tsr_dist_plan_free(&p);
        if (elements_of(&from) + elements_of(&to) < 5000 && tsr_dist_ranks(&from) + tsr_dist_ranks(&to) < 500
            && (!tsr_dist_simulate(&from, &to, 4, model, true, &s, &error) || s.elements != s.least))
            abort();
    }
    free(text);
    check_time(begin);
    return 0;
}
