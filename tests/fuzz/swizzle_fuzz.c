/** Bytes as accesses of shared memory: the search for a swizzle ends in time, and under the one that is found every
 *  access goes in one round. */
#include "fuzz.h"

#include <string.h>

#include "in_time.h"
#include "tessera/atom/banks.h"

static int64_t number(uint8_t const *data, size_t size, size_t *at, int64_t most)
{
    unsigned const x = *at < size ? data[(*at)++] : 1;
    return x < 128 ? 1 + x % 32 : x < 192 ? (int64_t)1 << x % 14 : x * 37 % most;
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static tsr_dtype const types[] = {TSR_U1, TSR_U4, TSR_U8, TSR_F16, TSR_F32, TSR_F64, TSR_U128};
    clock_t const begin = clock();
    size_t at = 1;
    tsr_dtype const type = types[size > 0 ? data[0] % 7 : 0];
    tsr_layout access[3];
    int const count = 1 + (int)(size % 3);
    tsr_tiler all = TSR_ZERO;
    for (int i = 0; i < count; ++i) {
        tsr_tuple const shape = tsr_t(number(data, size, &at, 9000), number(data, size, &at, 9000));
        tsr_tuple const stride = tsr_t(number(data, size, &at, 100000) - 1, number(data, size, &at, 100000) - 1);
        access[i] = tsr_make_layout_from(shape, stride);
        tsr_tiler const one = tsr_tiler_of_layout(access[i]);
        tsr_tiler_push(&all, &one);
    }
    tsr_swizzle const sw = tsr_find_swizzle(tsr_tiler_close(all), type);
    for (int i = 0; i < count && !sw.status; ++i) {
        tsr_tuple const rounds = tsr_bank_conflicts_int(tsr_swizzled(sw, access[i]), type);
        if (rounds.status || rounds.leaf[0].value != 1)
            abort();
    }
    check_time(begin);
    return 0;
}
