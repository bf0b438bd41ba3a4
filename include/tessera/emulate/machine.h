/** The machine of the emulator: clusters of CTAs whose threads are fibers, asynchronous work in queues, and one list of
 *  refusals.
 *
 *  A thread runs until it waits. A task (a copy, an mma, a commit) runs when the schedule says: at once; as late as
 *  possible, when no thread can go on; or at random. Tasks of one queue run in order, those of different queues in any.
 *
 *  Law     a correct kernel writes the same bytes under every schedule and seed.
 */
#ifndef TSR_EMULATE_MACHINE_H
#define TSR_EMULATE_MACHINE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/** Three numbers of a launch, as CUDA has them. */
struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

/** When asynchronous work happens. */
enum tsr_emulated_schedule { TSR_AT_ONCE, TSR_LATE, TSR_AT_RANDOM, TSR_SCHEDULES };

/* What a kernel asks for by name; the scheduler writes them before a thread goes on. */
inline dim3 threadIdx(0, 0, 0), blockIdx(0, 0, 0), blockDim, gridDim;

namespace tsr_emulator
{

enum { LANES = 32, TMEM_LANES = 128, TMEM_COLUMNS = 512, FIRST_BYTE = 1024 /* of dynamic shared memory */ };

/** sprintf into a string. */
inline std::string vwords(char const *format, va_list list)
{
    char text[600];
    vsnprintf(text, sizeof text, format, list);
    return text;
}
__attribute__((format(printf, 1, 2))) inline std::string words(char const *format, ...)
{
    va_list list;
    va_start(list, format);
    std::string const r = vwords(format, list);
    va_end(list);
    return r;
}

struct mbarrier {
    int count, pending;
    int64_t bytes; /* expected and not yet there */
    uint32_t phase;
    int64_t coming; /* bytes of copies under way */
};

/** A barrier of threads: __syncthreads, bar.sync, barrier.cluster. */
struct meeting {
    int arrived = 0, expected = 0;
    unsigned round = 0;
};

/** Lanes of a warp at an instruction that all of `mask` take part in. */
struct warp_meeting {
    char const *what;
    uint32_t mask, here = 0;
    int left = 0;
    bool done = false;
    void *of[LANES] = {};
};

/** Who touched a column of a quarter of the lanes last, and when. */
struct touch {
    int warp = -1;
    uint64_t when = 0;
    bool async = false; /* by an instruction that a commit follows */
};

struct tensor_memory {
    std::vector<uint32_t> word;
    std::vector<uint8_t> written;
    int owner[TMEM_COLUMNS] = {}; /* number of the allocation; 0: free */
    int allocations = 0;
    bool relinquished = false;
    std::map<int, std::pair<int, int>> held; /* allocation: first column, columns */
    touch wrote[4][TMEM_COLUMNS], read[4][TMEM_COLUMNS];
};

struct cta {
    int rank = 0, live = 0;
    dim3 block;
    uint8_t *shared = nullptr; /* from address 0 on */
    int64_t size = 0;
    std::map<uint32_t, mbarrier> barriers;
    std::map<int, meeting> named;
    tensor_memory tmem;
    std::vector<double> collected[5]; /* collector buffers: of A, and 0 to 3 of B; empty where nothing is valid */
    bool last_answer = false;         /* a thread has read that no cluster is left */
};

/** tcgen05.ld that registers wait for. */
struct pending_load {
    uint32_t *to;
    std::vector<uint32_t> poison;
    std::shared_ptr<std::vector<uint32_t>> value;
};

struct thread {
    ucontext_t context;
    char *stack = nullptr;
    int id = 0, warp = 0 /* of the cluster */;
    cta *in = nullptr;
    bool done = false;
    bool (*ready)(void *) = nullptr;
    std::string (*say)(void *) = nullptr;
    void *waits = nullptr;
    uint64_t fence_before = 0, fence_after = 0;
    int async_group = 0, bulk_group = 0;
    std::map<int, int> async_pending, bulk_pending; /* group: copies */
    std::vector<pending_load> loads;
};

struct task {
    std::function<void()> run;
    std::string by, what;
    uint64_t queue, number;
    bool last; /* as late as possible: behind all others */
    bool slow; /* only when no thread can go on */
};

struct machine {
    tsr_emulated_schedule schedule = TSR_AT_ONCE;
    uint64_t random = 1, clock = 1, issued = 0;
    std::vector<cta> ctas;
    std::vector<thread> threads;
    std::map<int, std::vector<std::shared_ptr<warp_meeting>>> warps;
    std::vector<task> tasks;
    meeting cluster;
    ucontext_t home;
    thread *current = nullptr;
    std::function<void()> kernel;
    std::vector<std::string> refused;
    std::set<char const *> said;
    std::string by; /* the issuer of the task that runs */
    dim3 blocks, cluster_shape;
    int block_threads = 0, ctas_of_tcgen05 = 0;
    bool fences = true;
    std::deque<dim3> waiting;   /* clusters that are not launched yet */
    size_t next = 0, ahead = 0; /* the thread that is asked first; the CTA that goes on alone */
    bool alone = false;         /* the others have not begun */
};

inline machine *the_machine = nullptr;

inline machine &m() { return *the_machine; }
inline thread &self() { return *m().current; }
inline cta &here() { return *self().in; }

inline uint32_t draw(uint32_t n)
{
    m().random = m().random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m().random >> 33) % n;
}

inline std::string name_of(thread const &t)
{
    return words("block (%u,%u,%u), warp %d, lane %d", t.in->block.x, t.in->block.y, t.in->block.z, t.id / LANES,
                 t.id % LANES);
}

inline std::string who() { return m().current ? name_of(self()) : m().by; }

/** Notes a refusal, the first of its kind: who, and one sentence. */
__attribute__((format(printf, 1, 2))) inline void refuse(char const *format, ...)
{
    if (!m().said.insert(format).second)
        return;
    va_list list;
    va_start(list, format);
    m().refused.push_back(who() + ": " + vwords(format, list));
    va_end(list);
}

/* Waiting */

/** Gives way until `ready()`; `say()` tells what the thread waits for, if that never comes. */
template <class Ready, class Say> void wait(Ready ready, Say say)
{
    struct both {
        Ready *ready;
        Say *say;
    } two = {&ready, &say};
    if (ready())
        return;
    thread &t = self();
    t.waits = &two;
    t.ready = [](void *p) { return (*static_cast<both *>(p)->ready)(); };
    t.say = [](void *p) { return (*static_cast<both *>(p)->say)(); };
    swapcontext(&t.context, &m().home);
    t.ready = nullptr;
}

/** At random another thread goes on first. */
inline void give_way()
{
    bool asked = false;
    auto const ready = [&] {
        bool const before = asked;
        asked = true;
        return before;
    };
    if (m().schedule == TSR_AT_RANDOM && draw(4) == 0)
        wait(ready, [] { return std::string("its turn"); });
}

/** All threads of a barrier come together. */
inline void meet(meeting &x, int expected, char const *what, int id, bool waits)
{
    unsigned const round = x.round;
    if (x.arrived > 0 && x.expected != expected)
        refuse("%s %d is used with %d threads and with %d", what, id, x.expected, expected);
    x.expected = expected;
    if (++x.arrived >= expected) {
        x.arrived = 0;
        ++x.round;
    }
    if (waits)
        wait([&] { return x.round != round; },
             [&] { return words("%s %d, where %d of %d threads are", what, id, x.arrived, x.expected); });
    give_way();
}

/** The lanes of `mask` come together at `what`; the last one calls `all(pointers of the lanes)`. */
template <class All> void meet_warp(uint32_t mask, char const *what, void *mine, All all)
{
    thread &t = self();
    int const lane = t.id % LANES, lanes = m().block_threads - t.id / LANES * LANES;
    uint32_t const there = lanes < LANES ? (1u << lanes) - 1 : ~0u;
    auto &list = m().warps[t.warp];
    std::shared_ptr<warp_meeting> w;
    mask &= there;
    for (auto &x : list)
        if (!x->done && (x->mask & (1u << lane)) != 0 && (x->here & (1u << lane)) == 0)
            w = x;
    if (!w) {
        w = std::make_shared<warp_meeting>();
        w->what = what;
        w->mask = mask;
        list.push_back(w);
    }
    if (strcmp(w->what, what) != 0 || w->mask != mask)
        refuse("lanes of the warp meet at %s (0x%x) and at %s (0x%x)", w->what, w->mask, what, mask);
    if ((mask & (1u << lane)) == 0)
        refuse("%s has mask 0x%x without the lane that executes it", what, mask);
    w->here |= 1u << lane;
    w->of[lane] = mine;
    if (w->here == w->mask) {
        all(w->of);
        w->done = true;
        for (size_t i = 0; i < list.size(); ++i)
            if (list[i] == w)
                list.erase(list.begin() + (long)i--);
    } else {
        wait([&] { return w->done; },
             [&] { return words("%s, where lanes 0x%x of the warp are not", w->what, w->mask & ~w->here); });
    }
}

/* Tasks */

inline bool under_way(uint64_t queue)
{
    for (task const &x : m().tasks)
        if (x.queue == queue)
            return true;
    return false;
}

inline void run_task(size_t i)
{
    task const x = m().tasks[i];
    thread *const before = m().current;
    m().tasks.erase(m().tasks.begin() + (long)i);
    m().by = x.by;
    m().current = nullptr;
    ++m().clock;
    x.run();
    m().current = before;
}

/** Runs a task that may run; false where there is none. Slow ones have time until no thread can go on. */
inline bool run_some_task(bool slow)
{
    std::vector<task> const &all = m().tasks;
    std::vector<size_t> free;
    std::set<uint64_t> seen;
    for (size_t i = 0; i < all.size(); ++i)
        if (seen.insert(all[i].queue).second && (slow || !all[i].slow))
            free.push_back(i);
    if (free.empty())
        return false;
    size_t pick = free[m().schedule == TSR_AT_RANDOM ? draw((uint32_t)free.size()) : free.size() - 1];
    if (m().schedule == TSR_LATE && all[pick].last)
        for (size_t i : free)
            pick = all[i].last ? pick : i;
    run_task(pick);
    return true;
}

/** A queue of its own. */
inline uint64_t new_queue() { return (uint64_t)1 << 40 | ++m().issued; }
/** The queues of a thread: 0 tcgen05, 1 tcgen05.ld and .st, 2 cp.async. */
inline uint64_t queue_of(thread const &t, int kind)
{
    return (uint64_t)(&t - &m().threads[0]) * 4 + (uint64_t)kind + 1;
}

inline void issue(uint64_t queue, char const *what, std::function<void()> run, bool last = false)
{
    bool const alone = queue >> 40 != 0, slow = alone && m().schedule == TSR_AT_RANDOM && draw(4) == 0;
    m().tasks.push_back({std::move(run), who(), what, queue, ++m().issued, last, slow});
    if (m().schedule == TSR_AT_ONCE)
        run_task(m().tasks.size() - 1);
    give_way();
}

/* Threads */

inline void thread_begins()
{
    thread &t = self();
    m().kernel();
    for (auto const &g : t.bulk_pending)
        if (g.second > 0)
            refuse("the thread ends while %d of its copies read shared memory (tsr_tma_wait_read)", g.second);
    if (!t.loads.empty())
        refuse("the thread ends without tsr_tmem_wait_load (tcgen05.wait::ld) behind its last tcgen05.ld");
    t.done = true;
    --t.in->live;
    swapcontext(&t.context, &m().home);
}

inline void resume(thread &t)
{
    unsigned const id = (unsigned)t.id;
    threadIdx = dim3(id % blockDim.x, id / blockDim.x % blockDim.y, id / (blockDim.x * blockDim.y));
    blockIdx = t.in->block;
    m().current = &t;
    swapcontext(&m().home, &t.context);
    m().current = nullptr;
    if (*reinterpret_cast<uint64_t *>(t.stack) != 0x7e55e7a5u) {
        fprintf(stderr, "tessera: a thread of the emulator used more stack than launch.stack\n");
        abort();
    }
}

/** The first of `count` threads from `from` on, in a circle that begins at number `first` of them, that can go on. */
inline thread *find_thread(size_t from, size_t count, size_t first)
{
    for (size_t i = 0; i < count; ++i) {
        thread &t = m().threads[from + (first + i) % count];
        if (!t.done && (!t.ready || t.ready(t.waits))) {
            m().next = (first + i) % count;
            return &t;
        }
    }
    return nullptr;
}

/** The next thread that can go on. At random one CTA goes on alone for a while, if it can, and at first as far as it
 *  can. */
inline thread *next_thread()
{
    size_t const all = m().threads.size(), each = (size_t)m().block_threads;
    if (m().schedule != TSR_AT_RANDOM)
        return find_thread(0, all, m().next);
    if (!m().alone && draw(256) == 0)
        m().ahead = draw((uint32_t)m().ctas.size());
    thread *const t = find_thread(m().ahead * each, each, draw((uint32_t)each));
    return t || m().alone ? t : find_thread(0, all, draw((uint32_t)all));
}

/** Says who waits for what: warps of which all lanes wait for one thing are one. */
inline void say_deadlock()
{
    std::map<std::string, std::pair<std::string, int>> groups;
    std::string text = "deadlock:";
    int lines = 0, left = 0;
    for (thread &t : m().threads)
        if (!t.done) {
            std::string const what = t.say(t.waits);
            auto &g = groups[words("block (%u,%u,%u) warp %02d: ", t.in->block.x, t.in->block.y, t.in->block.z,
                                   t.id / LANES)
                             + what];
            g.first = what;
            ++g.second;
        }
    for (auto const &g : groups)
        if (++lines <= 12)
            text += words("\n    %s (%d threads)", g.first.c_str(), g.second.second);
        else
            ++left;
    if (left)
        text += words("\n    and %d more", left);
    m().refused.push_back(text);
}

inline bool some_live()
{
    for (cta const &c : m().ctas)
        if (c.live > 0)
            return true;
    return false;
}

/** Runs the threads of a cluster to their end. */
inline void run_threads()
{
    while (some_live()) {
        if (m().schedule == TSR_AT_RANDOM && draw(3) == 0 && run_some_task(false))
            continue;
        thread *const t = next_thread();
        if (t)
            resume(*t);
        else if (m().alone)
            m().alone = run_some_task(true);
        else if (!run_some_task(true))
            break;
    }
    for (thread const &t : m().threads)
        if (!t.done)
            return say_deadlock();
}

} // namespace tsr_emulator

#endif
