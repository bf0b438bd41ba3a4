/** Plans by what they are for: keys of words, and a hash table. */
#include "tessera/gpu/plan_cache.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/core/offset.h"

/* Keys */

bool tsr_gpu_key_put_text(tsr_gpu_key *k, char const *text, size_t length)
{
    bool fits = tsr_gpu_key_put(k, length);
    for (size_t at = 0; at < length && fits; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, text + at, length - at < sizeof word ? length - at : sizeof word);
        fits = tsr_gpu_key_put(k, word);
    }
    return fits;
}

static bool put_tuple(tsr_gpu_key *k, tsr_tuple const *t)
{
    bool fits = tsr_gpu_key_put(k, (uint64_t)t->status << 8 | t->leaves);
    for (int i = 0; i < t->leaves && fits; ++i) {
        uint64_t word[sizeof(tsr_leaf) / sizeof(uint64_t)];
        memcpy(word, &t->leaf[i], sizeof word);
        fits = tsr_gpu_key_put(k, word[0]) && tsr_gpu_key_put(k, word[1]);
    }
    return fits;
}

bool tsr_gpu_key_put_layout(tsr_gpu_key *k, tsr_layout const *l)
{
    return !l->composed && put_tuple(k, &l->shape) && put_tuple(k, &l->stride);
}

bool tsr_gpu_key_put_tensor(tsr_gpu_key *k, tsr_tensor const *t)
{
    tsr_engine const *const e = &t->engine;
    if (k->arrays == TSR_GPU_KEY_ARRAYS || e->kind != TSR_POINTER || e->bit != 0 || e->swizzle.bits > 0
        || e->map.kind != TSR_AS_IS)
        return false;
    k->address[k->arrays++] = e->address;
    return tsr_gpu_key_put(k, (uint64_t)1 << 63 | (uint64_t)e->type << 32 | (uint64_t)e->space << 16
                                  | (uint64_t)e->constant << 8 | e->address % TSR_GPU_KEY_ALIGNED)
           && tsr_gpu_key_put_layout(k, &t->layout);
}

tsr_gpu_bytes tsr_gpu_bytes_of(tsr_tensor const *t)
{
    tsr_ends const ends = tsr_ends_of(&t->layout);
    int64_t const bits = tsr_dtype_bits(t->engine.type);
    tsr_gpu_bytes r;
    r.before = ends.low < 0 ? (-ends.low * bits + 7) / 8 : 0;
    r.behind = ((ends.high + 1) * bits + 7) / 8;
    return r;
}

bool tsr_gpu_is_apart(tsr_gpu_bytes const *bytes, tsr_gpu_key const *k, int w)
{
    uint64_t const begin = k->address[w] - (uint64_t)bytes[w].before, end = k->address[w] + (uint64_t)bytes[w].behind;
    for (int i = 0; i < k->arrays; ++i)
        if (i != w && k->address[i] - (uint64_t)bytes[i].before < end
            && begin < k->address[i] + (uint64_t)bytes[i].behind)
            return false;
    return true;
}

/* The table */

tsr_gpu_cached_plan *tsr_gpu_plan_find(tsr_gpu_plan_cache const *c, tsr_gpu_key const *k)
{
    for (tsr_gpu_cached_plan *p = c->bucket[k->hash % TSR_GPU_PLAN_BUCKETS]; p; p = p->next)
        if (p->hash == k->hash && p->words == k->words
            && memcmp(p->word, k->word, (size_t)k->words * sizeof *k->word) == 0)
            return p;
    return NULL;
}

tsr_gpu_cached_plan *tsr_gpu_plan_insert(tsr_gpu_plan_cache *c, tsr_gpu_key const *k, tsr_gpu_bytes const *bytes,
                                         void *plan)
{
    size_t const size = (size_t)k->words * sizeof *k->word;
    if (c->entries >= TSR_GPU_PLANS)
        tsr_gpu_plan_clear(c);
    tsr_gpu_cached_plan *const p = (tsr_gpu_cached_plan *)malloc(sizeof *p + size);
    if (!p)
        return NULL;
    tsr_gpu_cached_plan **const first = &c->bucket[k->hash % TSR_GPU_PLAN_BUCKETS];
    *p = (tsr_gpu_cached_plan){.next = *first, .hash = k->hash, .words = k->words, .plan = plan};
    for (int i = 0; i < k->arrays; ++i)
        p->bytes[i] = bytes[i];
    memcpy(p + 1, k->word, size);
    p->word = (uint64_t const *)(p + 1);
    ++c->entries;
    return *first = p;
}

void tsr_gpu_plan_clear(tsr_gpu_plan_cache *c)
{
    c->entries = 0;
    for (int i = 0; i < TSR_GPU_PLAN_BUCKETS; ++i) {
        tsr_gpu_cached_plan *p = c->bucket[i], *next;
        c->bucket[i] = NULL; /* `drop` may call the cache */
        for (; p; p = next) {
            next = p->next;
            c->drop(p->plan);
            free(p);
        }
    }
}
