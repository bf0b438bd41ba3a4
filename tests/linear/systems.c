/** What is written in the words of a system is read as the same function: random layouts and maps, every system.
 *  systems SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

#include "tessera/convert.h"

static int64_t written[TSR_SYSTEMS];
static char text[1 << 16];

/** The value of a text: what the system reads, or of CK's words the calculator. */
static bool read_again(tsr_system from, tsr_tuple shape, tsr_converted *v, tsr_message *error)
{
    return from == TSR_SYSTEM_CK ? tsr_converted_of(text, 0, shape, 4, v, error)
                                 : tsr_convert_read(from, text, shape, 4, v, error);
}

/** CuTe's words keep every pair of parentheses. */
static bool keeps_profile(tsr_system to, tsr_converted const *v, tsr_converted const *again)
{
    return v->is_map || (to != TSR_SYSTEM_CUTE && to != TSR_SYSTEM_CUTEDSL)
           || tsr_tuple_number(tsr_congruent(v->layout.shape, again->layout.shape));
}

/** Does a map that became a layout, of coordinates where it has several outputs, have the same values? */
static bool map_agrees(tsr_linear const *f, tsr_layout const *l)
{
    tsr_linear const g = tsr_linear_of_layout(*l);
    for (int64_t i = 0; i < (int64_t)1 << tsr_linear_bits(&f->in); ++i) {
        tsr_tuple const wanted = tsr_linear_call(*f, tsr_int(i)), got = tsr_linear_call(g, tsr_int(i));
        for (int d = 0; d < f->out.count && f->out.count > 1; ++d) {
            int const place = tsr_linear_dim(&g.out, f->out.name[d]);
            if (wanted.leaf[d].value != (place < 0 ? 0 : got.leaf[place].value))
                return false;
        }
        if (f->out.count == 1 && wanted.leaf[0].value != tsr_layout_offset(l, i))
            return false;
    }
    return true;
}

/** The same values at every index. */
static bool agree(tsr_converted const *a, tsr_converted const *b)
{
    if (a->is_map && b->is_map)
        return memcmp(a->map.basis, b->map.basis, sizeof a->map.basis) == 0;
    if (a->is_map)
        return map_agrees(&a->map, &b->layout);
    int64_t const size = tsr_layout_size(a->layout);
    for (int64_t i = 0; i < size; ++i)
        if (tsr_layout_offset(&a->layout, i)
            != (b->is_map ? (int64_t)tsr_linear_at(&b->map, (uint64_t)i) : tsr_layout_offset(&b->layout, i)))
            return false;
    return b->is_map || tsr_layout_size(b->layout) == size;
}

/** A descriptor has the offsets of its layout. */
static bool descriptor_agrees(tsr_layout const *l)
{
    static char expression[1 << 17], value[TSR_TEXT_SIZE];
    int64_t const size = tsr_layout_size(*l), c = noise(size);
    int const modes = tsr_mode_count(&l->shape);
    size_t n = (size_t)snprintf(expression, sizeof expression, "offset %s @ (", text);
    int64_t rest = c;
    for (int m = 0; m < modes; ++m) {
        int64_t const extent = tsr_layout_size(tsr_mode(*l, m));
        n += (size_t)snprintf(expression + n, sizeof expression - n, "%s%lld", m > 0 ? "," : "",
                              (long long)(rest % extent));
        rest /= extent;
    }
    snprintf(expression + n, sizeof expression - n, ")");
    char wanted[64];
    int const digits = snprintf(wanted, sizeof wanted, "%lld ", (long long)tsr_layout_offset(l, c));
    return tsr_calc(expression, 0, value, sizeof value) && strncmp(value, wanted, (size_t)digits) == 0;
}

/** A fragment is the inverse of its map, and as #ttg.linear the map again, in warps of 32 lanes. */
static bool fragment_agrees(tsr_converted const *v, tsr_converted const *fragment)
{
    static char wanted[1 << 16], got[1 << 16];
    tsr_message error;
    tsr_converted warps = *v;
    int const threads = v->map.in.bits[1] + v->map.in.bits[2], lanes = threads < 5 ? threads : 5;
    warps.map.in.bits[1] = (uint8_t)lanes;
    warps.map.in.bits[2] = (uint8_t)(threads - lanes);
    return tsr_convert_write(wanted, sizeof wanted, TSR_SYSTEM_TTG, &warps, 4, &error)
           && tsr_convert_write(got, sizeof got, TSR_SYSTEM_TTG, fragment, 4, &error) && strcmp(wanted, got) == 0;
}

static void try_value(tsr_converted const *v, tsr_tuple shape)
{
    tsr_message error;
    for (int to = 0; to < TSR_SYSTEMS; ++to) {
        tsr_converted again = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
        bool const some = tsr_convert_write(text, sizeof text, (tsr_system)to, v, 4, &error);
        if (some && to == TSR_SYSTEM_TTG_NAMED) /* it needs the shape: named.c */
            continue;
        if (!some) {
            check("a reason", error.text[0] && !text[0], NULL);
            continue;
        }
        ++written[to];
        bool const descriptor = to == TSR_SYSTEM_CK && !v->is_map;
        bool const fragment = to == TSR_SYSTEM_TILELANG && strncmp(text, "T.F", 3) == 0 && v->is_map;
        check(text, !descriptor || descriptor_agrees(&v->layout), NULL);
        check(text,
              read_again((tsr_system)to, shape, &again, &error)
                  && (fragment ? fragment_agrees(v, &again) : agree(v, &again))
                  && keeps_profile((tsr_system)to, v, &again),
              NULL);
    }
}

/** A layout of a few modes, some of which tile memory. */
static tsr_layout random_modes(void)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int64_t step[4], at = 1;
    int const modes = 1 + (int)noise(4), kind = (int)noise(3);
    for (int i = 0; i < modes; ++i) {
        int64_t const extent = 1 + noise(6);
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(extent));
        step[i] = kind == 0 ? noise(60) : at;
        at *= extent + (kind == 1 ? noise(3) : 0);
    }
    for (int i = 0; i < modes; ++i)
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(step[i]));
    return tsr_layout_checked(tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride)));
}

/** Each element of a tensor in one register of some lanes: bits of the tensor in any order, some of them xored. */
static tsr_linear random_distributed(void)
{
    static char const *const inputs[] = {"register", "lane", "warp"};
    static char const *const outputs[] = {"dim0", "dim1", "dim2"};
    int const bits = 1 + (int)noise(9);
    tsr_linear_side const out = random_side(outputs, bits);
    tsr_linear_side in = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0}, held[TSR_LINEAR_BITS];
    for (int b = 0; b < bits; ++b) {
        int const other = (int)noise(b + 1);
        held[b] = b == other ? (uint64_t)1 << b : held[other];
        held[other] = (uint64_t)1 << b;
    }
    for (int k = (int)noise(6); k > 0 && bits > 1; --k) {
        int const a = (int)noise(bits), b = (a + 1 + (int)noise(bits - 1)) % bits;
        held[a] ^= held[b];
    }
    int const registers = (int)noise(bits + 1), lanes = 5;
    int at = 0, next = 0;
    for (; next < registers; ++at)
        basis[at] = held[next++];
    for (int b = 0; b < lanes || next < bits; ++b, ++at)
        basis[at] = next < bits && noise(4) ? held[next++] : 0;
    tsr_linear_side_add(&in, inputs[0], registers);
    tsr_linear_side_add(&in, inputs[1], lanes);
    tsr_linear_side_add(&in, inputs[2], at - registers - lanes);
    return tsr_make_linear(&in, &out, basis);
}

int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 2 ? atoll(argv[2]) : 1000);
    random_begin(argc > 1 ? (uint64_t)atoll(argv[1]) : 1);
    for (int64_t i = 0; i < cases; ++i) {
        tsr_converted v = {i % 3 == 0, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
        tsr_tuple shape = tsr_unit();
        if (v.is_map) {
            tsr_linear_side const in = random_side(in_names, (int)noise(10));
            tsr_linear_side const out = random_side(out_names, (int)noise(9));
            v.map = i % 2 ? random_distributed() : random_between(&in, &out);
            shape = tsr_product_each(tsr_linear_to_layout(v.map).shape);
        } else {
            v.layout = i % 3 == 1 ? random_layout(8) : random_modes();
            shape = tsr_product_each(v.layout.shape);
        }
        if (!v.is_map && noise(8) == 0) { /* parentheses around one mode are a level of their own */
            v.layout.shape = tsr_tuple_1(v.layout.shape);
            v.layout.stride = tsr_tuple_1(v.layout.stride);
            shape = tsr_tuple_1(tsr_s(tsr_layout_size(v.layout)));
        }
        if (v.is_map || tsr_ok(v.layout))
            try_value(&v, shape.status ? tsr_unit() : shape);
    }
    for (int to = 0; to < TSR_SYSTEMS; ++to)
        printf("%s: %lld\n", tsr_system_name((tsr_system)to), (long long)written[to]);
    return report();
}
