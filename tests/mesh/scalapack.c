/** A matrix in blocks of rows is laid out for ScaLAPACK, factorised there by pdgetrf, and brought to rank 0: L U is the
 *  matrix again. Its columns are dominated by their diagonals, so that no rows change places.
 *  usage: mpirun -n P*Q scalapack P Q */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tessera/mesh.h"
#include "tessera/mesh/mpi.h"

enum { N = 150, BLOCK = 16 };

extern void Cblacs_get(int context, int what, int *value);
extern void Cblacs_gridinit(int *context, char const *order, int rows, int columns);
extern void Cblacs_gridexit(int context);
extern void pdgetrf_(int const *m, int const *n, double *a, int const *ia, int const *ja, int const *desca,
                     int *pivots, int *info);

static double element(int64_t i, int64_t j) { return i == j ? 2 * N : sin((double)(7 * i + 3 * j)); }

static void must(bool ok, char const *words)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", words);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double *room(tsr_dist_part const *part)
{
    double *const memory = (double *)calloc((size_t)part->span + 1, sizeof *memory);
    must(memory != NULL, "no memory");
    return memory;
}

/** Moves a matrix from one distribution to another. */
static double *move(tsr_dist_transport const *t, tsr_dist_layout const *from, tsr_dist_layout const *to,
                    double const *old)
{
    tsr_dist_plan p;
    tsr_message error = {0, ""};
    must(tsr_dist_plan_make(from, to, t->rank, 1, &p, &error), error.text);
    double *const new_ = room(&p.part[1]);
    must(tsr_dist_redistribute(&p, t, TSR_F64, old, new_, 0, &error), error.text);
    tsr_dist_plan_free(&p);
    return new_;
}

/** Factorises the matrix of which this rank has a part. */
static void factorise(tsr_dist_layout const *d, double *a, int64_t rank, int p, int q)
{
    int const n = N, one = 1;
    int grid = 0, info = -1;
    tsr_dist_part part;
    must(tsr_dist_part_of(d, rank, &part), "no part");
    int *const pivots = (int *)calloc((size_t)part.extent[0] + BLOCK, sizeof *pivots);
    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "R", p, q);
    int const desc[] = {1, grid, N, N, BLOCK, BLOCK, 0, 0, (int)tsr_max64(part.extent[0], 1)};
    pdgetrf_(&n, &n, a, &one, &one, desc, pivots, &info);
    must(info == 0, "pdgetrf fails");
    Cblacs_gridexit(grid);
    free(pivots);
}

/** The largest difference between the matrix and L U, which are column-major in one array. */
static double difference(double const *lu)
{
    double most = 0;
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < N; ++i) {
            double sum = i <= j ? lu[i + j * N] : 0;
            for (int64_t k = 0; k < i && k <= j; ++k)
                sum += lu[i + k * N] * lu[k + j * N];
            most = fmax(most, fabs(sum - element(i, j)));
        }
    return most;
}

int main(int argc, char **argv)
{
    tsr_message error = {0, ""};
    tsr_dist_layout rows, blocks, whole;
    tsr_dist_part part;
    MPI_Init(&argc, &argv);
    int const p = argc > 1 ? atoi(argv[1]) : 1, q = argc > 2 ? atoi(argv[2]) : 1;
    int64_t const extent[] = {N, N}, ranks = p * q;
    tsr_hpf_format const format[] = {{TSR_HPF_BLOCK, 0, NULL}, {TSR_HPF_WHOLE, 0, NULL}};
    tsr_scalapack const s = {N, N, BLOCK, BLOCK, p, q, 0, 0, 0, false};
    whole = tsr_dist_whole(2, extent, false);
    must(tsr_dist_from_hpf(2, extent, format, 1, &ranks, &rows, &error), error.text);
    must(tsr_dist_from_scalapack(&s, &blocks, &error), error.text);
    tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    must(mpi != NULL, error.text);
    tsr_dist_transport const t = tsr_dist_mpi_transport(mpi);
    must(tsr_dist_part_of(&rows, t.rank, &part), "no rows");
    double *const mine = room(&part);
    for (int64_t j = 0; j < part.extent[1]; ++j)
        for (int64_t i = 0; i < part.extent[0]; ++i) {
            int64_t const local[] = {i, j};
            int64_t index[2];
            must(tsr_dist_index_at(&rows, t.rank, local, index), "no index");
            mine[i * part.stride[0] + j * part.stride[1]] = element(index[0], index[1]);
        }
    double *const a = move(&t, &rows, &blocks, mine);
    factorise(&blocks, a, t.rank, p, q);
    double *const lu = move(&t, &blocks, &whole, a);
    double const most = t.rank == 0 ? difference(lu) : 0;
    if (t.rank == 0)
        printf("%lld ranks: L U differs by %.1e\n", (long long)ranks, most);
    must(most < 1e-10, "L U is not the matrix");
    free(mine);
    free(a);
    free(lu);
    tsr_dist_mpi_close(mpi);
    MPI_Finalize();
    return 0;
}
