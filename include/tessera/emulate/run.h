/** Kernels on the CPU: the file that nvcc compiles, compiled as C++17 with TSR_EMULATE, runs on a machine of fibers.
 *
 *      #define TSR_EMULATE 1                          or -DTSR_EMULATE=1
 *      #include "tessera/emulate/run.h"
 *      #include "my_kernel.cuh"
 *
 *      tsr_emulated_launch launch;
 *      launch.grid = 2; launch.cluster = 2; launch.threads = 192; launch.shared = 65536; launch.schedule = TSR_LATE;
 *      std::vector<std::string> const refused = tsr_emulate(launch, [&] { my_kernel(a, b, c); });
 *
 *  Law     refused is empty for a correct kernel, under every schedule and seed, and its results are the same bytes.
 *          What the machine refuses: docs/emulator.md.
 *  Needs   dynamic shared memory alone. TMA needs the library (exec/tma.h).
 */
#ifndef TSR_EMULATE_RUN_H
#define TSR_EMULATE_RUN_H

#if !defined(TSR_EMULATE) || !TSR_EMULATE
#  error "tessera: compile with -DTSR_EMULATE=1, or define it before the first header of tessera"
#endif

#include "tessera/emulate/memory.h"
#include "tessera/emulate/words.h"

struct tsr_emulated_launch {
    dim3 grid = 1, cluster = 1; /* blocks, and blocks of a cluster: they divide those of the grid */
    int threads = 128;
    int shared = 48 * 1024; /* bytes of dynamic shared memory */
    tsr_emulated_schedule schedule = TSR_AT_ONCE;
    unsigned seed = 1;
    bool fences = true;  /* demand tcgen05.fence between threads that use tensor memory one after the other */
    int stack = 1 << 18; /* bytes of a thread's frames */
};

namespace tsr_emulator
{

/** The memory of a cluster; it ends with the run. */
struct rooms {
    std::unique_ptr<uint8_t, void (*)(void *)> shared{nullptr, free}, stacks{nullptr, free};
};

inline void *room(size_t bytes)
{
    void *const p = aligned_alloc(1024, (bytes + 1023) / 1024 * 1024);
    if (!p) {
        fprintf(stderr, "tessera: no memory for the emulator\n");
        abort();
    }
    return p;
}

inline void make_cta(cta &c, int rank, dim3 first, uint8_t *shared, int64_t size)
{
    dim3 const s = m().cluster_shape;
    unsigned const r = (unsigned)rank;
    c.rank = rank;
    c.block = dim3(first.x + r % s.x, first.y + r / s.x % s.y, first.z + r / (s.x * s.y));
    c.shared = shared;
    c.size = size;
    c.live = m().block_threads;
    c.tmem.word.assign(TMEM_LANES * TMEM_COLUMNS, 0);
    fill_junk(reinterpret_cast<uint8_t *>(c.tmem.word.data()), TMEM_LANES * TMEM_COLUMNS * 4);
    c.tmem.written.assign(TMEM_LANES * TMEM_COLUMNS, 0);
    fill_junk(shared, size);
}

inline void make_thread(thread &t, size_t number, char *stack, size_t bytes)
{
    size_t const threads = (size_t)m().block_threads, warps = (threads + LANES - 1) / LANES;
    t.in = &m().ctas[number / threads];
    t.id = (int)(number % threads);
    t.warp = (int)(number / threads * warps) + t.id / LANES;
    t.stack = stack;
    *reinterpret_cast<uint64_t *>(stack) = 0x7e55e7a5u;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = stack;
    t.context.uc_stack.ss_size = bytes;
    t.context.uc_link = nullptr;
    makecontext(&t.context, thread_begins, 0);
}

/** What must be over when all threads have ended. */
inline void check_end()
{
    if (!m().tasks.empty())
        refuse("the kernel ends while %d asynchronous operations are under way, the first: %s, issued by %s",
               (int)m().tasks.size(), m().tasks[0].what.c_str(), m().tasks[0].by.c_str());
    for (cta const &c : m().ctas)
        for (auto const &b : c.barriers)
            if (b.second.bytes < 0)
                refuse("the kernel ends, and %lld bytes more came to the barrier at byte %u of CTA %d than were "
                       "expected",
                       -(long long)b.second.bytes, b.first, c.rank);
    for (cta const &c : m().ctas)
        for (auto const &h : c.tmem.held)
            refuse("the kernel ends with %d columns of tensor memory of CTA %d allocated, from %d on "
                   "(tcgen05.dealloc: t.close() or t.free() of tsr_tmem)",
                   h.second.second, c.rank, h.second.first);
}

inline void run_cluster(tsr_emulated_launch const &l, dim3 first, rooms &r)
{
    size_t const count = (size_t)l.cluster.x * l.cluster.y * l.cluster.z, threads = count * (size_t)l.threads;
    size_t const bytes = (size_t)(FIRST_BYTE + l.shared + 1023) / 1024 * 1024, stack = (size_t)l.stack;
    if (!r.shared) {
        r.shared.reset(static_cast<uint8_t *>(room(count * bytes)));
        r.stacks.reset(static_cast<uint8_t *>(room(threads * stack)));
    }
    m().ctas.assign(count, cta());
    m().threads = std::vector<thread>(threads);
    m().warps.clear();
    m().tasks.clear();
    m().cluster = meeting();
    m().next = 0;
    m().alone = l.schedule == TSR_AT_RANDOM;
    m().ahead = m().alone ? draw((uint32_t)count) : 0;
    m().ctas_of_tcgen05 = 0;
    for (size_t i = 0; i < count; ++i)
        make_cta(m().ctas[i], (int)i, first, r.shared.get() + i * bytes, FIRST_BYTE + l.shared);
    for (size_t i = 0; i < threads; ++i)
        make_thread(m().threads[i], i, reinterpret_cast<char *>(r.stacks.get()) + i * stack, stack);
    size_t const before = m().refused.size();
    run_threads();
    m().by = words("block (%u,%u,%u)", first.x, first.y, first.z);
    if (m().refused.size() == before)
        check_end();
}

} // namespace tsr_emulator

/** Runs a kernel, cluster after cluster, and returns what it must not do, sentence by sentence. */
inline std::vector<std::string> tsr_emulate(tsr_emulated_launch const &l, std::function<void()> kernel)
{
    tsr_emulator::machine machine;
    tsr_emulator::rooms rooms;
    tsr_emulator::machine *const before = tsr_emulator::the_machine;
    dim3 const c = l.cluster;
    tsr_emulator::the_machine = &machine;
    machine.schedule = l.schedule;
    machine.random = l.seed * 2654435769u + 1;
    machine.kernel = std::move(kernel);
    machine.blocks = gridDim = l.grid;
    machine.cluster_shape = c;
    machine.block_threads = l.threads;
    machine.fences = l.fences;
    blockDim = dim3((unsigned)l.threads);
    if (l.threads < 1 || l.threads > 1024 || c.x * c.y * c.z < 1 || c.x * c.y * c.z > 16 || l.shared < 0
        || l.shared > 227 * 1024 || l.grid.x % c.x + l.grid.y % c.y + l.grid.z % c.z != 0)
        machine.refused.push_back(tsr_emulator::words(
            "launch: %d threads (1 to 1024), clusters of %u CTAs (1 to 16, that divide the grid), %d bytes of shared "
            "memory (at most %d)",
            l.threads, c.x * c.y * c.z, l.shared, 227 * 1024));
    for (unsigned z = 0; z < l.grid.z; z += c.z)
        for (unsigned y = 0; y < l.grid.y; y += c.y)
            for (unsigned x = 0; x < l.grid.x; x += c.x)
                machine.waiting.push_back(dim3(x, y, z));
    while (!machine.waiting.empty() && machine.refused.empty()) {
        dim3 const first = machine.waiting.front();
        machine.waiting.pop_front();
        tsr_emulator::run_cluster(l, first, rooms);
    }
    tsr_emulator::the_machine = before;
    return machine.refused;
}

#endif
