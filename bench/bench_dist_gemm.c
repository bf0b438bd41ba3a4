/** Products over ranks: SUMMA beside the engine's product of each rank's share and, where it is linked, ScaLAPACK's
 *  pdgemm. The share has all of its rows of A and columns of B at hand, so that nothing is sent. Run it under mpirun.
 *  The grids are 1 by N and N by 1; times are the best turn's, of its slowest rank.
 *  usage: bench_dist_gemm [ROWS [TURNS [PANEL]]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tessera/mesh.h"
#include "tessera/mesh/mpi.h"
#include "tessera/exec/gemm.h"
#include "tessera/tessera.h"

enum { BLOCK = 256 };

static int rank, ranks, turns = 5;

typedef struct job {
    int n, desc[9];
    int64_t panel;
    tsr_dist_matrix a, b, c;
    tsr_dist_part part; /* of each of them */
    tsr_dist_transport transport;
    double *wide[2]; /* all of A's rows, all of B's columns for this rank's part of C */
} job;

static void must(bool ok, char const *words)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", words);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double measure(void (*run)(job *), job *j)
{
    double best = 0;
    for (int k = -1; k < turns; ++k) { /* the first one warms up */
        MPI_Barrier(MPI_COMM_WORLD);
        double const begin = MPI_Wtime();
        run(j);
        double const mine = MPI_Wtime() - begin;
        double most = 0;
        MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        best = k <= 0 || most < best ? most : best;
    }
    return best;
}

static void run_summa(job *j)
{
    tsr_message error;
    must(tsr_dist_gemm(j->a, j->b, j->c, 1, 0, j->panel, &j->transport, 1, &error), error.text);
}

/** A matrix, or with `turned` its transpose. */
static tsr_tensor column_major(double *memory, int64_t rows, int64_t columns, bool turned)
{
    tsr_layout const l = turned ? tsr_make_layout_from(tsr_t(columns, rows), tsr_t(rows, tsr_int(1)))
                                : tsr_make_layout_from(tsr_t(rows, columns), tsr_t(tsr_int(1), rows));
    return tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, memory, false, TSR_F64), l);
}

static void run_engine(job *j)
{
    int64_t const m = j->part.extent[0], n = j->part.extent[1];
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    must(tsr_gemm_with(column_major(j->wide[0], m, j->n, false), column_major(j->wide[1], j->n, n, true),
                       column_major((double *)j->c.memory, m, n, false), &e)
                 .status
             == 0,
         "no product");
}

#if defined(BENCH_SCALAPACK)
extern void Cblacs_get(int context, int what, int *value);
extern void Cblacs_gridinit(int *context, char const *order, int rows, int columns);
extern void pdgemm_(char const *ta, char const *tb, int const *m, int const *n, int const *k, double const *alpha,
                    double const *a, int const *ia, int const *ja, int const *da, double const *b, int const *ib,
                    int const *jb, int const *db, double const *beta, double *c, int const *ic, int const *jc,
                    int const *dc);

static void run_pdgemm(job *j)
{
    int const one = 1;
    double const alpha = 1, beta = 0;
    pdgemm_("N", "N", &j->n, &j->n, &j->n, &alpha, (double *)j->a.memory, &one, &one, j->desc, (double *)j->b.memory,
            &one, &one, j->desc, &beta, (double *)j->c.memory, &one, &one, j->desc);
}
#endif

static double *room(int64_t elements)
{
    double *const memory = (double *)malloc((size_t)(elements + 1) * sizeof *memory);
    must(memory != NULL, "no memory");
    for (int64_t i = 0; i < elements; ++i)
        memory[i] = (double)(i % 17) / 16;
    return memory;
}

static void measure_case(int n, bool rows, int64_t panel)
{
    tsr_scalapack const s = {n, n, BLOCK, BLOCK, rows ? ranks : 1, rows ? 1 : ranks, 0, 0, 0, false};
    tsr_dist_layout d;
    tsr_message error;
    double seconds[3] = {0};
    job j = {0};
    must(tsr_dist_from_scalapack(&s, &d, &error), error.text);
    (void)tsr_dist_part_of(&d, rank, &j.part);
    tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    must(mpi != NULL, error.text);
    tsr_dist_matrix *const matrix[] = {&j.a, &j.b, &j.c};
    for (int i = 0; i < 3; ++i) {
        tsr_dist_matrix const m = {&d, TSR_F64, room(j.part.span)};
        *matrix[i] = m;
    }
    j.n = n;
    j.panel = panel;
    j.transport = tsr_dist_mpi_transport(mpi);
    j.wide[0] = room(j.part.extent[0] * n);
    j.wide[1] = room(j.part.extent[1] * n);
    seconds[0] = measure(run_engine, &j);
    seconds[1] = measure(run_summa, &j);
#if defined(BENCH_SCALAPACK)
    Cblacs_get(-1, 0, &j.desc[1]);
    Cblacs_gridinit(&j.desc[1], "R", rows ? ranks : 1, rows ? 1 : ranks);
    j.desc[0] = 1;
    j.desc[2] = j.desc[3] = n;
    j.desc[4] = j.desc[5] = BLOCK;
    j.desc[8] = (int)tsr_max64(j.part.extent[0], 1);
    double *const own = (double *)j.c.memory, *const other = room(j.part.span);
    j.c.memory = other;
    seconds[2] = measure(run_pdgemm, &j);
    for (int64_t i = 0; i < j.part.span; ++i)
        must(fabs(own[i] - other[i]) <= 1e-12 * n * fabs(other[i]), "pdgemm has other sums");
    free(other);
    j.c.memory = own;
#endif
    double const flops = 2e-9 * n * n * n;
    if (rank == 0)
        printf("%3dx%-3d %10.1f %10.1f %10.1f %10.2f\n", rows ? ranks : 1, rows ? 1 : ranks, flops / seconds[0],
               flops / seconds[1], seconds[2] > 0 ? flops / seconds[2] : 0, seconds[0] / seconds[1]);
    for (int i = 0; i < 3; ++i)
        free(matrix[i]->memory);
    free(j.wide[0]);
    free(j.wide[1]);
    tsr_dist_mpi_close(mpi);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const n = argc > 1 ? atoi(argv[1]) : 4096;
    turns = argc > 2 ? atoi(argv[2]) : turns;
    if (rank == 0)
        printf("%d x %d x %d f64, %d ranks, blocks of %d; GFLOP/s of all\n%-7s %10s %10s %10s %10s\n", n, n, n, ranks,
               BLOCK, "grid", "engine", "SUMMA", "pdgemm", "of engine");
    measure_case(n, false, argc > 3 ? atoll(argv[3]) : 0);
    measure_case(n, true, argc > 3 ? atoll(argv[3]) : 0);
    MPI_Finalize();
    return 0;
}
