/** The matrix instructions of a Hopper GPU, those of sm_61 to sm_90, against the emulator: fragments that the atoms'
 *  layouts fill, and tiles of shared memory that their descriptors describe, multiplied by the hardware, are what
 *  tsr_mma_execute makes of them, in every register of every thread.
 *
 *      random   small integers, whose sums are exact; of sparse A also which elements are stored
 *      one hot  one element of A meets one of B: where each is, and where their product goes
 *      cleared  the accumulators count for nothing (scale_d = 0)
 *      clamped  sums beyond the range of the accumulators, where the instruction saturates
 *
 *  A tile of shared memory is tried in all four swizzles, as far as tsr_gmma_desc has a descriptor of it, at a random
 *  depth of a larger block. -DPARTS=n -DPART=i: every n-th instruction, from number i on.
 *
 *  Found by it on an H200 (driver 580.159): the metadata of sparse products is tsr_mma_layout_e; a K-major tile with 64
 *  bytes of K in the 32-byte swizzle needs its leading offset; dp2a multiplies by bytes. */
#include "device.cuh"
#include "instruction.cuh"
#include "tessera/atoms.h"

enum { SMEM = 49152 }; /* without asking for more: A takes at most 16 KiB of it, B 32 */

static size_t const most = 1 << 18;

/** A problem: matrices of numbers, first extent fastest; which elements of a sparse A are stored; and the emulator's
 *  answer, value v of thread t at t + v * threads. */
struct problem {
    tsr_mma_atom x;
    int parts, sums; /* numbers an element of A and B, of C */
    std::vector<double> a, b, c, answer;
    std::vector<uint8_t> stored; /* of A (M,K) */
};

static bool is_sparse(tsr_mma_atom x) { return (x.flags & TSR_MMA_SPARSE) != 0; }

static bool a_in_registers(tsr_mma_atom x)
{
    return x.kind != TSR_MMA_WARPGROUP || (x.flags & TSR_MMA_A_REGISTERS) != 0;
}

static int64_t threads_of(tsr_layout l) { return tsr_size(tsr_mode(l, 0)); }

/** A type that one number of an element has. */
static tsr_dtype part_type(tsr_dtype type) { return type == TSR_C128 ? TSR_F64 : type; }

static double small_number(tsr_dtype type)
{
    bool const is_signed = tsr_number_kind_of(type) != TSR_UNSIGNED;
    return type == TSR_U1 ? (double)below(2) : (double)(is_signed ? below(7) - 3 : below(7));
}

/* Problems */

/** Which elements of A are stored: of each group two, of TF32 one. */
static void choose_stored(problem &p)
{
    int const group = tsr_mma_group(p.x), least = group / 2;
    p.stored.assign((size_t)(p.x.m * p.x.k), is_sparse(p.x) ? 0 : 1);
    for (int64_t i = 0; is_sparse(p.x) && i < p.x.m * p.x.k / group; ++i) {
        int64_t const row = i % p.x.m, column = i / p.x.m * group;
        for (int left = least, k = 0; k < group; ++k)
            if (below(group - k) < left) {
                p.stored[(size_t)(row + (column + k) * p.x.m)] = 1;
                --left;
            }
    }
}

/** A fragment of a matrix; of one that all threads share, that of the first. */
static std::vector<double> fragment(tsr_layout l, std::vector<double> const &matrix)
{
    int64_t const threads = threads_of(l), size = tsr_size(l);
    bool const shared = tsr_leaf_is(l.stride.leaf[0], 0) && threads == 128;
    std::vector<double> f((size_t)size);
    for (int64_t i = 0; i < size; i += shared ? threads : 1)
        f[(size_t)i] = matrix[(size_t)tsr_at_index(l, i)];
    return f;
}

/** Products of complex numbers, of which the emulator knows nothing: (re, im), or Gauss' three sums. */
static void answer_complex(problem &p)
{
    tsr_layout const l = tsr_mma_layout_c(p.x);
    int64_t const size = tsr_size(l), n = p.sums;
    for (int64_t i = 0; i < size; ++i) {
        int64_t const at = tsr_at_index(l, i), row = at % p.x.m, column = at / p.x.m;
        double sum[3] = {};
        for (int64_t k = 0; k < p.x.k; ++k) {
            double const *const a = &p.a[(size_t)(row + k * p.x.m) * 2];
            double const *const b = &p.b[(size_t)(column + k * p.x.n) * 2];
            sum[0] += n == 3 ? a[0] * b[0] : a[0] * b[0] - a[1] * b[1];
            sum[1] += n == 3 ? a[1] * b[1] : a[0] * b[1] + a[1] * b[0];
            sum[2] += (a[0] + a[1]) * (b[0] + b[1]);
        }
        for (int64_t s = 0; s < n; ++s)
            p.answer[(size_t)(i * n + s)] = p.c[(size_t)(at * n + s)] + sum[s];
    }
}

static void answer(problem &p)
{
    static std::vector<double> work(most);
    tsr_layout const l = tsr_mma_layout_c(p.x);
    p.answer.assign((size_t)(tsr_size(l) * p.sums), 0);
    if (p.sums > 1) {
        answer_complex(p);
        return;
    }
    p.answer = fragment(l, p.c);
    if (!tsr_mma_execute(p.x, fragment(tsr_mma_layout_a(p.x), p.a).data(),
                         fragment(tsr_mma_layout_b(p.x), p.b).data(), p.answer.data(), work.data()))
        std::abort();
}

static problem empty_problem(tsr_mma_atom x)
{
    problem p;
    p.x = x;
    p.parts = x.a == TSR_C128 ? 2 : 1;
    p.sums = x.form == TSR_MMA_GAUSS ? 3 : p.parts;
    p.a.assign((size_t)(x.m * x.k * p.parts), 0);
    p.b.assign((size_t)(x.n * x.k * p.parts), 0);
    p.c.assign((size_t)(x.m * x.n * p.sums), 0);
    choose_stored(p);
    return p;
}

static problem random_problem(tsr_mma_atom x, bool cleared, bool clamped)
{
    problem p = empty_problem(x);
    for (size_t i = 0; i < p.a.size(); ++i)
        p.a[i] = p.stored[i / (size_t)p.parts] ? small_number(x.a) : 0;
    for (double &b : p.b)
        b = small_number(x.b);
    for (double &c : p.c)
        c = cleared ? 0 : clamped ? (below(2) ? 2147483647.0 : -2147483648.0) : (double)(below(7) - 3);
    answer(p);
    return p;
}

static problem one_hot_problem(tsr_mma_atom x)
{
    problem p = empty_problem(x);
    int64_t row = 0, k = 0;
    do {
        row = below(x.m);
        k = below(x.k);
    } while (!p.stored[(size_t)(row + k * x.m)]);
    p.a[(size_t)((row + k * x.m) * p.parts)] = 1;
    p.b[(size_t)((below(x.n) + k * x.n) * p.parts)] = 1;
    answer(p);
    return p;
}

/* What the hardware gets */

static void put(memory &m, tsr_dtype type, int64_t at, double v)
{
    int64_t const bit = at * tsr_dtype_bits(type);
    tsr_store(type, &m[(size_t)(bit / 8)], (int)(bit % 8), tsr_number_real(v));
}

static double get(memory const &m, tsr_dtype type, int64_t at)
{
    int64_t const bit = at * tsr_dtype_bits(type);
    return tsr_number_to_double(tsr_load(type, &m[(size_t)(bit / 8)], (int)(bit % 8)));
}

/** The thread of the atom that each thread of the kernel is: a warp is four quad pairs, all of which do the same. */
static std::vector<int64_t> threads_of_kernel(tsr_mma_atom x)
{
    tsr_layout const id = tsr_mma_thr_id(x);
    int64_t const threads = tsr_size(id);
    std::vector<int64_t> of((size_t)(x.kind == TSR_MMA_QUADPAIR ? 32 : threads));
    for (int64_t copy = 0; copy < (x.kind == TSR_MMA_QUADPAIR ? 4 : 1); ++copy)
        for (int64_t t = 0; t < threads; ++t)
            of[(size_t)(tsr_at_index(id, t) + 4 * copy)] = t;
    return of;
}

/** The registers of all threads that hold a matrix; of a sparse A its stored elements, in the order of the values. */
static memory registers(problem const &p, tsr_layout l, tsr_dtype type, int parts, std::vector<double> const &matrix,
                        uint8_t const *stored)
{
    int64_t const threads = threads_of(l), values = tsr_size(tsr_mode(l, 1));
    int64_t const held = values / (stored && is_sparse(p.x) ? 2 : 1) * parts;
    std::vector<int64_t> const of = threads_of_kernel(p.x);
    memory m(((size_t)(held * tsr_dtype_bits(type)) + 31) / 32 * 4 * of.size());
    for (size_t lane = 0; lane < of.size(); ++lane) {
        int64_t at = (int64_t)lane * (int64_t)(m.size() / of.size()) * 8 / tsr_dtype_bits(type);
        for (int64_t v = 0; v < values; ++v) {
            int64_t const element = tsr_at_index(l, of[lane] + v * threads);
            for (int part = 0; part < parts && (!stored || stored[element]); ++part)
                put(m, type, at++, matrix[(size_t)(element * parts + part)]);
        }
    }
    return m;
}

/** The metadata of each thread; those that have no part in it hold anything. */
static std::vector<uint32_t> metadata(problem const &p, int selector)
{
    std::vector<uint32_t> words(128);
    tsr_layout const l = tsr_mma_layout_e(p.x);
    int64_t const values = tsr_size(tsr_mode(l, 1)), group = tsr_mma_group(p.x);
    bool const all = tsr_dtype_bits(p.x.a) == 8;
    for (int64_t t = 0; t < 128; ++t) {
        words[(size_t)t] = (uint32_t)random_bits();
        if (!all && t / 2 % 2 != selector)
            continue;
        words[(size_t)t] = 0;
        for (int64_t v = 0; v < values; v += group) {
            int kept[2] = {}, n = 0;
            for (int64_t k = 0; k < group; ++k)
                if (p.stored[(size_t)tsr_at_index(l, t + (v + k) * 128)])
                    kept[n++] = (int)k;
            words[(size_t)t] |= tsr_mma_kept(p.x, kept[0], kept[1]) << v / group * 4;
        }
    }
    return words;
}

/** A matrix in shared memory, as the descriptor's tile of a larger block; no bytes where there is no descriptor. */
struct image {
    memory bytes;
    int first = 0;
    tsr_tuple fields = tsr_s(0);
};

static image place(std::vector<double> const &matrix, int64_t rows, int64_t depth, tsr_dtype type, bool mn,
                   int swizzle)
{
    image r;
    tsr_layout const atom = tsr_smem_atom(mn ? TSR_MAJOR_MN : TSR_MAJOR_K, swizzle, type),
                     block = tsr_layout_inner(atom);
    int64_t const high = tsr_size(tsr_mode(block, 0)), wide = tsr_size(tsr_mode(block, 1));
    int64_t const whole = (rows + high - 1) / high * high, deep = (depth + wide - 1) / wide * wide;
    int64_t const bits = tsr_dtype_bits(type), room = rows > 64 ? 32768 : 16384;
    int64_t const times = whole * deep * 2 * bits / 8 <= room ? 1 + below(2) : 1;
    tsr_tuple const shape = tsr_t(tsr_s(whole), tsr_s(deep * times));
    r.fields = tsr_gmma_desc(atom, shape, tsr_tile(tsr_s(rows), tsr_s(depth)));
    if (r.fields.status)
        return r;
    tsr_layout const at = tsr_tile_to_shape(block, shape);
    int64_t const column = below(deep * times / depth) * depth;
    r.bytes.resize((size_t)(whole * deep * times * bits / 8));
    fill_random(r.bytes);
    r.first = (int)(tsr_at(at, tsr_t(0, column)) * bits / 8);
    for (int64_t k = 0; k < depth; ++k)
        for (int64_t row = 0; row < rows; ++row) {
            int64_t const offset = tsr_at(at, tsr_t(row, column + k));
            put(r.bytes, type, (int64_t)tsr_swizzle_apply(atom.swizzle, (uint64_t)offset),
                matrix[(size_t)(row + k * rows)]);
        }
    return r;
}

/** The stored elements of a sparse A, (M,K/2). */
static std::vector<double> compressed(problem const &p)
{
    std::vector<double> r((size_t)(p.x.m * p.x.k / 2));
    for (int64_t row = 0; row < p.x.m; ++row)
        for (int64_t k = 0, at = 0; k < p.x.k; ++k)
            if (p.stored[(size_t)(row + k * p.x.m)])
                r[(size_t)(row + at++ * p.x.m)] = p.a[(size_t)(row + k * p.x.m)];
    return r;
}

/* The comparison */

struct devices_memory {
    device_memory a{65536}, b{65536}, c{1 << 18}, meta{512};
};

static char const *name_of(tsr_mma_atom x)
{
    static char name[128];
    tsr_format_mma_atom(name, sizeof name, x);
    return name;
}

/** Runs the instruction on A and B as they are placed. */
static memory run(int number, problem const &p, image const &a, image const &b, devices_memory &d, bool cleared)
{
    tsr_mma_atom const x = p.x;
    std::vector<double> noise(p.c.size());
    for (double &v : noise)
        v = (double)below(100);
    memory c = registers(p, tsr_mma_layout_c(x), part_type(x.c), p.sums, cleared ? noise : p.c, nullptr);
    bool const group = x.kind == TSR_MMA_WARPGROUP;
    if (is_sparse(x)) {
        std::vector<uint32_t> const words = metadata(p, list.at[number].selector);
        memory bytes(512);
        std::memcpy(bytes.data(), words.data(), 512);
        d.meta.write(bytes);
    }
    d.a.write(a.bytes);
    d.b.write(b.bytes);
    d.c.write(c);
    request const r = {{d.a.at, (int)a.bytes.size(), a.first, a.fields},
                       {d.b.at, (int)b.bytes.size(), b.first, b.fields},
                       d.c.at,
                       reinterpret_cast<uint32_t const *>(d.meta.at),
                       cleared ? 0 : 1};
    kernel_of(number)<<<1, (unsigned)threads_of_kernel(x).size(), group ? SMEM : 0>>>(r);
    finish(name_of(x));
    d.c.read(c);
    return c;
}

/** Is every register what the emulator says? */
static bool same(problem const &p, memory const &c, char const *what, int swizzle_a, int swizzle_b, int selector)
{
    tsr_layout const l = tsr_mma_layout_c(p.x);
    int64_t const threads = threads_of(l), values = tsr_size(tsr_mode(l, 1));
    std::vector<int64_t> const of = threads_of_kernel(p.x);
    for (size_t lane = 0; lane < of.size(); ++lane)
        for (int64_t i = 0; i < values * p.sums; ++i) {
            int64_t const at = of[lane] + i / p.sums * threads;
            double const wanted = p.answer[(size_t)(at * p.sums + i % p.sums)];
            double const got = get(c, part_type(p.x.c), (int64_t)lane * values * p.sums + i);
            if (got == wanted)
                continue;
            std::printf("FAILED %s %s, swizzles %d %d, selector %d: thread %d, value %d: %g, not %g\n", name_of(p.x),
                        what, swizzle_a, swizzle_b, selector, (int)lane, (int)i, got, wanted);
            return false;
        }
    return true;
}

/** One problem in all placements; how many, or -1 where one is wrong. */
static int placements(int number, problem const &p, devices_memory &d, char const *what, bool cleared)
{
    tsr_mma_atom const x = p.x;
    bool const group = x.kind == TSR_MMA_WARPGROUP, sparse = is_sparse(x);
    bool const mn[2] = {(x.flags & TSR_MMA_A_MN) != 0, (x.flags & TSR_MMA_B_MN) != 0};
    int count = 0;
    for (int swizzle_b = 0; swizzle_b < (group ? 4 : 1); ++swizzle_b) {
        int const swizzle_a = a_in_registers(x) ? 0 : (int)((swizzle_b + below(4)) % 4);
        image a, b;
        if (a_in_registers(x))
            a.bytes = registers(p, tsr_mma_layout_a(x), part_type(x.a), p.parts, p.a, p.stored.data());
        else
            a = place(sparse ? compressed(p) : p.a, x.m, sparse ? x.k / 2 : x.k, x.a, mn[0], swizzle_a);
        if (group)
            b = place(p.b, x.n, x.k, x.b, mn[1], swizzle_b);
        else
            b.bytes = registers(p, tsr_mma_layout_b(x), part_type(x.b), p.parts, p.b, nullptr);
        if (a.bytes.empty() || b.bytes.empty())
            continue;
        if (!same(p, run(number, p, a, b, d, cleared), what, swizzle_a, swizzle_b, list.at[number].selector))
            return -1;
        ++count;
    }
    return count;
}

/** The products of one instruction that came out right, or -1. */
static int try_instruction(int number, devices_memory &d)
{
    tsr_mma_atom const x = list.at[number].atom;
    int const counts[] = {
        placements(number, random_problem(x, false, false), d, "random", false),
        placements(number, one_hot_problem(x), d, "one hot", false),
        placements(number, one_hot_problem(x), d, "one hot", false),
        x.kind != TSR_MMA_WARPGROUP ? 0 : placements(number, random_problem(x, true, false), d, "cleared", true),
        x.form != TSR_MMA_SATURATE ? 0 : placements(number, random_problem(x, false, true), d, "clamped", false)};
    int sum = 0;
    for (int const n : counts) {
        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}

int main(int count, char **arguments)
{
    static char const *const rows[] = {
#define X(arch, kind, m, n, k, acc, in, ...) "sm_" #arch " " #kind " " #m "x" #n "x" #k " " #acc " += " #in "*" #in,
        TSR_MMA_LIST(X)
#undef X
    };
    need_hopper();
    seed(count, arguments, PART + 1);
    devices_memory d;
    for (int row = 0; row < TSR_MMA_ROWS; ++row) {
        int tried = 0, products = 0, wrong = 0;
        for (int i = 0; i < list.count; ++i) {
            if (list.at[i].row != row)
                continue;
            int const n = try_instruction(i, d);
            ++tried;
            products += n < 0 ? 0 : n;
            wrong += n < 0;
        }
        if (tried > 0)
            std::printf("%-44s %4d instructions, %5d products, %d failed\n", rows[row], tried, products, wrong);
        passed += tried - wrong;
        failed += wrong;
    }
    std::printf("%d of %d instructions: %d passed, %d failed\n", list.count, list.all, passed, failed);
    return failed != 0 || passed == 0;
}
