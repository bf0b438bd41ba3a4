/** Rank 1 is killed between two runs of a plan. The others must end with one sentence after their timeout.
 *  usage: mpirun --enable-recovery -n N lost windows|messages */
#define _POSIX_C_SOURCE 200809L

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/mesh.h"
#include "tessera/mesh/mpi.h"

enum { N = 64 };

static void must(bool ok, char const *words)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", words);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    tsr_message error = {0, ""};
    tsr_dist_plan plan;
    int64_t const extent[] = {N, N};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    must(mpi != NULL, error.text);
    tsr_dist_transport const t = tsr_dist_mpi_transport(mpi);
    tsr_dist_layout from, to;
    tsr_placement const rows = {TSR_PLACE_SHARD, 0, 1}, columns = {TSR_PLACE_SHARD, 1, 1};
    must(tsr_dist_from_placements(2, extent, 1, &t.ranks, &rows, NULL, &from, &error)
             && tsr_dist_from_placements(2, extent, 1, &t.ranks, &columns, NULL, &to, &error)
             && tsr_dist_plan_make(&from, &to, t.rank, 1, &plan, &error),
         error.text);
    tsr_dist_mpi_timeout(mpi, 1);
    double *const new_ = (double *)calloc((size_t)plan.part[1].span + 1, sizeof *new_);
    double *const own = (double *)calloc((size_t)plan.part[0].span + 1, sizeof *own);
    bool const windows = argc > 1 && strcmp(argv[1], "windows") == 0;
    double const *const old =
        windows ? (double *)tsr_dist_mpi_memory(mpi, plan.part[0].span * (int64_t)sizeof(double), &error) : own;
    must(new_ && own && old, "no memory");
    tsr_dist_run *const run = tsr_dist_run_begin(&plan, &t, TSR_F64, old, new_, 0, &error);
    must(run && tsr_dist_run_wait(run, &error), error.text);
    if (t.rank == 1)
        (void)raise(SIGKILL);
    double const begin = MPI_Wtime();
    bool const ok = tsr_dist_run_again(run) && tsr_dist_run_wait(run, &error);
    printf("rank %d %s after %s: %s\n", (int)t.rank, ok ? "goes on" : "ends",
           MPI_Wtime() - begin < 30 ? "its timeout" : "too long", error.text);
    (void)fflush(stdout);
    tsr_dist_run_free(run);
    tsr_dist_plan_free(&plan);
    free(new_);
    free(own);
    _Exit(ok);
}
