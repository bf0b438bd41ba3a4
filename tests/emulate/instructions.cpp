/** tcgen05.mma of the emulator against a plain product, for a class of kinds, shapes, majors, swizzles, CTAs and
 *  places of A. Operands, scales, metadata and sums lie where the tree's layouts say. The emulator reads descriptors,
 *  words and addresses alone. So layouts and hardware rules are two programs that must agree.
 *
 *  Law     the bytes of C are those of the plain product, under every schedule.
 */
#include "tessera/emulate/run.h"

#include "tessera/atom/gmma_tile.h"
#include "tessera/atom/tmem.h"
#include "tessera/cuda/tcgen05.cuh"
#include "product.h"
#include "tessera/names.h"

/** What one instruction is made of, and all memory around it. */
struct instruction {
    tsr_mma_atom atom;
    int ctas, rows, m, n, k, swizzle;
    bool ts, sparse;
    std::vector<uint8_t> shared[2];        /* of a CTA, from the first dynamic byte on */
    std::vector<uint32_t> tmem[2], out[2]; /* 128 lanes of 512 columns */
    std::vector<bool> set;                 /* columns that the kernel writes first */
    int c, a, e, sfa, sfb, to_b, columns;  /* first columns; bytes */
    uint64_t step_a, step_b;
    tsr_gmma_fields fields_a, fields_b;
    uint32_t word;
    bool add;
};

enum { TILE = 40 * 1024 /* bytes of an operand */ };

struct state {
    tsr_barrier done;
    uint32_t slot;
};

/** Shared and tensor memory in, one instruction, tensor memory out. */
template <int Kind, int Ctas, int Flags, int Vector> static void one_instruction(instruction &x)
{
    uint8_t *const buf = tsr_dynamic_smem<uint8_t>();
    state &s = *reinterpret_cast<state *>(buf + 2 * TILE);
    int const rank = tsr_cluster_rank(), warp = tsr_warp();
    uint32_t const lanes = (uint32_t)(warp * 32) << 16;
    if (threadIdx.x == 0)
        tsr_barrier_init(&s.done, 1);
    if (warp == 0)
        tsr_tcgen05_alloc<Ctas>(&s.slot, 512);
    for (size_t i = threadIdx.x; i < x.shared[rank].size(); i += 128)
        buf[i] = x.shared[rank][i];
    __syncthreads();
    for (int i = 0; i < 512; i += 8)
        if (x.set[(size_t)i])
            tsr_tcgen05_st<32, 32, 8, false>(lanes + (uint32_t)i, &x.tmem[rank][threadIdx.x * 512 + (size_t)i]);
    tsr_tcgen05_wait_st();
    tsr_tcgen05_fence_before();
    tsr_cluster_sync();
    if (rank == 0 && threadIdx.x == 0) {
        tsr_tcgen05_fence_after();
        uint64_t const a = x.ts ? (uint64_t)x.a : tsr_gmma_bits(x.fields_a, tsr_smem_address(buf)) + x.step_a;
        uint64_t const b = tsr_gmma_bits(x.fields_b, tsr_smem_address(buf + TILE)) + x.step_b;
        tsr_tcgen05_mma<Kind, Ctas, Flags, Vector, TSR_UMMA_COLLECT_NONE>(
            {(uint32_t)x.c, a, b, x.word, x.add, (uint32_t)x.e, (uint32_t)x.sfa, (uint32_t)x.sfb});
        tsr_tcgen05_commit<Ctas>(&s.done, Ctas == 2 ? 3 : 1);
    }
    tsr_barrier_wait(&s.done, 0);
    tsr_tcgen05_fence_after();
    for (int i = 0; i < x.columns; i += 8) { /* lanes without a row were written above */
        tsr_tcgen05_ld<32, 32, 8, false>(lanes + (uint32_t)(x.c + i), &x.out[rank][threadIdx.x * 512 + (size_t)i]);
        tsr_tcgen05_wait_ld();
    }
    tsr_tcgen05_fence_before();
    tsr_cluster_sync();
    if (warp == 0)
        tsr_tcgen05_dealloc<Ctas>(s.slot, 512);
}

/* Memory by the tree's layouts */

static void set_bits(uint8_t *p, int64_t bit, int bits, uint64_t v)
{
    for (int i = 0; i < bits; ++i, ++bit)
        p[bit / 8] = (uint8_t)((p[bit / 8] & ~(1 << bit % 8)) | (int)(v >> i & 1) << bit % 8);
}

/** A tile (rows, k) of shared memory: elements below a byte of kinds with bytes are the front of 16 bytes. */
static void put_smem(std::vector<uint8_t> &to, int at, tsr_layout const &l, int row, int rows, int k, tsr_dtype type,
                     bool bytes, uint64_t v)
{
    int const bits = tsr_dtype_bits(type);
    int64_t const e = tsr_layout_offset(&l, row + (int64_t)rows * k);
    set_bits(to.data() + at, bytes ? e / 16 * 128 + e % 16 * bits : e * bits, bits, v);
}

/** A part of a column, by a layout of (lane, element). */
static void put_tmem(std::vector<uint32_t> &to, tsr_layout const &address, int64_t index, int64_t per, int column,
                     uint32_t v)
{
    int64_t const at = tsr_layout_offset(&address, index), lane = at / (65536 * per), e = at % (65536 * per);
    int const bits = (int)(32 / per);
    uint32_t &w = to[(size_t)(lane * 512 + column + e / per)];
    uint32_t const mask = bits == 32 ? ~0u : ((1u << bits) - 1) << e % per * bits;
    w = (w & ~mask) | (bits == 32 ? v : v << e % per * bits);
}

static uint32_t get_tmem(std::vector<uint32_t> const &from, tsr_layout const &address, int64_t index, int64_t per)
{
    int64_t const at = tsr_layout_offset(&address, index), lane = at / (65536 * per), e = at % (65536 * per);
    return from[(size_t)(lane * 512 + e / per)];
}

/** A pattern of a type that stands for a small number. */
static uint64_t small_number(tsr_dtype type)
{
    if (type == TSR_I8 || type == TSR_U8)
        return (uint64_t)(type == TSR_U8 ? next_random() % 5 : (unsigned)next_integer(4)) & 255;
    if (tsr_dtype_bits(type) == 4)
        return next_random() % 16;
    return tsr_encode(type, tsr_number_real(next_integer(3)));
}

/** Makes the descriptor of an operand, and puts its elements; false where the tree has no such tile. */
static bool make_operand(instruction &x, bool b, std::vector<uint64_t> const &codes, int k)
{
    tsr_dtype const type = b ? x.atom.b : x.atom.a;
    bool const bytes = tsr_dtype_bits(type) < 8 && x.atom.k / (x.sparse ? 2 : 1) == 32;
    tsr_dtype const stored = bytes ? (tsr_dtype)TSR_U8 : type;
    tsr_major const major = x.atom.flags & (b ? TSR_MMA_B_MN : TSR_MMA_A_MN) ? TSR_MAJOR_MN : TSR_MAJOR_K;
    int const rows = (b ? x.n : x.m) / x.ctas;
    tsr_layout const block = tsr_smem_atom(major, x.swizzle, stored);
    if (block.shape.status)
        return false;
    int64_t const deep = tsr_size(tsr_mode(block, 1)), wide = tsr_size(tsr_mode(block, 0));
    int64_t const depth = deep > 2 * k ? deep : 2 * k;
    if (rows % wide != 0 || depth * rows * tsr_dtype_bits(stored) > 8 * TILE)
        return false;
    tsr_layout const tile = tsr_tile_to_shape(block, tsr_t((int)rows, (int)depth));
    tsr_gmma_tile const t = b ? tsr_make_gmma_tile_b(x.atom, tile) : tsr_make_gmma_tile_a(x.atom, tile);
    if (t.why.status || tile.shape.status)
        return false;
    (b ? x.fields_b : x.fields_a) = t.fields;
    (b ? x.step_b : x.step_a) = (uint64_t)tsr_gmma_step(&t, 0, t.depth - 1);
    for (int g = 0; g < x.ctas; ++g)
        for (int r = 0; r < rows; ++r)
            for (int i = 0; i < k; ++i)
                put_smem(x.shared[g], b ? TILE : 0, tile, r, rows, (t.depth - 1) * k + i, type, bytes,
                         codes[(size_t)((g * rows + r) * k + i)]);
    return true;
}

typedef void (*runner)(instruction &);

template <int Kind, int Ctas, int Vector> static runner runner_of(bool ts, bool sparse)
{
    return ts       ? sparse ? one_instruction<Kind, Ctas, 3, Vector> : one_instruction<Kind, Ctas, 1, Vector>
                 : sparse ? one_instruction<Kind, Ctas, 2, Vector>
                    : one_instruction<Kind, Ctas, 0, Vector>;
}

static runner find_runner(int kind, int ctas, int vector, bool ts, bool sparse)
{
#define TRY_(K, V)                                                    \
  if (kind == TSR_UMMA_KIND_##K && vector == V)                       \
    return ctas == 1 ? runner_of<TSR_UMMA_KIND_##K, 1, V>(ts, sparse) \
                     : runner_of<TSR_UMMA_KIND_##K, 2, V>(ts, sparse);
    TRY_(TF32, 0)
    TRY_(F16, 0)
    TRY_(F8F6F4, 0)
    TRY_(I8, 0) TRY_(MXF8F6F4, 32) TRY_(MXF4, 32) TRY_(MXF4, 16)
#undef TRY_
        return nullptr;
}

static int tried, skipped;

/** One atom, descriptor swizzle, and whether sums are added to. Wrong bytes or refusals: 1. */
static int try_instruction(tsr_mma_atom atom, int swizzle, bool add, uint32_t flags)
{
    instruction x = {};
    tsr_layout const lc = tsr_tmem_c(atom);
    x.atom = atom;
    x.ctas = atom.kind == TSR_MMA_CTA_PAIR ? 2 : 1;
    x.m = atom.m;
    x.n = atom.n;
    x.k = atom.k;
    x.rows = x.m / x.ctas;
    x.swizzle = swizzle;
    x.ts = (atom.flags & TSR_MMA_A_REGISTERS) != 0;
    x.sparse = (atom.flags & TSR_MMA_SPARSE) != 0;
    x.add = add;
    bool const unknown = tsr_mma_is_scaled(atom) && x.ctas == 2 && x.m == 128 && x.n % 128 != 0; /* refused */
    if (atom.status || lc.shape.status || unknown) {
        ++skipped;
        return 0;
    }
    int const stored = x.sparse ? x.k / 2 : x.k, ebits = tsr_dtype_bits(atom.a);
    bool const scaled = tsr_mma_is_scaled(atom);
    int const vector = !scaled ? 0 : atom.form == TSR_MMA_SCALE_32 ? 32 : 16;
    x.set.assign(512, false);
    std::vector<uint64_t> ca((size_t)(x.m * stored)), cb((size_t)(x.n * x.k));
    std::vector<double> a((size_t)(x.m * x.k)), b((size_t)(x.n * x.k));
    for (uint64_t &v : ca)
        v = small_number(atom.a);
    for (uint64_t &v : cb)
        v = small_number(atom.b);
    for (int g = 0; g < x.ctas; ++g) {
        x.shared[g].assign(2 * TILE, 0xa5);
        x.tmem[g].assign(128 * 512, 0);
        x.out[g].assign(128 * 512, 0);
    }
    if ((!x.ts && !make_operand(x, false, ca, stored)) || !make_operand(x, true, cb, x.k)) {
        ++skipped;
        return 0;
    }
    /* columns: C from 0 on, A, E, scales behind it */
    tsr_tmem_plan const plan = tsr_make_tmem_plan(atom, tsr_t(_1, _1), tsr_s(1));
    if (plan.why.status) {
        ++skipped;
        return 0;
    }
    x.c = plan.first[TSR_TMEM_C];
    x.a = plan.first[TSR_TMEM_A];
    x.e = plan.first[TSR_TMEM_E];
    x.sfa = plan.first[TSR_TMEM_SFA];
    x.sfb = plan.first[TSR_TMEM_SFB];
    x.columns = plan.columns[TSR_TMEM_C];
    for (int o = 0; o < TSR_TMEM_OPERANDS; ++o)
        for (int i = 0; i < plan.columns[o]; ++i)
            x.set[(size_t)((plan.first[o] + i) / 8 * 8)] = true; /* eight at a time */
    int64_t const per_c = tsr_tmem_per_column(atom, TSR_TMEM_C);
    tsr_layout const at_c = tsr_tmem_address(lc, per_c);
    /* A, dense: which of its elements are there */
    int const group = ebits == 32 ? 2 : atom.k == 128 ? 8 : 4;
    tsr_layout const at_e = x.sparse ? tsr_tmem_address(tsr_tmem_e(atom), tsr_tmem_per_column(atom, TSR_TMEM_E)) : lc;
    for (int m = 0; m < x.m; ++m)
        for (int i = 0; i < x.k && !x.sparse; ++i)
            a[(size_t)(m * x.k + i)] = tsr_number_to_double(tsr_decode(atom.a, ca[(size_t)(m * stored + i)]));
    for (int m = 0; m < x.m && x.sparse; ++m)
        for (int c = 0; c < x.k / group; ++c) {
            int const p0 = (int)(next_random() % 3), p1 = p0 + 1 + (int)(next_random() % (unsigned)(3 - p0));
            uint32_t const code = group == 2 ? (next_random() % 2 ? 4u : 14u) : (uint32_t)(p0 | p1 << 2);
            int64_t const per = tsr_tmem_per_column(atom, TSR_TMEM_E),
                          rows = tsr_size(tsr_mode(tsr_mode(tsr_tmem_e(atom), 0), 0));
            for (int i = 0; i < 4; ++i) { /* bit by bit: bits of an element, or an element's half */
                int64_t const bit = (int64_t)4 * c + i, e = bit * per / 32;
                int64_t const at = tsr_layout_offset(&at_e, m % x.rows + rows * e), lane = at / (65536 * per),
                              part = at % (65536 * per);
                uint32_t const where = (uint32_t)(part % per * 32 / per) + (uint32_t)(bit - e * 32 / per);
                uint32_t &w = x.tmem[m / x.rows][(size_t)(lane * 512 + x.e + part / per)];
                w = (w & ~(1u << where)) | (code >> i & 1) << where;
            }
            for (int i = 0; i < (group == 2 ? 1 : group / 2); ++i) {
                int const half = group == 8 ? i / 2 : i, in = group == 8 ? i % 2 : 0, unit = group == 8 ? 2 : 1;
                int const to = group == 2 ? code == 14 : (half ? p1 : p0) * unit + in;
                a[(size_t)(m * x.k + c * group + to)] = tsr_number_to_double(
                    tsr_decode(atom.a, ca[(size_t)(m * stored + c * (group == 2 ? 1 : group / 2) + i)]));
            }
        }
    for (size_t i = 0; i < b.size(); ++i)
        b[i] = tsr_number_to_double(tsr_decode(atom.b, cb[i]));
    if (x.ts) {
        int64_t const per = tsr_tmem_per_column(atom, TSR_TMEM_A);
        tsr_layout const la = tsr_tmem_a(atom), at = tsr_tmem_address(la, per);
        int64_t const rows = tsr_size(tsr_mode(tsr_mode(la, 0), 0));
        for (int g = 0; g < x.ctas; ++g)
            for (int r = 0; r < rows; ++r)
                for (int i = 0; i < stored; ++i) {
                    uint64_t v = ca[(size_t)((g * x.rows + r % x.rows) * stored + i)];
                    if (ebits == 4 && per == 4)
                        v <<= 2;
                    put_tmem(x.tmem[g], at, r + rows * i, per, x.a, (uint32_t)v);
                }
    }
    if (scaled)
        for (int which = 0; which < 2; ++which) {
            tsr_layout const l = which ? tsr_tmem_sfb(atom) : tsr_tmem_sfa(atom), at = tsr_tmem_address(l, 4);
            int const each = stored / vector, rows = which ? x.n : x.m;
            tsr_layout const first = tsr_mode(tsr_mode(l, 0), 0);
            int64_t const all = tsr_size(first), inner = which          ? (x.n + 127) / 128 * 128
                                                         : x.rows < 128 ? 128
                                                                        : x.rows;
            tsr_dtype const type = atom.form == TSR_MMA_SCALE_16_4 ? TSR_UE4M3 : TSR_F8_E8M0;
            std::vector<uint32_t> codes((size_t)(rows * each));
            for (uint32_t &v : codes)
                v = type == TSR_UE4M3 ? 0x30 + next_random() % 3 * 8 : 126 + next_random() % 3;
            for (int g = 0; g < x.ctas; ++g)
                for (int64_t r = 0; r < all; ++r)
                    for (int j = 0; j < each; ++j) {
                        int64_t const row = r % inner, global = which ? row : g * x.rows + row;
                        if (row < (which ? x.n : x.rows))
                            put_tmem(x.tmem[g], at,
                                     r + all * (j * (int64_t)tsr_size(tsr_mode(tsr_mode(tsr_mode(l, 0), 1), 0))), 4,
                                     which ? x.sfb : x.sfa, codes[(size_t)(global * each + j)]);
                    }
            std::vector<double> &to = which ? b : a;
            for (int r = 0; r < rows; ++r)
                for (int i = 0; i < x.k; ++i)
                    to[(size_t)(r * x.k + i)] *=
                        tsr_number_to_double(tsr_decode(type, codes[(size_t)(r * each + i / (x.k / each))]));
        }
    std::vector<double> want = plain_product(a, b, x.m, x.n, x.k);
    bool const negative = ((flags & TSR_UMMA_NEGATE_A) != 0) != ((flags & TSR_UMMA_NEGATE_B) != 0);
    for (double &v : want)
        v = negative ? -v : v;
    for (int m = 0; m < x.m; ++m)
        for (int n = 0; n < x.n; ++n) {
            double const old = next_integer(5);
            put_tmem(x.tmem[m / x.rows], at_c, m % x.rows + (int64_t)x.rows * n, per_c, x.c,
                     (uint32_t)tsr_encode(atom.c,
                                          atom.c == TSR_I32 ? tsr_number_int((int64_t)old) : tsr_number_real(old)));
            want[(size_t)(m * x.n + n)] += add ? old : 0;
        }
    x.word = tsr_umma_bits(atom, flags);
    runner const run = find_runner(tsr_umma_kind_of(atom), x.ctas, vector, x.ts, x.sparse);
    tsr_emulated_launch l;
    l.grid = l.cluster = dim3((unsigned)x.ctas);
    l.shared = 2 * TILE + (int)sizeof(state);
    int bad = 0;
    ++tried;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        l.schedule = (tsr_emulated_schedule)i;
        std::vector<std::string> const refused = tsr_emulate(l, [&] { run(x); });
        int wrong = 0, wrong_m = -1, wrong_n = -1;
        for (int m = 0; m < x.m; ++m)
            for (int n = 0; n < x.n; ++n) {
                uint32_t const got = get_tmem(x.out[m / x.rows], at_c, m % x.rows + (int64_t)x.rows * n, per_c);
                double const w = want[(size_t)(m * x.n + n)];
                uint32_t const right =
                    (uint32_t)tsr_encode(atom.c, atom.c == TSR_I32 ? tsr_number_int((int64_t)w) : tsr_number_real(w));
                if (right != (atom.c == TSR_F16 ? got & 0xffff : got) && wrong++ == 0)
                    wrong_m = m, wrong_n = n;
            }
        if (wrong || !refused.empty()) {
            ++bad;
            printf("kind %d, %d CTAs, (%d,%d,%d) of types %d, %d, %d, flags %d, form %d, swizzle %d, %s: %d wrong, "
                   "first (%d,%d)\n",
                   tsr_umma_kind_of(atom), x.ctas, x.m, x.n, x.k, atom.a, atom.b, atom.c, atom.flags, atom.form,
                   swizzle, schedules[i], wrong, wrong_m, wrong_n);
            for (size_t j = 0; j < refused.size() && j < 3; ++j)
                printf("    %s\n", refused[j].c_str());
            break;
        }
    }
    return bad != 0;
}

struct row {
    tsr_dtype c, a, b;
    int form;
};

int main(int arguments, char **argument)
{
    static row const rows[] = {{TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN},
                               {TSR_F16, TSR_F16, TSR_F16, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_BF16, TSR_BF16, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_TF32, TSR_TF32, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_MMA_PLAIN},
                               {TSR_F16, TSR_F8_E5M2, TSR_F8_E4M3FN, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_F4_E2M1, TSR_F6_E3M2, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_F6_E2M3, TSR_F4_E2M1, TSR_MMA_PLAIN},
                               {TSR_I32, TSR_I8, TSR_U8, TSR_MMA_PLAIN},
                               {TSR_I32, TSR_U8, TSR_I8, TSR_MMA_PLAIN},
                               {TSR_F32, TSR_F8_E4M3FN, TSR_F4_E2M1, TSR_MMA_SCALE_32},
                               {TSR_F32, TSR_F8_E5M2, TSR_F8_E4M3FN, TSR_MMA_SCALE_32},
                               {TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, TSR_MMA_SCALE_32},
                               {TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, TSR_MMA_SCALE_16},
                               {TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, TSR_MMA_SCALE_16_4}};
    int const only = arguments > 1 ? atoi(argument[1]) : -1;
    int bad = 0, number = 0, turn = 0;
    for (row const &r : rows) {
        if (only >= 0 && only != number++)
            continue;
        for (int ctas = 1; ctas <= 2; ++ctas)
            for (int m = 64 * ctas; m <= 128 * ctas; m *= 2)
                for (int flags = 0; flags < 16; ++flags)
                    for (int swizzle = 0; swizzle <= 4; ++swizzle) {
                        bool const ts = (flags & TSR_MMA_A_REGISTERS) != 0;
                        static int const widths[] = {32, 64, 96, 256};
                        int const n = widths[(flags + swizzle + m / 64) % 4];
                        if (ts && (flags & TSR_MMA_A_MN))
                            continue;
                        uint32_t const negate =
                            tsr_dtype_code(r.c) == 0 || (flags + swizzle) % 3 ? 0 : (uint32_t)TSR_UMMA_NEGATE_A;
                        if (only < 0 && (turn += 7) % 12 != 0) /* of the whole class, one in twelve */
                            continue;
                        bad += try_instruction(tsr_umma(ctas, m, n, r.c, r.a, r.b, flags, (tsr_mma_form)r.form),
                                               swizzle, true, negate);
                    }
    }
    printf("%d instructions, %d that the tree does not have, %d wrong\n", tried, skipped, bad);
    return bad != 0;
}
