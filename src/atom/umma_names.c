/** Names with their types in brackets: the instructions of CTAs (sm_100, sm_103), and those of sm_120.
 *
 *      SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,128,UMMA::Major::K,UMMA::Major::MN>
 *      SM100_MMA_F16BF16_SS_SCALED<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K,4>
 *      SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,128,64,16,UMMA::Major::K,..>
 *      SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS<float_e4m3_t,float_e2m1_t,float,float_ue8m0_t,64>
 */
#include <string.h>

#include "atom/names.h"
#include "text/write.h"

/* clang-format off */
/** X(name, K of dense instructions). A name stands before those that it begins with. */
#define UMMA_FAMILY_LIST(X) \
    X(TF32, 8) X(F16BF16, 16) X(S8, 32) X(F8F6F4, 32) X(MXF8F6F4, 32) X(MXF4NVF4, 64) \
    X(MXF4_ULTRA, 96) X(MXF4, 64)
/* clang-format on */

/** X(form, type of a scale, elements that share one). */
#define SCALE_LIST(X) X(SCALE_32, F8_E8M0, 32) X(SCALE_16, F8_E8M0, 16) X(SCALE_16_4, UE4M3, 16)

static int parts_of(tsr_mma_atom x) { return x.flags & TSR_MMA_SPARSE ? 2 : 1; }

/** The form with these scales, or TSR_MMA_FORMS: `vector` elements of a dense or sparse matrix share one. */
static uint8_t scale_form(tsr_dtype type, int vector, int parts)
{
#define X(form, scale, n)                         \
  if (type == TSR_##scale && vector == n * parts) \
    return TSR_MMA_##form;
    SCALE_LIST(X)
#undef X
    return TSR_MMA_FORMS;
}

static tsr_dtype scale_type(int form)
{
#define X(id, scale, n)     \
  if (form == TSR_MMA_##id) \
    return TSR_##scale;
    SCALE_LIST(X)
#undef X
    return 0;
}

static char const *family_of(tsr_mma_atom x)
{
    int const bits = tsr_dtype_bits(x.a), k = x.k / parts_of(x);
    if (scale_type(x.form) != 0)
        return k == 96 ? "MXF4_ULTRA" : k == 32 ? "MXF8F6F4" : parts_of(x) == 2 ? "MXF4NVF4" : "MXF4";
    return bits == 32 ? "TF32" : bits == 16 ? "F16BF16" : x.c == TSR_I32 ? "S8" : "F8F6F4";
}

/** One argument and the comma behind it, or the `>` behind the last one. */
static bool take_end(char const **p, bool last)
{
    if (!tsr_name_take_(p, last ? ">" : ","))
        return false;
    if (!last)
        *p += strspn(*p, " ");
    return true;
}

static bool take_type_argument(char const **p, tsr_dtype *type, bool last)
{
    size_t const n = tsr_type_read_(*p, type);
    *p += n;
    return n > 0 && take_end(p, last);
}

static bool take_number_argument(char const **p, int32_t *number, bool last)
{
    *number = tsr_name_number_(p);
    return *number >= 0 && take_end(p, last);
}

static bool take_major_argument(char const **p, tsr_mma_atom *x, uint8_t flag, bool last)
{
    tsr_name_take_(p, "cute::");
    tsr_name_take_(p, "UMMA::Major::");
    if (tsr_name_take_(p, "MN"))
        x->flags |= flag;
    else if (!tsr_name_take_(p, "K"))
        return false;
    return take_end(p, last);
}

/** Up to the end of the name and of its brackets. */
static size_t whole_name(char const *text, char const *read)
{
    size_t const n = strcspn(text, "<> "), brackets = text[n] == '<' ? strcspn(text + n, ">") : 0;
    size_t const end = n + brackets + (brackets > 0 && text[n + brackets] == '>');
    size_t const taken = (size_t)(read - text);
    return taken > end ? taken : end;
}

static bool take_umma(char const **p, int arch, tsr_mma_atom *x)
{
    char const *family = NULL;
    tsr_dtype scale = 0;
    int32_t k = 0, vector = 32;
#define X(name, depth)                       \
  if (!family && tsr_name_take_(p, #name)) { \
    family = #name;                          \
    k = depth;                               \
  }
    UMMA_FAMILY_LIST(X)
#undef X
    *x = tsr_mma_of(arch, tsr_name_take_(p, "_2x1SM") ? TSR_MMA_CTA_PAIR : TSR_MMA_CTA, 0, 0, k);
    if (tsr_name_take_(p, "_TS"))
        x->flags |= TSR_MMA_A_REGISTERS;
    else if (!tsr_name_take_(p, "_SS"))
        return false;
    if (tsr_name_take_(p, "_SPARSE"))
        x->flags |= TSR_MMA_SPARSE;
    else if (tsr_name_take_(p, "_SCALED"))
        x->form = TSR_MMA_SCALED_D;
    bool const scaled = family && strncmp(family, "MX", 2) == 0, scaled_d = x->form == TSR_MMA_SCALED_D;
    bool ok = family && (arch == 103) == (k == 96) && (k != 96 || tsr_name_take_(p, "_VS")) && tsr_name_take_(p, "<")
              && take_type_argument(p, &x->a, false) && take_type_argument(p, &x->b, false)
              && take_type_argument(p, &x->c, false) && (!scaled || take_type_argument(p, &scale, false))
              && take_number_argument(p, &x->m, false) && take_number_argument(p, &x->n, false)
              && (k < 64 || take_number_argument(p, &vector, false)) && take_major_argument(p, x, TSR_MMA_A_MN, false)
              && take_major_argument(p, x, TSR_MMA_B_MN, !scaled_d)
              && (!scaled_d || take_number_argument(p, &x->scale_d, true));
    x->k *= parts_of(*x);
    x->d = x->c;
    if (ok && scaled)
        x->form = scale_form(scale, vector, k >= 64 ? parts_of(*x) : 1);
    return ok && x->form < TSR_MMA_FORMS && strcmp(family, family_of(*x)) == 0;
}

static bool take_sm120(char const **p, tsr_mma_atom *x)
{
    bool const scaled = tsr_name_take_(p, "SM120::BLOCKSCALED::");
    bool const sparse = tsr_name_take_(p, scaled ? "SPARSE::" : "SM120::SPARSE::");
    tsr_dtype scale = 0;
    int32_t vector = 0;
    *x = tsr_mma_of(120, TSR_MMA_WARP, 0, 0, 0);
    x->flags = sparse ? TSR_MMA_SPARSE : 0;
    bool const shape = tsr_name_take_(p, sparse ? "SM120_SPARSE_" : "SM120_") && (x->m = tsr_name_number_(p)) > 0
                       && tsr_name_take_(p, "x") && (x->n = tsr_name_number_(p)) > 0 && tsr_name_take_(p, "x")
                       && (x->k = tsr_name_number_(p)) > 0;
    bool const ok = shape && tsr_name_take_(p, scaled ? "_TN_VS<" : "_TN<") && take_type_argument(p, &x->a, false)
                    && take_type_argument(p, &x->b, false) && take_type_argument(p, &x->c, !scaled)
                    && (!scaled || (take_type_argument(p, &scale, false) && take_number_argument(p, &vector, true)));
    x->d = x->c;
    if (ok && scaled)
        x->form = scale_form(scale, vector, parts_of(*x));
    return ok && x->form < TSR_MMA_FORMS;
}

size_t tsr_umma_read_(char const *text, tsr_mma_atom *x)
{
    char const *p = text;
    bool ok = false;
    if (tsr_name_take_(&p, "SM100_MMA_"))
        ok = take_umma(&p, 100, x);
    else if (tsr_name_take_(&p, "SM103::SM103_") || tsr_name_take_(&p, "SM103_"))
        ok = take_umma(&p, 103, x);
    else if (strncmp(text, "SM120", 5) == 0)
        ok = take_sm120(&p, x);
    else
        return 0;
    *x = ok ? tsr_mma_checked(*x) : tsr_mma_refuse(*x, TSR_ATOM_NAME, 0, 0);
    return whole_name(text, p);
}

void tsr_umma_write_(writer *w, tsr_mma_atom x)
{
    bool const sparse = (x.flags & TSR_MMA_SPARSE) != 0, scaled = scale_type(x.form) != 0;
    if (x.arch == 120) {
        put(w, "%s%s%sSM120_%s%dx%dx%d_TN%s<", scaled || sparse ? "SM120::" : "", scaled ? "BLOCKSCALED::" : "",
            sparse ? "SPARSE::" : "", sparse ? "SPARSE_" : "", (int)x.m, (int)x.n, (int)x.k, scaled ? "_VS" : "");
    } else {
        put(w, "%s%s%s_%s%s<", x.arch == 103 ? "SM103::SM103_" : "SM100_MMA_", family_of(x),
            x.kind == TSR_MMA_CTA_PAIR ? "_2x1SM" : "", x.flags & TSR_MMA_A_REGISTERS ? "TS" : "SS",
            sparse                       ? "_SPARSE"
            : x.arch == 103              ? "_VS"
            : x.form == TSR_MMA_SCALED_D ? "_SCALED"
                                         : "");
    }
    put(w, "%s,%s,%s", tsr_type_cute_name_(x.a), tsr_type_cute_name_(x.b), tsr_type_cute_name_(x.c));
    if (scaled)
        put(w, ",%s", tsr_type_cute_name_(scale_type(x.form)));
    if (x.arch != 120)
        put(w, ",%d,%d", (int)x.m, (int)x.n);
    if (scaled && (x.arch == 120 || x.k / parts_of(x) >= 64))
        put(w, ",%d", (int)tsr_mma_scale_vector(x));
    if (x.arch != 120)
        put(w, ",UMMA::Major::%s,UMMA::Major::%s", x.flags & TSR_MMA_A_MN ? "MN" : "K",
            x.flags & TSR_MMA_B_MN ? "MN" : "K");
    if (x.form == TSR_MMA_SCALED_D)
        put(w, ",%d", (int)x.scale_d);
    put(w, ">");
}
