/** Refusals of calls that have no place for a reason: one sentence, and abort(). */
#include <stdio.h>
#include <stdlib.h>

#include "tessera/tensor/ref.h"
#include "tessera/text.h"

TSR_API void tsr_refuse_(tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    fprintf(stderr, "tessera: %s\n", text);
    abort();
}

static char const *name_of(int type)
{
    char const *const name = tsr_dtype_name((tsr_dtype)type);
    return name ? name : "unknown to tessera";
}

TSR_API void tsr_refuse_element_(tsr_dtype type, int c_type, bool address)
{
    if (address)
        fprintf(stderr,
                "tessera: tsr_ref: the elements are counted, computed, coordinates or parts of bytes, so they "
                "have no address; tsr_load_at reads them\n");
    else
        fprintf(stderr, "tessera: the elements are of type %s, and C's type of the call is %s\n", name_of((int)type),
                name_of(c_type));
    abort();
}
