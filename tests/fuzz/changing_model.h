/** A file of tensors that changes while it is read: what its header says is what its first reading says. */
#ifndef TSR_TESTS_FUZZ_CHANGING_MODEL_H
#define TSR_TESTS_FUZZ_CHANGING_MODEL_H

#include "changing.h"
#include "io/model.h"

static bool changing_same_tensor(tsr_model_tensor const *a, tsr_model_tensor const *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->format, b->format) == 0 && a->type == b->type
           && a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0 && a->elements == b->elements
           && a->begin == b->begin && a->end == b->end;
}

static bool changing_same(tsr_model const *a, tsr_model const *b)
{
    bool same = a->count == b->count && a->notes == b->notes;
    for (int i = 0; same && i < a->count; ++i)
        same = changing_same_tensor(&a->tensor[i], &b->tensor[i]);
    for (int i = 0; same && i < a->notes; ++i)
        same = strcmp(a->note[i].key, b->note[i].key) == 0 && strcmp(a->note[i].value, b->note[i].value) == 0;
    return same;
}

/** Bytes as such a file. */
static void changing_model(uint8_t const *bytes, size_t n, unsigned control, model_judge judge)
{
    tsr_model model, first;
    tsr_message error = {0, ""}, first_error = {0, ""};
    uint8_t *const exact = (uint8_t *)malloc(n ? n : 1); /* so that a read beyond the end is seen */
    if (!exact)
        return;
    memcpy(exact, bytes, n);
    bool const first_ok = tsr_model_view_(exact, n, judge, &first, &first_error);
    changing c = changing_open(bytes, n, control);
    bool const ok = tsr_model_read_(&c.source, judge, &model, &error);
    changing_check(&c, ok, error.text, first_ok, first_error.text);
    if (ok && first_ok && !changing_same(&model, &first))
        abort();
    uint64_t const begin = ok ? (uint64_t)(model.data - (unsigned char const *)model.bytes.data) : 0;
    for (int i = 0; ok && i < model.count; ++i)
        if (begin + model.tensor[i].end > model.bytes.size || model.bytes.size > n)
            abort();
    changing_close(&c);
    if (ok)
        tsr_model_close(&model);
    if (first_ok)
        tsr_model_close(&first);
    free(exact);
}

#endif
