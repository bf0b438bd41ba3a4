/** What the emulator refuses, each provoked once: the words of the sentence, and under which schedules it comes. */
#include "tessera/emulate/run.h"

#include "tessera/cuda/bulk.cuh"
#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/launch.cuh"
#include "tessera/cuda/tcgen05.cuh"
#include "tessera/cuda/tma.cuh"
#include "product.h"

static int bad, tried;

/** Some schedule must refuse the kernel with these words. */
template <class Kernel> static void must_refuse(char const *text, Kernel kernel, int threads = 32, int ctas = 1)
{
    bool found = false;
    std::string other;
    ++tried;
    for (int i = 0; i < TSR_SCHEDULES && !found; ++i) {
        tsr_emulated_launch l;
        l.grid = l.cluster = dim3((unsigned)ctas);
        l.threads = threads;
        l.schedule = (tsr_emulated_schedule)i;
        for (std::string const &x : tsr_emulate(l, kernel)) {
            found = found || x.find(text) != std::string::npos;
            other += "\n    " + x;
        }
    }
    if (!found) {
        ++bad;
        printf("no refusal \"%s\", but%s\n", text, other.empty() ? " none" : other.c_str());
    }
}

/** And none of them this one. */
template <class Kernel> static void must_accept(Kernel kernel, int threads = 32)
{
    ++tried;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        tsr_emulated_launch l;
        l.threads = threads;
        l.schedule = (tsr_emulated_schedule)i;
        for (std::string const &x : tsr_emulate(l, kernel))
            ++bad, printf("refused: %s\n", x.c_str());
    }
}

struct memory {
    uint8_t a[16384], b[16384];
    tsr_barrier full, done;
    uint32_t slot;
};
static memory &mine(void) { return *tsr_dynamic_smem<memory>(); }

/** Barriers that are ready, and columns that are allocated; then `body(address)` and the end of it. */
template <int Ctas, class Body> static void with_tmem(int columns, Body body)
{
    memory &s = mine();
    if (threadIdx.x == 0) {
        tsr_barrier_init(&s.full, 1);
        tsr_barrier_init(&s.done, 1);
        memset(s.a, 0, sizeof s.a + sizeof s.b);
    }
    if (threadIdx.x < 32)
        tsr_tcgen05_alloc<Ctas>(&s.slot, columns);
    __syncthreads();
    if (Ctas == 2)
        tsr_cluster_sync();
    body(s.slot);
    tsr_tcgen05_fence_before();
    if (Ctas == 2)
        tsr_cluster_sync();
    __syncthreads();
    if (threadIdx.x < 32)
        tsr_tcgen05_dealloc<Ctas>(s.slot, columns);
}

/** A tile of 128 rows of 128 bytes, swizzled. */
static uint64_t desc(void const *at)
{
    return (uint64_t)(tsr_smem_address(at) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61;
}
static uint32_t const F16_WORD = 1u << 4 | (64 / 8) << 17 | (128 / 16) << 24; /* (128,64,16) of halves */

template <int Ctas = 1> static void multiply(uint32_t c, uint64_t a, uint64_t b, uint32_t word, bool add = false)
{
    tsr_tcgen05_mma<TSR_UMMA_KIND_F16, Ctas, 0, 0, TSR_UMMA_COLLECT_NONE>({c, a, b, word, add, 0, 0, 0});
}

/** One mma by thread 0, then a commit that all wait for. */
template <class Issue> static void one_product(Issue issue)
{
    memory &s = mine();
    if (threadIdx.x == 0) {
        issue();
        tsr_tcgen05_commit<1>(&s.done);
    }
    tsr_barrier_wait(&s.done, 0);
    tsr_tcgen05_fence_after();
}

static void refuse_tensor_memory(void)
{
    must_refuse("before anything was written", [] {
        with_tmem<1>(32, [](uint32_t c) {
            uint32_t r[1];
            tsr_tcgen05_ld<32, 32, 1, false>(c, r);
            tsr_tcgen05_wait_ld();
        });
    });
    must_refuse("is not allocated", [] {
        with_tmem<1>(32, [](uint32_t c) {
            uint32_t r[1] = {1};
            tsr_tcgen05_st<32, 32, 1, false>(c + 32, r);
            tsr_tcgen05_wait_st();
        });
    });
    must_refuse("which has 512", [] {
        with_tmem<1>(512, [](uint32_t c) {
            uint32_t r[8] = {};
            tsr_tcgen05_st<32, 32, 8, false>(c + 508, r);
            tsr_tcgen05_wait_st();
        });
    });
    must_refuse("lane 32 by warp 0", [] {
        with_tmem<1>(32, [](uint32_t c) {
            uint32_t r[1] = {1};
            tsr_tcgen05_st<32, 32, 1, false>(c + (32u << 16), r);
            tsr_tcgen05_wait_st();
        });
    });
    must_refuse("all lanes give the same", [] {
        with_tmem<1>(32, [](uint32_t c) {
            uint32_t r[1] = {1};
            tsr_tcgen05_st<32, 32, 1, false>(c + threadIdx.x / 31, r);
            tsr_tcgen05_wait_st();
        });
    });
    must_refuse("without tsr_tmem_wait_load", [] {
        with_tmem<1>(32, [](uint32_t c) {
            static uint32_t r[32];
            tsr_tcgen05_st<32, 32, 1, false>(c, &r[threadIdx.x]);
            tsr_tcgen05_wait_st();
            tsr_tcgen05_ld<32, 32, 1, false>(c, &r[threadIdx.x]);
        });
    });
    must_refuse("changed before tsr_tmem_wait_load", [] {
        with_tmem<1>(32, [](uint32_t c) {
            uint32_t r[1] = {1};
            tsr_tcgen05_st<32, 32, 1, false>(c, r);
            tsr_tcgen05_wait_st();
            tsr_tcgen05_ld<32, 32, 1, false>(c, r);
            r[0] += 1;
            tsr_tcgen05_wait_ld();
        });
    });
    must_refuse(
        "fence::after_thread_sync is between (tsr_umma_after), or the wait in front of it is missing",
        [] {
            with_tmem<1>(64, [](uint32_t c) {
                if (threadIdx.x == 0) {
                    multiply(c, desc(mine().a), desc(mine().b), F16_WORD);
                    tsr_tcgen05_commit<1>(&mine().done);
                }
                tsr_barrier_wait(&mine().done, 0);
                if (threadIdx.x < 64 && threadIdx.x >= 32) {
                    uint32_t r[1];
                    tsr_tcgen05_ld<32, 32, 1, false>(c + (32u << 16), r);
                    tsr_tcgen05_wait_ld();
                }
            });
        },
        64);
    must_refuse(
        "fence::before_thread_sync",
        [] {
            with_tmem<1>(64, [](uint32_t c) {
                uint32_t r[1] = {0};
                tsr_tcgen05_st<32, 32, 1, false>(c + (threadIdx.x / 32 * 32 << 16), r);
                tsr_tcgen05_wait_st();
                __syncthreads();
                tsr_tcgen05_fence_after();
                if (threadIdx.x == 0) {
                    multiply(c, desc(mine().a), desc(mine().b), F16_WORD);
                    tsr_tcgen05_commit<1>(&mine().done);
                }
                tsr_barrier_wait(&mine().done, 0);
            });
        },
        64);
}

/** Two warps write; the one that frees knows only of its own. */
static void free_written(bool handed_on)
{
    with_tmem<1>(32, [=](uint32_t c) {
        uint32_t r[1] = {0};
        if (threadIdx.x >= 32)
            tsr_tcgen05_st<32, 32, 1, false>(c + (32u << 16), r);
        tsr_tcgen05_wait_st();
        if (handed_on)
            tsr_tcgen05_fence_before();
        __syncthreads();
        if (threadIdx.x < 32)
            tsr_tcgen05_dealloc<1>(c, 32);
        __syncthreads();
        if (threadIdx.x < 32)
            tsr_tcgen05_alloc<1>(&mine().slot, 32);
    });
}

static void refuse_allocations(void)
{
    must_refuse(
        "tcgen05.dealloc: column 0 was written by warp 1", [] { free_written(false); }, 64);
    must_accept([] { free_written(true); }, 64);
    must_refuse("48 columns", [] { tsr_tcgen05_alloc<1>(&mine().slot, 48); });
    must_refuse("wait for ever for 512",
                [] { with_tmem<1>(32, [](uint32_t) { tsr_tcgen05_alloc<1>(&mine().slot, 512); }); });
    must_refuse("gave up its permit", [] {
        tsr_tcgen05_relinquish<1>();
        tsr_tcgen05_alloc<1>(&mine().slot, 32);
    });
    must_refuse("ends with 32 columns", [] { tsr_tcgen05_alloc<1>(&mine().slot, 32); });
    must_refuse("or it was freed before",
                [] { with_tmem<1>(32, [](uint32_t c) { tsr_tcgen05_dealloc<1>(c, 32); }); });
    must_refuse("no allocation of 64 columns",
                [] { with_tmem<1>(32, [](uint32_t c) { tsr_tcgen05_dealloc<1>(c, 64); }); });
    must_refuse("cta_group::2 in a kernel of cta_group::1", [] {
        with_tmem<1>(32, [](uint32_t) {
            tsr_tcgen05_relinquish<1>();
            tsr_tcgen05_commit<2>(&mine().done);
        });
    });
    must_refuse("in a cluster of 1 CTAs", [] { tsr_tcgen05_alloc<2>(&mine().slot, 32); });
}

/** Two products of the first 64 columns by way of collector buffers, `change` made between them. */
template <int Flags, int First, int Second, class Change> static void collect_twice(Change change)
{
    with_tmem<1>(64, [=](uint32_t c) {
        memory &s = mine();
        tsr_umma_issue const x = {c, desc(s.a), desc(s.b), F16_WORD, false, 0, 0, 0};
        one_product([=] { tsr_tcgen05_mma<TSR_UMMA_KIND_F16, 1, Flags, 0, First>(x); });
        change(s);
        __syncthreads();
        if (threadIdx.x == 0) {
            tsr_tcgen05_mma<TSR_UMMA_KIND_F16, 1, Flags, 0, Second>(x);
            tsr_tcgen05_commit<1>(&s.done);
        }
        tsr_barrier_wait(&s.done, 1);
        tsr_tcgen05_fence_after();
    });
}

static void refuse_buffers(void)
{
    enum { FILL = TSR_UMMA_COLLECT_FILL, USE = TSR_UMMA_COLLECT_USE, LAST = TSR_UMMA_COLLECT_LASTUSE };
    enum { B1 = TSR_UMMA_BUFFER(1), B2 = TSR_UMMA_BUFFER(2), WS = TSR_UMMA_WS };
    auto const nothing = [](memory &) {};
    auto const of_a = [](memory &s) { s.a[1] = 0x3c; };
    auto const of_b = [](memory &s) { s.b[1] = 0x3c; };
    must_refuse("collector::a is used", [=] { collect_twice<0, USE, FILL>(nothing); });
    must_refuse("collector::a is used", [=] { collect_twice<0, 0, LAST>(nothing); });
    must_refuse("collector::b2 is used", [=] { collect_twice<WS, B1 + FILL, B2 + USE>(nothing); });
    must_refuse("collector::b0 is used", [=] { collect_twice<WS, B1 + FILL, USE>(nothing); });
    must_refuse("collector::b1 is used", [=] { collect_twice<WS, B1 + LAST, B1 + FILL>(nothing); });
    must_refuse("collector::a of CTA 0 was filled with another matrix", [=] { collect_twice<0, FILL, USE>(of_a); });
    must_refuse("collector::b1 of CTA 0 was filled with another matrix",
                [=] { collect_twice<WS, B1 + FILL, B1 + LAST>(of_b); });
    must_accept([=] { collect_twice<0, FILL, LAST>(of_b); });
    must_accept([=] { collect_twice<WS, B1 + FILL, B1 + USE>(of_a); });
}

/** A product of .ws by a word and a column mask. */
template <int Collect = TSR_UMMA_COLLECT_NONE>
static void refuse_zeroed(char const *text, uint32_t word, uint64_t mask)
{
    must_refuse(text, [=] {
        with_tmem<1>(64, [=](uint32_t c) {
            one_product([=] {
                tsr_tcgen05_mma_zeroed<TSR_UMMA_KIND_F16, 0, Collect>(
                    {c, desc(mine().a), desc(mine().b), word, false, 0, 0, 0}, mask);
            });
        });
    });
}

static void refuse_weights(void)
{
    uint32_t const few_rows = (F16_WORD & ~(31u << 24)) | 2u << 24, shifts = 3u << 30;
    uint64_t const spans = 1ull << 39 | 2ull << 40 | 3ull << 48;
    refuse_zeroed("a shift of 1 columns where the word 0x08100010 has shifts up to 0", F16_WORD, 1ull << 56);
    refuse_zeroed<TSR_UMMA_COLLECT_FILL>("a shift of 1 columns beside a collector buffer", F16_WORD | shifts,
                                         1ull << 56);
    refuse_zeroed("has shifts up to 32; .ws has them", few_rows | shifts, 0);
    refuse_zeroed("bits without a name", F16_WORD, 1ull << 36);
    refuse_zeroed("starts at column 4 of a span of 4", F16_WORD, 4 | spans);
    refuse_zeroed("starts at column 3 of a span of 3", F16_WORD, 3 | 1ull << 32 | spans);
    refuse_zeroed("N is 72 in the word", F16_WORD + (1u << 17), 0);
}

static void refuse_products(void)
{
    auto const product = [](char const *text, uint32_t word, uint64_t change_a, uint32_t c_more) {
        must_refuse(text, [=] {
            with_tmem<1>(64, [=](uint32_t c) {
                one_product([=] { multiply(c + c_more, desc(mine().a) ^ change_a, desc(mine().b), word); });
            });
        });
    };
    product("has D 2, which kind::f16", (F16_WORD & ~(3u << 4)) | 2u << 4, 0, 0);
    product("has A 3, which kind::f16", F16_WORD | 3u << 7, 0, 0);
    product("M is 256", F16_WORD + (8u << 24), 0, 0);
    product("N is 72", F16_WORD + (1u << 17), 0, 0);
    product("says sparse, the instruction no .sp", F16_WORD | 4, 0, 0);
    product("version 0", F16_WORD, 1ull << 46, 0);
    product("swizzle 3", F16_WORD, 1ull << 61, 0);
    product("in row 1 of a swizzle pattern", F16_WORD, 8, 0);
    product("outside of start, leading, stride", F16_WORD, 1ull << 49, 0);
    product("of shared memory; the block has", F16_WORD, 0x2000, 0);
    product("sums begin at lane 8", F16_WORD, 0, 8u << 16);
    product("is not allocated in CTA 0", F16_WORD, 0, 32);
    must_refuse(
        "is the second of its pair",
        [] {
            with_tmem<2>(64, [](uint32_t c) {
                if (threadIdx.x == 0 && tsr_cluster_rank() == 1)
                    multiply<2>(c, desc(mine().a), desc(mine().b), F16_WORD + (8u << 24));
            });
        },
        32, 2);
    must_refuse("pending instruction reads was rewritten", [] {
        with_tmem<1>(64, [](uint32_t c) {
            one_product([=] {
                multiply(c, desc(mine().a), desc(mine().b), F16_WORD);
                mine().a[5] = 1;
            });
        });
    });
    must_refuse("before anything was written", [] {
        with_tmem<1>(64, [](uint32_t c) {
            one_product([=] { multiply(c, desc(mine().a), desc(mine().b), F16_WORD, true); });
        });
    });
    must_refuse(
        "in lanes 0 to 31 and",
        [] {
            with_tmem<1>(
                128, [](uint32_t c) { /* scales whose copies differ */
                                      uint32_t r[8];
                                      for (uint32_t &v : r)
                                          v = threadIdx.x < 32 ? 0x38383838u : 0x30303030u;
                                      tsr_tcgen05_st<32, 32, 8, false>(c + 64 + (threadIdx.x / 32 * 32 << 16), r);
                                      tsr_tcgen05_wait_st();
                                      tsr_tcgen05_fence_before();
                                      __syncthreads();
                                      tsr_tcgen05_fence_after();
                                      one_product([=] {
                                          uint32_t const word =
                                              1u << 7 | 1u << 10 | (64 / 8) << 17 | (128 / 16) << 24;
                                          tsr_tcgen05_mma<TSR_UMMA_KIND_MXF4, 1, 0, 16, TSR_UMMA_COLLECT_NONE>(
                                              {c, desc(mine().a), desc(mine().b), word, false, 0, c + 64, c + 68});
                                      });
                });
        },
        128);
    must_refuse("scale ids 0 and 0, the addresses", [] {
        with_tmem<1>(128, [](uint32_t c) {
            one_product([=] {
                uint32_t const word = 1u << 7 | 1u << 10 | (64 / 8) << 17 | (128 / 16) << 24;
                tsr_tcgen05_mma<TSR_UMMA_KIND_MXF4, 1, 0, 16, TSR_UMMA_COLLECT_NONE>(
                    {c, desc(mine().a), desc(mine().b), word, false, 0, (c + 64) | 1u << 30, c + 68});
            });
        });
    });
    must_refuse("tcgen05.shift is not emulated", [] { tsr_tcgen05_shift<1>(0); });
}

static void refuse_barriers(void)
{
    must_refuse("there is no barrier at byte", [] {
        if (threadIdx.x == 0)
            tsr_barrier_arrive(&mine().full);
    });
    must_refuse("tcgen05.commit: there is no barrier", [] {
        if (threadIdx.x == 0)
            tsr_tcgen05_commit<1>(&mine().full);
    });
    must_refuse("more arrivals than the 1", [] {
        if (threadIdx.x == 0) {
            tsr_barrier_init(&mine().full, 1);
            tsr_barrier_expect(&mine().full, 16);
            tsr_barrier_arrive(&mine().full);
        }
    });
    must_refuse("lacks 1 of 2 arrivals and 0 bytes (1 threads)", [] {
        if (threadIdx.x == 0) {
            tsr_barrier_init(&mine().full, 2);
            tsr_barrier_arrive(&mine().full);
            tsr_barrier_wait(&mine().full, 0);
        }
    });
    must_refuse("and 48 bytes", [] {
        if (threadIdx.x == 0) {
            static uint8_t from[64];
            tsr_barrier_init(&mine().full, 1);
            tsr_barrier_expect(&mine().full, 64);
            tsr_bulk_load(mine().a, from, 16, &mine().full);
            tsr_barrier_wait(&mine().full, 0);
        }
    });
    auto const load_twice = [](int expected) {
        if (threadIdx.x != 0)
            return;
        static uint8_t from[64];
        tsr_barrier_init(&mine().full, 1);
        tsr_barrier_expect(&mine().full, expected);
        tsr_bulk_load(mine().a, from, 16, &mine().full);
        tsr_bulk_load(mine().a + 16, from, 16, &mine().full);
        tsr_barrier_wait(&mine().full, 0);
    };
    must_refuse("ends while 16 bytes that it counts are under way", [=] { load_twice(16); });
    must_refuse("the kernel ends, and 16 bytes more came to the barrier", [=] { load_twice(16); });
    must_accept([=] { load_twice(32); });
    must_refuse("lacks 0 of 1 arrivals and 0 bytes; 16 bytes more came than were expected (1 threads)", [=] {
        load_twice(16);
        if (threadIdx.x == 0) {
            tsr_barrier_expect(&mine().full, 0);
            tsr_barrier_wait(&mine().full, 1);
        }
    });
    must_refuse("it counts to 1048575", [] {
        if (threadIdx.x == 0) {
            tsr_barrier_init(&mine().full, 3);
            tsr_barrier_expect(&mine().full, 1 << 19);
            tsr_barrier_expect(&mine().full, 1 << 19);
        }
    });
    must_refuse("was overwritten", [] {
        if (threadIdx.x == 0) {
            tsr_barrier_init(&mine().full, 1);
            mine().full = 0;
            tsr_barrier_arrive(&mine().full);
        }
    });
    must_refuse(
        "whose threads have all ended",
        [] {
            if (threadIdx.x == 0)
                tsr_barrier_init(&mine().full, 1);
            tsr_cluster_sync();
            if (threadIdx.x == 0 && tsr_cluster_rank() == 1) {
                for (int i = 0; i < 100; ++i)
                    __nanosleep(1);
                tsr_barrier_arrive_at(&mine().full, 0);
            }
        },
        32, 2);
    must_refuse("CTA 2 of a cluster of 1", [] {
        if (threadIdx.x == 0)
            tsr_barrier_arrive_at(&mine().full, 2);
    });
    must_refuse("barrier 0, where 1 of 32 threads are", [] {
        if (threadIdx.x == 0)
            __syncthreads();
    });
    must_refuse("__syncwarp, where lanes 0x1 of the warp are not (31 threads)", [] {
        if (threadIdx.x != 0)
            __syncwarp();
    });
    must_refuse("meet at", [] {
        if (threadIdx.x == 0)
            __syncwarp();
        else
            tsr_elect();
    });
    must_refuse(
        "is used with 64 threads and with 32",
        [] { threadIdx.x < 32 ? tsr_sync_threads(1, 64) : tsr_sync_threads(1, 32); }, 64);
}

/** 64 rows of 64 bytes, a box of 16. The plan ends here, the map has a copy. */
static tsr_tma_map map_of_rows(void const *global)
{
    tsr_tma_desc const plan =
        tsr_tma_tiled(TSR_U8, tsr_t(64, 64), tsr_t(64), tsr_t(16, 1), tsr_t(1, 1), tsr_t(0, 0, 0, 0));
    return tsr_emulated_map(&plan, global);
}

/** The first 16 bytes of two rows into registers, which may lie anywhere. */
static void read_rows(void const *global, int pitch)
{
    struct {
        uint8_t odd, r[32];
    } registers;
    for (int i = 0; i < 2; ++i)
        tsr_read<16>(static_cast<uint8_t const *>(global) + i * pitch, registers.r + 16 * i);
    tsr_write<16>(registers.r, registers.r + 3);
}

/** An answer that is read before its wait, and a question behind the last answer. */
static void refuse_clusters(void)
{
    auto const ask = [](int times, bool waits) {
        tsr_next_cluster &next = *tsr_dynamic_smem<tsr_next_cluster>();
        next.init();
        for (int i = 0; i < times; ++i) {
            next.ask();
            if (waits)
                next.wait((uint32_t)i & 1);
            else
                tsr_query_cancel(next.answer[0], next.answer[1]);
        }
        if (!waits)
            next.wait(0);
    };
    must_refuse(
        "is no answer of tsr_try_cancel", [=] { ask(1, false); }, 1);
    must_refuse(
        "no cluster is left, and asks again", [=] { ask(2, true); }, 1);
    must_accept([=] { ask(1, true); }, 1);
}

static void refuse_copies(void)
{
    static uint8_t memory_of_gpu[4096] __attribute__((aligned(64)));
    must_refuse(
        "multiples of 16",
        [] {
            tsr_barrier_init(&mine().full, 1);
            tsr_bulk_load(mine().a, memory_of_gpu + 8, 16, &mine().full);
        },
        1);
    must_refuse(
        "is not one of shared memory", [] { tsr_bulk_load(memory_of_gpu, memory_of_gpu, 16, &mine().full); }, 1);
    must_refuse(
        "asynchronous operations are under way",
        [] {
            tsr_barrier_init(&mine().full, 1);
            tsr_bulk_load(mine().a, memory_of_gpu, 16, &mine().full);
        },
        1);
    must_refuse(
        "while 1 of its copies read shared memory",
        [] {
            tsr_bulk_store(memory_of_gpu, mine().a, 16);
            tsr_tma_commit();
        },
        1);
    must_refuse(
        "were rewritten while a copy reads them",
        [] {
            tsr_bulk_store(memory_of_gpu, mine().a, 16);
            tsr_tma_commit();
            mine().a[3] ^= 1;
            tsr_tma_wait<0>();
        },
        1);
    must_refuse(
        "both at multiples of 16", [] { tsr_cp_async<16>(mine().a + 8, memory_of_gpu); }, 1);
    must_refuse(
        "a multiple of 16", [] { tsr_try_cancel<false>(mine().a + 8, &mine().full); }, 1);
    must_refuse(
        "is not one of tsr_emulated_map",
        [] {
            static tsr_tma_map const map = {};
            tsr_tma_load(&map, &mine().full, mine().a, 0, 0);
        },
        1);
    must_refuse(
        "byte 1056 of shared memory; multiples of",
        [] {
            static tsr_tma_map map;
            map = map_of_rows(memory_of_gpu);
            tsr_tma_load(&map, &mine().full, mine().a + 32, 0, 0);
        },
        1);
    must_refuse(
        "tsr_tma_load: address",
        [] {
            static tsr_tma_map map;
            map = map_of_rows(memory_of_gpu + 8);
            tsr_tma_load(&map, &mine().full, mine().a, 0, 0);
        },
        1);
    must_refuse(
        "an access of 16 bytes at", [] { read_rows(memory_of_gpu, 65); }, 1);
    must_refuse(
        "an access of 16 bytes at", [] { read_rows(memory_of_gpu + 4, 64); }, 1);
    must_refuse(
        "an access of 8 bytes at", [] { tsr_write<8>(memory_of_gpu, mine().a + 4); }, 1);
    must_accept([] { read_rows(memory_of_gpu, 64); }, 1);
}

int main()
{
    refuse_tensor_memory();
    refuse_allocations();
    refuse_products();
    refuse_buffers();
    refuse_weights();
    refuse_clusters();
    refuse_barriers();
    refuse_copies();
    printf("%d refusals provoked, %d did not come\n", tried, bad);
    return bad != 0;
}
