/** Layouts from MPI datatypes: what made a datatype, from the inside out, as modes of bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh/form.h"
#include "tessera/core/coalesce.h"
#include "tessera/mesh/mpi.h"

enum { MOST_DEPTH = 64 };

/** Modes in bytes, the innermost first. Modes that continue each other are one. */
typedef struct reading {
    int modes;
    int64_t count[TSR_MAX_LEAVES], step[TSR_MAX_LEAVES], begin;
    int64_t bytes; /* of all elements */
    tsr_message *error;
} reading;

/** What made a datatype: the arguments of its constructor. */
typedef struct made_of {
    int combiner, integers, addresses, types;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
} made_of;

static bool refused(reading const *r, char const *words) { return tsr_dist_fail_(r->error, "no layout: %s", words); }

static bool too_large(reading const *r) { return refused(r, "the datatype has more than 2^63 bytes"); }

/** `count` of what was read, `unit` steps of `size` bytes apart. */
static bool add_mode(reading *r, int64_t count, int64_t unit, int64_t size)
{
    int const k = r->modes - 1;
    int64_t step = 0, all = 0, end = 0;
    if (count < 1)
        return refused(r, "a datatype without elements");
    if (count == 1)
        return true;
    if (!tsr_mul64(unit, size, &step) || !tsr_mul64(r->bytes, count, &r->bytes))
        return too_large(r);
    if (k >= 0 && tsr_mul64(r->step[k], r->count[k], &end) && end == step && tsr_mul64(r->count[k], count, &all)) {
        r->count[k] = all;
        return true;
    }
    if (r->modes == TSR_MAX_LEAVES)
        return refused(r, "the datatype has more modes than a layout has leaves");
    r->count[r->modes] = count;
    r->step[r->modes++] = step;
    return true;
}

static bool is_named(MPI_Datatype type)
{
    int n[3], combiner = MPI_COMBINER_NAMED;
    (void)MPI_Type_get_envelope(type, &n[0], &n[1], &n[2], &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

static void free_made_of(made_of *m)
{
    for (int i = 0; m->type && i < m->types; ++i)
        if (!is_named(m->type[i]))
            (void)MPI_Type_free(&m->type[i]);
    free(m->integer);
    free(m->address);
    free(m->type);
}

static bool take_made_of(reading const *r, MPI_Datatype type, made_of *m)
{
    made_of const nothing = {0, 0, 0, 0, NULL, NULL, NULL};
    *m = nothing;
    if (MPI_Type_get_envelope(type, &m->integers, &m->addresses, &m->types, &m->combiner) != MPI_SUCCESS)
        return refused(r, "MPI does not say what made the datatype");
    if (m->combiner == MPI_COMBINER_NAMED)
        return true;
    m->integer = (int *)calloc((size_t)m->integers + 1, sizeof *m->integer);
    m->address = (MPI_Aint *)calloc((size_t)m->addresses + 1, sizeof *m->address);
    m->type = (MPI_Datatype *)malloc(((size_t)m->types + 1) * sizeof *m->type);
    if (m->integer && m->address && m->type
        && MPI_Type_get_contents(type, m->integers, m->addresses, m->types, m->integer, m->address, m->type)
               == MPI_SUCCESS)
        return true;
    free(m->type);
    m->type = NULL;
    free_made_of(m);
    return refused(r, "MPI does not say what made the datatype");
}

/** What was read begins `unit` steps of `size` bytes later. */
static bool begin_at(reading *r, int64_t unit, int64_t size)
{
    int64_t bytes = 0;
    return (tsr_mul64(unit, size, &bytes) && tsr_add64(r->begin, bytes, &r->begin)) || too_large(r);
}

/** Blocks of elements `extent` bytes apart: all of one length, at equal steps. Lengths and displacements are these
 *  integers or addresses; displacement k is in units of `unit` bytes. */
static bool add_blocks(reading *r, int64_t blocks, int const *length, bool same_length, int const *integer,
                       MPI_Aint const *address, int64_t unit, int64_t extent)
{
    if (blocks < 1)
        return refused(r, "a datatype without elements");
    int64_t const first = integer ? integer[0] : (int64_t)address[0];
    int64_t const second = blocks < 2 ? first : integer ? integer[1] : (int64_t)address[1];
    int64_t step = 0;
    if (!tsr_add64(second, -first, &step))
        return too_large(r);
    for (int64_t i = 0; i < blocks; ++i) {
        int64_t const at = integer ? integer[i] : (int64_t)address[i];
        if (!same_length && length[i] != length[0])
            return tsr_dist_fail_(r->error, "no layout: block %lld has %d elements, and block 0 has %d", (long long)i,
                                  length[i], length[0]);
        int64_t due = 0;
        if (!tsr_mul64(i, step, &due) || !tsr_add64(first, due, &due))
            return too_large(r);
        if (at != due)
            return tsr_dist_fail_(r->error, "no layout: block %lld is at %lld, not at %lld as blocks 0 and 1 say",
                                  (long long)i, (long long)at, (long long)due);
    }
    return begin_at(r, first, unit) && add_mode(r, length[0], 1, extent) && add_mode(r, blocks, step, unit);
}

static bool add_subarray(reading *r, int const *integer, int64_t extent)
{
    int const n = integer[0], *const size = integer + 1, *const part = size + n, *const begin = part + n;
    bool const c_order = begin[n] == MPI_ORDER_C;
    int64_t step = extent;
    for (int k = 0; k < n; ++k) {
        int const m = c_order ? n - 1 - k : k;
        if (!add_mode(r, part[m], 1, step) || !begin_at(r, begin[m], step))
            return false;
        if (!tsr_mul64(step, size[m], &step))
            return too_large(r);
    }
    return true;
}

static bool read_type(reading *r, MPI_Datatype type, int depth);

/** What a constructor adds to the modes of its old type. */
static bool read_made_of(reading *r, made_of const *m, int depth)
{
    int const *const i = m->integer;
    MPI_Aint lower = 0, extent = 0;
    if (m->types != 1)
        return refused(r, "it is made of several datatypes");
    if (!read_type(r, m->type[0], depth + 1))
        return false;
    if (MPI_Type_get_extent(m->type[0], &lower, &extent) != MPI_SUCCESS)
        return refused(r, "MPI does not know an extent");
    switch (m->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return true;
    case MPI_COMBINER_CONTIGUOUS:
        return add_mode(r, i[0], 1, extent);
    case MPI_COMBINER_VECTOR:
        return add_mode(r, i[1], 1, extent) && add_mode(r, i[0], i[2], extent);
    case MPI_COMBINER_HVECTOR:
        return add_mode(r, i[1], 1, extent) && add_mode(r, i[0], 1, m->address[0]);
    case MPI_COMBINER_INDEXED:
        return add_blocks(r, i[0], i + 1, false, i + 1 + i[0], NULL, extent, extent);
    case MPI_COMBINER_HINDEXED:
        return add_blocks(r, i[0], i + 1, false, NULL, m->address, 1, extent);
    case MPI_COMBINER_INDEXED_BLOCK:
        return add_blocks(r, i[0], i + 1, true, i + 2, NULL, extent, extent);
    case MPI_COMBINER_HINDEXED_BLOCK:
        return add_blocks(r, i[0], i + 1, true, NULL, m->address, 1, extent);
    case MPI_COMBINER_STRUCT:
        return add_blocks(r, i[0], i + 1, false, NULL, m->address, 1, extent);
    case MPI_COMBINER_SUBARRAY:
        return add_subarray(r, i, extent);
    default:
        return refused(r, "its constructor is none of contiguous, vector, indexed, subarray, resized and dup");
    }
}

static bool read_type(reading *r, MPI_Datatype type, int depth)
{
    made_of m;
    if (depth > MOST_DEPTH)
        return refused(r, "more than 64 constructors");
    if (!take_made_of(r, type, &m))
        return false;
    if (m.combiner == MPI_COMBINER_NAMED) {
        MPI_Aint lower = 0, extent = 0;
        int size = 0;
        if (MPI_Type_size(type, &size) != MPI_SUCCESS || MPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS
            || size != extent || lower != 0)
            return refused(r, "a datatype of MPI with gaps");
        return add_mode(r, size, 1, 1);
    }
    bool const ok = read_made_of(r, &m, depth);
    free_made_of(&m);
    return ok;
}

bool tsr_dist_mpi_layout(int datatype, tsr_dtype type, tsr_layout *layout, int64_t *begin, tsr_message *error)
{
    int64_t const bits = tsr_dtype_bits(type), bytes = bits / 8;
    reading r = {0, {0}, {0}, 0, 1, error};
    if (bits <= 0 || bits % 8 != 0)
        return refused(&r, "elements are not whole bytes");
    if (!read_type(&r, MPI_Type_f2c(datatype), 0))
        return false;
    bool const run = r.modes > 0 && r.step[0] == 1;
    if ((run ? r.count[0] : 1) % bytes != 0)
        return tsr_dist_fail_(error, "no layout: runs of %lld bytes are no elements of %lld",
                              (long long)(run ? r.count[0] : 1), (long long)bytes);
    tsr_layout l = tsr_make_layout_from(tsr_int(run ? r.count[0] / bytes : 1), tsr_int(run ? 1 : 0));
    for (int k = run; k < r.modes; ++k) {
        if (r.step[k] % bytes != 0)
            return tsr_dist_fail_(error, "no layout: a step of %lld bytes is no number of elements of %lld",
                                  (long long)r.step[k], (long long)bytes);
        l = tsr_layout_append(l, tsr_make_layout_from(tsr_int(r.count[k]), tsr_int(r.step[k] / bytes)));
    }
    if (r.begin % bytes != 0)
        return tsr_dist_fail_(error, "no layout: the first byte, %lld, is inside of an element of %lld",
                              (long long)r.begin, (long long)bytes);
    *layout = tsr_layout_coalesce(l);
    *begin = r.begin / bytes;
    return true;
}
