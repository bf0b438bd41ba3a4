/** .npz out: stored members, each an .npy file, whose sums are found when all elements are there.
 *
 *  Law     the elements of each member begin at a multiple of 64 bytes of the archive, so the file can be mapped; zip64
 *          stands where a number does not fit in 32 bits, and nowhere else.
 *  Source  PKWARE, APPNOTE.TXT, sections 4.3 and 4.5.3; NumPy, numpy/lib/npyio.py (savez).
 */
#include "io/inflate.h"
#include "io/model.h"
#include "io/npy_header.h"
#include "io/sink.h"
#include "tessera/tessera.h"

enum { LOCAL = 30, NO_DATE = 0x21, UTF8 = 0x800, OLD = 20, WIDE = 45, LONGEST_NAME = 65000, PIECE = 1 << 24 };
#define NARROW 0xffffffffu

/** Where a member's parts are in the archive, and the header of its array. */
typedef struct npz_part {
    uint64_t local, array, begin, end;
    bool wide; /* its sizes are in the field of zip64 */
    size_t length;
    char header[NPY_HEADER];
} npz_part;

static void place_member(tsr_model_tensor const *t, uint64_t at, npz_part *p)
{
    tsr_tuple shape = TSR_ZERO;
    uint64_t const bytes = (uint64_t)t->elements * (uint64_t)tsr_dtype_bits(t->type) / 8;
    for (int i = 0; i < t->rank; ++i)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(t->extent[i]));
    shape = tsr_tuple_close(shape);
    p->local = at;
    p->wide = bytes > NARROW - NPY_HEADER;
    p->array = at + LOCAL + strlen(t->name) + strlen(".npy") + (p->wide ? 20 : 0);
    p->length = tsr_npy_write_header_(p->header, tsr_npy_descr(t->type), &shape, TSR_C_ORDER, p->array);
    p->begin = p->array + p->length;
    p->end = p->begin + bytes;
}

/** What a member's own header and its entry in the directory have in common. */
static void put_member(sink *s, tsr_model_tensor const *t, npz_part const *p, uint32_t crc)
{
    uint64_t const size = p->end - p->array;
    sink_little(s, p->wide ? WIDE : OLD, 2);
    sink_little(s, UTF8, 2);
    sink_little(s, 0, 2);
    sink_little(s, (uint64_t)NO_DATE << 16, 4);
    sink_little(s, crc, 4);
    sink_little(s, p->wide ? NARROW : size, 4);
    sink_little(s, p->wide ? NARROW : size, 4);
    sink_little(s, strlen(t->name) + strlen(".npy"), 2);
}

static void put_local(sink *s, tsr_model_tensor const *t, npz_part const *p, uint32_t crc)
{
    sink_bytes(s, "PK\3\4", 4);
    put_member(s, t, p, crc);
    sink_little(s, p->wide ? 20 : 0, 2);
    sink_bytes(s, t->name, strlen(t->name));
    sink_bytes(s, ".npy", 4);
    if (p->wide) {
        sink_little(s, 1 | 16 << 16, 4);
        sink_little(s, p->end - p->array, 8);
        sink_little(s, p->end - p->array, 8);
    }
}

static void put_entry(sink *s, tsr_model_tensor const *t, npz_part const *p, uint32_t crc)
{
    bool const far = p->local >= NARROW;
    int const extra = (p->wide ? 16 : 0) + (far ? 8 : 0);
    sink_bytes(s, "PK\1\2", 4);
    sink_little(s, p->wide || far ? WIDE : OLD, 2);
    put_member(s, t, p, crc);
    sink_little(s, extra ? (uint64_t)extra + 4 : 0, 2);
    sink_little(s, 0, 8); /* no comment, one disk, no attributes */
    sink_little(s, 0, 2);
    sink_little(s, far ? NARROW : p->local, 4);
    sink_bytes(s, t->name, strlen(t->name));
    sink_bytes(s, ".npy", 4);
    if (extra)
        sink_little(s, 1 | (uint64_t)extra << 16, 4);
    for (int i = 0; i < 2 && p->wide; ++i)
        sink_little(s, p->end - p->array, 8);
    if (far)
        sink_little(s, p->local, 8);
}

/** The records behind a directory that begins at `at`. */
static void put_end(sink *s, uint64_t count, uint64_t at, uint64_t bytes)
{
    bool const wide = count >= 0xffff || at + bytes >= NARROW;
    if (wide) {
        sink_bytes(s, "PK\6\6", 4);
        sink_little(s, 44, 8);
        sink_little(s, WIDE | WIDE << 16, 4);
        sink_little(s, 0, 8);
        sink_little(s, count, 8);
        sink_little(s, count, 8);
        sink_little(s, bytes, 8);
        sink_little(s, at, 8);
        sink_bytes(s, "PK\6\7", 4);
        sink_little(s, 0, 4);
        sink_little(s, at + bytes, 8);
        sink_little(s, 1, 4);
    }
    sink_bytes(s, "PK\5\6", 4);
    sink_little(s, 0, 4);
    sink_little(s, wide ? 0xffff : count, 2);
    sink_little(s, wide ? 0xffff : count, 2);
    sink_little(s, wide ? NARROW : bytes, 4);
    sink_little(s, wide ? NARROW : at, 4);
    sink_little(s, 0, 2);
}

/** Whether a tensor can be a member, and where it begins and ends behind `at`. */
static bool check_member(tsr_model_tensor *t, uint64_t at, npz_part *p, tsr_message *error)
{
    char const *const descr = t->type ? tsr_npy_descr(t->type) : NULL;
    int64_t bytes = 0;
    if (!descr || descr[1] == 'V')
        return tsr_io_fail_(error, "tensor \"%.60s\": NumPy has no name for %s", t->name,
                            t->type ? tsr_dtype_name(t->type) : t->format);
    if (*t->name == 0 || strlen(t->name) > LONGEST_NAME)
        return tsr_io_fail_(error, "a member's name has 1 to %d bytes, not %zu", LONGEST_NAME, strlen(t->name));
    if (!tsr_model_count_(t, error))
        return false;
    if (!tsr_mul64(t->elements, tsr_dtype_bits(t->type) / 8, &bytes) || !tsr_add64(bytes, (int64_t)at, &bytes)
        || bytes > INT64_MAX - 2 * LONGEST_NAME)
        return tsr_io_fail_(error, "with tensor \"%.60s\" the file would have more than 2^63 bytes", t->name);
    t->format = descr;
    place_member(t, at, p);
    t->begin = p->begin;
    t->end = p->end;
    return true;
}

static bool create_npz(char const *path, tsr_model_writer *w, tsr_message *error)
{
    tsr_model *const m = &w->model;
    npz_part p;
    sink s = {NULL, 0};
    uint64_t at = 0;
    if (!tsr_model_names_once_(m, error))
        return tsr_io_fail_at_(error, path);
    for (int i = 0; i < m->count; ++i, at = p.end) {
        if (!check_member(&m->tensor[i], at, &p, error))
            return tsr_io_fail_at_(error, path);
        put_entry(&s, &m->tensor[i], &p, 0);
    }
    put_end(&s, (uint64_t)m->count, at, s.n);
    if (!tsr_image_create(path, at + s.n, &w->image, error))
        return false;
    w->data = (unsigned char *)w->image.map;
    w->archive = true;
    at = 0;
    for (int i = 0; i < m->count; ++i, at = p.end) {
        place_member(&m->tensor[i], at, &p);
        memcpy(w->data + p.array, p.header, p.length);
    }
    return true;
}

/** The sum of bytes of the image, whose memory is given back on the way. */
static uint32_t sum_of(tsr_model_writer const *w, crc_table const *table, uint64_t at, uint64_t end)
{
    uint32_t crc = 0;
    for (; at < end; at += PIECE) {
        size_t const n = end - at < PIECE ? (size_t)(end - at) : PIECE;
        crc = tsr_io_crc_(table, crc, w->data + at, n);
        if (n == PIECE)
            tsr_image_forget(&w->image);
    }
    return crc;
}

void tsr_npz_finish_(tsr_model_writer *w)
{
    tsr_model const *const m = &w->model;
    crc_table table;
    npz_part p;
    uint64_t at = m->count ? m->tensor[m->count - 1].end : 0, next = 0;
    sink entries = {w->data + at, 0};
    tsr_io_crc_begin_(&table);
    for (int i = 0; i < m->count; ++i, next = p.end) {
        place_member(&m->tensor[i], next, &p);
        uint32_t const crc = sum_of(w, &table, p.array, p.end);
        sink local = {w->data + p.local, 0};
        put_local(&local, &m->tensor[i], &p, crc);
        put_entry(&entries, &m->tensor[i], &p, crc);
    }
    put_end(&entries, (uint64_t)m->count, at, entries.n);
}

bool tsr_npz_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model_writer *writer,
                    tsr_message *error)
{
    return tsr_npz_create_(path, tensor, count, NULL, writer, error);
}

bool tsr_npz_create_(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_model_writer *writer, tsr_message *error)
{
    (void)metadata; /* an archive has none */
    if (!tsr_model_keep_(writer, tensor, count, NULL, error))
        tsr_io_fail_at_(error, path);
    else if (create_npz(path, writer, error))
        return true;
    tsr_model_discard(writer);
    return false;
}
