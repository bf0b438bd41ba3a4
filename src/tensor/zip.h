/** The functions of tensor/zip.h, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TENSOR_ZIP_H
#define TSR_SRC_TENSOR_ZIP_H

#include "tessera/tensor/zip.h"
#include "tessera/tensor/body/partition.h"

/** Why a zipped tensor is invalid, as the tuple that its results carry, or a valid one. */
static tsr_tuple tsr_zip_bad_(tsr_zip_tensor z)
{
    for (int i = 0; i < z.parts; ++i)
        if (tsr_tensor_bad_(z.part[i]).status)
            return tsr_tensor_bad_(z.part[i]);
    return tsr_s(z.parts);
}

TSR_API tsr_reason tsr_zip_why(tsr_zip_tensor z) { return tsr_tuple_why(tsr_zip_bad_(z)); }

TSR_API tsr_zip_tensor tsr_zip_append(tsr_zip_tensor z, tsr_tensor t)
{
    if (z.parts == TSR_MAX_ZIP) {
        z.part[0].engine.at = tsr_bad_tuple(TSR_CAPACITY, 0, z.parts + 1, TSR_MAX_ZIP, 0);
        return z;
    }
    if (z.parts > 0 && !tsr_tensor_bad_(t).status && !tsr_tensor_bad_(z.part[0]).status) {
        tsr_tuple const a = z.part[0].layout.shape, b = t.layout.shape;
        if (tsr_mode_count(&a) != tsr_mode_count(&b))
            t.engine.at = tsr_bad_tuple(TSR_RANK, 0, tsr_mode_count(&a), tsr_mode_count(&b), 0);
        for (int i = 0; !t.engine.at.status && i < tsr_mode_count(&a); ++i) {
            int64_t const n = tsr_layout_size(tsr_mode(z.part[0].layout, i)),
                          m = tsr_layout_size(tsr_mode(t.layout, i));
            if (n != m)
                t.engine.at = tsr_bad_tuple(TSR_DIFFER_SIZE, i, n, m, 0);
        }
    }
    z.part[z.parts++] = t;
    return z;
}

TSR_API tsr_zip_tensor tsr_make_zip_tensor(tsr_tensor a, tsr_tensor b)
{
    tsr_zip_tensor const none = TSR_ZERO;
    return tsr_zip_append(tsr_zip_append(none, a), b);
}

TSR_API tsr_zip_tensor tsr_zip_slice(tsr_tuple coord, tsr_zip_tensor z)
{
    for (int i = 0; i < z.parts; ++i)
        z.part[i] = tsr_tensor_slice(coord, z.part[i]);
    return z;
}

TSR_API tsr_zip_tensor tsr_zip_composition(tsr_zip_tensor z, tsr_tiler b)
{
    for (int i = 0; i < z.parts; ++i)
        z.part[i] = tsr_tensor_composition_by(z.part[i], b);
    return z;
}

TSR_API tsr_zip_tensor tsr_zip_zipped_divide(tsr_zip_tensor z, tsr_tiler b)
{
    for (int i = 0; i < z.parts; ++i)
        z.part[i] = tsr_tensor_zipped_divide_by(z.part[i], b);
    return z;
}

TSR_API tsr_zip_tensor tsr_zip_local_tile(tsr_zip_tensor z, tsr_tiler tiler, tsr_tuple coord)
{
    for (int i = 0; i < z.parts; ++i)
        z.part[i] = tsr_tensor_local_tile(z.part[i], tiler, coord);
    return z;
}

TSR_API tsr_zip_tensor tsr_zip_local_partition(tsr_zip_tensor z, tsr_layout threads, tsr_tuple index)
{
    for (int i = 0; i < z.parts; ++i)
        z.part[i] = tsr_tensor_local_partition(z.part[i], threads, index);
    return z;
}

#endif
