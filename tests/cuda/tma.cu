/** The copy engine of a Hopper GPU against the emulator: random maps, encoded by the driver, and boxes that the
 *  hardware moves leave every byte of shared memory, or of the tensor and what is around it, as the functions of
 *  exec/tma.h do.
 *
 *      loads       into one CTA             multicast    into the CTAs of a cluster of two that a mask names
 *      stores      out of one CTA           reductions   every operation on every format that has it
 *
 *  usage: tma [SEED [CASES]], CASES tiled and CASES im2col.
 *
 *  Found by it on an H200 (driver 580.159): loads of the FTZ formats do not flush, their sums do; sums of TFLOAT32 are
 *  those of FLOAT32, of FLOAT64 keep the bits of a NaN; stores of pixels outside the image are illegal instructions. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/text.h"
#include "tma_maps.cuh"

enum { THREADS = 128, CTAS = 2, UNTOUCHED = 0xee, SHOWN = 5, DYNAMIC = SHARED + sizeof(tsr_barrier) };

#define ACT_LIST(X) X(LOAD, "loads") X(MULTICAST, "multicast") X(STORE, "stores") X(REDUCE, "reductions")

typedef enum act {
#define X(id, name) id,
    ACT_LIST(X)
#undef X
        ACTS
} act;

/** A box as a kernel takes it. */
struct order {
    int at[TSR_TMA_DIMS];
    uint16_t offset[3];
    uint16_t mask; /* of a multicast */
    act what;
    bool im2col;
    int op, rank;       /* a reduction */
    int address, bytes; /* in shared memory */
    uint8_t *shared;    /* what the CTAs' shared memory is before a store, after a load */
};

/* Kernels */

/** Calls f with as many coordinates as there are dimensions. */
template <class F> __device__ void with_coordinates(order const &o, F f)
{
    switch (o.rank) {
    case 1:
        return f(o.at[0]);
    case 2:
        return f(o.at[0], o.at[1]);
    case 3:
        return f(o.at[0], o.at[1], o.at[2]);
    case 4:
        return f(o.at[0], o.at[1], o.at[2], o.at[3]);
    default:
        return f(o.at[0], o.at[1], o.at[2], o.at[3], o.at[4]);
    }
}

__device__ static void issue_load(tsr_tma_map const *map, tsr_barrier *full, uint8_t *to, order const &o)
{
    with_coordinates(o, [&](auto... at) {
        if (!o.im2col && o.what == LOAD)
            tsr_tma_load(map, full, to, at...);
        else if (!o.im2col)
            tsr_tma_load_multicast(map, full, to, o.mask, at...);
        else if constexpr (sizeof...(at) >= 3) {
            if (o.what == LOAD)
                tsr_tma_load_im2col(map, full, to, o.offset, at...);
            else
                tsr_tma_load_im2col_multicast(map, full, to, o.mask, o.offset, at...);
        }
    });
}

template <tsr_tma_reduction Op, class... At>
__device__ void reduce(bool im2col, tsr_tma_map const *map, uint8_t const *from, At... at)
{
    if (!im2col)
        tsr_tma_reduce<Op>(map, from, at...);
    else if constexpr (sizeof...(at) >= 3)
        tsr_tma_reduce_im2col<Op>(map, from, at...);
}

__device__ static void issue_store(tsr_tma_map const *map, uint8_t const *from, order const &o)
{
    with_coordinates(o, [&](auto... at) {
        if (o.what == REDUCE)
            switch (o.op) {
#define X(id, name)  \
  case TSR_TMA_##id: \
    return reduce<TSR_TMA_##id>(o.im2col, map, from, at...);
                TSR_TMA_REDUCE_LIST(X)
#undef X
            }
        else if (!o.im2col)
            tsr_tma_store(map, from, at...);
        else if constexpr (sizeof...(at) >= 3)
            tsr_tma_store_im2col(map, from, at...);
    });
}

/** The first CTA of the cluster loads; every one that the box comes to waits for its bytes. */
__global__ void load(__grid_constant__ tsr_tma_map const map, order const o)
{
    extern __shared__ __align__(1024) uint8_t smem[];
    tsr_barrier *const full = reinterpret_cast<tsr_barrier *>(smem + SHARED);
    int const cta = tsr_cluster_rank();
    bool const mine = o.what != MULTICAST || (o.mask >> cta & 1) != 0;
    for (int i = threadIdx.x; i < SHARED; i += THREADS)
        smem[i] = UNTOUCHED;
    tsr_fence_async();
    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&map);
        tsr_barrier_init(full, 1);
        tsr_barrier_init_fence();
    }
    tsr_cluster_sync();
    if (threadIdx.x == 0 && mine)
        tsr_barrier_expect(full, o.bytes);
    if (threadIdx.x == 0 && cta == 0)
        issue_load(&map, full, smem + o.address, o);
    if (mine)
        tsr_barrier_wait(full, 0);
    for (int i = threadIdx.x; i < SHARED; i += THREADS)
        o.shared[cta * SHARED + i] = smem[i];
    tsr_cluster_sync();
}

__global__ void store(__grid_constant__ tsr_tma_map const map, order const o)
{
    extern __shared__ __align__(1024) uint8_t smem[];
    for (int i = threadIdx.x; i < SHARED; i += THREADS)
        smem[i] = o.shared[i];
    tsr_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        issue_store(&map, smem + o.address, o);
        tsr_tma_commit();
        tsr_tma_wait_read<0>();
        tsr_tma_wait<0>();
    }
}

/* Cases */

struct devices_memory {
    device_memory tensor{TENSOR}, shared{CTAS * SHARED};
    memory on_host = memory(TENSOR); /* the tensor's */
};

/** What became of the cases of an act, tiled and im2col. */
static struct {
    int same, wrong, by_rules, by_driver;
    int rank[TSR_TMA_DIMS + 1];
} counts[ACTS][2];

static bool reduced[TSR_TMA_REDUCTIONS][TSR_TMA_FORMATS];

static char const *name_of(act what)
{
    static char const *const names[] = {
#define X(id, name) name,
        ACT_LIST(X)
#undef X
    };
    return names[what];
}

/** Counts the case, and prints the difference as long as there are few. */
static void compare(moved_box const &m, order const &o, memory const &got, memory const &wanted)
{
    auto &count = counts[o.what][o.im2col];
    size_t at = 0, differ = 0;
    char text[2048];
    for (size_t i = got.size(); i-- > 0;)
        if (got[i] != wanted[i]) {
            at = i;
            ++differ;
        }
    count.same += differ == 0;
    count.wrong += differ != 0;
    ++count.rank[o.rank];
    if (differ == 0 || count.wrong > SHOWN)
        return;
    tsr_tma_copy plan = {};
    plan.desc = m.map;
    tsr_format_tma(text, sizeof text, plan);
    std::printf("FAILED %s %d, at (%d,%d,%d,%d,%d), offset (%d,%d,%d), ", name_of(o.what), o.op, o.at[0], o.at[1],
                o.at[2], o.at[3], o.at[4], o.offset[0], o.offset[1], o.offset[2]);
    std::printf("shared address %d, mask %d: ", o.address, o.mask);
    std::printf("%d bytes, the first %d: %02x, not %02x\n%s", (int)differ, (int)at, got[at], wanted[at], text);
}

/** May the box be moved: do the rules of the emulator allow it, and the driver? */
static bool is_allowed(moved_box const &m, act what, tsr_reason why, devices_memory const &d, tsr_tma_map *map)
{
    char text[512];
    auto &count = counts[what][m.map.im2col];
    tsr_reason const r = why.status ? why : tsr_tma_encode(&m.map, (uint64_t)(uintptr_t)(d.tensor.at + m.first), map);
    int &refused = why.status ? count.by_rules : count.by_driver;
    if (r.status && ++refused == 1) {
        tsr_format_reason(text, sizeof text, r);
        std::printf("refused: %s\n", text);
    }
    return r.status == 0;
}

static order order_of(moved_box const &m, act what, int bytes, devices_memory const &d)
{
    order o = {};
    for (int i = 0; i < TSR_TMA_DIMS; ++i)
        o.at[i] = (int)m.box.coord[i];
    for (int i = 0; i < 3; ++i)
        o.offset[i] = (uint16_t)m.box.offset[i];
    o.what = what;
    o.im2col = m.map.im2col;
    o.rank = m.map.rank;
    o.address = (int)m.box.address;
    o.bytes = bytes;
    o.shared = d.shared.at;
    return o;
}

static void launch(void (*kernel)(tsr_tma_map, order), tsr_tma_map const &map, order const &o, unsigned ctas)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = ctas;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(ctas);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = DYNAMIC;
    config.attrs = &cluster;
    config.numAttrs = 1;
    check_cuda(cudaLaunchKernelEx(&config, kernel, map, o), "launch");
    finish("a box");
}

static void try_load(act what, bool im2col, devices_memory &d)
{
    moved_box m = im2col ? im2col_box(false) : tiled_box(false);
    unsigned const ctas = what == MULTICAST ? CTAS : 1;
    uint32_t const mask = what == MULTICAST ? (uint32_t)between(1, 3) : 0;
    memory wanted(ctas * SHARED, UNTOUCHED), got(wanted.size());
    unsigned char *const each[] = {wanted.data(), wanted.data() + SHARED};
    void const *const tensor = d.on_host.data() + m.first;
    tsr_tma_map map;
    m.box.shared = wanted.data();
    tsr_reason const why = what == MULTICAST ? tsr_tma_load_multicast(&m.map, tensor, &m.box, each, mask)
                                             : tsr_tma_load(&m.map, tensor, &m.box);
    if (!is_allowed(m, what, why, d, &map))
        return;
    order o = order_of(m, what, (int)tsr_tma_box_bytes(&m.map), d);
    o.mask = (uint16_t)mask;
    launch(load, map, o, ctas);
    d.shared.read(got);
    compare(m, o, got, wanted);
}

static void try_store(act what, bool im2col, devices_memory &d)
{
    memory shared(SHARED), wanted = d.on_host, got(wanted.size());
    moved_box m;
    tsr_tma_map map;
    tsr_reason why;
    int op = 0;
    fill_random(shared);
    do { /* until the format has the operation */
        m = im2col ? im2col_box(true) : tiled_box(true);
        m.box.shared = shared.data();
        op = (int)below(TSR_TMA_REDUCTIONS);
        void *const tensor = wanted.data() + m.first;
        why = what == STORE ? tsr_tma_store(&m.map, tensor, &m.box)
                            : tsr_tma_reduce(&m.map, (tsr_tma_reduction)op, tensor, &m.box);
    } while (why.status == TSR_TMA_REDUCE);
    if (!is_allowed(m, what, why, d, &map))
        return;
    order o = order_of(m, what, 0, d);
    o.op = op;
    d.tensor.write(d.on_host);
    d.shared.write(shared);
    launch(store, map, o, 1);
    d.tensor.read(got);
    compare(m, o, got, wanted);
    if (what == REDUCE)
        reduced[op][m.map.format] = true;
}

static void try_act(act what, bool im2col, int cases, devices_memory &d)
{
    for (int i = 0; i < cases; ++i) {
        if (i % 100 == 0) {
            fill_random(d.on_host);
            d.tensor.write(d.on_host);
        }
        if (what < STORE)
            try_load(what, im2col, d);
        else
            try_store(what, im2col, d);
    }
    auto const &count = counts[what][im2col];
    std::printf("%-6s %-10s %5d the same (by rank", im2col ? "im2col" : "tiled", name_of(what), count.same);
    for (int r = 1; r <= TSR_TMA_DIMS; ++r)
        std::printf(" %d", count.rank[r]);
    std::printf("), %d failed; refused by the rules %d, by the driver %d\n", count.wrong, count.by_rules,
                count.by_driver);
    passed += count.same;
    failed += count.wrong;
}

int main(int count, char **arguments)
{
    int const cases = count > 2 ? std::atoi(arguments[2]) : 1000;
    int pairs = 0;
    need_hopper();
    seed(count, arguments, 1);
    for (auto const kernel : {load, store})
        check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, DYNAMIC),
                   "shared memory");
    devices_memory d;
    for (int what = 0; what < ACTS; ++what)
        for (int im2col = 0; im2col < 2; ++im2col)
            try_act((act)what, im2col != 0, cases, d);
    for (auto const &formats : reduced)
        for (bool const there : formats)
            pairs += there;
    std::printf("%d pairs of a reduction and a format; %d passed, %d failed\n", pairs, passed, failed);
    return failed != 0 || passed == 0;
}
