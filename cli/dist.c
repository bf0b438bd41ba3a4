/** tessera dist: distributed layouts, and the plan from one to another. */
#include <stdlib.h>

#include "option.h"
#include "tessera/mesh.h"
#include "words.h"

/** The most pairs of ranks that are printed. */
enum { MOST_PAIRS = 64 };

/** The most intersections of shares for which all ranks are planned: seconds. */
static int64_t const most_intersections = (int64_t)1 << 24;

/** The distribution of an expression. False: complained of. */
static bool read_distribution(options const *o, char const *text, tsr_dist_layout *d)
{
    tsr_message error;
    bool const ok = tsr_dist_read(text, o->flags, d, &error);
    if (!ok && error.at > 0)
        complain(o, "%s: %s (at character %zu)", text, error.text, error.at);
    else if (!ok)
        complain(o, "%s: %s", text, error.text);
    return ok;
}

static void print_distribution(char const *title, tsr_dist_layout const *d)
{
    char text[TSR_TEXT_SIZE];
    tsr_dist_format(text, sizeof text, d);
    printf("%s%s\n", title, text);
}

/** The parts of the ranks, of which the first ones are listed. */
static void print_parts(tsr_dist_layout const *d)
{
    int64_t const ranks = tsr_dist_ranks(d);
    for (int64_t r = d->first; r < ranks && r < d->first + MOST_PAIRS; ++r) {
        tsr_dist_part part;
        if (!tsr_dist_part_of(d, r, &part))
            continue;
        printf("  rank %lld holds (", (long long)r);
        for (int m = 0; m < d->modes; ++m)
            printf("%s%lld", m ? "," : "", (long long)part.extent[m]);
        printf("), %lld elements in memory of %lld\n", (long long)part.elements, (long long)part.span);
    }
    if (ranks > d->first + MOST_PAIRS)
        printf("  and %lld ranks more\n", (long long)(ranks - d->first - MOST_PAIRS));
}

static void print_messages(tsr_dist_plan const *p, bool sent, int64_t bytes, int64_t most)
{
    tsr_dist_message const *const list = sent ? p->send : p->receive;
    int64_t const n = sent ? p->sends : p->receives;
    for (int64_t i = 0; i < n && i < most; ++i)
        printf(
            "  rank %lld -> %lld  %lld bytes, round %lld\n", (long long)(sent ? p->rank : list[i].peer),
            (long long)(sent ? list[i].peer : p->rank), (long long)(list[i].elements * bytes),
            (long long)(sent ? tsr_dist_round(p, p->rank, list[i].peer) : tsr_dist_round(p, list[i].peer, p->rank)));
    if (n > most && most > 0)
        printf("  and %lld messages more\n", (long long)(n - most));
}

/** What one rank does. */
static bool print_rank(options const *o, tsr_dist_layout const d[2], int64_t rank, int64_t host, int64_t bytes)
{
    tsr_dist_plan p;
    tsr_message error;
    if (!tsr_dist_plan_make(&d[0], &d[1], rank, host, &p, &error))
        return complain(o, "%s", error.text), false;
    print_messages(&p, true, bytes, MOST_PAIRS);
    print_messages(&p, false, bytes, MOST_PAIRS);
    printf("rank %lld sends %lld bytes, receives %lld, at least %lld, and keeps %lld\n", (long long)rank,
           (long long)(p.send_elements * bytes), (long long)(p.receive_elements * bytes),
           (long long)(tsr_dist_plan_least(&p) * bytes), (long long)(p.keep.elements * bytes));
    tsr_dist_plan_free(&p);
    return true;
}

/** How many intersections of shares the plans of all ranks look at: along each mode those of the other mesh, and
 *  addends and copies. */
static int64_t intersections_of(tsr_dist_layout const d[2], int64_t ranks)
{
    int64_t intersections = tsr_mul64_most(tsr_dist_sums(&d[1]), tsr_dist_copies(&d[1])) + tsr_dist_sums(&d[0]);
    for (int side = 0; side < 2; ++side)
        for (int m = 0; m < d[side].modes; ++m) {
            int64_t shares = 1;
            for (int k = 0; k < d[side].splits; ++k)
                if (d[side].split[k].role != TSR_DIST_COPY && d[side].split[k].role != TSR_DIST_SUM
                    && d[side].split[k].mode == m)
                    shares = tsr_mul64_most(shares, d[side].split[k].extent);
            intersections += shares;
        }
    return tsr_mul64_most(intersections, ranks);
}

/** Says how large the plans of all ranks are, and whether they are made. */
static bool is_small(options const *o, tsr_dist_layout const d[2], int64_t ranks)
{
    int64_t const intersections = intersections_of(d, ranks);
    if (intersections > most_intersections) {
        complain(o,
                 "the plans of all %lld ranks look at %lld intersections of shares, at most %lld are made: --rank N "
                 "plans one "
                 "rank",
                 (long long)ranks, (long long)intersections, (long long)most_intersections);
        return false;
    }
    printf("plans of %lld ranks, %lld intersections of shares\n", (long long)ranks, (long long)intersections);
    (void)fflush(stdout);
    return true;
}

/** What all ranks do: the first pairs, the sums and the time of the model. */
static bool print_all(options const *o, tsr_dist_layout const d[2], int64_t bytes, tsr_dist_clock clock)
{
    char text[TSR_TEXT_SIZE];
    tsr_dist_simulation s;
    tsr_message error;
    int64_t const ranks = tsr_max64(tsr_dist_ranks(&d[0]), tsr_dist_ranks(&d[1]));
    if (!is_small(o, d, ranks))
        return false;
    if (!tsr_dist_simulate(&d[0], &d[1], bytes, clock, option_of(o, "--verify") != NULL, &s, &error))
        return complain(o, "%s", error.text), false;
    int64_t left = MOST_PAIRS;
    for (int64_t r = 0; r < ranks && left > 0; ++r) {
        tsr_dist_plan p;
        if (!tsr_dist_plan_make(&d[0], &d[1], r, clock.host, &p, &error))
            return complain(o, "%s", error.text), false;
        print_messages(&p, true, bytes, left);
        left -= p.sends;
        tsr_dist_plan_free(&p);
    }
    tsr_dist_format_simulation(text, sizeof text, &s, bytes);
    printf("%s\n", text);
    if (s.checked > 0)
        printf("%lld elements were followed: each arrives once\n", (long long)s.checked);
    return true;
}

/** A number that an option names. False: complained of. */
static bool number_of(options const *o, char const *option, double *number)
{
    char const *const text = option_of(o, option);
    char *end = NULL;
    double const x = text ? strtod(text, &end) : 0;
    if (text && (end == text || *end || !(x >= 0) || x > 1e15))
        return misuse(o, "%s takes a number from 0 on, not %s", option, text), false;
    *number = text ? x : *number;
    return true;
}

int command_dist(options const *o, int n, char **argument)
{
    tsr_dist_layout d[2];
    tsr_dtype type = 0;
    double rank = -1, latency = 2, bandwidth = 10, host = 1;
    bool const plan = option_of(o, "--plan") != NULL;
    if (n != (plan ? 2 : 1))
        return misuse(o, plan ? "dist --plan needs two distributions, FROM and TO" : "dist needs one distribution");
    if (!type_of_option(o, "--type", TSR_F32, &type) || !number_of(o, "--rank", &rank)
        || !number_of(o, "--latency", &latency) || !number_of(o, "--bandwidth", &bandwidth)
        || !number_of(o, "--host", &host))
        return MISUSE;
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    if (bytes == 0 || bandwidth <= 0 || host < 1 || (rank >= 0 && rank >= (double)TSR_DIST_RANKS))
        return misuse(o, "elements are whole bytes, bandwidth and host are positive, and a rank is below 2^24");
    for (int i = 0; i < n; ++i)
        if (!read_distribution(o, argument[i], &d[i]))
            return FAILED;
    print_distribution(plan ? "from " : "", &d[0]);
    if (!plan)
        return print_parts(&d[0]), DONE;
    print_distribution("to   ", &d[1]);
    tsr_dist_clock const clock = {latency * 1e-6, bandwidth * 1e9, (int64_t)host};
    return (rank >= 0 ? print_rank(o, d, (int64_t)rank, clock.host, bytes) : print_all(o, d, bytes, clock)) ? DONE
                                                                                                            : FAILED;
}
