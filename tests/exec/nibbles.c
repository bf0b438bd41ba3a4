/* Elements of 4 bits: copies between random layouts, in one go and in parts, and conversions from and to other types
 * leave the bytes of a copy element by element, and touch no others.
 *
 *  usage: nibbles [SEED [CASES]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "../sanitizer.h"
#include "tessera/tessera.h"
#include "tessera/exec/run.h"

enum { MODES = 6, BYTES = 1 << 17 };

static unsigned char from[BYTES], to[BYTES], wanted[BYTES];
static int64_t tables, blocks, conversions, refused;

/** A layout of `n` extents whose steps are those of their order, with a gap behind some. */
static tsr_layout any_layout(int n, int64_t const *extent, int64_t first)
{
    int order[MODES];
    int64_t stride[MODES] = {0}, step = first;
    for (int i = 0; i < n; ++i) {
        int64_t const at = below(i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < n; ++i) {
        stride[order[i]] = step;
        step *= extent[order[i]];
        step += below(5) == 0 ? below(3) : 0;
    }
    tsr_tuple shape = tsr_unit(), steps = tsr_unit();
    for (int i = 0; i < n; ++i) {
        shape = tsr_tuple_append(shape, tsr_int(extent[i]));
        steps = tsr_tuple_append(steps, tsr_int(stride[i]));
    }
    return tsr_make_layout(shape, steps);
}

/** A tensor that begins inside of a byte, where its elements may. */
static tsr_tensor any_tensor(unsigned char *memory, tsr_dtype type, tsr_layout l)
{
    tsr_engine e = tsr_make_ptr(memory + 8 * below(4), type);
    if (tsr_dtype_bits(type) == 4 && below(3) == 0)
        e.bit = 4;
    return tsr_make_tensor(e, l);
}

/** The copy one by one, into `wanted`. */
static void one_by_one(tsr_tensor const *s, tsr_tensor const *d)
{
    int64_t const bits = tsr_dtype_bits(s->engine.type), width = tsr_dtype_bits(d->engine.type);
    memcpy(wanted, to, BYTES);
    for (int64_t i = 0; i < tsr_size(s->layout); ++i) {
        int64_t const x = tsr_layout_offset(&s->layout, i) * bits + s->engine.bit;
        int64_t const y = tsr_layout_offset(&d->layout, i) * width + d->engine.bit;
        unsigned char const *const p = (unsigned char const *)(uintptr_t)s->engine.address + x / 8;
        unsigned char *const q = wanted + ((unsigned char *)(uintptr_t)d->engine.address - to) + y / 8;
        if (s->engine.type == d->engine.type)
            tsr_store_part_(q, (int)(y % 8), 4, tsr_load_part_(p, (int)(x % 8), 4));
        else
            tsr_store(d->engine.type, q, (int)(y % 8), tsr_load(s->engine.type, p, (int)(x % 8)));
    }
}

static bool try_copy(tsr_dtype from_type, tsr_dtype to_type)
{
    int64_t extent[MODES], size = 1;
    int const n = 1 + (int)below(MODES);
    for (int i = 0; i < n; ++i) {
        extent[i] = below(4) == 0 ? 1 + below(9) : INT64_C(1) << below(6);
        extent[i] = size * extent[i] > 8192 ? 1 : extent[i];
        size *= extent[i];
    }
    tsr_tensor const s = any_tensor(from, from_type, any_layout(n, extent, 1 + (below(4) == 0)));
    tsr_tensor const d = any_tensor(to, to_type, any_layout(n, extent, 1 + (below(6) == 0)));
    if (tsr_cosize(s.layout) * tsr_dtype_bits(from_type) / 8 + 64 > BYTES
        || tsr_cosize(d.layout) * tsr_dtype_bits(to_type) / 8 + 64 > BYTES) {
        ++refused;
        return true;
    }
    for (int i = 0; i < BYTES; ++i) {
        from[i] = (unsigned char)random_bits();
        to[i] = (unsigned char)random_bits();
    }
    if (tsr_dtype_code(from_type) == 2) /* floats that are no NaN */
        for (int i = 0; i < BYTES / 4; ++i)
            ((float *)(void *)from)[i] = (float)(below(64) - 32) / 2.0f;
    one_by_one(&s, &d);
    tsr_planned_copy const p = tsr_copy_plan(s, d);
    int64_t moved = 0;
    if (p.why.status) {
        ++refused;
        return true;
    }
    for (int64_t first = 0; first < p.units;) {
        int64_t const last = below(2) == 0 ? p.units : first + 1 + below(p.units - first);
        moved += tsr_copy_run(&p, NULL, &s, &d, first, last);
        first = last;
    }
    ++*(from_type != to_type ? &conversions : p.units > 1 ? &tables : &blocks);
    return moved == size && memcmp(to, wanted, BYTES) == 0;
}

int main(int argc, char **argv)
{
    static tsr_dtype const types[] = {TSR_U4, TSR_I4, TSR_F4_E2M1, TSR_U8, TSR_I8, TSR_F32};
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int const cases = OF_CASES(argc > 2 ? atoi(argv[2]) : 3000);
    int failed = 0;
    random_begin(seed);
    for (int i = 0; i < cases && failed < 5; ++i) {
        tsr_dtype const type = types[below(3)];
        if (!try_copy(type, type) && ++failed)
            printf("FAILED: a copy of case %d\n", i);
        if (!try_copy(type, types[below(6)]) && ++failed)
            printf("FAILED: a conversion from 4 bits of case %d\n", i);
        if (!try_copy(types[3 + below(3)], type) && ++failed)
            printf("FAILED: a conversion to 4 bits of case %d\n", i);
    }
    printf("%lld copies in units, %lld in one, %lld conversions, %lld refused; seed %llu\n", (long long)tables,
           (long long)blocks, (long long)conversions, (long long)refused, (unsigned long long)seed);
    return failed != 0 || tables == 0 || blocks == 0 || conversions == 0;
}
