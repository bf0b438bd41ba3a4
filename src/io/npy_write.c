/** Writing .npy: a header, and the elements through memory (image.c). */
#include "io/npy_header.h"
#include "text/writer.h"
#include "tessera/tessera.h"

#include <stdio.h>

enum { PREFIX = 10, ALIGNED = 64 };

/** The order of the bytes in the file: that of the machine. Single bytes have none. */
static char order_of(char const *descr) { return TSR_BIG_ENDIAN && strcmp(descr + 2, "1") != 0 ? '>' : *descr; }

size_t tsr_npy_write_header_(char *out, char const *descr, tsr_tuple const *shape, tsr_order order, uint64_t at)
{
    static char const magic[9] = "\x93NUMPY\x01";
    bool const scalar = tsr_is_unit(shape);
    writer w;
    memset(out, ' ', NPY_HEADER);
    writer_open(&w, out + PREFIX, NPY_HEADER - PREFIX);
    put(&w, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (", order_of(descr), descr + 1,
        order == TSR_F_ORDER ? "True" : "False");
    for (int i = 0; !scalar && i < shape->leaves; ++i)
        put(&w, "%s%lld", i ? ", " : "", (long long)shape->leaf[i].value);
    put(&w, "%s), }", !scalar && shape->leaves == 1 ? "," : "");
    size_t const n = PREFIX + w.used;
    out[n] = ' ';
    size_t const before = (size_t)(at % ALIGNED), total = (before + n + ALIGNED) / ALIGNED * ALIGNED - before;
    out[total - 1] = '\n';
    memcpy(out, magic, 8);
    out[8] = (char)((total - PREFIX) & 255);
    out[9] = (char)((total - PREFIX) >> 8);
    return total;
}

/** The compact layout of a shape of integers. Extents of a layout are positive, those of an empty array not all: its
 *  layout says so, and its other extents are judged as if they were one larger. */
static bool lay_out(tsr_tuple shape, tsr_order order, tsr_layout *l, bool *empty, tsr_message *error)
{
    tsr_tuple judged = shape;
    tsr_tuple const steps = order == TSR_F_ORDER ? tsr_left() : tsr_right();
    *empty = false;
    for (int i = 0; !shape.status && !tsr_is_unit(&shape) && i < shape.leaves; ++i)
        if (shape.leaf[i].value == 0) {
            *empty = true;
            judged.leaf[i].value = 1;
        }
    *l = tsr_layout_checked(tsr_make_layout_from(tsr_is_leaf(&judged) ? tsr_tuple_1(judged) : judged, steps));
    if (l->shape.status)
        return tsr_io_fail_reason_(error, tsr_layout_why(*l));
    if (!tsr_is_unit(&l->shape) && tsr_mode_count(&l->shape) != l->shape.leaves)
        return tsr_io_fail_(error, "the shape of an array does not nest");
    if (*empty)
        *l = tsr_make_layout_from(tsr_is_leaf(&shape) ? tsr_tuple_1(shape) : shape, steps);
    return true;
}

bool tsr_npy_create(char const *path, tsr_dtype type, tsr_tuple shape, tsr_order order, tsr_npy_writer *writer,
                    tsr_message *error)
{
    char header[NPY_HEADER];
    tsr_layout l;
    tsr_npy_writer w = {.image = {.output = {NULL, NULL, -1}}};
    int64_t bytes = 0;
    bool empty = false;
    char const *const descr = tsr_npy_descr(type);
    *writer = w;
    if (!descr)
        return tsr_io_fail_(error, "NumPy has no elements of %d bits", tsr_dtype_bits(type))
               || tsr_io_fail_at_(error, path);
    if (!lay_out(shape, order, &l, &empty, error))
        return tsr_io_fail_at_(error, path);
    size_t const begin = tsr_npy_write_header_(header, descr, &shape, order, 0);
    if (!tsr_mul64(empty ? 0 : tsr_layout_size(l), tsr_dtype_bits(type) / 8, &bytes)
        || !tsr_add64(bytes, (int64_t)begin, &bytes))
        return tsr_io_fail_(error, "the file would have more than 2^63 bytes") || tsr_io_fail_at_(error, path);
    if (!tsr_image_create(path, (uint64_t)bytes, &w.image, error))
        return false;
    memcpy(w.image.map, header, begin);
    w.tensor = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, (char *)w.image.map + begin, false, type), l);
    *writer = w;
    return true;
}

bool tsr_npy_commit(tsr_npy_writer *writer, tsr_message *error)
{
    bool const ok = tsr_image_commit(&writer->image, error);
    tsr_npy_discard(writer);
    return ok;
}

void tsr_npy_discard(tsr_npy_writer *writer)
{
    tsr_image_discard(&writer->image);
    memset(&writer->tensor, 0, sizeof writer->tensor);
}

bool tsr_npy_write(char const *path, tsr_tensor tensor, tsr_order order, tsr_message *error)
{
    tsr_npy_writer w;
    tsr_engine const *const e = &tensor.engine;
    tsr_dtype const type = e->map.kind == TSR_CAST ? e->map.type : e->kind == TSR_POINTER ? e->type : TSR_I64;
    tsr_tuple const shape = tsr_product_each(tensor.layout.shape);
    tsr_reason const why = tsr_readable(tensor);
    if (why.status)
        return tsr_io_fail_reason_(error, why) || tsr_io_fail_at_(error, path);
    if (!tsr_npy_create(path, type, shape, order, &w, error))
        return false;
    if (!tsr_image_copy(&w.image, NULL, tensor, w.tensor, NULL, NULL, error)) {
        tsr_npy_discard(&w);
        return false;
    }
    return tsr_npy_commit(&w, error);
}
