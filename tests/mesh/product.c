/** Products over ranks: random distributions of A, B and C under mpirun, every element of C compared. All numbers are
 *  whole and small, so sums are exact in any order.
 *  usage: mpirun -n N product SEED PRODUCTS */
#include <mpi.h>

#include "random_layout.h"
#include "tessera/mesh/mpi.h"
#include "tessera/mesh/product.h"

static int64_t a_at(int64_t i, int64_t k) { return (i * 7 + k * 3) % 5 - 2; }
static int64_t b_at(int64_t k, int64_t j) { return (k * 11 + j * 5) % 7 - 3; }

/** C's elements: what is there before is 1. */
static double c_at(int64_t i, int64_t j, int64_t inner, double alpha, double beta)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < inner; ++k)
        sum += a_at(i, k) * b_at(k, j);
    return alpha * (double)sum + beta;
}

/** Calls for each element of a rank's part: which one, and where. */
static bool fill(tsr_dist_layout const *d, int64_t rank, double *memory, int which)
{
    tsr_dist_part part;
    int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES];
    if (!tsr_dist_part_of(d, rank, &part) || part.elements == 0)
        return true;
    do {
        if (!tsr_dist_index_at(d, rank, local, index))
            return false;
        memory[local[0] * part.stride[0] + local[1] * part.stride[1]] =
            which == 2 ? 1 : (double)(which ? b_at : a_at)(index[0], index[1]);
    } while (next_local(2, &part, local));
    return true;
}

static bool same(tsr_dist_layout const *d, int64_t rank, double const *memory, int64_t inner, double alpha,
                 double beta)
{
    tsr_dist_part part;
    int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES];
    if (!tsr_dist_part_of(d, rank, &part) || part.elements == 0)
        return true;
    do {
        double const got = memory[local[0] * part.stride[0] + local[1] * part.stride[1]];
        if (!tsr_dist_index_at(d, rank, local, index) || got != c_at(index[0], index[1], inner, alpha, beta)) {
            printf("C(%lld,%lld) is %g, not %g\n", (long long)index[0], (long long)index[1], got,
                   c_at(index[0], index[1], inner, alpha, beta));
            return false;
        }
    } while (next_local(2, &part, local));
    return true;
}

/** A layout that these ranks hold. */
static tsr_dist_layout fitting(int64_t const *extent, int64_t ranks)
{
    for (;;) {
        tsr_dist_layout const d = random_layout(2, extent, ranks, 1);
        if (tsr_dist_ranks(&d) <= ranks)
            return d;
    }
}

/** The choice within so many bytes: no other number of layers that fits receives less. One byte less than the least
 *  cost is refused. More layers than ranks, and no ranks, cost the greatest number. */
static bool check_choice(tsr_dist_matrix const m[3], int64_t panel, int64_t ranks, int64_t bytes, tsr_message *error)
{
    int64_t layers, least = INT64_MAX, refused;
    if (!tsr_dist_gemm_choose(m[0], m[1], m[2], panel, ranks, bytes, &layers, error))
        return false;
    tsr_dist_gemm_cost const best = tsr_dist_gemm_cost_of(m[0], m[1], m[2], panel, layers, ranks);
    bool ok = ranks % layers == 0 && best.bytes <= bytes
              && tsr_dist_gemm_cost_of(m[0], m[1], m[2], panel, ranks + 1, ranks).bytes == INT64_MAX
              && tsr_dist_gemm_cost_of(m[0], m[1], m[2], panel, 2, 0).bytes == INT64_MAX;
    for (int64_t l = 1; l <= ranks; ++l)
        if (ranks % l == 0) {
            tsr_dist_gemm_cost const x = tsr_dist_gemm_cost_of(m[0], m[1], m[2], panel, l, ranks);
            ok =
                ok && (x.bytes > bytes || x.received > best.received || (x.received == best.received && l >= layers));
            least = x.bytes < least ? x.bytes : least;
        }
    ok = ok && !tsr_dist_gemm_choose(m[0], m[1], m[2], panel, ranks, least - 1, &refused, error) && refused == 0
         && strstr(error->text, "bytes on a rank");
    if (!ok)
        snprintf(error->text, sizeof error->text, "%d layers are no choice within %lld bytes", (int)layers,
                 (long long)bytes);
    return ok;
}

static bool one_product(tsr_dist_transport const *t, int64_t host)
{
    int64_t const m = 1 + noise(30), n = 1 + noise(300), k = noise(40), panel = noise(2) ? 0 : 1 + noise(9);
    int64_t const extent[3][2] = {{m, k}, {k, n}, {m, n}};
    double const alpha = (double)(noise(4) - 1), beta = (double)noise(3);
    tsr_dist_layout layout[3];
    tsr_dist_matrix matrix[3];
    tsr_message error = {0, ""};
    bool ok = true;
    for (int i = 0; i < 3; ++i) {
        tsr_dist_part part;
        layout[i] = fitting(extent[i], t->ranks);
        (void)tsr_dist_part_of(&layout[i], t->rank, &part);
        tsr_dist_matrix const x = {&layout[i], TSR_F64, malloc((size_t)(part.span + 1) * sizeof(double))};
        matrix[i] = x;
        ok = ok && x.memory && fill(&layout[i], t->rank, (double *)x.memory, i);
    }
    int64_t layers = noise(2) ? 1 : 1 + noise(t->ranks);
    while (t->ranks % layers != 0)
        --layers;
    bool const within = noise(3) == 0;
    tsr_dist_gemm_cost const cost = tsr_dist_gemm_cost_of(matrix[0], matrix[1], matrix[2], panel, layers, t->ranks);
    ok = ok && check_choice(matrix, panel, t->ranks, cost.bytes, &error)
         && (within
                 ? tsr_dist_gemm_within(matrix[0], matrix[1], matrix[2], alpha, beta, panel, cost.bytes, t, host,
                                        &error)
                 : tsr_dist_gemm_layers(matrix[0], matrix[1], matrix[2], alpha, beta, panel, layers, t, host, &error))
         && same(&layout[2], t->rank, (double const *)matrix[2].memory, k, alpha, beta);
    for (int i = 0; i < 3; ++i)
        free(matrix[i].memory);
    if (!ok) {
        char text[TSR_TEXT_SIZE];
        printf("rank %lld, (%lld,%lld,%lld), panels of %lld, %lld layers: %s\n", (long long)t->rank, (long long)m,
               (long long)n, (long long)k, (long long)panel, (long long)layers, error.text);
        for (int i = 0; i < 3; ++i) {
            tsr_dist_format(text, sizeof text, &layout[i]);
            printf("%s\n", text);
        }
    }
    return ok;
}

static tsr_dist_transport under;
static int64_t sent;

static bool count_send(void *self, int64_t slot, int64_t to, void const *bytes, int64_t n)
{
    sent += n;
    return under.send(self, slot, to, bytes, n);
}

/** What all ranks send is at most what the law of 2.5-D products says: on grids of r by r ranks in each layer. */
static void test_bytes(tsr_dist_transport const *t)
{
    enum { N = 64 };
    int64_t const n = N;
    under = *t;
    tsr_dist_transport counts = *t;
    counts.send = count_send;
    counts.keep = NULL;
    for (int64_t layers = 1; layers <= t->ranks; ++layers) {
        int64_t side = 1;
        while (side * side * layers < t->ranks)
            ++side;
        if (side * side * layers != t->ranks)
            continue;
        char text[64];
        tsr_dist_layout d;
        tsr_dist_part part;
        tsr_message error = {0, ""};
        snprintf(text, sizeof text, "dtensor((%d,%d),(%d),[S(0)])", N, N, (int)t->ranks);
        bool ok = tsr_dist_parse(text, &d, &error) && tsr_dist_part_of(&d, t->rank, &part);
        tsr_dist_matrix m[3];
        for (int i = 0; i < 3; ++i) {
            tsr_dist_matrix const x = {&d, TSR_F64, calloc((size_t)part.span + 1, sizeof(double))};
            m[i] = x;
        }
        sent = 0;
        ok = ok && tsr_dist_gemm_layers(m[0], m[1], m[2], 1, 0, 16, layers, &counts, 1, &error);
        int64_t const cost = tsr_dist_gemm_cost_of(m[0], m[1], m[2], 16, layers, t->ranks).received;
        int64_t const moved = 2 * n * n / (side * layers) + (layers > 1 ? n * n / (side * side) : 0);
        int64_t const bound = 8 * t->ranks * moved;
        int64_t all = 0;
        MPI_Allreduce(&sent, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        check("bytes of a product", ok && all <= bound && all <= cost * t->ranks);
        if (t->rank == 0)
            printf("%lld ranks, %lld layers: %lld bytes, the bound is %lld\n", (long long)t->ranks, (long long)layers,
                   (long long)all, (long long)bound);
        for (int i = 0; i < 3; ++i)
            free(m[i].memory);
    }
}

static void test_layers(tsr_dist_transport const *t)
{
    tsr_dist_layout const d = tsr_dist_whole(2, (int64_t const[]){4, 4}, true);
    double memory[16] = {0};
    tsr_dist_matrix const m = {&d, TSR_F64, memory};
    tsr_message error = {0, ""};
    for (int64_t layers = 0; layers <= t->ranks + 1; layers += t->ranks + 1)
        check("layers", !tsr_dist_gemm_layers(m, m, m, 1, 0, 0, layers, t, 1, &error) && strstr(error.text, "are not")
                            && strstr(error.text, "layers of equal size"));
}

static void test_refused(tsr_dist_transport const *t)
{
    static char const *const rows[][4] = {
        {"dtensor((4,5),(1),[R])", "dtensor((6,3),(1),[R])", "dtensor((4,3),(1),[R])",
         "mode 1 of A has extent 5, and mode 0 of B has 6"},
        {"dtensor((4,5),(1),[R])", "dtensor((5,3),(1),[R])", "dtensor((5,3),(1),[R])",
         "mode 0 of A has extent 4, and mode 0 of C has 5"},
        {"dtensor((4,5),(1),[R])", "dtensor((5,3),(2),[P])", "dtensor((4,3),(1),[R])", "B has addends"},
        {"dtensor((4),(1),[R])", "dtensor((5,3),(1),[R])", "dtensor((4,3),(1),[R])", "A has 1 modes"},
        {"dtensor((4,5),(1),[R])@60", "dtensor((5,3),(1),[R])", "dtensor((4,3),(1),[R])", "A lies on 61 ranks"},
    };
    double memory[32] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        tsr_dist_layout d[3];
        tsr_message error = {0, ""};
        bool ok = true;
        for (int k = 0; k < 3; ++k)
            ok = ok && tsr_dist_parse(rows[i][k], &d[k], &error);
        tsr_dist_matrix const a = {&d[0], TSR_F64, memory}, b = {&d[1], TSR_F64, memory},
                              c = {&d[2], TSR_F64, memory};
        ok = ok && !tsr_dist_gemm(a, b, c, 1, 0, 0, t, 1, &error) && strstr(error.text, rows[i][3]);
        check(rows[i][3], ok);
        if (!ok)
            printf("  %s\n", error.text);
    }
}

int main(int argc, char **argv)
{
    tsr_message error = {0, ""};
    int all = 0;
    MPI_Init(&argc, &argv);
    tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    if (!mpi)
        return printf("%s\n", error.text), 1;
    tsr_dist_transport const t = tsr_dist_mpi_transport(mpi);
    random_begin((argc > 1 ? (uint64_t)atoll(argv[1]) : 1) + 1000 * (uint64_t)t.ranks);
    test_refused(&t);
    test_layers(&t);
    test_bytes(&t);
    for (int i = argc > 2 ? atoi(argv[2]) : 100; i > 0; --i) {
        bool const ok = one_product(&t, tsr_dist_mpi_host(mpi));
        check("a product", ok);
        if (!ok)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    tsr_dist_mpi_close(mpi);
    MPI_Reduce(&passed, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (t.rank == 0)
        printf("%d passed on %lld ranks, 0 failed\n", all, (long long)t.ranks);
    MPI_Finalize();
    return failed != 0;
}
