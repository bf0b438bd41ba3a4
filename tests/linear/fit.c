/** What explains samples: random layouts, maps, sums and descriptors are found again from their values, whole or in
 *  part; so are the layouts of all atoms. Formulas are those of the compiler. fit SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

#include "tessera/atoms.h"
#include "tessera/samples.h"

enum { MOST_SAMPLES = 1 << 21 }; /* of the tiles of four blocks of sm_100 */
static int64_t value[MOST_SAMPLES], work[2 * MOST_SAMPLES], wanted[MOST_SAMPLES];
static tsr_found found[TSR_FORMS];

/** The value of what was found at an index of a shape. */
static int64_t value_at(tsr_found const *r, tsr_tuple const *shape, int64_t c)
{
    int64_t index[TSR_MAX_DIMS] = {0}, rest = c;
    if (r->form == TSR_FORM_LINEAR)
        return (int64_t)tsr_linear_at(&r->map, (uint64_t)c);
    if (r->form == TSR_FORM_SUM)
        return tsr_layout_offset(&r->layout, c) + tsr_layout_offset(&r->second, c);
    if (r->form != TSR_FORM_DESCRIPTOR)
        return tsr_layout_offset(&r->layout, c);
    for (int k = 0; k < shape->leaves; ++k) {
        index[k] = rest % shape->leaf[k].value;
        rest /= shape->leaf[k].value;
    }
    tsr_coordinate const at = tsr_make_tensor_coordinate(&r->descriptor, index);
    return tsr_coordinate_offset(&at);
}

/** Explains `wanted` over a shape; missing: so many of 8 samples are left out. Every form that says yes is right. */
static tsr_form explain(tsr_tuple shape, int64_t count, int missing)
{
    tsr_samples s = tsr_make_samples(value, MOST_SAMPLES, work, 2 * MOST_SAMPLES);
    s.shape = shape;
    s.count = count;
    for (int64_t c = 0; c < count; ++c)
        value[c] = c > 0 && noise(8) < missing ? TSR_BAD_OFFSET : wanted[c];
    tsr_form const form = tsr_samples_explain(&s, 0, found);
    for (int i = 0; i < TSR_FORMS; ++i)
        for (int64_t c = 0; c < count && found[i].ok; ++c)
            if (value[c] != TSR_BAD_OFFSET && value_at(&found[i], &shape, c) != value[c]) {
                check(found[i].text, false, NULL);
                break;
            }
    return form;
}

/** A plain layout is found as one, a swizzled one as a swizzled one or simpler. */
static void try_layout(void)
{
    tsr_layout const l = random_layout(8);
    int64_t const size = tsr_layout_size(l);
    if (!tsr_ok(l) || l.twice)
        return;
    bool negative = false;
    for (int64_t c = 0; c < size; ++c) {
        wanted[c] = tsr_layout_offset(&l, c);
        negative = negative || wanted[c] < 0;
    }
    if (l.composed && negative) /* a fit swizzles no negative values */
        return;
    tsr_form const form = explain(l.shape, size, 0);
    char text[TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, l, 0);
    bool const ok = form == TSR_FORM_LAYOUT || (l.composed && form == TSR_FORM_SWIZZLED);
    if (!check(text, ok, NULL))
        return;
    check("its text is read", tsr_same_function(tsr_parse(found[form].text), l).answer == TSR_YES, NULL);
    check("a sample breaks a layout", form == TSR_FORM_LAYOUT || strncmp(found[0].text, "sample ", 7) == 0, NULL);
    if (!l.composed)
        check("and in part", explain(l.shape, size, 3) != TSR_FORMS, NULL);
}

static void try_map(void)
{
    tsr_linear_side in = random_side(in_names, (int)noise(9)), out = TSR_ZERO;
    tsr_linear_side_add(&out, "offset", (int)noise(9));
    tsr_linear const f = random_between(&in, &out);
    tsr_tuple shape = TSR_ZERO;
    int64_t const count = (int64_t)1 << tsr_linear_bits(&in);
    for (int d = 0; d < in.count; ++d)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic((int64_t)1 << in.bits[d]));
    for (int64_t c = 0; c < count; ++c)
        wanted[c] = (int64_t)tsr_linear_at(&f, (uint64_t)c);
    shape = in.count > 1 ? tsr_tuple_close(shape) : shape;
    check("a map is found", explain(shape, count, 0) != TSR_FORMS, &f);
    check("a map is found in part", explain(shape, count, (int)noise(7)) != TSR_FORMS, &f);
}

/** (j ^ i / 2^a % 2^b) * s + i * t + u, and a swizzle with padding behind: what a descriptor and a sum explain. */
static void try_others(void)
{
    int const bits = 1 + (int)noise(2), from = (int)noise(2), to = (int)noise(2);
    int64_t const n = (int64_t)1 << (bits + from + noise(2)), m = (int64_t)1 << (bits + to + noise(2));
    int64_t const s = 1 + noise(40), t = noise(300), u = noise(3) ? 0 : noise(50), pad = noise(2);
    for (int64_t c = 0; c < n * m; ++c) {
        int64_t const i = c % n, j = c / n, x = j ^ (i >> from & ((1 << bits) - 1)) << to;
        wanted[c] = pad ? (x % m) * 4 + i % 2 * 4 * m + i / 2 * 12 * m : x * s + i * t + u;
    }
    char what[160];
    snprintf(what, sizeof what, "bits %d from %d to %d, (%lld,%lld), strides %lld %lld from %lld on, padded %lld",
             bits, from, to, (long long)n, (long long)m, (long long)s, (long long)t, (long long)u, (long long)pad);
    check(what, explain(tsr_tuple_2(tsr_int(n), tsr_int(m)), n * m, 0) != TSR_FORMS, NULL);
}

/** The layouts of atoms that were found; many atoms share one. */
enum { MOST_ATOMS = 1 << 14 };
static int64_t atoms, largest;
static uint64_t seen[MOST_ATOMS];

/** Is a layout new? */
static bool is_new(tsr_layout l)
{
    char text[TSR_TEXT_SIZE];
    uint64_t hash = 14695981039346656037u;
    size_t const n = tsr_format_layout(text, sizeof text, l, 0);
    for (size_t i = 0; i < n && i < sizeof text; ++i)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    uint64_t at = hash % MOST_ATOMS;
    for (; seen[at] && seen[at] != hash; at = (at + 1) % MOST_ATOMS)
        ;
    bool const fresh = seen[at] != hash;
    seen[at] = hash;
    return fresh;
}

static void try_atom(tsr_layout l)
{
    int64_t const size = tsr_layout_size(l);
    if (!tsr_ok(l) || size > MOST_SAMPLES || tsr_has_basis(&l.stride) || !is_new(l))
        return;
    if (atoms++ % (3 / OF_CASES(3)) != 0)
        return;
    largest = size > largest ? size : largest;
    for (int64_t c = 0; c < size; ++c)
        wanted[c] = tsr_layout_offset(&l, c);
    tsr_form const form = explain(l.shape, size, 0);
    check("an atom is found", form <= TSR_FORM_SWIZZLED && tsr_same_function(found[form].layout, l).answer == TSR_YES,
          NULL);
}

static void try_mma(void *context, tsr_mma_atom x)
{
    (void)context;
    try_atom(tsr_mma_layout_a(x));
    try_atom(tsr_mma_layout_b(x));
    try_atom(tsr_mma_layout_c(x));
}

static void try_copy(tsr_copy_atom x)
{
    try_atom(tsr_copy_layout_src(x));
    try_atom(tsr_copy_layout_dst(x));
}

static void try_atoms(void)
{
    tsr_dtype const types[] = {TSR_U8, TSR_F16, TSR_F32, TSR_F64};
    (void)tsr_each_mma_atom(try_mma, NULL);
    for (int op = 0; op < TSR_COPY_OPS; ++op)
        for (int32_t n = 1; n <= 1024; n *= 2)
            try_copy(tsr_make_copy((tsr_copy_op)op, n));
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < 8; ++i)
            try_atom(tsr_smem_atom(i & 1 ? TSR_MAJOR_MN : TSR_MAJOR_K, i / 2, types[t]));
}

/* Formulas, by the compiler and from their text */

/* clang-format off */
#define FORMULAS(X) \
    X((i / 16) * 512 + ((j % 8) ^ (i % 8)) * 64) X(i * 8 + (j ^ i % 8)) X(i << 3 | j) X(~i & 0x1F) X(-i + 3 * j - -2) \
    X(i < 4 ? j : i > 9 ? 7 : i - j) X(i && 100 / i) X(!i || 100 / i > 9) X((i ^ j) == 3) X(i != j) X(i <= j) \
    X(i >= j) \
    X(1 + 2 * 3 - 4 / 2 % 3) X(i & 3 | j ^ 5 & 6) X(i - j - 1) X(64 >> i % 4 >> j % 2) X((i - 8) / 3 + (i - 8) % 3) \
    X(i ? j ? 1 : 2 : 3) X(1 ? i : 1 / 0 * j)
/* clang-format on */

#if defined(__GNUC__)
#  pragma GCC diagnostic ignored "-Wparentheses"
#  pragma GCC diagnostic ignored "-Wdiv-by-zero"
#  pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#if defined(__clang__)
#  pragma GCC diagnostic ignored "-Wdivision-by-zero"
#  pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#  pragma GCC diagnostic ignored "-Wlogical-op-parentheses"
#endif

static void try_formula(char const *text, int64_t const *right)
{
    tsr_samples s = tsr_make_samples(value, MOST_SAMPLES, work, 2 * MOST_SAMPLES);
    tsr_message error;
    bool const ok = tsr_samples_formula(&s, text, "i=0..15, j=0..7", &error);
    check(ok ? text : error.text, ok && memcmp(value, right, 128 * sizeof *right) == 0, NULL);
}

static void try_formulas(void)
{
#define X(expression)                             \
  for (int64_t j = 0; j < 8; ++j)                 \
    for (int64_t i = 0; i < 16; ++i)              \
      wanted[i + 16 * j] = (int64_t)(expression); \
  try_formula(#expression, wanted);
    FORMULAS(X)
#undef X
}

static void try_text(void)
{
    static struct {
        char const *text, *shape, *says;
    } const cases[] = {{"(0,0) -> 0\n(3,1) -> 13 # corner\n1, 0 -> 4\n", "()", "(4,2):(4,1)"},
                       {"0 -> 5\n2 -> 9", "()", "Sw<0,0,0> o 5 o 3:2"},
                       {"(0,0) -> 0\n(1,0) -> 1\n(0,1) -> 3\n(1,1) -> 2", "()", "Sw"},
                       {"(3) -> 6", "((2,2))", "Sw<0,0,0> o 6 o ((2,2)):"},
                       {"0 1 2, 3", "(2,2)", "(2,2):(1,2)"},
                       {"", "()", "!there are no integers"},
                       {"0 x", "()", "!`x` in line 1"},
                       {"0 1 2", "(2,2)", "!"},
                       {"(0) -> 1\n(0) -> 2", "()", "!line 2 gives 2 for a coordinate that has 1"},
                       {"(0,5) -> 1", "(2,2)", "!a coordinate is outside"},
                       {"(-1) -> 1", "()", "!the integers of a coordinate are not negative"},
                       {"(0,1) -> 1\n2 -> 3", "()", "!all coordinates have equally many"},
                       {"(70000) -> 1", "()", "!a shape of samples has at most 65536"},
                       {"(0 -> 1", "()", "!`)` is expected"},
                       {"0 -> 99999999999999999999", "()", "!`99999999999999999999` in line 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        tsr_samples s = tsr_make_samples(value, MOST_SAMPLES, work, 2 * MOST_SAMPLES);
        tsr_message error;
        tsr_tuple const shape = tsr_parse_tuple(cases[i].shape, 0, &error);
        char const *const says = cases[i].says;
        bool const ok = tsr_samples_read(&s, cases[i].text, shape, &error);
        tsr_form const form = ok ? tsr_samples_explain(&s, 0, found) : TSR_FORMS;
        char const *const got = !ok ? error.text : form < TSR_FORMS ? found[form].text : "nothing";
        check(got, ok == (says[0] != '!') && strncmp(got, says + !ok, strlen(says + !ok)) == 0, NULL);
    }
    char const *const bad[] = {"i*",
                               "1/(i-3)",
                               "i%(i-2)",
                               "1<<70",
                               "1<<(i-1)",
                               "(i",
                               "i)",
                               "k",
                               "i j",
                               "i?1",
                               "9223372036854775807+i",
                               "4611686018427387904*(i+2)"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        tsr_samples s = tsr_make_samples(value, MOST_SAMPLES, work, 2 * MOST_SAMPLES);
        tsr_message error;
        check(bad[i], !tsr_samples_formula(&s, bad[i], "i=0..7,j=0..1", &error) && error.text[0], NULL);
    }
    char const *const ranges[] = {"",        "i",      "i=1..3", "i=0..70000", "i=0..999,j=0..999", "i=0..1,i=0..1",
                                  "i=0..3x", "i=0..-1"};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        tsr_samples s = tsr_make_samples(value, MOST_SAMPLES, work, 2 * MOST_SAMPLES);
        tsr_message error;
        check(ranges[i], !tsr_samples_formula(&s, "i", ranges[i], &error) && error.text[0], NULL);
    }
}

/** Samples that are not those of their shape, or more than their memory holds, are refused by every form, and no number
 *  behind their memory changes. */
static void try_rooms(void)
{
    enum { VALUES = 8, WORKS = 16, SEAL = 77 };
    static struct {
        char const *shape;
        int64_t count, values, works;
        char const *says;
    } const cases[] = {{"8", 8, 8, 16, ""},
                       {"(2,4)", 8, 8, 16, ""},
                       {"8", 8, 7, 16, "8 samples, but their memory has room for 7"},
                       {"8", 8, 8, 15, "8 samples, but their memory has room for 7"},
                       {"8", 8, -1, 16, "8 samples, but their memory has room for 0"},
                       {"10000000", 2, 8, 16, "2 samples, but the shape has 10000000 coordinates"},
                       {"4", 2, 8, 16, "2 samples, but the shape has 4 coordinates"},
                       {"2", 4, 8, 16, "4 samples, but the shape has 2 coordinates"},
                       {"4", 0, 8, 16, "0 samples, but the shape has 4 coordinates"},
                       {"4", -4, 8, 16, "-4 samples, but the shape has 4 coordinates"},
                       {"1", 1, 8, 16, "none of the 1 coordinates has a sample"},
                       {"(3000000000,3000000000)", 2, 8, 16, "2 samples, but the shape has 9000000000000000000"},
                       {"(4000000000,4000000000)", 2, 8, 16, "extent "},
                       {"(4,_)", 2, 8, 16, "an integer is needed here"},
                       {"(-2)", 2, 8, 16, "extent -2"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int form = 0; form < TSR_FORMS; ++form) {
            int64_t at[VALUES + 1], room[WORKS + 1];
            for (int k = 0; k <= WORKS; ++k)
                room[k] = at[k < VALUES ? k : VALUES] = SEAL;
            for (int k = 0; k < VALUES; ++k)
                at[k] = cases[i].count == 1 ? TSR_BAD_OFFSET : 3 * k;
            tsr_samples s = tsr_make_samples(at, cases[i].values, room, cases[i].works);
            tsr_message error;
            s.shape = tsr_parse_tuple(cases[i].shape, TSR_TEXT_STATIC, &error);
            s.count = cases[i].count;
            bool const ok = tsr_samples_fit(&s, (tsr_form)form, 0, &found[0]);
            char const *const says = cases[i].says;
            check(found[0].text,
                  says[0] ? !ok && strncmp(found[0].text, says, strlen(says)) == 0
                          : ok || form == TSR_FORM_LINEAR || form == TSR_FORM_DESCRIPTOR,
                  NULL);
            check("nothing is written behind", at[VALUES] == SEAL && room[WORKS] == SEAL, NULL);
            if (i == 0) {
                s = tsr_make_samples(at, 4, room, 8);
                check("texts",
                      !tsr_samples_read(&s, "0 1 2 3 4", tsr_unit(), &error)
                          && strcmp(error.text, "more than 4 integers") == 0
                          && !tsr_samples_formula(&s, "i", "i=0..4", &error)
                          && strcmp(error.text, "the ranges have more than 4 coordinates") == 0,
                      NULL);
            }
        }
}

/** Adds the values of a layout that cuts each mode in places of its own. */
static void add_cuts(int64_t const *extent, int modes, int64_t count)
{
    for (int k = 0, before = 1; k < modes; before *= (int)extent[k++])
        for (int64_t run = 1, n = extent[k], stride; n > 1; run *= n, n = extent[k] / run) {
            while (noise(3) && n % 2 == 0 && n > 2)
                n /= 2;
            n = n % 3 == 0 && n > 3 && noise(2) ? n / 3 : n;
            stride = noise(200);
            for (int64_t c = 0; c < count; ++c)
                wanted[c] += c / before % extent[k] / run % n * stride;
        }
}

/** The sum of two layouts is found as one, or as something simpler, wherever they cut their modes. */
static void try_two(void)
{
    static int64_t const extents[] = {6, 12, 18, 24, 36, 30, 4, 5, 1};
    int64_t extent[2] = {extents[noise(9)], extents[noise(9)]};
    int const modes = 1 + (int)noise(2);
    int64_t const count = modes == 2 ? extent[0] * extent[1] : extent[0];
    memset(wanted, 0, (size_t)count * sizeof *wanted);
    add_cuts(extent, modes, count);
    add_cuts(extent, modes, count);
    tsr_tuple const shape = modes == 2 ? tsr_t(tsr_s(extent[0]), tsr_s(extent[1])) : tsr_s(extent[0]);
    check("two layouts", explain(shape, count, 0) <= TSR_FORM_SUM, NULL);
}
int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 2 ? atoll(argv[2]) : 1000);
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    try_rooms();
    for (int64_t i = 0; i < cases; ++i) {
        try_layout();
        try_map();
        try_others();
        try_two();
    }
    try_atoms();
    try_formulas();
    try_text();
    printf("%lld layouts of atoms, the largest of %lld elements\n", (long long)atoms, (long long)largest);
    return report();
}
