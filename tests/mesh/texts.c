/** Distributed layouts as texts and values: what a text says comes back as a text, a text that is written is the same
 *  layout, and a redistribution as a value has the numbers of its plans. */
#include "../sanitizer.h"
#include "random_layout.h"
#include "tessera/mesh.h"

static char const *const names[] = {
#define X(id, name) name,
    TSR_DIST_SYSTEM_LIST(X)
#undef X
};

/** Do both put every element into the same places of the same ranks? */
static bool same_places(tsr_dist_layout const *a, tsr_dist_layout const *b)
{
    int64_t const ranks = tsr_max64(tsr_dist_ranks(a), tsr_dist_ranks(b));
    bool same =
        a->modes == b->modes && tsr_dist_copies(a) == tsr_dist_copies(b) && tsr_dist_sums(a) == tsr_dist_sums(b);
    for (int64_t r = 0; same && r < ranks; ++r) {
        tsr_dist_part p, q;
        int64_t local[TSR_DIST_MODES] = {0}, i[TSR_DIST_MODES], k[TSR_DIST_MODES];
        bool const here = tsr_dist_part_of(a, r, &p), there = tsr_dist_part_of(b, r, &q);
        same = p.elements == q.elements && (here == there || p.elements == 0);
        if (!same || p.elements == 0)
            continue;
        do {
            same = tsr_dist_index_at(a, r, local, i) && tsr_dist_index_at(b, r, local, k);
            for (int m = 0; same && m < a->modes; ++m)
                same = i[m] == k[m] && p.extent[m] == q.extent[m] && (p.extent[m] == 1 || p.stride[m] == q.stride[m]);
        } while (same && next_local(a->modes, &p, local));
    }
    return same;
}

/** Every text that a layout has is read as the layout; returns how many it has. A layout that a system has made always
 *  has a text of it, but for strided shards that are cut again. */
static int try_texts(tsr_dist_layout const *d, int made_by)
{
    int found = 0;
    for (int k = 0; k < TSR_DIST_SYSTEMS; ++k) {
        char text[TSR_TEXT_SIZE] = "", what[TSR_TEXT_SIZE + 128], is[TSR_TEXT_SIZE] = "";
        tsr_message error = {0, ""};
        tsr_dist_layout again;
        size_t const n = tsr_dist_format_as((tsr_dist_system)k, text, sizeof text, d, &error);
        tsr_dist_format_line(is, sizeof is, d);
        snprintf(what, sizeof what, "%s of %s: %.900s: %.900s", names[k], made_by < 0 ? "?" : names[made_by],
                 error.text, is);
        check(what, n > 0 || (k != made_by && error.text[0]));
        if (n == 0)
            continue;
        ++found;
        snprintf(what, sizeof what, "%.900s is another layout", text);
        check(what, n == strlen(text) && tsr_dist_parse(text, &again, &error) && same_places(d, &again));
    }
    return found;
}

/** Placements in any order of axes, without strided shards. */
static bool random_shards(int modes, int64_t const *extent, int64_t ranks, tsr_dist_layout *d, tsr_message *error)
{
    int64_t mesh[4];
    tsr_placement p[4];
    int const axes = random_mesh(3, ranks, mesh);
    int order[4];
    for (int a = 0; a < axes; ++a) {
        int const at = (int)noise(a + 1), kind = (int)noise(5);
        p[a].kind = kind == 0 ? TSR_PLACE_REPLICATE : kind == 1 ? TSR_PLACE_PARTIAL : TSR_PLACE_SHARD;
        p[a].mode = (int)noise(modes);
        p[a].factor = 0;
        order[a] = order[at];
        order[at] = a;
    }
    return tsr_dist_from_placements(modes, extent, axes, mesh, p, order, d, error);
}

static void test_texts(int cases)
{
    int found = 0;
    for (int i = 0; i < cases; ++i) {
        int64_t extent[3];
        int const modes = 1 + (int)noise(3), maker = (int)noise(5);
        tsr_dist_layout d;
        tsr_message error;
        for (int m = 0; m < modes; ++m)
            extent[m] = 1 + noise(17);
        bool const made = maker == 0   ? modes == 2 && random_scalapack(extent, 12, &d, &error)
                          : maker == 1 ? random_shards(modes, extent, 12, &d, &error)
                          : maker == 2 ? random_sharding(modes, extent, 12, &d, &error)
                          : maker == 3 ? random_hpf(modes, extent, 12, &d, &error)
                                       : (d = random_layout(modes, extent, 12, 1), true);
        if (made)
            found += try_texts(&d, maker < 4 ? maker : -1);
    }
    check("half of the random layouts have a text", 2 * found > cases);
}

/** The second axis cuts first: DTensor writes S(0)[1],S(0)[0] and S(1)[1]S(1)[2]S(1)[0] for such orders. */
static void test_order(void)
{
    static char const *const pairs[][2] = {
        {"dtensor((8),(2,2),[S(0)[1],S(0)[0]])", "dtensor((8),(2,2),[SS(0,2),S(0)])"},
        {"dtensor((8),(2,2),[S(0)[0],S(0)[1]])", "dtensor((8),(2,2),[S(0),S(0)])"},
        {"dtensor((5,16),(2,2,2),[S(1)[1],S(1)[2],S(1)[0]])", "xla((5,16),{devices=[1,8]<=[2,2,2]T(2,0,1)})"},
        {"dtensor((8,8),(2,2,2),[S(0)[1],S(1),S(0)[0]])", "xla((8,8),{devices=[4,2]<=[2,2,2]T(2,0,1)})"}};
    static char const *const refused[] = {"dtensor((8),(2,2),[S(0)[1],S(0)])",
                                          "dtensor((8),(2,2),[S(0)[1],S(0)[1]])",
                                          "dtensor((8),(2,2),[S(0)[0],S(0)[2]])",
                                          "dtensor((8),(2),[S(0)[1]])",
                                          "dtensor((8),(2),[R[0]])",
                                          "dtensor((8),(2),[S(0)[0])"};
    tsr_dist_layout a, b;
    tsr_message error;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        check(pairs[i][0], tsr_dist_parse(pairs[i][0], &a, &error) && tsr_dist_parse(pairs[i][1], &b, &error)
                               && same_places(&a, &b));
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
        check(refused[i], !tsr_dist_parse(refused[i], &a, &error) && error.text[0]);
}

/** The numbers of a redistribution are those of its plans, and its text names them. */
static void test_exchange(int cases)
{
    tsr_dist_exchange x;
    tsr_message error;
    for (int i = 0; i < cases; ++i) {
        int64_t const extent[] = {1 + noise(12), 1 + noise(12)};
        tsr_dist_layout const from = random_layout(2, extent, 8, 1), to = random_layout(2, extent, 8, 1);
        char text[TSR_TEXT_SIZE], wanted[64];
        int64_t sent = 0, kept = 0;
        bool ok = tsr_dist_exchange_make(&from, &to, 4, tsr_dist_usual_clock(1 + noise(4)), &x, &error);
        for (int64_t p = 0; ok && p < x.all.ranks; ++p)
            for (int64_t q = 0; ok && q < x.all.ranks; ++q) {
                int64_t const n = tsr_dist_exchange_sent(&x, p, q, &error);
                *(p == q ? &kept : &sent) += n;
                ok = n >= 0;
            }
        snprintf(wanted, sizeof wanted, "%lld bytes in %lld messages", (long long)sent, (long long)x.all.messages);
        ok = ok && sent == 4 * x.all.elements && kept == 4 * x.all.kept && x.all.least == x.all.elements;
        check("a redistribution",
              ok && tsr_dist_format_exchange(text, sizeof text, &x) == strlen(text) && strstr(text, wanted));
        check("a rank beyond", tsr_dist_exchange_sent(&x, x.all.ranks, 0, &error) == -1 && error.text[0]);
    }
    tsr_dist_layout many, nested;
    char const *const wide = "distributed(((2,2,4000000,2),1):((_1@1,_1@0,_2@1,_2@0),_0))";
    check("many ranks", tsr_dist_parse("dtensor((4096),(2048),[S(0)])", &many, &error)
                            && !tsr_dist_exchange_make(&many, &many, 4, tsr_dist_usual_clock(1), &x, &error)
                            && strstr(error.text, "2048 ranks"));
    check("many intervals", tsr_dist_read(wide, 0, &nested, &error)
                                && !tsr_dist_exchange_make(&nested, &nested, 4, tsr_dist_usual_clock(1), &x, &error)
                                && strstr(error.text, "intervals"));
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    test_texts(OF_CASES(argc > 2 ? atoi(argv[2]) : 2000));
    test_order();
    test_exchange(300);
    return report();
}
