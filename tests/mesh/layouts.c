/** Distributed layouts: laws of random ones, the makers against the formulas of their systems, and every refusal. */
#include "../sanitizer.h"
#include "random_layout.h"
#include "tessera/tessera.h"

static int64_t elements_of(tsr_dist_layout const *d)
{
    int64_t n = 1;
    for (int m = 0; m < d->modes; ++m)
        n *= d->extent[m];
    return n;
}

/** Every element is on as many ranks as it has copies and addends, each place has one element, and the first copy is
 *  where tsr_dist_at says. */
static bool law_places(tsr_dist_layout const *d)
{
    int64_t const n = elements_of(d), times = tsr_dist_copies(d) * tsr_dist_sums(d);
    uint16_t *const seen = (uint16_t *)calloc((size_t)n + 1, sizeof *seen);
    int64_t held = 0;
    bool ok = seen != NULL;
    for (int64_t r = 0; ok && r < tsr_dist_ranks(d); ++r) {
        tsr_dist_part part;
        int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES];
        if (!tsr_dist_part_of(d, r, &part) || part.elements == 0)
            continue;
        held += part.elements;
        do {
            int64_t rank = -1, offset = -1, at = 0;
            for (int m = 0; m < d->modes; ++m)
                at += local[m] * part.stride[m];
            ok = tsr_dist_index_at(d, r, local, index) && tsr_dist_at(d, index, &rank, &offset) && offset == at
                 && rank <= r && at < part.span;
            if (ok)
                ++seen[number_of(d, index)];
        } while (ok && next_local(d->modes, &part, local));
    }
    for (int64_t i = 1; ok && i <= n; ++i)
        ok = seen[i] == times;
    free(seen);
    return ok && held == n * times;
}

/** The layout into (rank, offset) says what tsr_dist_at does, and so does the distribution that is made of it. */
static bool law_layout(tsr_dist_layout const *d, tsr_layout const *l)
{
    int64_t index[TSR_DIST_MODES] = {0};
    tsr_dist_layout again;
    tsr_message error;
    tsr_dist_part whole = {{0}, {0}, 1, 1};
    bool ok = tsr_dist_from_layout(*l, d->modes, d->extent, &again, &error);
    for (int m = 0; m < d->modes; ++m)
        whole.extent[m] = d->extent[m];
    for (bool more = true; ok && more; more = next_local(d->modes, &whole, index)) {
        int64_t rank[2] = {0, 0}, offset[2] = {0, 0}, got[2] = {0, 0};
        tsr_tuple coord = {0};
        for (int m = 0; m < d->modes; ++m)
            coord = m == 0 ? tsr_wrap(tsr_int(index[m])) : tsr_append(coord, tsr_int(index[m]));
        tsr_tuple const place = tsr_layout_at(*l, d->modes > 1 ? coord : tsr_int(index[0]));
        for (int i = 0; i < place.leaves && i < 2; ++i) /* _3@1 is (0,3) */
            got[place.leaf[i].aux ? place.leaf[i].aux - 1 : (uint32_t)i] = place.leaf[i].value;
        ok = tsr_dist_at(d, index, &rank[0], &offset[0]) && tsr_dist_at(&again, index, &rank[1], &offset[1])
             && rank[0] == d->first + got[0] && offset[0] == got[1] && rank[1] == got[0] && offset[1] == got[1];
    }
    return ok;
}

static void test_laws(void)
{
    int layouts = 0;
    for (int i = 0; i < OF_CASES(3000); ++i) {
        int64_t extent[TSR_DIST_MODES];
        int const modes = 1 + (int)noise(3);
        for (int m = 0; m < modes; ++m)
            extent[m] = noise(10) ? 1 + noise(20) : noise(2);
        tsr_dist_layout const d = random_layout(modes, extent, 1 + noise(16), noise(5) ? 1 : 2 + noise(2));
        tsr_layout l;
        tsr_message error;
        char text[TSR_TEXT_SIZE];
        bool const is_layout = tsr_dist_as_layout(&d, &l, &error);
        bool const ok = law_places(&d) && (!is_layout || elements_of(&d) == 0 || law_layout(&d, &l));
        layouts += is_layout;
        check("a random layout", ok);
        check("it has a text", tsr_dist_format(text, sizeof text, &d) < sizeof text);
        if (!ok)
            printf("%s\n", text);
    }
    check("many are layouts into (rank, offset)", layouts > OF_CASES(800));
}

/** What the chunks of a digit are of n indices: each of `parts` parts in chunks by its own length. In place. */
static int64_t take_chunk(int64_t *index, int64_t n, int64_t parts, int64_t ranks, int64_t digit)
{
    int64_t const part = parts > 0 && n > 0 ? (n + parts - 1) / parts : 1;
    int64_t kept = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t const begin = i / part * part, length = tsr_min64(part, n - begin),
                      chunk = (length + ranks - 1) / ranks;
        if ((i - begin) / chunk == digit)
            index[kept++] = index[i];
    }
    return kept;
}

/** Tables, and chunks of what they leave, by element: every index has an owner, and each rank counts its own. */
static void test_tables(int cases)
{
    for (int c = 0; c < cases; ++c) {
        int64_t const n = noise(60), ranks = 1 + noise(6), cuts = 1 + noise(3), parts = 1 + noise(4);
        tsr_dist_interval x[30];
        int64_t const count = random_intervals(n, ranks, x, 30);
        tsr_dist_split const chunks = {TSR_DIST_CHUNK, 0, cuts, ranks, parts, 1, 0};
        tsr_dist_layout d = tsr_dist_whole(1, &n, true);
        tsr_message error = {0, ""};
        bool ok = tsr_dist_split_by(&d, 0, ranks, 1, count, x, &error);
        d.split[d.splits++] = chunks;
        ok = ok && tsr_dist_check(&d, &error);
        for (int64_t r = 0; ok && r < ranks * cuts; ++r) {
            int64_t index[60], held = 0, at = 0;
            tsr_dist_part part;
            for (int64_t i = 0; i < count; at += x[i++].length)
                for (int64_t k = 0; x[i].owner == r % ranks && k < x[i].length; ++k)
                    index[held++] = at + k;
            held = take_chunk(index, held, parts, cuts, r / ranks);
            ok = tsr_dist_part_of(&d, r, &part) && part.elements == held;
            for (int64_t i = 0; ok && i < held; ++i) {
                int64_t got = -1, rank = -1, offset = -1;
                ok = tsr_dist_index_at(&d, r, &i, &got) && got == index[i] && tsr_dist_at(&d, &got, &rank, &offset)
                     && rank == r && offset == i;
            }
        }
        check("a random table", ok);
    }
}

/** Of 65,536 ranks, and intervals that are a rule. */
static void test_large_tables(void)
{
    enum { RANKS = 65536 };
    static tsr_dist_interval x[RANKS];
    int64_t extent = 0, rank = 0, offset = 0;
    tsr_message error;
    for (int i = 0; i < RANKS; ++i) {
        x[i].owner = (i * 40503LL) % RANKS;
        x[i].length = 1 + i % 7;
        extent += x[i].length;
    }
    tsr_dist_layout a = tsr_dist_whole(1, &extent, true), b = a, c = tsr_dist_whole(1, (int64_t[]){RANKS}, true);
    bool ok =
        tsr_dist_split_by(&a, 0, RANKS, 1, RANKS, x, &error) && tsr_dist_split_by(&b, 0, RANKS, 1, RANKS, x, &error);
    check("equal tables are one", ok && a.table[0] && a.table[0] == b.table[0]);
    check("its last element", ok && tsr_dist_at(&a, (int64_t[]){extent - 1}, &rank, &offset)
                                  && rank == x[RANKS - 1].owner && offset == x[RANKS - 1].length - 1);
    for (int i = 0; i < RANKS; ++i) {
        x[i].owner = i;
        x[i].length = 1;
    }
    check("a table that is a rule", tsr_dist_split_by(&c, 0, RANKS, 1, RANKS, x, &error) && !c.table[0]
                                        && c.split[0].role == TSR_DIST_SHARD && c.split[0].block == 1);
    check("a mode is split once", !tsr_dist_split_by(&c, 0, RANKS, 1, RANKS, x, &error));
}

/** Extents of the same product: neighbours of a random order multiplied, or factors taken apart. */
static int random_view(int modes, int64_t const *extent, int64_t *view)
{
    int n = 0;
    for (int m = 0; m < modes; ++m) {
        int64_t left = extent[m];
        if (m > 0 && noise(3) == 0) {
            view[n - 1] *= left;
            continue;
        }
        for (int64_t f = 2; f <= left && n < 6; ++f)
            if (left % f == 0 && noise(2)) {
                view[n++] = f;
                left /= f;
            }
        view[n++] = left;
    }
    return n;
}

/** Element f of all is where it was. */
static bool same_places(tsr_dist_layout const *a, tsr_dist_layout const *b, int64_t elements)
{
    for (int64_t f = 0; f < elements; ++f) {
        tsr_dist_layout const *const d[] = {a, b};
        int64_t rank[2], offset[2];
        for (int s = 0; s < 2; ++s) {
            int64_t index[TSR_DIST_MODES], left = f;
            for (int k = 0; k < d[s]->modes; ++k) {
                index[d[s]->order[k]] = left % d[s]->extent[d[s]->order[k]];
                left /= d[s]->extent[d[s]->order[k]];
            }
            if (!tsr_dist_at(d[s], index, &rank[s], &offset[s]))
                return false;
        }
        if (rank[0] != rank[1] || offset[0] != offset[1])
            return false;
    }
    return tsr_dist_copies(a) == tsr_dist_copies(b) && tsr_dist_ranks(a) == tsr_dist_ranks(b);
}

static void test_views(int cases)
{
    int made = 0;
    for (int c = 0; c < cases; ++c) {
        static int64_t const extents[] = {1, 2, 3, 4, 6, 8, 12, 5};
        int64_t extent[3], view[TSR_DIST_MODES];
        int const modes = 1 + (int)noise(3);
        for (int m = 0; m < modes; ++m)
            extent[m] = extents[noise(8)];
        tsr_dist_layout d = random_layout(modes, extent, 8, 1), to;
        tsr_message error = {0, ""};
        char text[TSR_TEXT_SIZE];
        memset(d.pitch, 0, sizeof d.pitch);
        if (d.order[0] == 0 && modes > 1) /* Fortran's order: the view is made of the mirrored extents */
            for (int m = 0; m < modes / 2; ++m) {
                int64_t const swapped = extent[m];
                extent[m] = extent[modes - 1 - m];
                extent[modes - 1 - m] = swapped;
            }
        int const n = random_view(modes, extent, view);
        if (d.order[0] == 0 && modes > 1)
            for (int m = 0; m < n / 2; ++m) {
                int64_t const swapped = view[m];
                view[m] = view[n - 1 - m];
                view[n - 1 - m] = swapped;
            }
        if (!tsr_dist_view(&d, n, view, &to, &error)) {
            check("a refusal has a reason", error.text[0] != 0);
            continue;
        }
        bool const ok = same_places(&d, &to, elements_of(&d));
        check("a view", ok);
        if (!ok)
            tsr_dist_format(text, sizeof text, &d), puts(text), tsr_dist_format(text, sizeof text, &to), puts(text);
        ++made;
    }
    check("many are views", made > cases / 3);
    printf("%d views of %d\n", made, cases);
}

/** ScaLAPACK's own: how many rows or columns process p has, who has one, and where; counted from 0. */
static int64_t numroc(int64_t n, int64_t nb, int64_t p, int64_t src, int64_t procs)
{
    int64_t const dist = (procs + p - src) % procs, blocks = n / nb, extra = blocks % procs;
    return blocks / procs * nb + (dist < extra ? nb : dist == extra ? n % nb : 0);
}

static void test_scalapack(void)
{
    for (int i = 0; i < 2000; ++i) {
        tsr_scalapack s = {noise(40), noise(40), 1 + noise(7), 1 + noise(7), 1 + noise(4), 1 + noise(4), 0,
                           0,         0,         noise(2) == 1};
        s.rsrc = noise(s.p);
        s.csrc = noise(s.q);
        tsr_dist_layout d;
        tsr_message error;
        bool ok = tsr_dist_from_scalapack(&s, &d, &error);
        for (int64_t r = 0; ok && r < s.p * s.q; ++r) {
            int64_t const row = s.columns ? r % s.p : r / s.q, column = s.columns ? r / s.p : r % s.q;
            tsr_dist_part part;
            ok = tsr_dist_part_of(&d, r, &part) && part.extent[0] == numroc(s.m, s.mb, row, s.rsrc, s.p)
                 && part.extent[1] == numroc(s.n, s.nb, column, s.csrc, s.q);
        }
        if (ok && s.m > 0 && s.n > 0) {
            int64_t const index[] = {noise(s.m), noise(s.n)};
            int64_t const row = (index[0] / s.mb + s.rsrc) % s.p, column = (index[1] / s.nb + s.csrc) % s.q;
            int64_t const local[] = {index[0] / (s.mb * s.p) * s.mb + index[0] % s.mb,
                                     index[1] / (s.nb * s.q) * s.nb + index[1] % s.nb};
            int64_t rank = 0, offset = 0;
            ok = tsr_dist_at(&d, index, &rank, &offset)
                 && rank == (s.columns ? row + column * s.p : row * s.q + column)
                 && offset == local[0] + local[1] * tsr_max64(numroc(s.m, s.mb, row, s.rsrc, s.p), 1);
        }
        check("a descriptor", ok);
    }
}

/** What each rank holds of a mode, as text: its extent, or its first index, -1 where it holds nothing. */
static char const *held_of(char const *text, int mode, bool firsts)
{
    static char out[256];
    int64_t const local[TSR_DIST_MODES] = {0};
    tsr_dist_layout d;
    tsr_message error;
    size_t n = 0;
    out[0] = 0;
    if (!tsr_dist_parse(text, &d, &error))
        return strcpy(out, error.text);
    for (int64_t r = 0; r < tsr_dist_ranks(&d); ++r) {
        tsr_dist_part part;
        int64_t index[TSR_DIST_MODES] = {0};
        (void)tsr_dist_part_of(&d, r, &part);
        bool const some = tsr_dist_index_at(&d, r, local, index);
        long long const number = !firsts ? part.extent[mode] : some ? index[mode] : -1;
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%lld", r ? "," : "", number);
    }
    return out;
}

static void is(char const *what, char const *got, char const *wanted)
{
    check(what, strcmp(got, wanted) == 0);
    if (strcmp(got, wanted) != 0)
        printf("  %s\n  not %s\n", got, wanted);
}

/** The indices that each rank holds of a tensor of one mode. */
static char const *indices_of(char const *text)
{
    static char out[256];
    tsr_dist_layout d;
    tsr_message error;
    size_t n = 0;
    if (!tsr_dist_parse(text, &d, &error))
        return strcpy(out, error.text);
    for (int64_t r = 0; r < tsr_dist_ranks(&d); ++r) {
        int64_t index = 0;
        n += (size_t)snprintf(out + n, sizeof out - n, "%s", r ? " |" : "");
        for (int64_t i = 0; tsr_dist_index_at(&d, r, &i, &index); ++i)
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%lld", n ? " " : "", (long long)index);
    }
    return out;
}

static void test_makers(void)
{
    is("torch's chunks", held_of("dtensor((9),(4),[S(0)])", 0, false), "3,3,3,0");
    is("the last chunk is short", held_of("dtensor((10),(4),[S(0)])", 0, false), "3,3,3,1");
    is("shard on two axes", held_of("dtensor((8),(2,4),[S(0),S(0)])", 0, true), "0,1,2,3,4,5,6,7");
    is("chunks of chunks", held_of("dtensor((10),(2,3),[S(0),S(0)])", 0, false), "2,2,1,2,2,1");
    is("a strided shard", held_of("dtensor((8),(2,2),[SS(0,2),S(0)])", 0, true), "0,4,2,6");
    is("an uneven strided shard", indices_of("dtensor((10),(4),[SS(0,2)])"), "0 1 5 6 | 2 3 7 8 | 4 9 |");
    is("a short last part", indices_of("dtensor((7),(2),[SS(0,2)])"), "0 1 4 5 | 2 3 6");
    is("chunks of parts to more ranks", indices_of("dtensor((4),(2,4),[SS(0,2),S(0)])"), "0 | 2 | | | 1 | 3 | |");
    is("two modes in the other order", held_of("dtensor((4,4),(2,2),[S(1),S(0)])", 1, true), "0,0,2,2");
    is("an empty tensor", held_of("dtensor((0),(2),[S(0)])", 0, false), "0,0");
    is("XLA's tiles", held_of("xla((8,8),{devices=[2,1,2]<=[4] last_tile_dim_replicate})", 0, true), "0,0,4,4");
    is("transposed devices", held_of("xla((8),{devices=[8]<=[2,4]T(1,0)})", 0, true), "0,2,4,6,1,3,5,7");
    is("devices one by one", held_of("xla((4,4),{devices=[2,2]0,2,1,3})", 0, true), "0,2,0,2");
    is("devices from 4 on", held_of("xla((4),{devices=[2]<=[2]})@2", 0, true), "-1,-1,0,2");
    is("one device", held_of("xla((4),{maximal device=2})", 0, false), "0,0,4");
    is("replicated", held_of("xla((4),{replicated})", 0, false), "4");
    is("devices in any order", held_of("xla((8,4),{devices=[4,2]0,1,2,3,6,7,4,5})", 0, true), "0,0,2,2,6,6,4,4");
    is("devices that count down", held_of("xla((8),{devices=[4]4,3,2,1})", 0, true), "-1,6,4,2,0");
    is("copies in any order", held_of("xla((4),{devices=[2,2]3,2,0,1 last_tile_dim_replicate})", 0, true), "2,2,0,0");
    is("sizes of any kind", held_of("hpf((9,2),(GEN_BLOCK(2,0,7),*),(3))", 0, false), "2,0,7");
    is("intervals", indices_of("intervals((9),((0:2,2:3,0:1,1:3)),(4))"), "0 1 5 | 6 7 8 | 2 3 4 |");
    is("torch's own words", indices_of("dtensor((5),(2),[_StridedShard(dim=0, sf=2)])"), "0 1 3 | 2 4");
    is("MPI's darray", held_of("darray((9,8),(BLOCK,CYCLIC(3)),(2,2))", 1, false), "5,3,5,3");
    is("tiles that do not fill", held_of("xla((10),{devices=[4]<=[4]})", 0, false), "3,3,3,1");
    is("HPF's blocks", held_of("hpf((10,8),(BLOCK,*),(4))", 0, false), "3,3,3,1");
    is("HPF's cycles", held_of("hpf((10,8),(CYCLIC,CYCLIC(3)),(2,2))", 1, false), "5,5,3,3");
    is("HPF's larger blocks", held_of("hpf((10),(BLOCK(5)),(3))", 0, false), "5,5,0");
    is("ScaLAPACK", held_of("scalapack(9,9,2,2,2,3)", 1, false), "4,3,2,4,3,2");
    is("by columns, from other processes", held_of("scalapack(9,9,2,2,2,2,1,1,7,C)", 0, true), "2,0,2,0");
}

/** Texts that are refused, and some words of the sentence. */
static void test_refusals(void)
{
    static char const *const rows[][2] = {
        {"", "a distribution is scalapack(..)"},
        {"scalapack(1,2)", "a descriptor is M,N,MB,NB,P,Q"},
        {"scalapack(1,2,3,4,5,6,7,8,9,10)", "at most 9 integers"},
        {"scalapack(8,8,0,2,2,2)", "mode 0: blocks of 0 elements cannot be dealt to 2 ranks"},
        {"scalapack(8,8,2,2,2,2,2,0)", "the first process (2,0) is not one of the 2 by 2 processes"},
        {"scalapack(8,8,2,2,2,2,0,0,3)", "memory has 3 elements along mode 0, and a rank holds 4"},
        {"scalapack(8,8,2,2,2,2) x", "nothing may follow here"},
        {"dtensor((8),(2),[S(1)])", "axis 0 shards mode 1: the tensor has 1 modes"},
        {"dtensor((8),(2),[X])", "a placement is S(mode)"},
        {"dtensor((8),(2),[S(0,1)])", "S has a mode"},
        {"dtensor((8),(0),[S(0)])", "axis 0 of the mesh has 0 ranks"},
        {"dtensor((24),(2),[SS(0,0)])", "cuts mode 0 into 0 parts"},
        {"dtensor((8),(2),S(0))", "`[` is expected here"},
        {"dtensor((8,),(2),[])", "a placement is"},
        {"dtensor((1,1,1,1,1,1,1,1,1),(2),[R])", "at most 8 integers are listed here"},
        {"dtensor((1 2),(2),[R])", "`,` or `)` is expected here"},
        {"dtensor((4000000000,4000000000),(1),[R])", "above 2^58"},
        {"dtensor((8),(70000,70000),[S(0),R])", "above 2^24"},
        {"xla((8),{devices=[2,2]<=[4]})", "one dimension for each mode"},
        {"xla((8),{devices=[2]<=[4]})", "differ in number"},
        {"xla((8),{devices=[2]<=[0]})", "a dimension of devices is positive"},
        {"xla((8),{devices=[0]<=[1]})", "a dimension of tiles is positive"},
        {"xla((8),{devices=[4]<=[2,2]T(0,0)})", "T is a permutation"},
        {"xla((8),{devices=[4]<=[2,2]T(0)})", "T has one number"},
        {"xla((8),{devices=[4]<=[]})", "there are 1 to 2^24 devices"},
        {"xla((8,8),{devices=[2,4]0,1,2,3,6,7,4,5})", "tile 6 has device 4, and the modes add up to 8"},
        {"xla((8,8),{devices=[2,1,3]0,1,3,4,5,7 last_tile_dim_replicate})",
         "copy 2 is 3 devices behind the first, not 2"},
        {"xla((8),{devices=[4]0,1,3,1})", "device 1 is listed twice"},
        {"xla((6,6),{devices=[2,3]<=[2,3]T(1,0)})", "not a layout of the tiles"},
        {"xla((8),{devices=[5000]1})", "at most 4096"},
        {"xla((8),{tiles})", "`replicated` is expected here"},
        {"hpf((8),(BLOCK(2)),(3))", "element 6 of mode 0 is nowhere: 3 blocks of 2 do not hold 8"},
        {"hpf((8),(GEN_BLOCK(2,3)),(3))", "GEN_BLOCK of mode 0 has 2 sizes for 3 ranks"},
        {"hpf((8),(GEN_BLOCK(2,3,4)),(3))", "the intervals of mode 0 have 9 elements together, and the mode has 8"},
        {"darray((8,8),(BLOCK,*),(2,2))", "mode 1 is not distributed, and axis 1 of the grid has 2 ranks, not 1"},
        {"darray((8,8),(BLOCK,*),(2))", "an axis for each of the 2 modes, not 1"},
        {"darray((8),(BLOCK),(2),C)", "`F` is expected here"},
        {"intervals((8),((0:3,1:4)),(2))", "the intervals of mode 0 have 7 elements together, and the mode has 8"},
        {"intervals((8),((0:3,2:5)),(2))", "interval 1 of mode 0 is rank 2's: the ranks are 0 to 1"},
        {"intervals((8),((0:3)),())", "the grid has 0 axes, and 1 modes have intervals"},
        {"intervals((8),((0:8)),(0))", "mode 0 is split for 0 ranks: they are 1 to 2^24"},
        {"intervals((8,8),((0:3,1:5),(0:3,1:5)),(16777216,2))", "above 2^24"},
        {"hpf((8),(BLOCK),(2,2))", "the grid has 2 axes, and 1 modes are distributed"},
        {"hpf((8,8),(BLOCK,BLOCK),(2))", "mode 1 is distributed, and the grid has only 1 axes"},
        {"hpf((8),(BLOCK(0)),(2))", "the size of a block is positive"},
        {"hpf((8),(CIRCLE),(2))", "a format is"},
        {"hpf((8),(BLOCK),(0))", "cannot be dealt to 0 ranks"},
        {"dtensor((4294967296,1048576),(8192),[R])", "more than 2^58 elements"},
        {"dtensor((8),(2),[S(0)])@x", "an integer is expected here"},
        {"dtensor((8),(2),[S(0)])@-1", "-1 is not from 0 on and below 10^18"},
        {"dtensor((1000000000000000000),(2),[R])", "1000000000000000000 is not from 0 on and below 10^18"},
        {"dtensor((12345678901234567890),(2),[R])", "12345678901234567890 does not fit in 64 bits"},
        {"dtensor((8),(2),[S(0)])@2147483647", "leave the range 0 to 2^24 - 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        tsr_dist_layout d;
        tsr_message error = {0, ""};
        bool const ok = !tsr_dist_parse(rows[i][0], &d, &error) && strstr(error.text, rows[i][1]);
        check(rows[i][0], ok);
        if (!ok)
            printf("  %s\n", error.text);
    }
}

/** A layout of one mode with one split that breaks the law. */
static void broken(char const *words, tsr_dist_split s, int64_t extent)
{
    tsr_dist_layout d = tsr_dist_whole(1, &extent, true);
    tsr_message error = {0, ""};
    d.split[d.splits++] = s;
    bool const ok = !tsr_dist_check(&d, &error) && strstr(error.text, words);
    check(words, ok);
    if (!ok)
        printf("  %s\n", error.text);
}

static void test_checks(void)
{
    int64_t const extent[] = {12, 6};
    tsr_dist_split const outer = {TSR_DIST_SHARD, 0, 2, 2, 6, 12, 0}, inner = {TSR_DIST_SHARD, 0, 2, 1, 2, 4, 0};
    tsr_dist_split const copies = {TSR_DIST_COPY, 0, 3, 1, 1, 1, 0};
    tsr_dist_layout d;
    tsr_message error;
    broken("element 8 of mode 0 is nowhere: its digit 2 is not below the 2 ranks of split 0",
           (tsr_dist_split){TSR_DIST_SHARD, 0, 2, 1, 4, 12, 0}, 12);
    broken("split 0 has 0 ranks", (tsr_dist_split){TSR_DIST_SHARD, 0, 0, 1, 4, 12, 0}, 12);
    broken("split 0 has blocks of 5 elements in a period of 4", (tsr_dist_split){TSR_DIST_SHARD, 0, 2, 1, 5, 4, 0},
           12);
    broken("split 0 begins at rank 2 of 2", (tsr_dist_split){TSR_DIST_SHARD, 0, 2, 1, 4, 8, 2}, 12);
    broken("split 0 is of mode 1", (tsr_dist_split){TSR_DIST_SHARD, 1, 2, 1, 4, 8, 0}, 12);
    broken("split 0 is by a table, and mode 0 has none", (tsr_dist_split){TSR_DIST_TABLE, 0, 2, 1, 0, 0, 0}, 12);
    broken("split 0 has 0 parts in chunks, at place 1", (tsr_dist_split){TSR_DIST_CHUNK, 0, 2, 1, 0, 1, 0}, 12);
    broken("split 0 turns and has no digits", (tsr_dist_split){TSR_DIST_COPY, 0, 2, 1, 1, 1, 1}, 12);
    broken("two coordinates of the mesh may be one rank", (tsr_dist_split){TSR_DIST_COPY, 0, 2, 0, 1, 1, 0}, 12);
    broken("has the negative extent -1", outer, -1);
    d = tsr_dist_whole(2, extent, true);
    d.split[d.splits++] = inner;
    d.split[d.splits++] = outer;
    check("blocks that do not nest",
          !tsr_dist_check(&d, &error) && strstr(error.text, "element 6 begins a block in the middle"));
    d.split[0].period = d.split[0].block = 3;
    d.split[1].period = 8;
    check("a period that comes again",
          !tsr_dist_check(&d, &error) && strstr(error.text, "element 8 begins the period 8 again"));
    d.split[0] = inner;
    d.splits = 1;
    d.split[d.splits++] = copies;
    check("ranks that meet", !tsr_dist_check(&d, &error) && strstr(error.text, "may be one rank"));
    d.splits = 0;
    d.order[1] = 1;
    check("an order", !tsr_dist_check(&d, &error) && strstr(error.text, "twice or not there"));
    d.order[1] = 0;
    d.pitch[0] = -1;
    check("a pitch", !tsr_dist_check(&d, &error) && strstr(error.text, "memory has -1 elements"));
    d.modes = TSR_DIST_MODES + 1;
    check("too many modes", !tsr_dist_check(&d, &error) && strstr(error.text, "9 modes, at most 8"));
    d.modes = 2;
    d.splits = TSR_DIST_SPLITS + 1;
    check("too many splits", !tsr_dist_check(&d, &error) && strstr(error.text, "17 splits, at most 16"));
}

/** Layouts into (rank, offset) as text. */
static void test_text(void)
{
    static char const *const rows[][2] = {
        {"dtensor((8,6),(2,2),[S(0),S(1)])", "((4,2),(3,2)):((3@1,2@0),(1@1,1@0))"},
        {"scalapack(8,8,2,2,2,2)", "((2,2,2),(2,2,2)):((1@1,2@0,2@1),(4@1,1@0,8@1))"},
        {"hpf((8),(CYCLIC),(4))", "((4,2)):((1@0,1@1))"},
    };
    static char const *const refused[][2] = {
        {"dtensor((8,5),(2),[S(1)])", "ranks hold 2 to 3 elements of mode 1"},
        {"scalapack(8,8,2,2,2,2,1,0)", "split 0 is turned"},
        {"dtensor((10),(2,3),[S(0),S(0)])", "its period 5 is not 3 blocks of 2"},
        {"dtensor((),(2),[R])", "without modes"},
    };
    tsr_dist_layout d;
    tsr_layout l;
    tsr_message error;
    char text[TSR_TEXT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bool const ok = tsr_dist_parse(rows[i][0], &d, &error) && tsr_dist_as_layout(&d, &l, &error);
        tsr_format_layout(text, sizeof text, l, TSR_TEXT_STATIC);
        is(rows[i][0], ok ? text : error.text, rows[i][1]);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        bool const ok = tsr_dist_parse(refused[i][0], &d, &error) && !tsr_dist_as_layout(&d, &l, &error);
        check(refused[i][0], ok && strstr(error.text, refused[i][1]));
    }
    static struct {
        char const *layout, *words;
    } const none[] = {{"((2,4),2):((_1@0,_2@1),_3@1)", "the offsets of mode 0 step by 2"},
                      {"(8,2):(_1@2,_1@1)", "leaf 0 of mode 0 has the stride 1"},
                      {"(2,2):(_1@0,_1@1)", "element 2 of mode 0 is nowhere"},
                      {"8:_1@0", "a layout of rank 1 is not a distributed one of 2 modes"},
                      {"(8,(2,2)):(_1@0,(_1@1,_4@1))", "leaf 1 of mode 1"},
                      {"(8,0):(1,1)", "extent 0"}};
    int64_t const extent[] = {8, 2};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        bool const ok = !tsr_dist_from_layout(tsr_parse(none[i].layout), 2, extent, &d, &error);
        check(none[i].layout, ok && strstr(error.text, none[i].words));
        if (!ok || !strstr(error.text, none[i].words))
            printf("  %s\n", error.text);
    }
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    test_laws();
    test_scalapack();
    test_makers();
    test_tables(OF_CASES(3000));
    test_large_tables();
    test_views(OF_CASES(4000));
    test_refusals();
    test_checks();
    test_text();
    return report();
}
