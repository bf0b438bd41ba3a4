/** Texts of other systems, SHAPE|TEXT: what is read is written and read as the same, and emitted as code. */
#include "fuzz.h"

#include <string.h>

#include "in_time.h"
#include "tessera/convert.h"

/** Do two values have the same function? Layouts are compared where both are; Gluon adds inputs without bits. */
static bool same(tsr_converted const *a, tsr_converted const *b)
{
    if (a->is_map != b->is_map)
        return true;
    return a->is_map ? memcmp(a->map.basis, b->map.basis, sizeof a->map.basis) == 0
                     : tsr_same_function(a->layout, b->layout).answer != TSR_NO;
}

/** Is a map written as its inverse? TileLang's fragments go from the tensor to the threads, Triton's maps the other
 *  way. Its shared memory goes from offsets to the tensor, other systems' the other way. */
static bool turns(tsr_system to, tsr_converted const *v)
{
    bool const held = v->is_map && v->map.in.count > 0 && strcmp(v->map.in.name[0], "register") == 0;
    bool const fragment = v->is_map && v->map.out.count > 0 && strcmp(v->map.out.name[0], "thread") == 0;
    bool const shared = v->is_map && v->map.in.count > 0 && strcmp(v->map.in.name[0], "offset") == 0;
    if (shared && to != TSR_SYSTEM_TRITON && to != TSR_SYSTEM_TTG && to != TSR_SYSTEM_GLUON)
        return true;
    return to == TSR_SYSTEM_TILELANG ? held : (to == TSR_SYSTEM_TTG || to == TSR_SYSTEM_GLUON) && fragment;
}

static void write_and_read(tsr_converted const *v, tsr_tuple shape)
{
    static char text[1 << 15];
    tsr_converted again;
    tsr_message error;
    for (int to = 0; to < TSR_SYSTEMS; ++to) {
        if (!tsr_convert_write(text, sizeof text, (tsr_system)to, v, 4, &error)) {
            if (!error.text[0] || text[0])
                abort();
            continue;
        }
        if (to != TSR_SYSTEM_ONEDNN && to != TSR_SYSTEM_CK && to != TSR_SYSTEM_TTG_NAMED
            && (!tsr_convert_read((tsr_system)to, text, shape, 4, &again, &error)
                || (!turns((tsr_system)to, v) && !same(v, &again))))
            abort();
    }
    for (int in = 0; in < TSR_CODES; ++in)
        if (!tsr_emit(text, sizeof text, (tsr_code)in, v, &error) && !error.text[0])
            abort();
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    clock_t const begin = clock();
    char *const text = fuzz_text(data, size);
    char *const second = text ? strchr(text, '|') : NULL;
    tsr_converted v;
    tsr_message error;
    if (second) {
        *second = 0;
        tsr_tuple const shape = tsr_parse_tuple(text, TSR_TEXT_STATIC, NULL);
        tsr_system const from = tsr_system_of(second + 1);
        if (tsr_convert_read(from, second + 1, shape, 4, &v, &error))
            write_and_read(&v, shape);
        else if (!error.text[0])
            abort();
    }
    free(text);
    check_time(begin);
    return 0;
}
