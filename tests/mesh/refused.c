/** Plans, runs and simulations that are refused, each with its sentence. */
#include "random_layout.h"

static tsr_dist_layout layout(char const *text)
{
    tsr_dist_layout d = {0};
    tsr_message error = {0, ""};
    check(text, tsr_dist_parse(text, &d, &error));
    return d;
}

static void says(char const *what, bool refused, tsr_message const *error, char const *words)
{
    check(what, refused && strstr(error->text, words));
    if (!refused || !strstr(error->text, words))
        printf("  %s\n", error->text);
}

static void test_plans(void)
{
    static char const *const rows[][3] = {
        {"dtensor((8),(2),[S(0)])", "dtensor((8,1),(2),[S(0)])", "1 modes here and 2 there"},
        {"dtensor((8),(2),[S(0)])", "dtensor((9),(2),[S(0)])", "mode 0 has extent 8 here and 9 there"},
        {"dtensor((8),(2),[P])", "dtensor((8),(3),[P])", "2 addends do not become 3"},
        {"dtensor((4294967296,1048576),(32),[P])", "dtensor((4294967296,1048576),(64),[R])",
         "more than 2^58 elements"},
    };
    tsr_message error = {0, ""};
    tsr_dist_simulation s;
    tsr_dist_plan p;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        tsr_dist_layout const from = layout(rows[i][0]), to = layout(rows[i][1]);
        says(rows[i][2], !tsr_dist_plan_make(&from, &to, 0, 1, &p, &error), &error, rows[i][2]);
    }
    tsr_dist_layout finest = layout("dtensor((16777216),(2,2),[SS(0,65536),S(0)])");
    check("many intervals in order", tsr_dist_plan_make(&finest, &finest, 0, 1, &p, &error));
    tsr_dist_plan_free(&p);
    finest.extent[0] *= 2; /* they repeat */
    says("too many intervals", !tsr_dist_plan_make(&finest, &finest, 0, 1, &p, &error), &error,
         "2^28 pairs of intervals");
    tsr_dist_layout from = layout(rows[0][0]);
    says("a negative rank", !tsr_dist_plan_make(&from, &from, -1, 1, &p, &error), &error, "rank -1 is negative");
    says("no host", !tsr_dist_plan_make(&from, &from, 0, 0, &p, &error), &error, "a host has 0 ranks");
    tsr_dist_clock const clocks[] = {{-1, 1, 1}, {0, 0, 1}};
    for (int i = 0; i < 2; ++i)
        says("a clock", !tsr_dist_simulate(&from, &from, 4, clocks[i], false, &s, &error), &error, "the clock needs");
    from.split[0].block = 0;
    says("a broken layout", !tsr_dist_plan_make(&from, &from, 0, 1, &p, &error), &error, "blocks of 0 elements");
    check("a rank that no mesh has", (from = layout(rows[0][0]), tsr_dist_plan_make(&from, &from, 5, 1, &p, &error))
                                         && p.sends + p.receives == 0 && !p.holds[0] && p.part[1].elements == 0);
    tsr_dist_plan_free(&p);
    check("no loopback without ranks", tsr_dist_loopback_make(0) == NULL);
}

static void test_runs(void)
{
    tsr_dist_layout const from = layout("dtensor((8),(2),[S(0)])"), to = layout("hpf((8),(CYCLIC),(2))");
    tsr_dist_loopback *const l = tsr_dist_loopback_make(2);
    tsr_dist_plan p[2];
    tsr_dist_run *run[2];
    tsr_message error = {0, ""};
    int32_t old[2][4] = {{0}, {0}}, new_[2][4] = {{0}, {0}};
    bool ok = l != NULL;
    for (int r = 0; ok && r < 2; ++r)
        ok = tsr_dist_plan_make(&from, &to, r, 1, &p[r], &error);
    check("plans of two ranks", ok);
    if (!ok)
        return;
    tsr_dist_transport const t[] = {tsr_dist_loopback_at(l, 0), tsr_dist_loopback_at(l, 1)};
    says("half a byte", !tsr_dist_run_begin(&p[0], &t[0], tsr_dtype_named("i4"), old, new_, 0, &error), &error,
         "elements of 4 bits are not whole bytes");
    says("another rank", !tsr_dist_run_begin(&p[0], &t[1], TSR_I32, old, new_, 0, &error), &error,
         "the plan of rank 0 of 2 is run by rank 1 of 2");
    says("no memory", !tsr_dist_run_begin(&p[0], &t[0], TSR_I32, NULL, new_, 0, &error), &error,
         "rank 0 has 4 elements before and 4 after, and no memory");
    says("a budget", !tsr_dist_run_begin(&p[0], &t[0], TSR_I32, old, new_, -1, &error), &error, "the budget is -1");
    for (int i = 0; i < 4; ++i) {
        tsr_dist_transport bare = t[0];
        bare.send = i == 0 ? NULL : bare.send;
        bare.receive = i == 1 ? NULL : bare.receive;
        bare.done = i == 2 ? NULL : bare.done;
        bare.barrier = i == 3 ? NULL : bare.barrier;
        says("a bare transport", !tsr_dist_run_begin(&p[0], &bare, TSR_I32, old, new_, 0, &error), &error,
             "the transport has no functions `send`");
    }

    /* Both ends disagree on the chunks. */
    run[0] = tsr_dist_run_begin(&p[0], &t[0], TSR_I32, old[0], new_[0], 0, &error);
    run[1] = tsr_dist_run_begin(&p[1], &t[1], TSR_I32, old[1], new_[1], 1, &error);
    says("two budgets", !tsr_dist_loopback_run(l, run, &error), &error, "cannot receive from rank");
    tsr_dist_run_free(run[0]);
    tsr_dist_run_free(run[1]);
    tsr_dist_loopback_free(l);

    /* One rank waits for what the other one does not send: its plan is one of nothing. */
    tsr_dist_loopback *const alone = tsr_dist_loopback_make(2);
    tsr_dist_plan idle;
    ok = alone && tsr_dist_plan_make(&from, &from, 1, 1, &idle, &error);
    check("an idle plan", ok);
    if (ok) {
        tsr_dist_transport const other[] = {tsr_dist_loopback_at(alone, 0), tsr_dist_loopback_at(alone, 1)};
        run[0] = tsr_dist_run_begin(&p[0], &other[0], TSR_I32, old[0], new_[0], 0, &error);
        run[1] = tsr_dist_run_begin(&idle, &other[1], TSR_I32, old[1], new_[1], 0, &error);
        says("a rank that waits", !tsr_dist_loopback_run(alone, run, &error), &error,
             "wait for messages that nobody sends");
        tsr_dist_run_free(run[0]);
        tsr_dist_run_free(run[1]);
        tsr_dist_plan_free(&idle);
    }
    tsr_dist_loopback_free(alone);
    tsr_dist_plan_free(&p[0]);
    tsr_dist_plan_free(&p[1]);
}

static bool has_all(void *self, tsr_dist_collective kind, tsr_dtype type)
{
    return self && kind == TSR_DIST_ALLTOALL && type == TSR_I32;
}

static bool cannot(void *self, tsr_dist_together const *what) { return !self || what->kind == TSR_DIST_NONE; }

static bool begins(void *self, tsr_dist_together const *what) { return !cannot(self, what); }

static int fails(void *self, int64_t slot) { return self && slot == 0 ? -1 : 0; }

static char const *reason(void *self) { return self ? "the switch is off" : ""; }

/** A collective that does not begin, and one that does not end. */
static void test_together(void)
{
    tsr_dist_layout from, to;
    tsr_message error = {0, ""};
    tsr_dist_plan p;
    int32_t old[8] = {0}, new_[8] = {0};
    tsr_dist_loopback *const l = tsr_dist_loopback_make(2);
    bool const ok = l && tsr_dist_parse("dtensor((4,4),(2),[S(0)])", &from, &error)
                    && tsr_dist_parse("dtensor((4,4),(2),[S(1)])", &to, &error)
                    && tsr_dist_plan_make(&from, &to, 0, 1, &p, &error);
    check("a plan", ok);
    if (!ok)
        return;
    tsr_dist_transport t = tsr_dist_loopback_at(l, 0);
    t.window = NULL;
    t.joins = has_all;
    t.together = cannot;
    says("none begins", !tsr_dist_redistribute(&p, &t, TSR_I32, old, new_, 0, &error), &error,
         "rank 0 cannot join an alltoall");
    t.together = begins;
    t.done = fails;
    t.why = reason;
    says("none ends", !tsr_dist_redistribute(&p, &t, TSR_I32, old, new_, 0, &error), &error,
         "rank 0 cannot join an alltoall: the switch is off");
    tsr_dist_plan_free(&p);
    tsr_dist_loopback_free(l);
}

/** A shard that becomes two, before as many copies as there is room for. */
static void test_views(void)
{
    int64_t const extent[] = {2, 4};
    tsr_message error = {0, ""};
    tsr_dist_layout d = layout("dtensor((8),(4),[S(0)])"), view;
    for (int64_t ranks = 4; d.splits < TSR_DIST_SPLITS - 1; ranks *= 2) {
        tsr_dist_split const copies = {TSR_DIST_COPY, 0, 2, ranks, 0, 0, 0};
        d.split[d.splits++] = copies;
    }
    check("a view of 16 splits", tsr_dist_view(&d, 2, extent, &view, &error) && view.splits == TSR_DIST_SPLITS);
    tsr_dist_split const last = {TSR_DIST_COPY, 0, 2, 4 << 14, 0, 0, 0};
    d.split[d.splits++] = last;
    check("copies in 16 splits", tsr_dist_check(&d, &error));
    says("a view of 17 splits", !tsr_dist_view(&d, 2, extent, &view, &error), &error, "more than 16 splits");
}

int main(void)
{
    test_views();
    test_together();
    test_plans();
    test_runs();
    return report();
}
