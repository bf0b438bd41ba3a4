/** Copies of one tensor in files of several ranks: byte by byte. */
#include <string.h>

#include "reshard/match.h"

enum { SMALL = 1 << 20 };

/** The entry of a rank that has the same elements as `rank`, at coordinates 0 of the axes that copy; itself: none. */
static reshard_entry const *original_of(tsr_reshard const *r, reshard_tensor const *t, reshard_entry const *e)
{
    reshard_entry const *const original = tsr_reshard_entry_(r, t, tsr_reshard_original_(r, t, 0, e->rank));
    return original ? original : e;
}

/** The bytes that are compared: of the file's tensor, or of this part of it where the others are no copies. */
static unsigned char const *compared_bytes(tsr_reshard const *r, reshard_tensor const *t, reshard_entry const *e,
                                           uint64_t *n)
{
    tsr_model const *const m = &r->source[e->source].model;
    tsr_model_tensor const *const x = &m->tensor[e->index];
    reshard_place place;
    tsr_message why;
    int64_t sub = 0;
    *n = x->end - x->begin;
    if (r->spec[0]->rule[t->side[0].rule].heads.count == 0 || !tsr_reshard_holds_(r, t, 0, e->rank, &sub)
        || !tsr_reshard_place_(r, t, 0, sub, &place, &why))
        return m->data + x->begin;
    *n = (uint64_t)(place.part.elements * (tsr_dtype_bits(t->type) / 8));
    return m->data + x->begin + place.base * (tsr_dtype_bits(t->type) / 8);
}

static bool compare(tsr_reshard *r, reshard_tensor *t, reshard_entry const *a, reshard_entry const *b)
{
    reshard_source const *const x = &r->source[a->source], *const y = &r->source[b->source];
    uint64_t n = 0, m = 0;
    unsigned char const *const one = compared_bytes(r, t, a, &n), *const other = compared_bytes(r, t, b, &m);
    r->report.bytes_compared += 2 * (int64_t)n;
    if (m != n || memcmp(one, other, (size_t)n) == 0)
        return true;
    uint64_t at = 0;
    while (one[at] == other[at])
        ++at;
    return tsr_reshard_note_(
        r, TSR_RESHARD_UNEQUAL, t->name,
        "tensor %s of ranks %lld and %lld, which hold copies, differs from element %llu on: %s and %s",
        r->spec[0]->rule[t->side[0].rule].heads.count > 0 ? t->name : x->model.tensor[a->index].name,
        (long long)a->rank, (long long)b->rank, (unsigned long long)(at * 8 / (uint64_t)tsr_dtype_bits(t->type)),
        x->path, y->path);
}

void tsr_reshard_replicas_(tsr_reshard *r)
{
    int64_t touched = 0;
    for (int64_t i = 0; r->replicas != TSR_RESHARD_NONE && i < r->tensors; ++i) {
        reshard_tensor *const t = &r->tensor[i];
        bool const alone = r->spec[0]->rule[t->side[0].rule].heads.count > 0;
        if (!t->valid || t->side[0].slot > 0 || (t->side[0].which > 0 && !alone)) /* they are one in files */
            continue;
        for (reshard_entry const *e = &r->entry[t->first]; e < &r->entry[t->first] + t->count; ++e) {
            tsr_model_tensor const *const x = &r->source[e->source].model.tensor[e->index];
            reshard_entry const *const first = original_of(r, t, e);
            int64_t const bytes = (int64_t)(x->end - x->begin);
            if (first == e || (r->replicas == TSR_RESHARD_SMALL && bytes > SMALL))
                continue;
            if (!compare(r, t, first, e))
                break;
            touched += 2 * bytes;
            for (int64_t s = 0; touched > r->memory / 2 && s < r->sources; ++s)
                tsr_bytes_forget(&r->source[s].model.bytes);
            touched = touched > r->memory / 2 ? 0 : touched;
        }
    }
}
