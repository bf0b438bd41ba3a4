/** Redistributions of a matrix between the ranks of a host: by windows and by messages, beside memcpy of a rank's part,
 *  plain messages of the same bytes and, where it is linked, ScaLAPACK's pdgemr2d. Plain messages are packed already,
 *  and what stays is not copied. Run it under mpirun; the grids are 1 by N and N by 1. Parts begin at cache lines.
 *  Times are the best turn's, of its slowest rank: what else a machine does only adds to them.
 *  usage: bench_dist_mpi [ROWS [TURNS [BUDGET]]] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/mesh.h"
#include "tessera/mesh/mpi.h"

static int rank, ranks, turns = 7;
static int64_t budget;

/** The best turn's time, which is the slowest rank's. */
static double measure(void (*run)(void *), void *context)
{
    double best = 0;
    for (int k = -1; k < turns; ++k) { /* the first one warms up */
        MPI_Barrier(MPI_COMM_WORLD);
        double const begin = MPI_Wtime();
        run(context);
        double const mine = MPI_Wtime() - begin;
        double most = 0;
        MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        best = k <= 0 || most < best ? most : best;
    }
    return best;
}

enum { LINE = 64 };

typedef struct job {
    tsr_dist_plan plan;
    tsr_dist_run *run;
    double *old, *new_, *packed[2]; /* to send, received */
    int from[9], to[9], context;
} job;

static void run_memcpy(void *context)
{
    job const *const j = (job const *)context;
    memcpy(j->new_, j->old, (size_t)tsr_min64(j->plan.part[0].span, j->plan.part[1].span) * sizeof(double));
}

static void run_plain(void *context)
{
    enum { TAG = 7, REQUESTS = 64 };
    job const *const j = (job const *)context;
    MPI_Request request[2 * REQUESTS];
    int n = 0;
    for (int way = 1; way >= 0; --way) {
        tsr_dist_message const *const m = way ? j->plan.receive : j->plan.send;
        int64_t const count = way ? j->plan.receives : j->plan.sends;
        double *at = j->packed[way];
        for (int64_t i = 0; i < count && i < REQUESTS; at += m[i++].elements) {
            if (way)
                MPI_Irecv(at, (int)m[i].elements, MPI_DOUBLE, (int)m[i].peer, TAG, MPI_COMM_WORLD, &request[n++]);
            else
                MPI_Isend(at, (int)m[i].elements, MPI_DOUBLE, (int)m[i].peer, TAG, MPI_COMM_WORLD, &request[n++]);
        }
    }
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

/** The time of plain messages. */
static double measure_plain(job *j)
{
    int64_t const n[] = {j->plan.send_elements, j->plan.receive_elements};
    for (int i = 0; i < 2; ++i) {
        j->packed[i] = (double *)malloc((size_t)n[i] * sizeof(double) + LINE);
        if (!j->packed[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
        memset(j->packed[i], 1, (size_t)n[i] * sizeof(double));
    }
    double const seconds = measure(run_plain, j);
    free(j->packed[0]);
    free(j->packed[1]);
    return seconds;
}

static void run_plan(void *context)
{
    job const *const j = (job const *)context;
    tsr_message error = {0, "the run has not ended"};
    if (!tsr_dist_run_wait(j->run, &error) || !tsr_dist_run_again(j->run)) {
        fprintf(stderr, "%s\n", error.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/** The time of a plan by a transport, again and again. */
static double measure_plan(job *j, tsr_dist_mpi *mpi)
{
    tsr_dist_transport const t = tsr_dist_mpi_transport(mpi);
    tsr_message error;
    j->run = tsr_dist_run_begin(&j->plan, &t, TSR_F64, j->old, j->new_, budget, &error);
    if (!j->run)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double const seconds = measure(run_plan, j);
    tsr_dist_run_free(j->run);
    return seconds;
}

#if defined(BENCH_SCALAPACK)
extern void Cpdgemr2d(int m, int n, double *a, int ia, int ja, int *desca, double *b, int ib, int jb, int *descb,
                      int context);
extern void Cblacs_get(int context, int what, int *value);
extern void Cblacs_gridinit(int *context, char const *order, int rows, int columns);

static void run_pdgemr2d(void *context)
{
    job *const j = (job *)context;
    Cpdgemr2d(j->from[2], j->from[3], j->old, 1, 1, j->from, j->new_, 1, 1, j->to, j->context);
}

/** A descriptor on a grid of its own. */
static void describe(int *d, int n, int block, bool rows, int64_t leading)
{
    int grid = 0;
    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "R", rows ? ranks : 1, rows ? 1 : ranks);
    int const values[] = {1, grid, n, n, block, block, 0, 0, (int)tsr_max64(leading, 1)};
    memcpy(d, values, sizeof values);
}
#endif

static tsr_dist_layout matrix(int64_t n, int block, bool rows)
{
    tsr_scalapack const s = {n, n, block, block, rows ? ranks : 1, rows ? 1 : ranks, 0, 0, 0, false};
    tsr_dist_layout d;
    tsr_message error;
    if (!tsr_dist_from_scalapack(&s, &d, &error))
        MPI_Abort(MPI_COMM_WORLD, 1);
    return d;
}

static void measure_case(int n, int from_block, bool from_rows, int to_block, bool to_rows)
{
    tsr_message error;
    double seconds[5] = {0};
    tsr_dist_layout const from = matrix(n, from_block, from_rows), to = matrix(n, to_block, to_rows);
    job j;
    tsr_dist_mpi *const windows = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    tsr_dist_mpi *const messages = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    if (!windows || !messages || !tsr_dist_plan_make(&from, &to, rank, tsr_dist_mpi_host(windows), &j.plan, &error))
        MPI_Abort(MPI_COMM_WORLD, 1);
    j.old = (double *)tsr_dist_mpi_memory(windows, j.plan.part[0].span * (int64_t)sizeof(double), &error);
    void *const room = malloc((size_t)j.plan.part[1].span * sizeof(double) + LINE);
    if (!j.old || !room)
        MPI_Abort(MPI_COMM_WORLD, 1);
    j.new_ = (double *)(((uintptr_t)room + LINE - 1) / LINE * LINE);
    for (int64_t i = 0; i < j.plan.part[0].span; ++i)
        j.old[i] = (double)i;
    memset(j.new_, 1, (size_t)j.plan.part[1].span * sizeof(double));
    seconds[0] = measure(run_memcpy, &j);
    seconds[1] = measure_plan(&j, windows);
    seconds[2] = measure_plan(&j, messages);
    seconds[4] = measure_plain(&j);
#if defined(BENCH_SCALAPACK)
    Cblacs_get(-1, 0, &j.context);
    Cblacs_gridinit(&j.context, "R", 1, ranks);
    describe(j.from, n, from_block, from_rows, j.plan.part[0].extent[0]);
    describe(j.to, n, to_block, to_rows, j.plan.part[1].extent[0]);
    seconds[3] = measure(run_pdgemr2d, &j);
#endif
    if (rank == 0)
        printf("%4d %3dx%-3d -> %4d %3dx%-3d %10.4f %10.2f %10.2f %10.2f %10.2f\n", from_block, from_rows ? ranks : 1,
               from_rows ? 1 : ranks, to_block, to_rows ? ranks : 1, to_rows ? 1 : ranks, seconds[0],
               seconds[1] / seconds[0], seconds[2] / seconds[0], seconds[4] / seconds[0], seconds[3] / seconds[0]);
    tsr_dist_plan_free(&j.plan);
    free(room);
    tsr_dist_mpi_close(windows);
    tsr_dist_mpi_close(messages);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const n = argc > 1 ? atoi(argv[1]) : 8192;
    turns = argc > 2 ? atoi(argv[2]) : turns;
    budget = argc > 3 ? atoll(argv[3]) : 0;
    if (rank == 0)
        printf("%d x %d f64, %d ranks; times of memcpy of a rank's part\n%-26s %10s %10s %10s %10s %10s\n", n, n,
               ranks, "blocks, grids", "memcpy s", "windows", "messages", "plain", "pdgemr2d");
    measure_case(n, 64, false, 256, true);
    measure_case(n, 128, false, 64, true);
    measure_case(n, 64, true, 32, true);
    measure_case(n, 64, true, 64, false);
    measure_case(n, 1, false, 1, true);
    measure_case(n, 128, false, 128, false);
    MPI_Finalize();
    return 0;
}
