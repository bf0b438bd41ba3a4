/** ldmatrix, stmatrix and movmatrix on a Hopper GPU against the copy atoms: every value of every thread, and every byte
 *  of shared memory, is where tsr_copy_execute puts it, for values of 8, 16 and 32 bits. Rows stand anywhere in shared
 *  memory, and the lanes whose addresses do not count point elsewhere. */
#include "device.cuh"
#include "tessera/atoms.h"
#include "tessera/cuda.cuh"

enum { IMAGE = 4096, ROW = 16, LANES = 32 };

/** What a kernel works on: the image of shared memory, the byte that each lane points to, the lanes' registers. */
struct warp {
    uint8_t *image;
    uint8_t *registers;
    int at[LANES];
};

template <int Count, bool Transposed, bool Store> __global__ void move_matrices(warp w)
{
    __shared__ __align__(128) uint8_t smem[IMAGE];
    uint32_t r[Count];
    uint32_t *const mine = reinterpret_cast<uint32_t *>(w.registers) + threadIdx.x * Count;
    for (int i = threadIdx.x; i < IMAGE; i += LANES)
        smem[i] = w.image[i];
    for (int i = 0; i < Count; ++i)
        r[i] = mine[i];
    __syncwarp();
    if constexpr (Store)
        tsr_stmatrix<Count, Transposed>(smem + w.at[threadIdx.x], r);
    else
        tsr_ldmatrix<Count, Transposed>(r, smem + w.at[threadIdx.x]);
    __syncwarp();
    for (int i = 0; i < Count; ++i)
        mine[i] = r[i];
    for (int i = threadIdx.x; i < IMAGE; i += LANES)
        w.image[i] = smem[i];
}

__global__ void transpose(warp w)
{
    uint32_t *const mine = reinterpret_cast<uint32_t *>(w.registers) + threadIdx.x;
    *mine = tsr_movmatrix(*mine);
}

/** A fragment as the emulator has it, value v of thread t at t + v * 32, from what each lane holds in one piece; or
 *  back. */
static void exchange(memory &fragment, memory &lanes, int64_t bytes, bool to_lanes)
{
    int64_t const values = (int64_t)fragment.size() / bytes / LANES;
    for (int64_t t = 0; t < LANES; ++t)
        for (int64_t v = 0; v < values; ++v) {
            uint8_t *const f = &fragment[(size_t)((t + v * LANES) * bytes)];
            uint8_t *const l = &lanes[(size_t)((t * values + v) * bytes)];
            std::memcpy(to_lanes ? l : f, to_lanes ? f : l, (size_t)bytes);
        }
}

/** What the emulator makes of the lanes' pieces of the source. */
static memory emulated(tsr_copy_atom x, memory source)
{
    int64_t const bytes = tsr_dtype_bits(x.type) / 8;
    memory from(source.size()), to((size_t)(tsr_size(tsr_copy_layout_written(x)) * bytes)), lanes(to.size());
    exchange(from, source, bytes, false);
    if (!tsr_copy_execute(x, from.data(), to.data(), (size_t)bytes))
        std::abort();
    exchange(to, lanes, bytes, true);
    return lanes;
}

/** The rows that the lanes point to. */
static memory rows_of(memory const &image, warp const &w)
{
    memory rows;
    for (int const at : w.at)
        rows.insert(rows.end(), image.begin() + at, image.begin() + at + ROW);
    return rows;
}

typedef enum direction { LOAD, STORE, MOVE } direction;

/** Is the instruction the atom, counted in values of a type? */
static bool equals(tsr_copy_atom x, direction way, warp const &w, memory const image[2], memory const registers[2])
{
    memory wanted = image[0];
    if (way != STORE)
        return image[1] == image[0] && registers[1] == emulated(x, way == LOAD ? rows_of(image[0], w) : registers[0]);
    memory const rows = emulated(x, registers[0]);
    int const lanes = (int)registers[0].size() / (4 * LANES) * 8;
    for (int t = 0; t < lanes; ++t)
        std::memcpy(&wanted[(size_t)w.at[t]], &rows[(size_t)(t * ROW)], ROW);
    return image[1] == wanted && registers[1] == registers[0];
}

static warp random_warp(device_memory &image, device_memory &registers)
{
    warp w = {image.at, registers.at, {}};
    int slot[IMAGE / ROW];
    for (int i = 0; i < IMAGE / ROW; ++i)
        slot[i] = i * ROW;
    for (int i = 0; i < LANES; ++i) {
        int const other = i + (int)below(IMAGE / ROW - i), one = slot[other];
        slot[other] = slot[i];
        w.at[i] = slot[i] = one;
    }
    return w;
}

static void try_atom(tsr_copy_op op, int number, int count, direction way, void (*kernel)(warp))
{
    static device_memory on_image(IMAGE), on_registers(LANES * 16);
    static tsr_dtype const types[] = {TSR_U8, TSR_F16, TSR_F32};
    tsr_copy_atom const atom = tsr_make_copy(op, number);
    char name[128];
    tsr_format_copy_atom(name, sizeof name, atom);
    int right = 0, wrong = 0;
    for (int i = 0; i < 100; ++i) {
        warp const w = random_warp(on_image, on_registers);
        memory image[2] = {memory(IMAGE), memory(IMAGE)};
        memory registers[2] = {memory((size_t)count * 4 * LANES), memory((size_t)count * 4 * LANES)};
        fill_random(image[0]);
        fill_random(registers[0]);
        on_image.write(image[0]);
        on_registers.write(registers[0]);
        kernel<<<1, LANES>>>(w);
        finish(name);
        on_image.read(image[1]);
        on_registers.read(registers[1]);
        for (tsr_dtype const type : types) {
            tsr_copy_atom const x = tsr_copy_values(atom, type);
            if (tsr_copy_layout_src(x).shape.status || tsr_copy_layout_written(x).shape.status)
                continue; /* a value of this size would be shared by threads */
            bool const ok = equals(x, way, w, image, registers);
            right += ok;
            wrong += !ok;
        }
    }
    std::printf("%-24s %3d passed, %d failed\n", name, right, wrong);
    passed += right;
    failed += wrong;
}

/** 1, 2 or 4 matrices, as they are and transposed. */
template <int Count> static void try_count()
{
    try_atom(TSR_COPY_SM75_LDSM_N, Count, Count, LOAD, move_matrices<Count, false, false>);
    try_atom(TSR_COPY_SM75_LDSM_T, 2 * Count, Count, LOAD, move_matrices<Count, true, false>);
    try_atom(TSR_COPY_SM90_STSM_N, Count, Count, STORE, move_matrices<Count, false, true>);
    try_atom(TSR_COPY_SM90_STSM_T, 2 * Count, Count, STORE, move_matrices<Count, true, true>);
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_count<1>();
    try_count<2>();
    try_count<4>();
    try_atom(TSR_COPY_SM75_MOVM_T, 1, 1, MOVE, transpose);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
