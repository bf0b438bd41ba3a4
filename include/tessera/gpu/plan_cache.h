/** Plans by what they are for: a hash table of plans that are run again at other addresses.
 *
 *      tsr_gpu_key key;
 *      tsr_gpu_key_begin(&key);
 *      tsr_gpu_key_put(&key, MY_COPY);                                    any words that the plan depends on,
 *      tsr_gpu_key_put_tensor(&key, &x), tsr_gpu_key_put_tensor(&key, &y);     types, layouts and places of tensors
 *      p = tsr_gpu_plan_find(&cache, &key);
 *      if (p && tsr_gpu_is_apart(p->bytes, &key, 1))                      y, array 1 of the key, overlaps no other one
 *          r = tsr_gpu_copy_run(p->plan, key.address[0], key.address[1], stream);
 *      else .. make a plan, run it, and tsr_gpu_plan_insert(&cache, &key, bytes, plan)
 *
 *  A key has the words that are put into it. Of a tensor these are its type, layout, space and its address modulo
 *  TSR_GPU_KEY_ALIGNED bytes, so a plan serves every tensor of the same words. Whether memory overlaps is no part of a
 *  key: tsr_gpu_is_apart says it of each call.
 *
 *  A cache is a value of the caller's: all 0 but for `drop`, which frees a plan. One thread uses it at a time: threads
 *  have a cache each, or a lock around it. An entry lives until tsr_gpu_plan_clear, or until an insertion finds
 *  TSR_GPU_PLANS entries, which drops them all.
 *
 *  Law     tsr_gpu_plan_find gives the entry of an equal key, word by word, and NULL where there is none.
 *  Errors  none: a key that is full puts no more and says false; such a key is not to be used. An entry for which there
 *          is no memory is NULL, and the plan stays the caller's.
 *  Source  PyTorch, the guards of torch.compile; CUDA graphs, cudaGraphExecUpdate. */
#ifndef TSR_GPU_PLAN_CACHE_H
#define TSR_GPU_PLAN_CACHE_H

#include "tessera/tensor/tensor.h"

TSR_HEADER_BEGIN

enum {
    TSR_GPU_KEY_WORDS = 320,
    TSR_GPU_KEY_ARRAYS = 8,
    TSR_GPU_KEY_ALIGNED = 256,
    TSR_GPU_PLAN_BUCKETS = 1024,
    TSR_GPU_PLANS = 4096
};

/** What a call is planned by, and the addresses of its arrays, which are no part of it. */
typedef struct tsr_gpu_key {
    int words, arrays;
    uint64_t hash, address[TSR_GPU_KEY_ARRAYS], word[TSR_GPU_KEY_WORDS];
} tsr_gpu_key;

/** How many bytes an array has before its address and from there on. */
typedef struct tsr_gpu_bytes {
    int64_t before, behind;
} tsr_gpu_bytes;

/** A plan of a cache, and how far the arrays of its key reach. */
typedef struct tsr_gpu_cached_plan {
    struct tsr_gpu_cached_plan *next;
    uint64_t hash;
    uint64_t const *word;
    int words;
    tsr_gpu_bytes bytes[TSR_GPU_KEY_ARRAYS];
    void *plan; /* the cache owns it */
} tsr_gpu_cached_plan;

typedef struct tsr_gpu_plan_cache {
    void (*drop)(void *plan);
    int entries;
    tsr_gpu_cached_plan *bucket[TSR_GPU_PLAN_BUCKETS];
} tsr_gpu_plan_cache;

/** A key without words and arrays. */
TSR_REF void tsr_gpu_key_begin(tsr_gpu_key *k)
{
    k->words = k->arrays = 0;
    k->hash = 0;
}

/** Puts a word. False: the key is full. */
TSR_REF bool tsr_gpu_key_put(tsr_gpu_key *k, uint64_t word)
{
    if (k->words == TSR_GPU_KEY_WORDS)
        return false;
    k->word[k->words++] = word;
    k->hash = (k->hash ^ word) * 0x9e3779b97f4a7c15u;
    k->hash ^= k->hash >> 29;
    return true;
}

/** Puts a text, its length first. */
TSR_API bool tsr_gpu_key_put_text(tsr_gpu_key *k, char const *text, size_t length);

/** Puts a layout. False also of a swizzled one. */
TSR_API bool tsr_gpu_key_put_layout(tsr_gpu_key *k, tsr_layout const *l);

/** Puts a tensor as the next array. False also where its elements are no memory as it is, or begin inside of a byte. */
TSR_API bool tsr_gpu_key_put_tensor(tsr_gpu_key *k, tsr_tensor const *t);

/** The bytes that a tensor reaches from its address. */
TSR_API tsr_gpu_bytes tsr_gpu_bytes_of(tsr_tensor const *t);

/** Whether array w of a key overlaps no other one. */
TSR_API bool tsr_gpu_is_apart(tsr_gpu_bytes const *bytes, tsr_gpu_key const *k, int w);

/** The entry of an equal key, or NULL. */
TSR_API tsr_gpu_cached_plan *tsr_gpu_plan_find(tsr_gpu_plan_cache const *c, tsr_gpu_key const *k);

/** A new entry, of a key that has none, with the reach of its arrays. It takes the plan. NULL: there is no memory. */
TSR_API tsr_gpu_cached_plan *tsr_gpu_plan_insert(tsr_gpu_plan_cache *c, tsr_gpu_key const *k,
                                                 tsr_gpu_bytes const *bytes, void *plan);

/** Drops all plans. */
TSR_API void tsr_gpu_plan_clear(tsr_gpu_plan_cache *c);

TSR_HEADER_END

#endif
