/** Constructors of Gluon's Python, read as the attributes that they make: BlockedLayout([1, 2], [8, 4], [2, 1],
 *  [1, 0]). Names and a module in front are optional. Maps are written as DistributedLinearLayout and
 *  SharedLinearLayout. */
#include "convert/attribute.h"

/** A class, its attribute, and its parameters in order as name:key. `named`: versions of Gluon differ in the order. */
typedef struct class
{
    char const *name, *attribute, *parameters;
    bool named;
} class;

static class const classes[] = {
    /* clang-format off */
    {"BlockedLayout", "blocked",
     "size_per_thread:sizePerThread threads_per_warp:threadsPerWarp warps_per_cta:warpsPerCTA order:order", false},
    {"SliceLayout", "slice", "dim:dim parent:parent", false},
    {"DistributedLinearLayout", "linear",
     "reg_bases:register lane_bases:lane warp_bases:warp block_bases:block shape:shape", false},
    {"SharedLinearLayout", "shared_linear", "offset_bases:offset block_bases:block alignment:alignment", false},
    {"DotOperandLayout", "dot_op", "operand_index:opIdx parent:parent k_width:kWidth", false},
    {"NVMMADistributedLayout", "nvidia_mma", "version:version warps_per_cta:warpsPerCTA instr_shape:instrShape", false},
    {"NVMMASharedLayout", "nvmma_shared",
     "swizzle_byte_width:swizzlingByteWidth element_bitwidth:elementBitWidth rank:rank transposed:transposed "
     "fp4_padded:fp4Padded", false},
    {"SwizzledSharedLayout", "swizzled_shared", "vec:vec per_phase:perPhase max_phase:maxPhase order:order", false},
    {"PaddedSharedLayout", "padded_shared",
     "interval_padding_pairs:pairs offset_bases:offset block_bases:block shape:shape", false},
    {"AMDMFMALayout", "amd_mfma",
     "version:version warps_per_cta:warpsPerCTA instr_shape:instrShape transposed:isTransposed "
     "tiles_per_warp:tilesPerWarp element_bitwidth:elementBitWidth", true},
    {"AMDWMMALayout", "amd_wmma",
     "version:version transposed:isTransposed warps_per_cta:warpsPerCTA instr_shape:instrShape "
     "tiles_per_warp:tilesPerWarp warp_bases:warp "
     "reg_bases:register rank:rank", true},
};
/* clang-format on */

/** What every class may have by name. */
static char const clusters[] =
    "cga_layout:CGALayout ctas_per_cga:CTAsPerCGA cta_split_num:CTASplitNum cta_order:CTAOrder";

static class const *class_named(char const *name, size_t n)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
        if (strlen(classes[i].name) == n && strncmp(classes[i].name, name, n) == 0)
            return &classes[i];
    return NULL;
}

/** The class that a text begins with, behind a module, and its length with that; NULL: none. */
static class const *class_of(char const *text, size_t *length)
{
    size_t const n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");
    size_t begin = n;
    while (begin > 0 && text[begin - 1] != '.')
        --begin;
    *length = n;
    return text[n] == '(' ? class_named(text + begin, n - begin) : NULL;
}

bool tsr_is_gluon_(char const *text)
{
    size_t n = 0;
    return class_of(text, &n) != NULL;
}

/** The key of a parameter, by its name or, where `name` is NULL, by its place. False: there is none. */
static bool key_of(char const *parameters, char const *name, int place, char *key, size_t size)
{
    for (char const *p = parameters; *p; p += strspn(p, " "), --place) {
        size_t const n = strcspn(p, ":"), all = strcspn(p, " ");
        bool const found = name ? strlen(name) == n && strncmp(name, p, n) == 0 : place == 0;
        if (found)
            snprintf(key, size, "%.*s", (int)(all - n - 1), p + n + 1);
        if (found)
            return true;
        p += all;
    }
    return false;
}

/** name= in front of a value, or nothing. */
static bool take_name(scan *s, char *name, size_t size)
{
    char const *const begin = s->p;
    char const c = scan_next(s);
    if (c == '_' || (c >= 'a' && c <= 'z')) {
        scan_word(s, name, size);
        if (!s->failed && scan_take(s, "="))
            return true;
    }
    s->p = s->failed ? s->p : begin;
    return false;
}

/** version=[2, 0] of NVMMADistributedLayout is versionMajor and versionMinor. */
static void split_version(attribute *a)
{
    for (int i = 0; i < a->fields; ++i)
        if (strcmp(a->name, "nvidia_mma") == 0 && strcmp(a->of[i].key, "version") == 0 && a->of[i].count == 2) {
            snprintf(a->of[i].key, sizeof a->of[i].key, "versionMajor");
            a->of[i].count = 1;
        }
}

void tsr_gluon_take_(scan *s, attribute *a)
{
    size_t n = 0;
    class const *const c = class_of(s->p, &n);
    bool named = c && c->named;
    if (!c)
        scan_fail(s, "`#ttg.` or a layout of Gluon is expected here; write the parent in the place of its alias");
    if (s->failed)
        return;
    s->p += n;
    snprintf(a->name, sizeof a->name, "%s", c->attribute);
    int place = 0;
    for (bool more = scan_list(s, "(", ")"); more; more = scan_more(s, ")") && !scan_take(s, ")"), ++place) {
        char name[32] = "";
        bool const by_name = take_name(s, name, sizeof name);
        named = named || by_name;
        if (a->fields == FIELDS)
            scan_fail(s, "an attribute has at most 12 parts");
        if (s->failed)
            return;
        field *const f = &a->of[a->fields];
        tsr_attribute_empty_(f);
        if (named && !by_name)
            scan_fail(s, "a name is needed here, as in version=3");
        else if (!key_of(c->parameters, by_name ? name : NULL, place, f->key, sizeof f->key)
                 && !(by_name && key_of(clusters, name, 0, f->key, sizeof f->key)))
            scan_fail(s, "this class has no such parameter");
        else if (!scan_take(s, "None")) {
            tsr_attribute_value_(s, a, f);
            ++a->fields;
        }
    }
    split_version(a);
}

/** [[0, 1], [2, 0]] of one input, from a bit on. */
static void write_bases(writer *w, tsr_linear const *f, int at, int bits)
{
    put(w, "[");
    for (int b = 0; b < bits; ++b)
        tsr_write_basis_(w, b > 0 ? ", [" : "[", &f->out, f->basis[at + b], ", ", "]");
    put(w, "]");
}

void tsr_write_gluon_(writer *w, tsr_linear const *f, scan *s)
{
    static char const *const inputs[2][4] = {{"register", "lane", "warp", "block"}, {"offset", "block", "", ""}};
    static char const *const names[2][4] = {{"reg_bases", "lane_bases", "warp_bases", "block_bases"},
                                            {"offset_bases", "block_bases", "", ""}};
    int const shared = f->in.count > 0 && strcmp(f->in.name[0], "offset") == 0, most = shared ? 2 : 4;
    for (int d = 0; d < f->in.count; ++d)
        if (d >= most || strcmp(f->in.name[d], inputs[shared][d]) != 0)
            scan_fail(s, "the inputs are register, lane, warp and block, or offset and block, in this order");
    tsr_verdict const onto = tsr_linear_is_surjective(*f);
    if (shared && onto.answer != TSR_YES)
        scan_refuse(s, onto.why); /* SharedLinearLayout has no shape but what its bases reach */
    put(w, "%s(", shared ? "SharedLinearLayout" : "DistributedLinearLayout");
    for (int d = 0, at = 0; d < most; ++d) {
        int const bits = d < f->in.count ? f->in.bits[d] : 0;
        put(w, "%s%s=", d > 0 ? ", " : "", names[shared][d]);
        write_bases(w, f, at, bits);
        at += bits;
    }
    for (int d = 0; d < f->out.count && !shared; ++d)
        put(w, "%s%llu", d > 0 ? ", " : ", shape=[", 1ull << f->out.bits[d]);
    put(w, shared ? ")" : f->out.count > 0 ? "])" : ", shape=[])");
}
