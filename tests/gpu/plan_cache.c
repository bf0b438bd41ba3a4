/* Keys of plans, and the cache of those: beside a list of all keys that were put in. */
#include <stdio.h>
#include <string.h>

#include "../random.h"
#include "tessera/gpu/plan_cache.h"
#include "tessera/tessera.h"

static int failed, dropped;

static void check(bool right, char const *what)
{
    failed += !right;
    if (!right)
        printf("failed: %s\n", what);
}

static void drop(void *plan)
{
    ++*(int *)plan;
    ++dropped;
}

static tsr_gpu_key key_of(tsr_tensor x, tsr_tensor y)
{
    tsr_gpu_key k;
    tsr_gpu_key_begin(&k);
    check(tsr_gpu_key_put(&k, 1) && tsr_gpu_key_put_tensor(&k, &x) && tsr_gpu_key_put_tensor(&k, &y), "a key");
    return k;
}

static bool same(tsr_gpu_key const *a, tsr_gpu_key const *b)
{
    return a->words == b->words && memcmp(a->word, b->word, (size_t)a->words * sizeof a->word[0]) == 0;
}

static tsr_tensor at(uint64_t address, tsr_layout l, tsr_dtype type)
{
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)address), type), l);
}

/** What a key tells apart, and what not. */
static void try_keys(void)
{
    tsr_layout const l = tsr_make_layout(tsr_t(4, 8)), turned = tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1));
    tsr_layout const swizzled = tsr_composition_swizzle(l, tsr_make_swizzle(1, 2, 2));
    tsr_tensor const x = at(4096, l, TSR_F32), y = at(8192, l, TSR_F32);
    tsr_gpu_key const k = key_of(x, y);
    tsr_gpu_key other = key_of(at(256 * 7, l, TSR_F32), at(256 * 9, l, TSR_F32));
    check(same(&k, &other) && other.address[1] == 256 * 9, "other addresses, the same key");
    other = key_of(at(4096 + 16, l, TSR_F32), y);
    check(!same(&k, &other), "another place");
    other = key_of(at(4096, turned, TSR_F32), y);
    check(!same(&k, &other), "another layout");
    other = key_of(at(4096, l, TSR_I32), y);
    check(!same(&k, &other), "another type");
    tsr_gpu_key_begin(&other);
    check(!tsr_gpu_key_put_layout(&other, &swizzled), "a swizzled layout");
    tsr_tensor const counted = tsr_make_tensor(tsr_counting_iter(tsr_int(3)), 4);
    check(!tsr_gpu_key_put_tensor(&other, &counted), "a computed tensor");
    tsr_gpu_key_begin(&other);
    for (int i = 0; i < TSR_GPU_KEY_ARRAYS; ++i)
        check(tsr_gpu_key_put_tensor(&other, &x), "as many arrays as there may be");
    check(!tsr_gpu_key_put_tensor(&other, &x), "one array more");
    tsr_gpu_key_begin(&other);
    for (int i = 0; i < TSR_GPU_KEY_WORDS - 2; ++i)
        check(tsr_gpu_key_put(&other, 0), "as many words as there may be");
    check(!tsr_gpu_key_put_text(&other, "123456789", 9), "a text that does not fit");
    tsr_gpu_key_begin(&other);
    tsr_gpu_key texts = other;
    check(tsr_gpu_key_put_text(&other, "ab", 2) && tsr_gpu_key_put_text(&texts, "ab\0", 3) && !same(&other, &texts),
          "texts of other lengths");
}

/** Memory that overlaps. */
static void try_apart(void)
{
    tsr_layout const back = tsr_make_layout(8, -1);
    for (int64_t from = 0; from < 128; ++from) {
        tsr_tensor const x = at(1000, tsr_make_layout(tsr_t(4, 2), tsr_t(1, 5)), TSR_F32);
        tsr_tensor const y = at((uint64_t)(960 + from), back, TSR_I8);
        tsr_gpu_key k;
        tsr_gpu_bytes const bytes[2] = {tsr_gpu_bytes_of(&x), tsr_gpu_bytes_of(&y)};
        tsr_gpu_key_begin(&k);
        check(tsr_gpu_key_put_tensor(&k, &x) && tsr_gpu_key_put_tensor(&k, &y), "a key");
        bool const apart = 960 + from < 1000 || 960 + from - 7 >= 1000 + 9 * 4;
        check(tsr_gpu_is_apart(bytes, &k, 0) == apart && tsr_gpu_is_apart(bytes, &k, 1) == apart, "apart");
    }
}

/** Random keys of few words, which come again, and some that have one hash. */
static void try_cache(void)
{
    enum { TRIED = 4000, VALUES = 4096, WORDS = 3 };
    static int plans[VALUES];
    static bool in[VALUES];
    static tsr_gpu_plan_cache cache = {.drop = drop};
    tsr_gpu_bytes const bytes[1] = {{0, 4}};
    int inserted = 0;
    for (int i = 0; i < TRIED; ++i) {
        int const x = (int)below(VALUES);
        tsr_gpu_key k;
        tsr_gpu_key_begin(&k);
        for (int w = 0; w < WORDS; ++w)
            check(tsr_gpu_key_put(&k, (uint64_t)(x >> 4 * w & 15)), "a word");
        k.hash &= 7; /* many of one hash */
        tsr_gpu_cached_plan const *const p = tsr_gpu_plan_find(&cache, &k);
        check((p != NULL) == in[x] && (!p || p->plan == &plans[x]), "the plan of this key");
        if (p)
            continue;
        in[x] = tsr_gpu_plan_insert(&cache, &k, bytes, &plans[x]) != NULL;
        check(in[x], "memory");
        ++inserted;
    }
    check(cache.entries == inserted, "entries");
    tsr_gpu_plan_clear(&cache);
    check(dropped == inserted && cache.entries == 0, "all are dropped");
    for (int x = 0; x < VALUES; ++x)
        check(plans[x] == in[x], "each once");
}

/** One more than the most: all others are dropped before. */
static void try_full(void)
{
    static int plan;
    static tsr_gpu_plan_cache cache = {.drop = drop};
    tsr_gpu_key k;
    dropped = 0;
    for (int i = 0; i <= TSR_GPU_PLANS; ++i) {
        tsr_gpu_key_begin(&k);
        check(tsr_gpu_key_put(&k, (uint64_t)i) && tsr_gpu_plan_insert(&cache, &k, NULL, &plan) != NULL, "memory");
    }
    check(dropped == TSR_GPU_PLANS && cache.entries == 1 && tsr_gpu_plan_find(&cache, &k) != NULL,
          "the last one is there");
    tsr_gpu_plan_clear(&cache);
}

int main(void)
{
    try_keys();
    try_apart();
    try_cache();
    try_full();
    printf("%d failed\n", failed);
    return failed != 0;
}
