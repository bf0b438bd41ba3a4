/** tsr_print and tsr_explain take every kind of value, in C and in C++; counts and predicates are numbers of C. */
#include <stdio.h>
#include <string.h>

#include "tessera/atoms.h"
#include "tessera/exec/copy.h"
#include "tessera/text.h"
#include "tessera/tile.h"

static int passed, failed;
static FILE *page;

/** What was written since the last call begins with `want` and ends a line. */
static void written(char const *what, char const *want)
{
    static long begin;
    char text[TSR_TEXT_SIZE] = "";
    fseek(page, begin, SEEK_SET);
    size_t const n = fread(text, 1, sizeof text - 1, page);
    fseek(page, 0, SEEK_END);
    begin = ftell(page);
    bool const same = n > 1 && text[n - 1] == '\n' && strncmp(text, want, strlen(want)) == 0;
    ++*(same ? &passed : &failed);
    if (!same)
        printf("%s prints %s, not %s\n", what, text, want);
}

static void counts(char const *what, bool ok)
{
    ++*(ok ? &passed : &failed);
    if (!ok)
        printf("failed: %s\n", what);
}

#define PRINTS(x, want) \
  do {                  \
    tsr_print(page, x); \
    written(#x, want);  \
  } while (0)
#define EXPLAINS(x, want) \
  do {                    \
    tsr_explain(page, x); \
    written(#x, want);    \
  } while (0)

int main(void)
{
    static float memory[32], other[32];
    static int64_t const lengths[2] = {4, 8};
    page = tmpfile();
    if (!page)
        return 2;

    tsr_layout const l = tsr_make_layout(tsr_t(4, 8));
    tsr_engine const from = tsr_engine_at(TSR_GMEM, memory, true, TSR_F32);
    tsr_tensor const s = tsr_make_tensor_of(from, l),
                     d = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, other, false, TSR_F32), l);
    tsr_offset_layout const pair = tsr_slice_and_offset(tsr_t(tsr_wild(), 2), l);
    tsr_smem_layout const smem = tsr_make_smem_layout(tsr_make_swizzle(3, 4, 3), TSR_F16, l);
    tsr_mma_atom const mma = tsr_mma_atom_named("SM80_16x8x16_F32F16F16F32_TN");
    tsr_tiled_mma const tiled = tsr_make_tiled_mma(mma);
    tsr_copy_atom const universal = tsr_make_copy_types(TSR_COPY_UNIVERSAL, TSR_F32, TSR_F32);
    tsr_tiled_copy const copies = tsr_make_tiled_copy(tsr_copy_values(universal, TSR_F32),
                                                      tsr_parse("(_4,_8):(_1,_4)"), tsr_parse("(_1,_1):(_0,_0)"));
    tsr_descriptor const packed = tsr_make_naive_tensor_descriptor_packed(2, lengths, 1);
    tsr_tensor_view const view =
        tsr_make_tensor_view(tsr_make_buffer_view(TSR_GMEM, other, 32, TSR_F32), &packed, TSR_UPDATE_SET);
    tsr_reason const none = tsr_no_reason();
    tsr_layout const bad = tsr_composition(tsr_parse("(4,6,8):(2,3,5)"), tsr_parse("6:3"));

    PRINTS(tsr_t(4, 8), "(4,8)");
    PRINTS(l, "(4,8):(_1,4)");
    PRINTS(s, "gmem_ptr[32b]");
    PRINTS(tsr_tile(4, 2), "<4,2>");
    PRINTS(tsr_make_swizzle(2, 0, 2), "Sw<2,0,2>");
    PRINTS(none, "ok");
    PRINTS(tsr_is_injective(l), "yes");
    PRINTS(from, "gmem_ptr[32b]");
    PRINTS(pair, "((4):(_1),8)");
    PRINTS(smem, "Sw<3,4,3> o smem_ptr[16b](unset) o (4,8):(_1,4)");
    PRINTS(mma, "SM80_16x8x16_F32F16F16F32_TN");
    PRINTS(universal, "UniversalCopy<float>");
    PRINTS(tiled, "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, ");
    PRINTS(copies, "make_tiled_copy_impl(");
    PRINTS(tsr_tma_no_desc(), "UINT8 ; 0 ; ");
    PRINTS(packed, "descriptor of (4,8) in 32 elements, transforms: ");
    PRINTS(view, "view of f32, descriptor of (4,8) in 32 elements");
    PRINTS(tsr_copy_plan(s, d), "32 elements, f32 to f32");
    PRINTS(bad, "composition: ");
    PRINTS(tsr_make_tiled_mma(tsr_mma_atom_named("no such atom")), "no atom has this name");

    EXPLAINS(tsr_t(4, 8), "ok");
    EXPLAINS(l, "ok");
    EXPLAINS(s, "ok");
    EXPLAINS(bad, "composition: ");
    EXPLAINS(tsr_tile(4, 2), "ok");
    EXPLAINS(tsr_make_swizzle(3, 4, 3), "ok");
    EXPLAINS(tsr_is_injective(tsr_make_layout(tsr_t(4), tsr_t(0))), "");
    EXPLAINS(packed, "ok");
    EXPLAINS(view, "ok");
    EXPLAINS(tiled, "ok");
    EXPLAINS(tsr_copy(s, d), "ok");
    EXPLAINS(tsr_copy_plan(s, s), "");

    tsr_layout const rows = tsr_make_layout(tsr_t(32, 1), tsr_t(32, 0));
    counts("bank conflicts", tsr_bank_conflicts(rows, TSR_F32) == 32);
    counts("no bank conflicts", tsr_bank_conflicts(bad, TSR_F32) == TSR_BAD_OFFSET);
    counts("tiles", tsr_tile_count(tsr_t(100, 64), tsr_t(32, 32)) == 8);
    counts("threads", tsr_thr_size(tiled) == 32);
    counts("major", tsr_is_major(l, 0) && !tsr_is_major(l, 1) && tsr_is_major(s, 0));
    counts("true", tsr_is_true(tsr_congruent(tsr_t(4, 8), tsr_t(1, 1))) && !tsr_is_true(bad.shape));
    counts("a swizzle as CuTe writes it",
           tsr_equal(tsr_parse("Swizzle<2,0,2> o _0 o (4,8):(1,4)"), tsr_parse("Sw<2,0,2> o _0 o (4,8):(1,4)"))
               && tsr_layout_ok(tsr_parse("Swizzle<2,0,2> o _0 o (4,8):(1,4)")));
    fclose(page);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
