/** Random pairs of distributions, in the loopback and simulated: every element is where it belongs, nothing else is
 *  touched, and the bytes are the lower bound.
 *  usage: redistribute SEED PAIRS SIMULATED */
#include "../sanitizer.h"
#include "random_pair.h"

static void test_pairs(int64_t pairs)
{
    int64_t lowest = 0;
    for (int64_t i = 0; i < pairs; ++i) {
        pair const p = random_pair(1 + noise(12), i % 3 == 0 ? 40 : 17);
        int64_t sent = 0, least = 0;
        bool const windows = noise(4) == 0;
        bool const ok = loopback_pair(&p, windows, noise(3) ? 0 : 1 + noise(400), &sent, &least);
        check("a random pair", ok);
        check("bytes are the lower bound", windows ? sent == 0 : sent == least);
        lowest += windows ? sent == 0 : sent == least;
        if (!ok || (!windows && sent != least)) {
            printf("pair %lld, %lld bytes, at least %lld\n", (long long)i, (long long)sent, (long long)least);
            print_pair(&p);
            return;
        }
    }
    printf("%lld pairs in the loopback, bytes are the lower bound in %lld\n", (long long)pairs, (long long)lowest);
}

/** One mode, in short blocks in turn, by so many ranks. */
static tsr_dist_layout short_blocks(int64_t extent, int64_t ranks)
{
    tsr_dist_layout d = tsr_dist_whole(1, &extent, false);
    int64_t const block = 1 + noise(3), cut = noise(block);
    tsr_dist_split const s = {TSR_DIST_SHARD, 0, ranks, 1, block, block * ranks - cut, noise(ranks)};
    tsr_message error = {0, ""};
    d.split[d.splits++] = s;
    check("short blocks", tsr_dist_check(&d, &error));
    return d;
}

/** Many periods of blocks that are short beside them: which of them meet follows from the inverse of one period modulo
 *  the other. */
static void test_periods(int64_t pairs)
{
    for (int64_t i = 0; i < pairs; ++i) {
        pair p;
        int64_t const extent = 1 + noise(2000);
        int64_t sent = 0, least = 0;
        p.from = short_blocks(extent, 2 + noise(24));
        p.to = short_blocks(extent, 2 + noise(24));
        p.host = 1 + noise(4);
        p.ranks = tsr_max64(tsr_dist_ranks(&p.from), tsr_dist_ranks(&p.to));
        bool const ok = loopback_pair(&p, false, 0, &sent, &least);
        check("a pair of periods", ok && sent == least);
        if (!ok || sent != least) {
            print_pair(&p);
            return;
        }
    }
}

/** In round r each rank sends to the one r behind it. */
static void test_rounds(void)
{
    tsr_dist_plan plan;
    memset(&plan, 0, sizeof plan);
    for (plan.ranks = 1; plan.ranks < 9; ++plan.ranks)
        for (int64_t i = 0; i < plan.ranks * plan.ranks; ++i) {
            int64_t const sender = i % plan.ranks, receiver = i / plan.ranks;
            int64_t const round = tsr_dist_round(&plan, sender, receiver);
            check("a round", round >= 0 && round < plan.ranks && (sender + round) % plan.ranks == receiver);
        }
}

/** Parts of several MB, whose lines pass the caches. */
static void test_large(int64_t pairs)
{
    enum { LEAST = 1 << 21, MOST = 1 << 22 /* elements of all ranks */ };
    for (int64_t i = 0; i < pairs;) {
        pair const p = random_pair(1 + noise(2), 3000);
        int64_t elements = 1, sent = 0, least = 0;
        for (int m = 0; m < p.to.modes; ++m)
            elements *= p.to.extent[m];
        if (elements < LEAST || elements > MOST)
            continue;
        bool const ok = loopback_pair(&p, false, noise(2) ? 0 : 100000 + noise(1 << 20), &sent, &least);
        check("a large pair", ok && sent == least);
        if (!ok)
            print_pair(&p);
        ++i;
    }
}

/** More ranks than anybody runs here. */
static void test_simulated(int64_t pairs)
{
    int64_t ranks = 0;
    for (int64_t i = 0; i < pairs; ++i) {
        pair const p = random_pair((int64_t)8 << noise(10), 60);
        tsr_dist_clock const clock = {2e-6, 1e10, p.host};
        tsr_dist_simulation s;
        tsr_message error = {0, ""};
        bool const ok = tsr_dist_simulate(&p.from, &p.to, 4, clock, true, &s, &error);
        check("a simulated pair", ok);
        check("its bytes are the lower bound", !ok || s.elements == s.least);
        ranks = ok ? tsr_max64(ranks, s.ranks) : ranks;
        if (!ok || s.elements != s.least) {
            printf("%s\n", error.text);
            print_pair(&p);
            return;
        }
    }
    printf("%lld pairs simulated on up to %lld ranks\n", (long long)pairs, (long long)ranks);
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    test_pairs(OF_CASES(argc > 2 ? atoll(argv[2]) : 1000));
    test_periods(OF_CASES(argc > 2 ? atoll(argv[2]) / 10 : 100));
    test_rounds();
    test_large(OF_CASES(2));
    test_simulated(OF_CASES(argc > 3 ? atoll(argv[3]) : 100));
    return report();
}
