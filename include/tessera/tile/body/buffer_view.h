/** The bodies of tile/buffer_view.h. */
#ifndef TSR_TILE_BODY_BUFFER_VIEW_H
#define TSR_TILE_BODY_BUFFER_VIEW_H

#include "tessera/tile/buffer_view.h"
#include "tessera/tile/body/reason.h"

TSR_HEADER_BEGIN

TSR_OP_MEMORY tsr_buffer_view tsr_make_buffer_view(tsr_space space, void *data, int64_t size, tsr_dtype type)
{
    tsr_buffer_view b = TSR_ZERO;
    bool const refused = tsr_element_type_why(type).status != TSR_OK;
    b.data = data;
    b.size = data && !refused ? size : 0;
    b.type = type;
    b.space = (uint8_t)space;
    b.bytes = (uint8_t)(refused ? 0 : tsr_element_bytes(type));
    b.bits = (uint8_t)tsr_dtype_bits(type);
    return b;
}

/** The elements of a thread: a byte or more for each, as in variables. */
TSR_LOCAL_MEMORY tsr_buffer_view tsr_thread_buffer_view_(void *data, int64_t size, tsr_dtype type)
{
    tsr_buffer_view b = tsr_make_buffer_view(TSR_RMEM, data, size, type);
    b.bits = (uint8_t)(b.bytes * 8);
    return b;
}

TSR_OP_MEMORY tsr_buffer_view tsr_make_buffer_view_invalid(tsr_space space, void *data, int64_t size, tsr_dtype type,
                                                           void const *invalid)
{
    tsr_buffer_view b = tsr_make_buffer_view(space, data, size, type);
    tsr_copy_bytes_(b.invalid, invalid, b.bytes);
    return b;
}

TSR_LOCAL_MEMORY void tsr_buffer_get_(tsr_buffer_view const *b, int64_t i, bool valid, void *element)
{
    if (valid && tsr_buffer_holds(b, i))
        tsr_buffer_get_unchecked(b, i, element);
    else
        tsr_copy_bytes_(element, b->invalid, b->bytes);
}

TSR_LOCAL_MEMORY void tsr_buffer_set_(tsr_buffer_view const *b, int64_t i, bool valid, void const *element)
{
    if (valid && !b->constant && tsr_buffer_holds(b, i))
        tsr_buffer_set_unchecked(b, i, element);
}

TSR_OP_MEMORY tsr_reason tsr_buffer_get_as_(tsr_buffer_view const *b, int64_t i, bool valid, void *element,
                                            tsr_variable v)
{
    tsr_reason const why = tsr_buffer_why(b, v);
    if (why.status)
        tsr_clear_variable_(element, v, 1, b->type, b->bytes);
    else
        tsr_buffer_get_(b, i, valid, element);
    return why;
}

TSR_OP_MEMORY tsr_reason tsr_buffer_set_as_(tsr_buffer_view const *b, int64_t i, bool valid, void const *element,
                                            tsr_variable v)
{
    tsr_reason const why = tsr_buffer_put_why(b, v);
    if (!why.status)
        tsr_buffer_set_(b, i, valid, element);
    return why;
}

/** The same for two neighbours of 16 bits in one aligned word, both at once. */
TSR_LOCAL_MEMORY void tsr_buffer_update_pair_(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i,
                                              unsigned char const *elements)
{
    unsigned int *const at = (unsigned int *)(void *)tsr_buffer_at_(b, i);
    unsigned int seen = *at, old = 0, wanted = 0;
    do {
        unsigned char word[4] = {0};
        old = seen;
        TSR_COPY(word, &old, sizeof old);
        tsr_combine_at_(op, b->type, word, elements);
        tsr_combine_at_(op, b->type, word + 2, elements + 2);
        TSR_COPY(&wanted, word, sizeof wanted);
        seen = TSR_CAS(at, old, wanted);
    } while (seen != old);
}

/** Do elements i and i + 1 make such a word? */
TSR_LOCAL_MEMORY bool tsr_buffer_pairs_(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i)
{
    return tsr_is_atomic(op) && b->bytes == 2 && (uintptr_t)tsr_buffer_at_(b, i) % 4 == 0 && tsr_buffer_holds(b, i)
           && tsr_buffer_holds(b, i + 1) && tsr_update_why(b, op).status == TSR_OK;
}

TSR_OP_MEMORY tsr_reason tsr_buffer_update_as_(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i,
                                               bool valid, void const *element, tsr_variable v)
{
    tsr_reason why = tsr_update_why(b, op);
    if (!why.status)
        why = tsr_buffer_put_why(b, v);
    if (!why.status)
        tsr_buffer_update_(b, op, i, valid, element);
    return why;
}

TSR_HEADER_END

#endif
