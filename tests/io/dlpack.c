/** DLPack in and out: the same elements at the same coordinates, and what is refused. Compiled as C and as C++. */
#include "tessera/dlpack.h"

#include "io_test.h"

static DLDevice host(void)
{
    DLDevice d;
    d.device_type = kDLCPU;
    d.device_id = 0;
    return d;
}

static DLTensor tensor_of(void *data, int code, int bits, int ndim, int64_t *shape, int64_t *strides)
{
    DLTensor d;
    memset(&d, 0, sizeof d);
    d.data = data;
    d.device = host();
    d.ndim = ndim;
    d.dtype.code = (uint8_t)code;
    d.dtype.bits = (uint8_t)bits;
    d.dtype.lanes = 1;
    d.shape = shape;
    d.strides = strides;
    return d;
}

static float data[64];

/** Element (i,j) of both. */
static bool same_elements(tsr_tensor t, DLTensor const *d)
{
    float const *const p = (float const *)(void const *)((char const *)d->data + d->byte_offset);
    for (int64_t i = 0; i < d->shape[0]; ++i)
        for (int64_t j = 0; j < d->shape[1]; ++j) {
            tsr_number x;
            int64_t const k = d->strides ? i * d->strides[0] + j * d->strides[1] : i * d->shape[1] + j;
            if (tsr_tensor_read(t, tsr_t(i, j), &x).status || x.re != (double)p[k])
                return false;
        }
    return true;
}

static void test_in(void)
{
    int64_t shape[2] = {3, 4}, strides[2] = {-5, 2};
    tsr_tensor t;
    tsr_message error;
    DLTensor d = tensor_of(data, kDLFloat, 32, 2, shape, NULL);
    check("without strides, compact",
          tsr_from_dlpack(&d, &t, &error) && same_elements(t, &d) && t.engine.space == TSR_RMEM);
    d.strides = strides;
    d.byte_offset = 30 * sizeof data[0];
    check("negative strides and a byte offset", tsr_from_dlpack(&d, &t, &error) && same_elements(t, &d));
    d.device.device_type = kDLCUDA;
    check("a device is global memory", tsr_from_dlpack(&d, &t, &error) && t.engine.space == TSR_GMEM);
    d.ndim = 0;
    d.shape = NULL;
    check("no dimensions", tsr_from_dlpack(&d, &t, &error) && tsr_is_unit(&t.layout.shape));
    d = tensor_of(data, 17, 4, 2, shape, NULL);
    check("a type that DLPack 0.6 does not know", tsr_from_dlpack(&d, &t, &error) && t.engine.type == TSR_F4_E2M1);
}

static void refuse_in(char const *what, DLTensor d, char const *words)
{
    tsr_tensor t;
    tsr_message error = {0, ""};
    check(what, !tsr_from_dlpack(&d, &t, &error) && strstr(error.text, words));
}

static void test_refused_in(void)
{
    int64_t shape[2] = {3, 4}, empty[2] = {3, 0}, huge[2] = {4294967296, 4294967296},
            strides[2] = {1, 9223372036854775807}, far[2] = {1, 1ll << 59};
    DLTensor d = tensor_of(data, kDLFloat, 32, 2, shape, NULL);
    d.dtype.lanes = 4;
    refuse_in("lanes", d, "4 lanes");
    d.dtype.lanes = 1;
    d.byte_offset = ~(uint64_t)0;
    refuse_in("an offset beyond all memory", d, "leaves the address space");
    refuse_in("an unknown code", tensor_of(data, 99, 32, 2, shape, NULL), "code 99 with 32 bits");
    refuse_in("a code that is only ours", tensor_of(data, 128, 32, 2, shape, NULL), "code 128");
    refuse_in("an opaque handle", tensor_of(data, kDLOpaqueHandle, 64, 2, shape, NULL), "code 3 with 64 bits");
    refuse_in("unknown bits", tensor_of(data, kDLFloat, 24, 2, shape, NULL), "code 2 with 24 bits");
    refuse_in("17 dimensions", tensor_of(data, kDLFloat, 32, 17, shape, NULL), "17 dimensions, at most 16");
    refuse_in("-1 dimensions", tensor_of(data, kDLFloat, 32, -1, shape, NULL), "-1 dimensions");
    refuse_in("no shape", tensor_of(data, kDLFloat, 32, 2, NULL, NULL), "without a shape");
    refuse_in("an empty dimension", tensor_of(data, kDLFloat, 32, 2, empty, NULL), "extent 0 of dimension 1");
    refuse_in("a size beyond 64 bits", tensor_of(data, kDLFloat, 32, 2, huge, NULL), "leave 64 bits");
    refuse_in("offsets beyond 64 bits of bits", tensor_of(data, kDLFloat, 32, 2, shape, far),
              "elements of 32 bits leave the address space");
    refuse_in("strides beyond 64 bits", tensor_of(data, kDLFloat, 32, 2, shape, strides),
              "leave 64 bits at dimension 1");
}

static void test_out(void)
{
    int64_t shape[TSR_MAX_LEAVES], strides[TSR_MAX_LEAVES];
    DLTensor d;
    tsr_tensor back;
    tsr_message error;
    tsr_tensor const flat = tsr_make_tensor(&data[0], tsr_t(3, 4), tsr_t(4, 1));
    check("a plain layout", tsr_to_dlpack(flat, host(), shape, strides, &d, &error) && same_elements(flat, &d));
    check("and back", tsr_from_dlpack(&d, &back, &error) && same_elements(back, &d));
    tsr_tensor const nested = tsr_make_tensor(&data[0], tsr_t(tsr_t(2, 1, 3), 4), tsr_t(tsr_t(4, 7, 8), 1));
    check("nested modes of one stride", tsr_to_dlpack(nested, host(), shape, strides, &d, &error) && d.ndim == 2
                                            && shape[0] == 6 && strides[0] == 4 && same_elements(nested, &d));
    tsr_tensor const one = tsr_make_tensor(&data[0], 12, 2);
    check("one mode", tsr_to_dlpack(one, host(), shape, strides, &d, &error) && d.ndim == 1 && strides[0] == 2);
    tsr_tensor const tf32 = tsr_make_tensor(tsr_make_ptr((void *)data, TSR_TF32), tsr_t(3, 4), tsr_t(4, 1));
    check("tf32 leaves as f32", tsr_to_dlpack(tf32, host(), shape, strides, &d, &error) && d.dtype.code == kDLFloat);
}

static void refuse_out(char const *what, tsr_tensor t, char const *words)
{
    int64_t shape[TSR_MAX_LEAVES], strides[TSR_MAX_LEAVES];
    DLTensor d;
    tsr_message error = {0, ""};
    check(what, !tsr_to_dlpack(t, host(), shape, strides, &d, &error) && strstr(error.text, words));
}

static void test_refused_out(void)
{
    tsr_layout const l = tsr_make_layout(tsr_t(4, 4));
    refuse_out("nested modes of two strides", tsr_make_tensor(&data[0], tsr_t(tsr_t(2, 3), 4), tsr_t(tsr_t(1, 8), 2)),
               "the 6 elements of mode 0 are no steps");
    refuse_out("a swizzle", tsr_make_tensor(&data[0], tsr_swizzled(tsr_make_swizzle(1, 0, 2), l)), "has no strides");
    refuse_out("coordinates", tsr_make_identity_tensor(tsr_t(4, 4)), "are computed");
    refuse_out("a counter", tsr_make_counting_tensor(l), "are computed");
    refuse_out("shared memory", tsr_make_tensor(tsr_make_smem_ptr(&data[0]), l), "one kernel only");
    refuse_out("half a byte in",
               tsr_tensor_slice(tsr_t(tsr_wild(), 0),
                                tsr_make_tensor(tsr_engine_add(tsr_make_ptr((void *)data, TSR_U4), tsr_int(1)), l)),
               "begins at bit 4");
    refuse_out("an invalid tensor", tsr_make_tensor(&data[0], tsr_t(4, 0)), "is invalid");
}

int main(void)
{
    for (int i = 0; i < 64; ++i)
        data[i] = (float)i;
    test_in();
    test_refused_in();
    test_out();
    test_refused_out();
    return report();
}
