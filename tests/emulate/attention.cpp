/** The example cuda_22_attention in the emulator: near a plain attention, and the same bytes under every schedule. */
#include "tessera/emulate/run.h"

#include "../../examples/cuda/cuda_22_attention.cuh"
#include "product.h"

/** (rows,D,heads,batches), by batches of rows of heads: integers over 4, from `calm` rows on larger ones. */
struct heads_of {
    int rows, size, heads, batches;
    std::vector<tsr_bf16> numbers;
    heads_of(int rows_, int size_, int heads_, int batches_, int most, int calm = 0)
        : rows(rows_), size(size_), heads(heads_), batches(batches_), numbers((size_t)(rows * size * heads * batches))
    {
        for (size_t i = 0; i < numbers.size(); ++i) {
            int const row = (int)i / (size * heads) % rows;
            numbers[i] = tsr_bf16((float)next_integer(row < calm ? 1 : most) / 4);
        }
    }
    tsr_global<tsr_bf16, 4, 1> view()
    {
        int64_t const row = heads * size;
        return {numbers.data(), {rows, size, heads, batches}, {row, 1, size, row * rows}};
    }
    double at(int row, int d, int head, int batch) const
    {
        return (double)(float)numbers[(size_t)(((batch * rows + row) * heads + head) * size + d)];
    }
    tsr_tma_desc plan(tsr_layout const &smem)
    {
        tsr_tma_tile const tile = tsr_make_tma_tile(smem, TSR_BF16, 1);
        tsr_global<tsr_bf16, 4, 1> const x = view();
        tsr_layout const all =
            tsr_make_layout(tsr_t(rows, size, heads, batches), tsr_t(x.stride[0], _1, x.stride[2], x.stride[3]));
        return tsr_tma_tile_desc(&tile, TSR_BF16, tile.along == 1 ? all : tsr_select(all, 1, 0, 2, 3));
    }
};

/** What the kernel may be wrong by: P and O are rounded to bf16, to 2^-8 of each; the sums of floats are nearer. */
static double const nearest = (2 + 1. / 16) / 256;

/** A query of a head in double precision; how many numbers of O and lse are not as near as they must be. */
static int wrong_of(heads_of const &Q, heads_of const &K, heads_of const &V, heads_of const &O, float lse,
                    bool causal, float scale, int i, int head, int batch)
{
    int const kv = head / (Q.heads / K.heads), keys = causal ? std::min(K.rows, i + K.rows - Q.rows + 1) : K.rows;
    std::vector<double> p((size_t)std::max(keys, 0));
    double most = -INFINITY, sum = 0;
    for (int j = 0; j < keys; ++j) {
        for (int d = 0; d < Q.size; ++d)
            p[(size_t)j] += Q.at(i, d, head, batch) * K.at(j, d, kv, batch) * (double)scale;
        most = std::max(most, p[(size_t)j]);
    }
    for (double &x : p)
        sum += x = exp(x - most);
    double const log_sum = keys > 0 ? most + log(sum) : -INFINITY;
    int wrong = !((double)lse == log_sum || fabs((double)lse - log_sum) < 1e-4);
    for (int d = 0; d < Q.size; ++d) {
        double o = 0, size = 0; /* of its terms */
        for (int j = 0; j < keys; ++j) {
            o += p[(size_t)j] * V.at(j, d, kv, batch) / sum;
            size += p[(size_t)j] * fabs(V.at(j, d, kv, batch)) / sum;
        }
        wrong += !(fabs(O.at(i, d, head, batch) - o) <= nearest * size);
    }
    return wrong;
}

struct sizes {
    int batches, heads, kv_heads, queries, keys;
};

template <int D, bool Causal> static int try_attention(sizes const &z)
{
    typedef attention_plan<D> plan;
    heads_of Q(z.queries, D, z.heads, z.batches, 16), K(z.keys, D, z.kv_heads, z.batches, 8, 150),
        V(z.keys, D, z.kv_heads, z.batches, 4), O(z.queries, D, z.heads, z.batches, 0);
    int const lines = z.batches * z.heads, count = (int)O.numbers.size();
    attention_size const size = {z.queries, z.keys, z.heads, z.heads / z.kv_heads, 1 / sqrtf((float)D)};
    tsr_tma_desc const q = Q.plan(plan::smem_q), k = K.plan(plan::smem_k), v = V.plan(plan::smem_v);
    attention_maps const maps = {tsr_emulated_map(&q, Q.numbers.data()), tsr_emulated_map(&k, K.numbers.data()),
                                 tsr_emulated_map(&v, V.numbers.data())};
    std::vector<float> lse((size_t)(lines * z.queries));
    std::vector<uint8_t> first;
    int bad = 0;
    for (unsigned run = 0; run < TSR_SCHEDULES + 3; ++run) { /* four seeds of the last schedule */
        int const schedule = std::min((int)run, TSR_SCHEDULES - 1);
        tsr_emulated_launch l;
        l.grid = dim3((unsigned)lines, (unsigned)((z.queries + plan::M - 1) / plan::M));
        l.threads = plan::threads;
        l.shared = sizeof(typename plan::shared);
        l.schedule = (tsr_emulated_schedule)schedule;
        l.seed = run;
        memset(static_cast<void *>(O.numbers.data()), 0xff, (size_t)count * 2);
        std::vector<std::string> const refused =
            tsr_emulate(l, [&] { attention<D, Causal>(maps, O.view(), lse.data(), size); });
        for (std::string const &x : refused)
            printf("attention, %s: %s\n", schedules[schedule], x.c_str());
        int wrong = 0;
        for (int i = 0; i < lines * z.queries && refused.empty(); ++i)
            wrong += wrong_of(Q, K, V, O, lse[(size_t)i], Causal, size.scale, i % z.queries, i / z.queries % z.heads,
                              i / z.queries / z.heads);
        std::vector<uint8_t> bytes((size_t)count * 2 + lse.size() * 4);
        memcpy(bytes.data(), O.numbers.data(), (size_t)count * 2);
        memcpy(bytes.data() + (size_t)count * 2, lse.data(), lse.size() * 4);
        first = run == 0 ? bytes : first;
        if (refused.empty() && (wrong > 0 || bytes != first))
            printf("attention, %s: D = %d, %d queries, %d keys: %d of %d numbers are wrong%s\n", schedules[schedule],
                   D, z.queries, z.keys, wrong, count + (int)lse.size(), bytes != first ? ", other bytes" : "");
        bad += !refused.empty() || wrong > 0 || bytes != first;
    }
    return bad;
}

int main(int arguments, char **)
{
    int bad = try_attention<64, true>({1, 1, 1, 130, 300}) + try_attention<64, false>({1, 1, 1, 1, 77});
    if (arguments == 1)
        bad += try_attention<128, true>({1, 2, 1, 300, 475}) + try_attention<64, false>({2, 2, 2, 131, 517})
               + try_attention<64, true>({1, 1, 1, 260, 130}) + try_attention<128, false>({1, 2, 1, 256, 256});
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}
