/** Elements into the file of an image: in pieces of the file, from its beginning to its end.
 *
 *  A piece is made in private memory, and one call of the system brings it to the file. So no page of the file is
 *  mapped, or cleared first: a fault of such a page costs as much as turning its elements 30 times over. A piece whose
 *  source lies in long runs stays in a cache. Other pieces, as those of a transpose, are large, in huge pages where the
 *  system has them. Each thread has pieces of its own, and none waits for another one. While later pieces are made, the
 *  system writes earlier ones to the disk.
 */
#define _GNU_SOURCE /* madvise, MAP_ANONYMOUS */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exec/engine.h"
#include "io/file.h"
#include "tessera/tessera.h"

/** Bytes of a piece in a cache and of a large one, the least run of the source, and how many pieces in caches begin
 *  their way to the disk together. */
enum { IN_CACHE = 1 << 20, LARGE = 1 << 25, LEAST_RUN = 2048, TOGETHER = 16 };

typedef struct pieces {
    tsr_image const *image;
    tsr_tensor const *where; /* NULL: all elements are there */
    tsr_tensor from, to;
    int order[TSR_MAX_LEAVES], leaves; /* of the destination, by strides */
    int64_t box[TSR_MAX_LEAVES];       /* a piece's indices of each leaf */
    int64_t count, done;               /* pieces */
    bool in_cache;
    tsr_progress told;
    void *context;
    tsr_message *error;
    atomic_int failed; /* a word: some processors exchange no byte */
    atomic_bool ended;
    pthread_mutex_t telling; /* one thread tells at a time */
    void **buffer;           /* of each worker, once it has one */
} pieces;

/** The leaf of more than one index that has a stride, or -1. */
static int leaf_of_stride(tsr_layout const *l, int64_t stride)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].value > 1 && l->stride.leaf[i].value == stride)
            return i;
    return -1;
}

/** Orders the leaves of the destination. False: it is not one run of memory. */
static bool order_leaves(pieces *p)
{
    tsr_layout const *const l = &p->to.layout;
    int64_t reached = 1;
    int wanted = 0;
    for (int i = 0; i < l->shape.leaves; ++i)
        wanted += l->shape.leaf[i].value > 1;
    for (int i; p->leaves < wanted && (i = leaf_of_stride(l, reached)) >= 0; ++p->leaves) {
        p->order[p->leaves] = i;
        reached *= l->shape.leaf[i].value;
    }
    return p->leaves == wanted;
}

/** Cuts the destination into runs of at most about so many elements. */
static void cut(pieces *p, int64_t elements)
{
    p->count = 1;
    for (int k = 0; k < p->leaves; ++k) {
        int64_t const extent = p->to.layout.shape.leaf[p->order[k]].value;
        int64_t const n = tsr_min64(extent, tsr_max64(elements, 1));
        p->box[p->order[k]] = n;
        p->count *= tsr_ceil_div64(extent, n);
        elements /= extent;
    }
}

/** The bytes that a piece reads in a row. */
static int64_t source_run(pieces const *p)
{
    tsr_layout const *const l = &p->from.layout;
    int64_t run = 1;
    if (p->from.engine.kind != TSR_POINTER || l->composed)
        return 0;
    for (int i; (i = leaf_of_stride(l, run)) >= 0;) {
        run *= p->box[i];
        if (p->box[i] < l->shape.leaf[i].value)
            break;
    }
    return run * tsr_dtype_bits(p->from.engine.type) / 8;
}

/** Is the destination a run of whole bytes in the file, and worth pieces? Then it is cut. */
static bool make_pieces(pieces *p)
{
    tsr_engine const *const e = &p->to.engine;
    int64_t const bits = tsr_dtype_bits(e->type), begin = (int64_t)(e->address - (uintptr_t)p->image->map);
    int64_t bytes = 0;
    if (!p->image->mapped || e->kind != TSR_POINTER || bits <= 0 || bits % 8 != 0 || e->bit != 0
        || p->to.layout.composed || p->from.layout.shape.leaves != p->to.layout.shape.leaves || !order_leaves(p)
        || !tsr_mul64(tsr_layout_size(p->to.layout), bits / 8, &bytes) || bytes < 2 * IN_CACHE || begin < 0
        || (uint64_t)begin > p->image->size || (uint64_t)bytes > p->image->size - (uint64_t)begin)
        return false;
    cut(p, IN_CACHE * INT64_C(8) / bits);
    p->in_cache = !p->where && source_run(p) >= LEAST_RUN;
    if (!p->in_cache)
        cut(p, LARGE * INT64_C(8) / bits);
    return true;
}

static tsr_tensor part_of(tsr_tensor t, tsr_tuple const *at, tsr_tuple const *shape)
{
    t = tsr_tensor_domain_offset(*at, t);
    t.layout.shape = *shape;
    return t;
}

/** The source, the destination and the predicate of a piece. */
static void take_piece(pieces const *p, int64_t number, tsr_tensor t[3])
{
    tsr_tuple at = p->to.layout.shape, shape = at;
    for (int i = 0; i < at.leaves; ++i)
        at.leaf[i].value = 0;
    for (int k = 0; k < p->leaves; ++k) {
        int const i = p->order[k];
        int64_t const extent = shape.leaf[i].value, n = tsr_ceil_div64(extent, p->box[i]);
        at.leaf[i].value = number % n * p->box[i];
        shape.leaf[i].value = tsr_min64(p->box[i], extent - at.leaf[i].value);
        number /= n;
    }
    t[0] = part_of(p->from, &at, &shape);
    t[1] = part_of(p->to, &at, &shape);
    if (p->where)
        t[2] = part_of(*p->where, &at, &shape);
}

/** Tells of elements that were moved, and of whole pieces. */
static void tell(pieces *p, int64_t elements, int64_t whole)
{
    p->done += whole;
    if (p->told && !p->told(p->context, elements, p->done, p->count))
        atomic_store(&p->ended, true);
}

/** What the file has at a place: elements that a predicate leaves out stay what they are. */
static bool read_place(tsr_image const *image, uint64_t at, void *to, uint64_t n, tsr_message *error)
{
    for (uint64_t done = 0; done < n;) {
        ssize_t const got = pread(image->output.handle, (char *)to + done, (size_t)(n - done), (off_t)(at + done));
        if (got < 0 && tsr_io_goes_on_())
            continue;
        if (got <= 0)
            return tsr_io_fail_(error, "cannot be read: %s", got < 0 ? strerror(errno) : "it ends too early")
                   || tsr_io_fail_at_(error, image->output.target);
        done += (uint64_t)got;
    }
    return true;
}

/** Makes a piece in the buffer. Returns its elements, or -1. */
static int64_t make_piece(pieces const *p, int64_t number, void *buffer, uint64_t *place, tsr_message *error)
{
    tsr_tensor t[3];
    take_piece(p, number, t);
    *place = t[1].engine.address - (uintptr_t)p->image->map;
    t[1].engine = tsr_engine_at(TSR_GMEM, buffer, false, t[1].engine.type);
    int64_t const elements = tsr_layout_size(t[1].layout);
    if (p->where
        && !read_place(p->image, *place, buffer, (uint64_t)(elements * tsr_dtype_bits(t[1].engine.type) / 8), error))
        return -1;
    tsr_planned_copy const plan = p->where ? tsr_copy_if_plan(t[2], t[0], t[1]) : tsr_copy_plan(t[0], t[1]);
    if (plan.why.status) {
        (void)(tsr_io_fail_reason_(error, plan.why) || tsr_io_fail_at_(error, p->image->output.target));
        return -1;
    }
    (void)tsr_copy_run(&plan, p->where ? &t[2] : NULL, &t[0], &t[1], 0, plan.units);
    return elements;
}

/** One piece, by one thread. The first error is the one that is told. */
static void run_piece(pieces *p, int64_t number, void *buffer)
{
    tsr_message error;
    uint64_t place = 0;
    int64_t const n = make_piece(p, number, buffer, &place, &error);
    uint64_t const bytes = n < 0 ? 0 : (uint64_t)(n * tsr_dtype_bits(p->to.engine.type) / 8),
                   group = TOGETHER * bytes;
    bool const ok = n >= 0 && tsr_image_put(p->image, place, buffer, bytes, &error);
    if (!p->in_cache)
        tsr_image_flush(p->image, place, bytes);
    else if (number % TOGETHER == TOGETHER - 1 && place >= 2 * group) /* pieces that are most likely all there */
        tsr_image_flush(p->image, place - 2 * group, group);
    pthread_mutex_lock(&p->telling);
    if (ok)
        tell(p, n, 1);
    else if (!atomic_exchange(&p->failed, true) && p->error)
        *p->error = error;
    pthread_mutex_unlock(&p->telling);
}

static size_t bytes_of_piece(pieces const *p) { return p->in_cache ? IN_CACHE : LARGE; }

/** Private memory for a piece, or NULL. A fault of a page of 4 kB costs as much in a virtual machine as its elements do
 *  in memory. */
static void *open_buffer(pieces const *p)
{
    size_t const bytes = bytes_of_piece(p);
    void *const buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#if defined(MADV_HUGEPAGE)
    if (buffer != MAP_FAILED && !p->in_cache)
        (void)madvise(buffer, bytes, MADV_HUGEPAGE);
#endif
    return buffer == MAP_FAILED ? NULL : buffer;
}

/** A piece of a loop, in the memory of its worker. */
static void run_piece_of(void *context, int worker, int64_t i)
{
    pieces *const p = (pieces *)context;
    void **const buffer = &p->buffer[worker];
    if (atomic_load(&p->failed) || atomic_load(&p->ended))
        return;
    if (!*buffer)
        *buffer = open_buffer(p);
    if (*buffer)
        run_piece(p, i, *buffer);
    else if (!atomic_exchange(&p->failed, true))
        (void)(tsr_io_fail_(p->error, "out of memory: %zu bytes", bytes_of_piece(p))
               || tsr_io_fail_at_(p->error, p->image->output.target));
}

/** All pieces, by threads that take one after the other. */
static void run_pieces(pieces *p, int threads)
{
    pthread_mutex_init(&p->telling, NULL);
    p->buffer = (void **)calloc((size_t)threads, sizeof *p->buffer);
    if (!p->buffer)
        atomic_store(&p->failed, tsr_io_fail_(p->error, "out of memory: %d threads", threads) || true);
    else
        tsr_engine_share_(threads, p->count, run_piece_of, p);
    for (int i = 0; p->buffer && i < threads; ++i)
        if (p->buffer[i])
            munmap(p->buffer[i], bytes_of_piece(p));
    free(p->buffer);
    pthread_mutex_destroy(&p->telling);
}

static bool part_told(void *context, int64_t elements, int64_t done, int64_t all)
{
    pieces *const p = (pieces *)context;
    tell(p, elements, done == all);
    return !atomic_load(&p->ended);
}

bool tsr_image_copy(tsr_image const *image, tsr_tensor const *where, tsr_tensor from, tsr_tensor to,
                    tsr_progress told, void *context, tsr_message *error)
{
    tsr_planned_copy const plan = where ? tsr_copy_if_plan(*where, from, to) : tsr_copy_plan(from, to);
    pieces p = {.image = image,
                .where = where,
                .from = from,
                .to = to,
                .count = 1,
                .told = told,
                .context = context,
                .error = error};
    if (plan.why.status)
        return tsr_io_fail_reason_(error, plan.why) || tsr_io_fail_at_(error, image->output.target);
    int const threads = tsr_engine_threads_();
    if (!make_pieces(&p) || p.count < 2 * threads) {
        p.count = 1;
        (void)tsr_copy_run_told(&plan, where, &from, &to, part_told, &p);
    } else {
        run_pieces(&p, threads);
    }
    return !atomic_load(&p.failed);
}
