/** Samples and formulas, OVER|TEXT: over ranges (with =) a formula, else lines over a shape. What explains them has
 *  their values. */
#include "fuzz.h"

#include <string.h>

#include "in_time.h"
#include "tessera/samples.h"

static int64_t value[TSR_LAW_BUDGET], work[2 * TSR_LAW_BUDGET];
static tsr_found found[TSR_FORMS];

/** Does what was found, a layout or a map, have the value of every sample? */
static bool right(tsr_samples const *s, tsr_found const *r)
{
    for (int64_t c = 0; c < s->count; ++c) {
        int64_t const v = r->form == TSR_FORM_LINEAR ? (int64_t)tsr_linear_at(&r->map, (uint64_t)c)
                          : r->form == TSR_FORM_SUM
                              ? tsr_wrap_add(tsr_layout_offset(&r->layout, c), tsr_layout_offset(&r->second, c))
                              : tsr_layout_offset(&r->layout, c);
        if (s->value[c] != TSR_BAD_OFFSET && s->value[c] != v)
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    clock_t const begin = clock();
    char *const text = fuzz_text(data, size);
    char *const second = text ? strchr(text, '|') : NULL;
    tsr_samples s = tsr_make_samples(value, TSR_LAW_BUDGET, work, 2 * TSR_LAW_BUDGET);
    tsr_message error;
    if (second) {
        *second = 0;
        tsr_tuple const shape = tsr_parse_tuple(text, TSR_TEXT_STATIC, NULL);
        bool const ok = strchr(text, '=') ? tsr_samples_formula(&s, second + 1, text, &error)
                                          : tsr_samples_read(&s, second + 1, text[0] ? shape : tsr_unit(), &error);
        if (!ok && !error.text[0])
            abort();
        if (ok && s.count <= 4096) {
            (void)tsr_samples_explain(&s, 0, found);
            for (int i = 0; i < TSR_FORMS; ++i)
                if (found[i].ok && i != TSR_FORM_DESCRIPTOR && !right(&s, &found[i]))
                    abort();
        }
    }
    free(text);
    check_time(begin);
    return 0;
}
