/** Products with an im2col view on a GPU beside the same products on the CPU: strides, dilations, one to three modes of
 *  pixels, ragged sizes, either operand, epilogues, parts of K, other addresses. Elements are small integers, so that
 *  every order of sums is exact.
 *
 *  usage: gpu_images [FOLDER [SEED [ROUNDS]]]. Exits with 77, which means skipped, where there is no GPU or no
 *  NVRTC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gpu/any_view.h"
#include "../gpu/both.h"
#include "../gpu/check.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/text.h"

static int by_pixels, in_parts, others;

/** The result in memory of the device is that of the CPU. */
static bool is_equal(both const *x)
{
    unsigned char *const back = (unsigned char *)malloc(x->bytes + 1);
    bool const r =
        back && tsr_gpu_ok(tsr_gpu_read(&x->there, 0, back, x->bytes, NULL)) && memcmp(back, x->here, x->bytes) == 0;
    free(back);
    return r;
}

/** A result with rows that end anywhere, now and then. */
static tsr_layout any_result(tsr_layout l)
{
    int64_t const m = tsr_size(tsr_mode(l, 0)), n = tsr_size(tsr_mode(l, 1)), more = below(3) ? 0 : 1 + below(9);
    return below(2) ? tsr_make_layout(tsr_t(m, n), tsr_t(n + more, 1))
                    : tsr_make_layout(tsr_t(m, n), tsr_t(1, m + more));
}

static void try_image(on_gpu *on)
{
    static tsr_dtype const results[] = {TSR_F16, TSR_F32, TSR_BF16};
    conv const c = any_conv(below(4) ? 200 : 900);
    both x[4];
    char text[512], name[1024];
    memset(x, 0, sizeof x);
    tsr_dtype const result = results[below(3)];
    tsr_layout const d = any_result(c.result);
    bool const made = make_both(&on->device, &x[c.turned], c.type, c.view)
                      && make_both(&on->device, &x[!c.turned], c.type, c.filter)
                      && make_both(&on->device, &x[2], result, d) && make_both(&on->device, &x[3], result, d);
    tsr_tensor const there = of_device(&x[3]), here = of_host(&x[3]);
    tsr_epilogue e = tsr_make_epilogue(below(3) ? 1 : 2, (double)below(3) - 1);
    e.activation = below(3) ? e.activation : TSR_RELU;
    tsr_epilogue same = e;
    bool const biased = below(3) == 0;
    e.bias = biased ? &there : NULL;
    same.bias = biased ? &here : NULL;
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result r = tsr_gpu_gemm_plan(&on->cache, &on->device, of_device(&x[0]), of_device(&x[1]),
                                         of_device(&x[2]), &e, &to_words, &plan);
    tsr_format_gpu_gemm(text, sizeof text, plan);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_gemm_run(plan, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_wait(&on->device);
    tsr_reason const cpu = tsr_gemm_with(of_host(&x[0]), of_host(&x[1]), of_host(&x[2]), &same);
    snprintf(name, sizeof name, "%d modes, %d channels, %d x %d, %s: %s", c.dims, (int)c.channels,
             (int)tsr_size(tsr_mode(c.view, 0)), (int)c.filters, tsr_dtype_name(c.type), text);
    bool const good = made && tsr_gpu_ok(r) && !cpu.status && is_equal(&x[2]);
    check(good, name);
    if (!tsr_gpu_ok(r))
        show_refusal(r);
    by_pixels += strstr(text, "im2col") != NULL;
    in_parts += strstr(text, "im2col") && strstr(text, "K in parts");
    others += strstr(text, "im2col") && strstr(text, "change places");
    (void)tsr_gpu_gemm_free(&plan);
    for (int i = 0; i < 4; ++i)
        free_both(&x[i]);
}

/** A plan for an image runs on another one: the map moves. */
static void test_moved(on_gpu *on)
{
    enum { IMAGES = 2, SIDE = 16, C = 64, K = 64, OUT = SIDE - 2, STEP = SIDE * SIDE * C };
    both x[3];
    memset(x, 0, sizeof x);
    tsr_layout const taps = tsr_make_layout(tsr_t(K, tsr_t(C, 3, 3)), tsr_t(9 * C, tsr_t(1, C, 3 * C)));
    tsr_layout const view =
        tsr_make_layout(tsr_t(tsr_t(OUT, OUT), tsr_t(C, 3, 3)), tsr_t(tsr_t(C, SIDE * C), tsr_t(1, C, SIDE * C)));
    bool good = make_both(&on->device, &x[0], TSR_F16, tsr_make_layout(tsr_t(IMAGES * STEP), tsr_t(1)))
                && make_both(&on->device, &x[1], TSR_F16, taps)
                && make_both(&on->device, &x[2], TSR_F16, tsr_make_layout(tsr_t(OUT * OUT, K), tsr_t(K, 1)));
    x[0].layout = view;
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    tsr_gpu_planned_gemm *plan;
    tsr_gpu_result r = tsr_gpu_gemm_plan(&on->cache, &on->device, of_device(&x[0]), of_device(&x[1]),
                                         of_device(&x[2]), &e, &to_words, &plan);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_gemm_run_at(plan, x[0].there.address + STEP * 2, 0, 0, 0, NULL);
    tsr_tensor second = of_host(&x[0]);
    second.engine.address += STEP * 2;
    good =
        good && tsr_gpu_ok(r) && !tsr_gemm_with(second, of_host(&x[1]), of_host(&x[2]), &e).status && is_equal(&x[2]);
    check(good, "a view at another address");
    (void)tsr_gpu_gemm_free(&plan);
    for (int i = 0; i < 3; ++i)
        free_both(&x[i]);
}

int main(int argc, char **argv)
{
    on_gpu on;
    if (!begin_on_gpu(&on, argc, argv, 40))
        return 77;
    random_begin(argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    for (int i = 0; i < on.rounds; ++i)
        try_image(&on);
    test_moved(&on);
    check(by_pixels > on.rounds / 2, "most views go by their image");
    printf("%s: %d products of %d by im2col (%d in parts of K, %d of the other operand): %d passed, %d failed\n",
           on.device.name, by_pixels, on.rounds, in_parts, others, passed, failed);
    end_on_gpu(&on);
    return failed != 0;
}
