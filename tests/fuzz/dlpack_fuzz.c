/** Bytes as a DLTensor: what is refused says why; what is accepted has each element where DLPack has it, and goes back
 *  as a tensor that has them there, too. No element is touched. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/dlpack.h"

typedef struct bytes {
    uint8_t const *at, *end;
} bytes;

static unsigned next(bytes *b) { return b->at < b->end ? *b->at++ : 0; }

static int64_t number(bytes *b)
{
    static int64_t const odd[] = {0, -1, INT64_MAX, INT64_MIN, 4294967296, -4294967296, 1ll << 40, 3037000500};
    unsigned const x = next(b);
    return x < 224 ? (int64_t)(x % 23) - 2 : odd[x % 8];
}

/** Where DLPack has the element. */
static uint64_t place(DLTensor const *d, int64_t const *at)
{
    int64_t offset = 0, step = 1;
    for (int i = d->ndim - 1; i >= 0; --i) {
        offset += at[i] * (d->strides ? d->strides[i] : step);
        step *= d->shape[i];
    }
    return (uint64_t)(uintptr_t)d->data + d->byte_offset + (uint64_t)(offset * d->dtype.bits / 8);
}

static void compare(DLTensor const *d, tsr_tensor const *t)
{
    int64_t at[TSR_MAX_LEAVES] = {0};
    for (int tries = 0; tries < 64; ++tries) {
        int64_t offset = 0;
        int bit = 0;
        for (int i = 0; i < d->ndim; ++i) {
            at[i] = (int64_t)((uint64_t)tries * 2654435761u % (uint64_t)d->shape[i]);
            offset += at[i] * t->layout.stride.leaf[i].value;
        }
        if ((uint64_t)(uintptr_t)tsr_element_place(&t->engine, offset, &bit) != place(d, at))
            abort();
    }
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static int const devices[] = {kDLCPU, kDLCUDA, kDLCUDAHost, kDLROCMHost, 0, 99, -1, 1 << 30};
    bytes b = {data, data + size};
    int64_t shape[TSR_MAX_LEAVES + 4], strides[TSR_MAX_LEAVES + 4];
    int64_t back_shape[TSR_MAX_LEAVES], back_strides[TSR_MAX_LEAVES];
    DLTensor d, back;
    tsr_tensor t, again;
    tsr_message error = {0, ""};
    memset(&d, 0, sizeof d);
    d.ndim = (int)(next(&b) % 22) - 1;
    d.dtype.code = (uint8_t)(next(&b) % 20);
    d.dtype.bits = (uint8_t)(next(&b) % 2 ? 8u << next(&b) % 5 : next(&b));
    d.dtype.lanes = (uint16_t)(next(&b) % 16 ? 1 : next(&b));
    d.device.device_type = (DLDeviceType)devices[next(&b) % 8];
    d.data = (void *)(uintptr_t)(next(&b) % 4 ? 4096 * (uint64_t)next(&b) : ~(uint64_t)next(&b));
    d.byte_offset = next(&b) % 4 ? next(&b) : ~(uint64_t)next(&b);
    for (int i = 0; i < TSR_MAX_LEAVES + 4; ++i) {
        shape[i] = number(&b);
        strides[i] = number(&b);
    }
    d.shape = next(&b) % 16 ? shape : NULL;
    d.strides = next(&b) % 2 ? strides : NULL;
    if (!tsr_from_dlpack(&d, &t, &error)) {
        if (*error.text == 0)
            abort();
        return 0;
    }
    bool const whole = tsr_dtype_bits(t.engine.type) % 8 == 0;
    if (whole)
        compare(&d, &t);
    if (!tsr_to_dlpack(t, d.device, back_shape, back_strides, &back, &error)) {
        if (*error.text == 0)
            abort();
        return 0;
    }
    if (back.ndim != d.ndim || !tsr_from_dlpack(&back, &again, &error))
        abort();
    if (whole)
        compare(&back, &again);
    return 0;
}
