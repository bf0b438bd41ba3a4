/** Random pairs of distributions under mpirun, by messages and by windows. All ranks draw the same pairs.
 *  usage: mpi SEED PAIRS */
#include <mpi.h>

#include "random_terms.h"
#include "tessera/mesh/mpi.h"
#include "tessera/tessera.h"

/** What a rank of MPI runs plans with: messages, and memory that the ranks of its host see. */
typedef struct carrier {
    tsr_dist_transport transport;
    int64_t host;
    int32_t *memory; /* of windows; NULL: of messages */
    int64_t room;    /* elements */
} carrier;

/** This rank's part of a pair. */
static bool run_rank(pair const *p, carrier const *c, int64_t budget)
{
    int64_t const r = c->transport.rank;
    tsr_dist_plan plan;
    tsr_message error = {0, ""};
    int32_t *old = memory_of(&p->from, r, 100 * addend_of(&p->from, r), true);
    int32_t *const new_ = memory_of(&p->to, r, 0, false), *const wanted = wanted_of(p, r);
    bool ok = tsr_dist_plan_make(&p->from, &p->to, r, c->host, &plan, &error);
    if (ok && c->memory && old) {
        ok = plan.part[0].span <= c->room;
        if (ok)
            memcpy(c->memory, old, (size_t)plan.part[0].span * sizeof *old);
    }
    ok = ok && tsr_dist_redistribute(&plan, &c->transport, TSR_I32, c->memory ? c->memory : old, new_, budget, &error)
         && same_memory(p, r, new_, wanted);
    if (!ok)
        printf("rank %lld: %s\n", (long long)r, error.text);
    free(old);
    free(new_);
    free(wanted);
    tsr_dist_plan_free(&plan);
    return ok;
}

static void test_pairs(carrier const *c, char const *what, int pairs)
{
    for (int i = 0; i < pairs; ++i) {
        pair p = random_pair(c->transport.ranks, 30);
        int64_t const budget = noise(3) ? 0 : 1 + noise(400);
        if (p.ranks > c->transport.ranks) /* the same on all ranks */
            continue;
        bool const ok = run_rank(&p, c, budget);
        check(what, ok);
        if (!ok) {
            print_pair(&p);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

/** This rank's part of a pair with factors and casts, run again and again: requests of messages are kept. */
static bool run_terms(pair const *p, carrier const *c, tsr_dist_terms const *terms, int64_t budget, int times)
{
    int64_t const r = c->transport.rank;
    tsr_dist_plan plan;
    tsr_message error = {0, ""};
    bool ok = tsr_dist_plan_make(&p->from, &p->to, r, c->host, &plan, &error);
    void *old = typed(memory_of(&p->from, r, 100 * addend_of(&p->from, r), true), plan.part[0].span, terms->from);
    void *const new_ = typed(memory_of(&p->to, r, 0, false), plan.part[1].span, terms->to);
    if (c->memory && old)
        memcpy(c->memory, old, (size_t)plan.part[0].span * (size_t)tsr_dtype_bits(terms->from) / 8);
    tsr_dist_run *const run =
        ok ? tsr_dist_axpby_begin(&plan, &c->transport, terms, c->memory ? c->memory : old, new_, budget, &error)
           : NULL;
    ok = run != NULL;
    for (int k = 0; ok && k < times; ++k)
        ok = (k == 0 || tsr_dist_run_again(run)) && tsr_dist_run_wait(run, &error);
    ok = ok && same_terms(p, r, new_, terms, times);
    if (!ok)
        printf("rank %lld: %s\n", (long long)r, error.text);
    tsr_dist_run_free(run);
    free(old);
    free(new_);
    tsr_dist_plan_free(&plan);
    return ok;
}

static void test_terms(carrier const *c, char const *what, int pairs)
{
    for (int i = 0; i < pairs; ++i) {
        pair p = random_pair(c->transport.ranks, 17);
        tsr_dist_terms const terms = random_terms();
        int64_t const budget = noise(3) ? 0 : 1 + noise(400);
        int const times = 1 + (int)noise(4);
        if (p.ranks > c->transport.ranks) /* the same on all ranks */
            continue;
        bool const ok = run_terms(&p, c, &terms, budget, times);
        check(what, ok);
        if (!ok) {
            print_pair(&p);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static tsr_dist_transport under; /* what a counting transport is over */
static int joined;

static bool count_together(void *self, tsr_dist_together const *what)
{
    ++joined;
    return under.together(self, what);
}

/** Redistributions that are collectives, of shards, copies or addends of all ranks. */
static void test_together(carrier *c, int pairs)
{
    static char const *const kinds[][3] = {
        {"[S(0)]", "[S(1)]"}, {"[S(1)]", "[R]"}, {"[P]", "[S(0)]"}, {"[P]", "[R]"}};
    static tsr_dist_collective const is[] = {TSR_DIST_ALLTOALL, TSR_DIST_ALLGATHER, TSR_DIST_REDUCE_SCATTER,
                                             TSR_DIST_ALLREDUCE};
    int const n = (int)c->transport.ranks;
    under = c->transport;
    c->transport.together = count_together;
    for (int i = 0; i < pairs; ++i) {
        int const kind = i % 4, times = 1 + (int)noise(3), a = (int)noise(20) + 1, b = (int)noise(20) + 1;
        tsr_dist_terms const terms = noise(2) ? tsr_dist_terms_of(random_type()) : random_terms();
        int64_t const budget = noise(3) ? 0 : 1 + noise(400);
        pair p = {.ranks = n, .host = 1};
        tsr_message error;
        char text[2][96];
        for (int side = 0; side < 2; ++side)
            snprintf(text[side], sizeof text[side], "dtensor((%d,%d),(%d),%s)", a, b, n, kinds[kind][side]);
        bool ok = tsr_dist_parse(text[0], &p.from, &error) && tsr_dist_parse(text[1], &p.to, &error);
        check("layouts", ok);
        bool const empty = kind == 0 && (a + (a + n - 1) / n - 1) / ((a + n - 1) / n) < n; /* torch's chunks */
        bool const other = kind == 0 && (b + (b + n - 1) / n - 1) / ((b + n - 1) / n) < n;
        check("a collective",
              n < 2 || tsr_dist_collective_of(&p.from, &p.to) == (empty || other ? TSR_DIST_NONE : is[kind]));
        ok = ok && run_terms(&p, c, &terms, budget, times);
        check("a pair at once", ok);
        if (!ok) {
            print_pair(&p);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    check("some are calls of all ranks", c->memory || n < 2 ? joined == 0 : joined > 0);
}

/** A random layout with steps of both signs and 0; its offsets lie in a range of 4,096. */
static tsr_layout random_strides(void)
{
    tsr_layout l = tsr_make_layout_from(tsr_int(1 + noise(4)), tsr_int(noise(3)));
    for (int k = (int)noise(4); k > 0; --k)
        l = tsr_layout_append(l, tsr_make_layout_from(tsr_int(1 + noise(4)), tsr_int(noise(200) - 100)));
    return l;
}

/** Does MPI pack these elements of a datatype? It ends the datatype. Those that reach too far are not packed. */
static bool packs(MPI_Datatype type, tsr_layout l, int64_t begin)
{
    static double memory[8192], packed[4096];
    int64_t const n = tsr_layout_size(l);
    int at = 0;
    for (int i = 0; i < 8192; ++i)
        memory[i] = i;
    bool ok = true, near = true;
    for (int64_t k = 0; k < n; ++k)
        near = near && begin + tsr_at_index(l, k) >= -4096 && begin + tsr_at_index(l, k) < 4096;
    if (near)
        ok =
            MPI_Pack(memory + 4096, 1, type, packed, sizeof packed, &at, MPI_COMM_SELF) == MPI_SUCCESS && at == 8 * n;
    for (int64_t k = 0; ok && near && k < n; ++k)
        ok = (int64_t)packed[k] == 4096 + begin + tsr_at_index(l, k);
    MPI_Type_free(&type);
    return ok;
}

/** A random constructor around a datatype, which it ends. */
static MPI_Datatype random_type_of(MPI_Datatype old)
{
    int const n = 1 + (int)noise(3), block = 1 + (int)noise(2), step = (int)noise(20) - 10, at = (int)noise(9) - 4;
    int const places[] = {at, at + step, at + 2 * step}, blocks[] = {block, block, block};
    int const sizes[] = {4, 3}, part[] = {n, block}, begin[] = {1, 1};
    MPI_Aint const bytes[] = {8 * at, 8 * (at + step), 8 * (at + 2 * step)};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    switch (noise(9)) {
    case 0:
        MPI_Type_contiguous(n, old, &made);
        break;
    case 1:
        MPI_Type_vector(n, block, step, old, &made);
        break;
    case 2:
        MPI_Type_create_hvector(n, block, 8 * step, old, &made);
        break;
    case 3:
        MPI_Type_indexed(n, blocks, places, old, &made);
        break;
    case 4:
        MPI_Type_create_hindexed(n, blocks, bytes, old, &made);
        break;
    case 5:
        MPI_Type_create_indexed_block(n, block, places, old, &made);
        break;
    case 6:
        MPI_Type_create_subarray(2, sizes, part, begin, noise(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old, &made);
        break;
    case 7:
        MPI_Type_create_resized(old, 0, 8 * (1 + noise(5)), &made);
        break;
    default:
        MPI_Type_dup(old, &made);
        break;
    }
    if (old != MPI_DOUBLE)
        MPI_Type_free(&old);
    return made;
}

/** The layout of any datatype has the elements that MPI packs. */
static void test_layouts(void)
{
    tsr_message error = {0, ""};
    tsr_layout l;
    int64_t begin = 0;
    for (int i = 0; i < 500; ++i) {
        MPI_Datatype type = random_type_of(MPI_DOUBLE);
        for (int k = (int)noise(3); k > 0; --k)
            type = random_type_of(type);
        MPI_Type_commit(&type);
        bool const ok = tsr_dist_mpi_layout((int)MPI_Type_c2f(type), TSR_F64, &l, &begin, &error);
        check("a layout of a datatype", ok && packs(type, l, begin));
        if (!ok)
            printf("%s\n", error.text);
    }
    int const unequal[] = {1, 2}, places[] = {0, 3, 5}, ones[] = {1, 1, 1};
    MPI_Datatype type[4];
    static char const *const words[] = {"block 1 has 2 elements, and block 0 has 1", "block 2 is at 5, not at 6",
                                        "runs of 4 bytes are no elements of 8", "a step of 12 bytes"};
    MPI_Type_indexed(2, unequal, places, MPI_DOUBLE, &type[0]);
    MPI_Type_indexed(3, ones, places, MPI_DOUBLE, &type[1]);
    MPI_Type_vector(3, 1, 2, MPI_FLOAT, &type[2]);
    MPI_Type_create_hvector(3, 1, 12, MPI_DOUBLE, &type[3]);
    for (int i = 0; i < 4; ++i) {
        check(words[i], !tsr_dist_mpi_layout((int)MPI_Type_c2f(type[i]), TSR_F64, &l, &begin, &error)
                            && strstr(error.text, words[i]));
        MPI_Type_free(&type[i]);
    }
}

/** Datatypes from 2 GiB on: their bytes and their bounds, where an int ends and beyond. Nothing is sent. */
static void long_types(void)
{
    static int64_t const sizes[] = {(1 << 28) - 1,   1 << 28,         (1 << 28) + 1,   (1ll << 30) - 1,
                                    1ll << 30,       (1ll << 30) + 1, (1ll << 31) - 1, 1ll << 31,
                                    (1ll << 31) + 1, 3ll << 31,       (1ll << 40) + 3};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        for (int64_t step = 1; step <= 3; ++step) {
            tsr_layout const l = tsr_make_layout_from(tsr_tuple_2(tsr_int(sizes[i]), tsr_int(2)),
                                                      tsr_tuple_2(tsr_int(step), tsr_int(5 * sizes[i])));
            int64_t const end = (step * (sizes[i] - 1) + 5 * sizes[i] + 1) * 8;
            MPI_Count size = 0, lower = -1, extent = 0;
            tsr_message error;
            int handle = 0;
            bool const ok = tsr_dist_mpi_type(l, TSR_F64, &handle, &error);
            MPI_Datatype type = MPI_Type_f2c(handle);
            check("a long datatype", ok && MPI_Type_size_x(type, &size) == MPI_SUCCESS && size == 16 * sizes[i]
                                         && MPI_Type_get_true_extent_x(type, &lower, &extent) == MPI_SUCCESS
                                         && lower == 0 && extent == end);
            if (ok)
                MPI_Type_free(&type);
        }
}

/** A message of a datatype has the elements in the order of the layout. */
static void test_types(void)
{
    tsr_message error = {0, ""};
    for (int i = 0; i < 300; ++i) {
        tsr_layout const l = random_strides();
        tsr_layout back;
        int64_t begin = -1;
        int type = 0;
        bool ok = tsr_dist_mpi_type(l, TSR_F64, &type, &error)
                  && tsr_dist_mpi_layout(type, TSR_F64, &back, &begin, &error) && begin == 0;
        for (int64_t k = 0; ok && k < tsr_layout_size(l); ++k)
            ok = tsr_at_index(back, k) == tsr_at_index(l, k);
        check("a datatype that comes back", ok);
        check("a datatype", packs(MPI_Type_f2c(type), l, 0));
    }
    int handle = 0;
    check("no swizzles",
          !tsr_dist_mpi_type(tsr_swizzled(tsr_make_swizzle(1, 0, 1), tsr_make_layout_compact(tsr_int(4))), TSR_F32,
                             &handle, &error)
              && strstr(error.text, "a swizzle"));
    check("no half bytes",
          !tsr_dist_mpi_type(tsr_make_layout_compact(tsr_int(4)), tsr_dtype_named("i4"), &handle, &error)
              && strstr(error.text, "not whole bytes"));
    long_types();
    check("no bytes beyond 2^62",
          !tsr_dist_mpi_type(tsr_make_layout_compact(tsr_int(1ll << 60)), TSR_F32, &handle, &error)
              && strstr(error.text, "2^62 bytes"));
}

int main(int argc, char **argv)
{
    int world = 1, rank = 0, all = 0;
    tsr_message error = {0, ""};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    random_begin((argc > 1 ? (uint64_t)atoll(argv[1]) : 1) + 1000 * (uint64_t)world);
    test_types();
    test_layouts();
    int const pairs = argc > 2 ? atoi(argv[2]) : 200;
    for (int windows = 0; windows < 2; ++windows) {
        carrier c = {{0}, 1, NULL, 1 << 20};
        tsr_dist_mpi *const mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
        check("a transport", mpi != NULL);
        if (!mpi)
            return printf("%s\n", error.text), 1;
        c.transport = tsr_dist_mpi_transport(mpi);
        c.host = tsr_dist_mpi_host(mpi);
        check("the ranks of a host", c.host >= 1 && world % c.host == 0);
        if (windows) {
            c.memory = (int32_t *)tsr_dist_mpi_memory(mpi, c.room * (int64_t)sizeof *c.memory, &error);
            check("memory of windows", c.memory != NULL);
            if (!c.memory)
                return printf("%s\n", error.text), 1;
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
            check("is had once",
                  tsr_dist_mpi_memory(mpi, 4, &error) == NULL && strstr(error.text, "MPI cannot share"));
        }
        test_pairs(&c, windows ? "a pair by windows" : "a pair by messages", pairs);
        test_terms(&c, windows ? "a pair with terms by windows" : "a pair with terms by messages", pairs);
        test_together(&c, pairs);
        joined = 0;
        tsr_dist_mpi_close(mpi);
    }
    MPI_Reduce(&passed, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d passed on %d ranks, 0 failed\n", all, world);
    MPI_Finalize();
    return failed != 0;
}
