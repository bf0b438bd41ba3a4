/** DLPack: a DLTensor as a tensor and back. No element is copied.
 *
 *      tsr_tensor t;
 *      if (!tsr_from_dlpack(&managed->dl_tensor, &t, &error)) ...
 *
 *  Bring your own header of DLPack, version 0.6 or later. Types are compared by number, so a type of a later version
 *  works with an older header.
 *
 *  Units   strides are elements in both; a tensor of DLPack without strides is compact, the last dimension fastest.
 *  Spaces  memory that the host can read (kDLCPU, kDLCUDAHost, kDLROCMHost) has no tag; any other device is global
 *          memory. A DLTensor does not say whether its elements may be written; DLManagedTensorVersioned has a flag
 *          for that.
 *  Source  DLPack, dlpack.h.
 */
#ifndef TSR_DLPACK_H
#define TSR_DLPACK_H

#include <dlpack/dlpack.h>
#include <stdio.h>

#include "tessera/io.h"

TSR_HEADER_BEGIN

TSR_LOCAL_MEMORY bool tsr_dlpack_fail_(tsr_message *error, char const *format, long long a, long long b)
{
    if (error) {
        error->at = 0;
        snprintf(error->text, sizeof error->text, format, a, b);
    }
    return false;
}

/** Whether DLPack and base/dtype.h both have the type. */
TSR_LOCAL_MEMORY bool tsr_dlpack_has_(tsr_dtype type)
{
    switch (type) {
#define TSR_X_(id, ...) case TSR_##id:
        TSR_DTYPE_LIST(TSR_X_)
#undef TSR_X_
        return tsr_dtype_code(type) < 128;
    default:
        return false;
    }
}

/** What DLPack calls a type: one of its own, or that of the storage. */
TSR_LOCAL_MEMORY tsr_dtype tsr_dlpack_type_(tsr_dtype type)
{
    switch (type) {
    case TSR_TF32:
        return TSR_F32;
    case TSR_UE4M3:
        return TSR_F8_E4M3FN;
    default:
        return type;
    }
}

/** The tensor of a DLTensor. Refused: vectors as elements (lanes), types that are not known, empty dimensions, more
 *  than TSR_MAX_LEAVES of them. */
TSR_LOCAL_MEMORY bool tsr_from_dlpack(DLTensor const *d, tsr_tensor *tensor, tsr_message *error)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int const code = (int)d->dtype.code, bits = (int)d->dtype.bits, device = (int)d->device.device_type;
    tsr_dtype const type = (tsr_dtype)(code * 256 + bits);
    bool const host = device == kDLCPU || device == kDLCUDAHost || device == kDLROCMHost;
    uint64_t const address = (uint64_t)(uintptr_t)d->data;
    if (d->dtype.lanes != 1)
        return tsr_dlpack_fail_(error, "DLPack: elements of %lld lanes are no elements of a tensor", d->dtype.lanes,
                                0);
    if (!tsr_dlpack_has_(type))
        return tsr_dlpack_fail_(error, "DLPack: there is no element type of code %lld with %lld bits", code, bits);
    if (d->ndim < 0 || d->ndim > TSR_MAX_LEAVES)
        return tsr_dlpack_fail_(error, "DLPack: %lld dimensions, at most %lld fit (TSR_MAX_LEAVES)", d->ndim,
                                TSR_MAX_LEAVES);
    if (d->ndim > 0 && !d->shape)
        return tsr_dlpack_fail_(error, "DLPack: %lld dimensions without a shape", d->ndim, 0);
    if (d->byte_offset > ~address)
        return tsr_dlpack_fail_(error, "DLPack: the byte offset leaves the address space", 0, 0);
    for (int i = 0; i < d->ndim; ++i) {
        if (d->shape[i] <= 0)
            return tsr_dlpack_fail_(error, "DLPack: extent %lld of dimension %lld is not positive", d->shape[i], i);
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(d->shape[i]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(d->strides ? d->strides[i] : 0));
    }
    tsr_enclose_all_(&shape);
    tsr_enclose_all_(&stride);
    tsr_layout const l = tsr_layout_checked(tsr_make_layout_from(shape, d->strides ? stride : tsr_right()));
    if (l.shape.status)
        return tsr_dlpack_fail_(error, "DLPack: size or offsets leave 64 bits at dimension %lld", l.shape.mode, 0);
    tsr_ends const ends = tsr_ends_of(&l);
    int64_t first = 0, last = 0;
    if (ends.why.status || !tsr_mul64(ends.low, bits, &first) || !tsr_mul64(ends.high, bits, &last))
        return tsr_dlpack_fail_(error, "DLPack: elements of %lld bits leave the address space with these strides",
                                bits, 0);
    *tensor = tsr_make_tensor_of(
        tsr_engine_at(host ? TSR_RMEM : TSR_GMEM, (void const *)(uintptr_t)(address + d->byte_offset), false, type),
        l);
    return true;
}

/** The one stride of a mode, by its numbers: extents of 1 do not count. False when it has none. */
TSR_LOCAL_MEMORY bool tsr_dlpack_stride_(tsr_layout mode, int64_t *stride)
{
    int64_t next = 0;
    bool found = false;
    *stride = 0;
    for (int i = 0; i < mode.shape.leaves; ++i) {
        int64_t const n = mode.shape.leaf[i].value, d = mode.stride.leaf[i].value;
        if (n == 1 || mode.shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (found && d != next)
            return false;
        *stride = found ? *stride : d;
        found = true;
        next = n * d;
    }
    *stride = found ? *stride : mode.shape.leaves == 1 ? mode.stride.leaf[0].value : 1;
    return true;
}

/** The DLTensor of a tensor: each mode becomes a dimension, element (i,j,..) of one is element (i,j,..) of the other.
 *  `shape` and `strides` hold TSR_MAX_LEAVES integers each and must live as long as *d.
 *  Refused: computed elements, coordinates, elements packed within a byte, memory that only a kernel sees, swizzles,
 *  and modes without a single stride. A type that DLPack lacks leaves as the type of its storage: tf32 as f32, ue4m3 as
 *  f8_e4m3fn. */
TSR_LOCAL_MEMORY bool tsr_to_dlpack(tsr_tensor t, DLDevice device, int64_t *shape, int64_t *strides, DLTensor *d,
                                    tsr_message *error)
{
    tsr_reason const reason = tsr_tensor_why(t);
    tsr_engine const *const e = &t.engine;
    tsr_dtype const type = tsr_dlpack_type_(e->type);
    int const rank = reason.status ? 0 : tsr_mode_count(&t.layout.shape);
    if (reason.status)
        return tsr_dlpack_fail_(error, "DLPack: the tensor is invalid (status %lld)", reason.status, 0);
    if (e->kind != TSR_POINTER || e->map.kind != TSR_AS_IS)
        return tsr_dlpack_fail_(error, "DLPack: the elements are computed, not in memory", 0, 0);
    if (e->space != TSR_RMEM && e->space != TSR_GMEM)
        return tsr_dlpack_fail_(error, "DLPack: shared and tensor memory are seen by one kernel only", 0, 0);
    if (e->bit != 0)
        return tsr_dlpack_fail_(error, "DLPack: the first element begins at bit %lld of a byte", e->bit, 0);
    if (!tsr_dlpack_has_(type))
        return tsr_dlpack_fail_(error, "DLPack: there is no element type of code %lld with %lld bits",
                                tsr_dtype_code(type), tsr_dtype_bits(type));
    if (t.layout.composed || tsr_has_basis(&t.layout.stride))
        return tsr_dlpack_fail_(error, "DLPack: a layout that is swizzled or of coordinates has no strides", 0, 0);
    for (int i = 0; i < rank; ++i) {
        tsr_layout const mode = tsr_mode(t.layout, i);
        shape[i] = tsr_layout_size(mode);
        if (!tsr_dlpack_stride_(mode, &strides[i]))
            return tsr_dlpack_fail_(error,
                                    "DLPack: the %lld elements of mode %lld are no steps of one stride: flatten the "
                                    "tensor, or copy it to a layout with one stride a mode",
                                    shape[i], i);
    }
    memset(d, 0, sizeof *d);
    d->data = (void *)(uintptr_t)e->address;
    d->device = device;
    d->ndim = rank;
    d->dtype.code = (uint8_t)tsr_dtype_code(type);
    d->dtype.bits = (uint8_t)tsr_dtype_bits(type);
    d->dtype.lanes = 1;
    d->shape = shape;
    d->strides = strides;
    return true;
}

TSR_HEADER_END

#endif
