/** Redistributions that are collectives of MPI: one call of all ranks beside messages. Run it under mpirun. Times are
 *  the medians of turns, in microseconds, of runs that are begun again, of the slowest rank.
 *  usage: bench_dist_together [TURNS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/mesh.h"
#include "tessera/mesh/mpi.h"

enum { MOST_TURNS = 101, ROOM = 1 << 30 /* bytes */ };

static int rank, ranks, turns = 31;

static void need(bool ok, tsr_message const *error)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", error->text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/** Collectives of two ranks too. */
static bool any(void *self, tsr_dist_collective kind, tsr_dtype type)
{
    (void)self, (void)kind, (void)type;
    return true;
}

static int compare(void const *a, void const *b)
{
    double const x = *(double const *)a, y = *(double const *)b;
    return (x > y) - (x < y);
}

/** Both ways in turns. */
static void measure(tsr_dist_run *const run[2], double median[2])
{
    static double us[2][MOST_TURNS];
    tsr_message error;
    for (int k = -2; k < turns; ++k)
        for (int way = 0; way < 2; ++way) {
            MPI_Barrier(MPI_COMM_WORLD);
            double const begin = MPI_Wtime();
            need(tsr_dist_run_wait(run[way], &error) && tsr_dist_run_again(run[way]), &error);
            double const mine = 1e6 * (MPI_Wtime() - begin);
            double slowest = 0;
            MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            if (k >= 0)
                us[way][k] = slowest;
        }
    for (int way = 0; way < 2; ++way) {
        qsort(us[way], (size_t)turns, sizeof us[way][0], compare);
        median[way] = us[way][turns / 2];
    }
}

static void run_case(tsr_dist_mpi *mpi, char const *from, char const *to, int64_t n)
{
    tsr_dist_layout d[2];
    tsr_dist_plan plan;
    tsr_message error;
    char text[2][64];
    double median[2];
    tsr_dist_terms const terms = tsr_dist_terms_of(TSR_I32);
    snprintf(text[0], sizeof text[0], "dtensor((%lld,%lld),(%d),[%s])", (long long)n, (long long)n, ranks, from);
    snprintf(text[1], sizeof text[1], "dtensor((%lld,%lld),(%d),[%s])", (long long)n, (long long)n, ranks, to);
    need(tsr_dist_parse(text[0], &d[0], &error) && tsr_dist_parse(text[1], &d[1], &error)
             && tsr_dist_plan_make(&d[0], &d[1], rank, 1, &plan, &error),
         &error);
    tsr_dist_transport messages = tsr_dist_mpi_transport(mpi);
    tsr_dist_transport together = messages;
    messages.joins = NULL;
    together.joins = any;
    int32_t *const old = (int32_t *)calloc((size_t)plan.part[0].span + 1, sizeof *old);
    int32_t *const a = (int32_t *)calloc((size_t)plan.part[1].span + 1, sizeof *a);
    int32_t *const b = (int32_t *)calloc((size_t)plan.part[1].span + 1, sizeof *b);
    for (int64_t i = 0; old && i < plan.part[0].span; ++i)
        old[i] = (int32_t)(i + 7 * rank);
    tsr_dist_run *const run[] = {tsr_dist_axpby_begin(&plan, &messages, &terms, old, a, 0, &error),
                                 tsr_dist_axpby_begin(&plan, &together, &terms, old, b, ROOM, &error)};
    need(run[0] && run[1], &error);
    measure(run, median);
    if (memcmp(a, b, (size_t)plan.part[1].span * sizeof *a) != 0) {
        snprintf(error.text, sizeof error.text, "%s to %s: both ways differ", from, to);
        need(false, &error);
    }
    if (rank == 0)
        printf("%-5s to %-5s %5lld^2 %10.1f %10.1f %8.2f\n", from, to, (long long)n, median[0], median[1],
               median[0] / median[1]);
    tsr_dist_run_free(run[0]);
    tsr_dist_run_free(run[1]);
    tsr_dist_plan_free(&plan);
    free(old);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    static char const *const kinds[][2] = {{"S(0)", "S(1)"}, {"S(0)", "R"}, {"P", "S(0)"}, {"P", "R"}};
    static int const sizes[] = {8, 64, 128, 256};
    tsr_message error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    turns = argc > 1 ? atoi(argv[1]) % MOST_TURNS : turns;
    tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
    need(mpi != NULL, &error);
    if (rank == 0)
        printf("%d ranks, i32, us\n%-20s %10s %10s %8s\n", ranks, "", "messages", "together", "ratio");
    for (int k = 0; k < 4; ++k)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
            run_case(mpi, kinds[k][0], kinds[k][1], sizes[i]);
    tsr_dist_mpi_close(mpi);
    MPI_Finalize();
    return 0;
}
