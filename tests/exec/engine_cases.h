/* Cases of the engine: copies, updates and reductions that below() draws, by every row, beside the plain evaluation
 * element by element. Both tensors lie against pages that may not be touched. */
#ifndef TESTS_ENGINE_CASES_H
#define TESTS_ENGINE_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../random.h"
#include "../sanitizer.h"
#include "tessera/tessera.h"

enum { ROOM = 1 << 18, SMALL_ROOM = 1 << 16, PAGE = 65536, MOST = 24000, SMALL_MOST = 1500 };

/** Bytes, a multiple of PAGE, between pages without any right. */
static unsigned char *guarded(size_t bytes)
{
    unsigned char *const p =
        (unsigned char *)mmap(NULL, bytes + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, PAGE, PROT_NONE) != 0 || mprotect(p + PAGE + bytes, PAGE, PROT_NONE) != 0)
        exit(2);
    return p + PAGE;
}

/** Strides for extents, compact in a random order, but for pads. */
static tsr_tuple any_order(int64_t const *extent, int rank, bool like_first)
{
    int64_t step = 1, stride[5] = {0};
    uint32_t done = 0;
    for (int k = 0; k < rank; ++k) {
        int i = like_first ? k : (int)below(rank);
        while (done >> i & 1)
            i = (i + 1) % rank;
        done |= 1u << i;
        stride[i] = step;
        step = step * extent[i] + (below(6) == 0 ? below(20) : 0);
    }
    tsr_tuple r = tsr_t(stride[0]);
    for (int i = 1; i < rank; ++i)
        r = tsr_append(r, tsr_int(stride[i]));
    return r;
}

/** Some of the modes of a layout with stride 0. */
static tsr_layout without_modes(tsr_layout l, int rank)
{
    uint64_t const set = (uint64_t)below((int64_t)1 << rank);
    for (int k = 0; k < rank; ++k)
        if (set >> k & 1)
            l.stride.leaf[k].value = 0;
    return l;
}

/** The memory of a case, its bytes, and the most elements of a case. */
static unsigned char *from, *to;
static int64_t room, most_elements;

/** Lets the next cases be any, or small ones, which take a sixth of the time. */
static inline void use_room(bool small)
{
    static unsigned char *memory[2][2];
    unsigned char **const m = memory[small];
    room = small ? SMALL_ROOM : ROOM;
    most_elements = small ? SMALL_MOST : MOST;
    for (int i = 0; i < 2 && !m[i]; ++i) {
        m[i] = guarded((size_t)room);
        for (int64_t k = 0; i == 0 && k < room; ++k)
            m[i][k] = (unsigned char)(noise(3) == 0 ? noise(256) : k * 7);
    }
    from = m[0];
    to = m[1];
}

static tsr_tensor against(unsigned char *memory, tsr_dtype type, tsr_layout l, bool *fits)
{
    int64_t const bytes = (tsr_cosize(l) * tsr_dtype_bits(type) + 7) / 8;
    *fits = *fits && bytes <= room;
    int64_t const rest = *fits ? room - bytes : 0, at = below(3) == 0 ? 0 : below(2) == 0 ? rest : below(rest + 1);
    return tsr_make_tensor(tsr_make_gmem_ptr((void *)(memory + at), type), l);
}

/** Runs a plan part by part, the last one first; whoever includes this may run them in another way. */
#if defined(RUN_IN_PARTS)
static int64_t RUN_IN_PARTS(tsr_planned_copy const *p, tsr_tensor const *s, tsr_tensor const *d);
#else
#  define RUN_IN_PARTS run_in_parts
static inline int64_t run_in_parts(tsr_planned_copy const *p, tsr_tensor const *s, tsr_tensor const *d)
{
    int64_t moved = 0;
    for (int64_t last = p->units; last > 0;) {
        int64_t const first = below(2) == 0 ? 0 : below(last);
        moved += tsr_copy_run(p, NULL, s, d, first, last);
        last = first;
    }
    return moved;
}
#endif

static unsigned char wanted[ROOM], before[ROOM];
static int64_t kinds[4], aligned, crowded[2], reductions[2];

/** A factor of any kind; real ones are seldom short enough for their products to be exact. */
static inline tsr_number any_factor(void)
{
    switch (below(6)) {
    case 0:
        return tsr_number_int(0);
    case 1:
        return tsr_number_int(below(9) - 4);
    case 2:
        return tsr_number_real(1);
    case 3:
        return below(4) == 0 ? tsr_number_complex(0.3, (double)below(3) - 0.9) : tsr_number_real(-0.1);
    default:
        return tsr_number_real(((double)below(2000001) - 1000000) / 777777);
    }
}

static inline bool try_case(void)
{
    static tsr_dtype const plain[] = {TSR_U8, TSR_F16, TSR_F32, TSR_F64, TSR_C128};
    static tsr_dtype const numbers[] = {TSR_F32,     TSR_BF16, TSR_F16, TSR_F64, TSR_F8_E4M3FN,
                                        TSR_F8_E5M2, TSR_I8,   TSR_I32, TSR_U16, TSR_I64};
    static tsr_dtype const computed[] = {TSR_F32, TSR_F32, TSR_BF16, TSR_F16, TSR_F64,  TSR_F8_E4M3FN,
                                         TSR_I8,  TSR_I32, TSR_U16,  TSR_C64, TSR_BOOL, TSR_C128};
    int const rank = 1 + (int)below(5);
    int64_t extent[5] = {1, 1, 1, 1, 1}, n = 1;
    for (int i = 0; i < rank; ++i) {
        int64_t const most = tsr_min64(most_elements / n, below(2) == 0 ? 8 : below(2) == 0 ? 70 : 700);
        n *= extent[i] = below(3) == 0 ? (int64_t)1 << below(tsr_bit_width((uint64_t)most)) : 1 + below(most);
    }
    tsr_tuple shape = tsr_t(extent[0]);
    for (int i = 1; i < rank; ++i)
        shape = tsr_append(shape, tsr_int(extent[i]));
    bool const computes = below(3) == 0, same = below(4) != 0;
    tsr_dtype const type = computes ? computed[below(12)] : same ? plain[below(5)] : numbers[below(10)];
    tsr_dtype const other = same ? type : computes ? computed[below(12)] : numbers[below(10)];
    bool const complex = tsr_dtype_code(type) == 5 || tsr_dtype_code(other) == 5;
    tsr_function_id const function = complex ? TSR_OF_IDENTITY : (tsr_function_id)below(TSR_FUNCTIONS);
    bool fits = true;
    tsr_layout const whole = tsr_make_layout(shape, any_order(extent, rank, true));
    tsr_tensor const s = against(from, type, below(5) == 0 ? without_modes(whole, rank) : whole, &fits);
    tsr_tensor const d = against(to, other, tsr_make_layout(shape, any_order(extent, rank, false)), &fits);
    if (!fits)
        return true;
    tsr_planned_copy const p =
        computes ? tsr_apply_plan(function, any_factor(), s, any_factor(), d) : tsr_copy_plan(s, d);
    ++kinds[p.kind];
    aligned += p.kind == TSR_BLOCK_TILES && (p.to.begin / 8 + p.to.byte) % TSR_LINE_BYTES == 0
               && d.engine.address % TSR_LINE_BYTES != 0;
    if (p.crowded)
        ++crowded[p.scattered];
    for (int64_t i = 0; i < room; i += 8) {
        uint64_t const x = random_bits();
        memcpy(before + i, &x, 8);
    }
    memcpy(to, before, (size_t)room);
    if (computes)
        tsr_update_elements(&p.update, &s, &d, 0, n);
    else
        tsr_copy_elements(NULL, &s, &d, 0, n);
    memcpy(wanted, to, (size_t)room);
    for (int i = 0; tsr_cpu_engine_row(i); ++i) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(i)) || strcmp(tsr_cpu_engine_name(), tsr_cpu_engine_row(i)) != 0)
            return false;
        memcpy(to, before, (size_t)room);
        int64_t const moved = RUN_IN_PARTS(&p, &s, &d);
        if (moved == n && memcmp(to, wanted, (size_t)room) == 0)
            continue;
        printf("row %s: %lld of %lld elements, types %d and %d, kind %d, function %d, %g, %g\n",
               tsr_cpu_engine_row(i), (long long)moved, (long long)n, (int)type, (int)other, (int)p.kind,
               computes ? (int)function : -1, tsr_number_to_double(p.update.alpha),
               tsr_number_to_double(p.update.beta));
        for (int k = 0; k < rank; ++k)
            printf("  extent %lld: from %lld, to %lld\n", (long long)extent[k],
                   (long long)s.layout.stride.leaf[k].value, (long long)d.layout.stride.leaf[k].value);
        return false;
    }
    return true;
}

/** Whether the element at a place of `to` is what a reduction of all of `s` with that offset gives, by long double. */
static inline bool is_reduced(tsr_reducer op, tsr_tensor const *s, tsr_tensor const *d, int64_t n, int64_t place)
{
    int const kind = (int)tsr_number_kind_of(s->engine.type);
    int const to_kind = (int)tsr_number_kind_of(d->engine.type);
    bool const leaves = op == TSR_REDUCE_SUM && tsr_dtype_bits(s->engine.type) == 64 && to_kind != TSR_SIGNED
                        && to_kind != TSR_UNSIGNED; /* integers of 64 bits become real: in double */
    bool const ints = (kind == TSR_SIGNED || kind == TSR_UNSIGNED) && !leaves;
    tsr_walk from = tsr_walk_begin(s->layout), to = tsr_walk_begin(d->layout);
    tsr_number r = TSR_ZERO;
    long double sum = 0, size = 0;
    bool first = true, nan = false;
    for (int64_t i = 0; i < n; ++i, tsr_walk_next(&from), tsr_walk_next(&to)) {
        tsr_number const x = tsr_element_(&s->engine, from.offset);
        double const real = tsr_number_to_double(x);
        if (to.offset != place)
            continue;
        nan = nan || real != real;
        sum += real;
        size += real < 0 ? -real : real;
        r = first                  ? x
            : op == TSR_REDUCE_SUM ? tsr_number_add(r, x)
            : op == TSR_REDUCE_MIN ? tsr_number_min(r, x)
                                   : tsr_number_max(r, x);
        first = false;
    }
    tsr_number const got = tsr_element_(&d->engine, place);
    double const real = tsr_number_to_double(got);
    if (kind != TSR_COMPLEX && got.kind == TSR_COMPLEX && got.im != 0)
        return false;
    if (nan && tsr_number_kind_of(d->engine.type) == TSR_REAL)
        return real != real || tsr_float_format_of(d->engine.type).special == TSR_FINITE;
    unsigned char rounded[16] = {0};
    tsr_store(d->engine.type, rounded, 0, r);
    double const wanted = tsr_number_to_double(tsr_load(d->engine.type, rounded, 0));
    if (real == wanted || nan)
        return true;
    if (ints || op != TSR_REDUCE_SUM || size > 1e300L || d->engine.type != TSR_F64)
        return !ints && op == TSR_REDUCE_SUM; /* a sum of reals in another type: compared between the rows */
    return real - sum <= 1e-10L * size && sum - real <= 1e-10L * size;
}

static inline bool try_reduction(void)
{
    static tsr_dtype const types[] = {TSR_F32,  TSR_F32,     TSR_F64, TSR_BF16, TSR_F16, TSR_I8, TSR_I32,    TSR_U64,
                                      TSR_BOOL, TSR_F8_E5M2, TSR_C64, TSR_U16,  TSR_U4,  TSR_I6, TSR_F4_E2M1};
    int const rank = 1 + (int)below(4);
    int64_t extent[4] = {1, 1, 1, 1}, n = 1;
    for (int i = 0; i < rank; ++i) {
        int64_t const most = tsr_min64(most_elements / n, below(2) == 0 ? 8 : below(2) == 0 ? 70 : 9000);
        n *= extent[i] = 1 + below(most);
    }
    tsr_tuple shape = tsr_t(extent[0]);
    for (int i = 1; i < rank; ++i)
        shape = tsr_append(shape, tsr_int(extent[i]));
    tsr_dtype const type = types[below(15)], any = types[below(15)];
    tsr_dtype const other = below(2) == 0 || type == TSR_C64 ? type : any; /* real numbers to complex ones, too */
    tsr_reducer const op = type == TSR_C64 ? TSR_REDUCE_SUM : (tsr_reducer)below(TSR_REDUCERS);
    bool fits = true;
    tsr_tensor const s = against(from, type, tsr_make_layout(shape, any_order(extent, rank, below(2) == 0)), &fits);
    tsr_tensor const d =
        against(to, other, without_modes(tsr_make_layout(shape, any_order(extent, rank, false)), rank), &fits);
    if (!fits)
        return true;
    tsr_planned_reduce const p = tsr_reduce_plan(op, s, d);
    ++reductions[p.along];
    for (int i = 0; tsr_cpu_engine_row(i); ++i) {
        memcpy(to, before, (size_t)room);
        bool const there = tsr_cpu_engine_use(tsr_cpu_engine_row(i));
        if (!p.why.status)
            tsr_reduce_run(&p, (void const *)(uintptr_t)s.engine.address, (void *)(uintptr_t)d.engine.address);
        if (i == 0)
            memcpy(wanted, to, (size_t)room);
        if (there && !p.why.status && memcmp(to, wanted, (size_t)room) == 0
            && (i > 0 || is_reduced(op, &s, &d, n, tsr_at_index(d.layout, below(n)))))
            continue;
        printf("row %s: reduction %d, types %d and %d, along %d, status %d\n", tsr_cpu_engine_row(i), op, (int)type,
               (int)other, (int)p.along, (int)p.why.status);
        for (int k = 0; k < rank; ++k)
            printf("  extent %lld: from %lld, to %lld\n", (long long)extent[k],
                   (long long)s.layout.stride.leaf[k].value, (long long)d.layout.stride.leaf[k].value);
        return false;
    }
    return true;
}

static void begin_cases(void) { use_room(false); }

#endif
