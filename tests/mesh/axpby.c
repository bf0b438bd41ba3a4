/** Random pairs with casts and factors, run once or again and again, in the loopback.
 *  usage: axpby SEED PAIRS */
#include "../sanitizer.h"
#include "random_terms.h"

/** Runs a pair `times` times; all ranks show their memory, or none. */
static bool run_pair(pair const *p, tsr_dist_terms const *terms, bool windows, int64_t budget, int times)
{
    size_t const n = (size_t)p->ranks;
    tsr_dist_plan *const plan = (tsr_dist_plan *)calloc(n, sizeof *plan);
    tsr_dist_run **const run = (tsr_dist_run **)calloc(n, sizeof *run);
    void **const old = (void **)calloc(n, sizeof *old), **const new_ = (void **)calloc(n, sizeof *new_);
    tsr_dist_loopback *const loopback = tsr_dist_loopback_make(p->ranks);
    tsr_message error = {0, ""};
    bool ok = plan && run && old && new_ && loopback;
    for (int64_t r = 0; ok && r < p->ranks; ++r) {
        ok = tsr_dist_plan_make(&p->from, &p->to, r, p->host, &plan[r], &error);
        old[r] = typed(memory_of(&p->from, r, 100 * addend_of(&p->from, r), true), plan[r].part[0].span, terms->from);
        new_[r] = typed(memory_of(&p->to, r, 0, false), plan[r].part[1].span, terms->to);
        if (windows)
            tsr_dist_loopback_show(loopback, r, old[r]);
    }
    for (int64_t r = 0; ok && r < p->ranks; ++r) {
        tsr_dist_transport const t = tsr_dist_loopback_at(loopback, r);
        run[r] = tsr_dist_axpby_begin(&plan[r], &t, terms, old[r], new_[r], budget, &error);
        ok = run[r] != NULL;
    }
    for (int k = 0; ok && k < times; ++k) {
        for (int64_t r = 0; ok && k > 0 && r < p->ranks; ++r)
            ok = tsr_dist_run_again(run[r]);
        ok = ok && tsr_dist_loopback_run(loopback, run, &error);
    }
    for (int64_t r = 0; r < p->ranks; ++r) {
        ok = ok && same_terms(p, r, new_[r], terms, times);
        free(old[r]);
        free(new_[r]);
        tsr_dist_run_free(run[r]);
        tsr_dist_plan_free(&plan[r]);
    }
    tsr_dist_loopback_free(loopback);
    free(plan);
    free(run);
    free(old);
    free(new_);
    if (error.text[0])
        printf("%s\n", error.text);
    return ok;
}

static void test_pairs(int64_t pairs)
{
    for (int64_t i = 0; i < pairs; ++i) {
        pair const p = random_pair(1 + noise(8), 17);
        tsr_dist_terms const terms = random_terms();
        int const times = 1 + (int)noise(3);
        bool const windows = noise(3) == 0, ok = run_pair(&p, &terms, windows, noise(3) ? 0 : 1 + noise(400), times);
        check("a random pair with terms", ok);
        if (!ok) {
            printf("pair %lld, %d runs, %s\n", (long long)i, times, windows ? "windows" : "messages");
            print_pair(&p);
            return;
        }
    }
}

/** Halves of f32 become bf16: messages have two bytes an element, and both ways leave the same bits. */
static void test_narrow(void)
{
    static float old[2][32];
    static uint16_t moved[2][2][32];
    tsr_dist_layout from, to;
    tsr_message error = {0, ""};
    tsr_dist_terms terms = tsr_dist_terms_of(TSR_F32);
    terms.to = TSR_BF16;
    terms.alpha = tsr_number_real(0.3);
    bool ok = tsr_dist_parse("dtensor((8,8),(2),[S(0)])", &from, &error)
              && tsr_dist_parse("dtensor((8,8),(2),[S(1)])", &to, &error);
    for (int i = 0; i < 64; ++i)
        old[i / 32][i % 32] = (float)(i * i) / 7.0f;
    for (int windows = 0; ok && windows < 2; ++windows) {
        tsr_dist_loopback *const l = tsr_dist_loopback_make(2);
        tsr_dist_plan plan[2];
        tsr_dist_run *run[2];
        for (int r = 0; r < 2; ++r) {
            tsr_dist_transport const t = tsr_dist_loopback_at(l, r);
            if (windows)
                tsr_dist_loopback_show(l, r, old[r]);
            ok = ok && tsr_dist_plan_make(&from, &to, r, 1, &plan[r], &error);
            run[r] = tsr_dist_axpby_begin(&plan[r], &t, &terms, old[r], moved[windows][r], 0, &error);
        }
        check("it has not ended", !tsr_dist_run_again(run[0]));
        ok = ok && tsr_dist_loopback_run(l, run, &error);
        check("messages have the narrower type", tsr_dist_loopback_bytes(l) == (windows ? 0 : 2 * 16 * 2));
        for (int r = 0; r < 2; ++r) {
            tsr_dist_run_free(run[r]);
            tsr_dist_plan_free(&plan[r]);
        }
        tsr_dist_loopback_free(l);
    }
    check("messages and windows leave the same bits", ok && memcmp(moved[0], moved[1], sizeof moved[0]) == 0);
}

static void test_refused(void)
{
    tsr_dist_layout d;
    tsr_dist_plan plan;
    tsr_message error = {0, ""};
    double memory[2][8] = {{0}, {0}};
    tsr_dist_loopback *const l = tsr_dist_loopback_make(1);
    tsr_dist_terms terms = tsr_dist_terms_of(TSR_F64);
    if (!l || !tsr_dist_parse("dtensor((8),(1),[S(0)])", &d, &error)
        || !tsr_dist_plan_make(&d, &d, 0, 1, &plan, &error)) {
        check("a plan", false);
        return;
    }
    tsr_dist_transport const t = tsr_dist_loopback_at(l, 0);
    terms.alpha.kind = TSR_NO_NUMBER;
    check("a factor that is no number",
          !tsr_dist_axpby(&plan, &t, &terms, memory[0], memory[1], 0, &error) && error.text[0]);
    terms = tsr_dist_terms_of(TSR_F64);
    terms.to = tsr_dtype_named("i4");
    check("half a byte", !tsr_dist_axpby(&plan, &t, &terms, memory[0], memory[1], 0, &error)
                             && strstr(error.text, "elements of 4 bits are not whole bytes"));
    tsr_dist_plan_free(&plan);
    tsr_dist_loopback_free(l);
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    test_pairs(OF_CASES(argc > 2 ? atoll(argv[2]) : 1000));
    test_narrow();
    test_refused();
    return report();
}
