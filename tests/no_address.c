/** tsr_ref of a tensor whose elements have no address ends the program with a sentence.
 *
 *  usage: no_address counting|coordinates|computed|tmem
 */
#undef NDEBUG
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/tessera.h"

static tsr_number half(tsr_number x, void const *context)
{
    (void)context;
    return tsr_number_real(tsr_number_to_double(x) / 2);
}

static void aborted(int signal_number)
{
    (void)signal_number;
    _Exit(0);
}

static tsr_engine engine_named(char const *name, float *data)
{
    if (strcmp(name, "counting") == 0)
        return tsr_counting_iter(tsr_int(0));
    if (strcmp(name, "coordinates") == 0)
        return tsr_make_inttuple_iter(tsr_t(0, 0));
    return strcmp(name, "tmem") == 0 ? tsr_tmem_ptr(tsr_int(0), TSR_F32)
                                     : tsr_transform_iter(tsr_make_ptr(data), half, NULL);
}

int main(int count, char **arguments)
{
    float data[8] = {0};
    tsr_engine const e = engine_named(count == 2 ? arguments[1] : "", data);
    signal(SIGABRT, aborted);
    return tsr_ref(float, tsr_make_tensor(tsr_make_ptr(data), 8), 3) == 0 /* has an address */
                   && tsr_ref(float, tsr_make_tensor(e, 8), 3) == 0
               ? 2
               : 1;
}
