/** MPI datatypes from layouts: nested vectors of bytes, a mode of the coalesced layout each. */
#include <mpi.h>

#include "tessera/core/coalesce.h"
#include "tessera/mesh/mpi.h"

static bool refused(tsr_message *error, char const *words)
{
    error->at = 0;
    snprintf(error->text, sizeof error->text, "no MPI datatype: %s", words);
    return false;
}

/** The most that one constructor repeats: a power of two, so that runs of most sizes are whole blocks. */
static int64_t const most = (int64_t)1 << 30;

static void forget(MPI_Datatype *type)
{
    if (*type != MPI_BYTE && *type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
    *type = MPI_DATATYPE_NULL;
}

/** `count` times `block` of a type at steps of bytes; both are ints. */
static int vector(MPI_Datatype old, int64_t count, int64_t block, int64_t step, MPI_Datatype *type)
{
    int const code = MPI_Type_create_hvector((int)count, (int)block, (MPI_Aint)step, old, type);
    if (code != MPI_SUCCESS)
        *type = MPI_DATATYPE_NULL;
    return code;
}

/** `count` times the old type at steps of bytes. It takes the place of the old type. More than an int holds are groups
 *  of `most`, and the rest behind them. */
static int repeat(MPI_Datatype *type, int64_t count, int64_t step)
{
    MPI_Datatype old = *type, part[3] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    int64_t const groups = count / most, rest = count % most;
    int const one[] = {1, 1};
    MPI_Aint const at[] = {0, (MPI_Aint)(groups * most * step)};
    bool const run = old == MPI_BYTE && step == 1;
    int code = MPI_SUCCESS;
    if (groups > 0)
        code = run ? vector(old, 1, most, 1, &part[0]) : vector(old, most, 1, step, &part[0]);
    if (groups > 0 && code == MPI_SUCCESS)
        code = vector(part[0], groups, 1, most * step, &part[1]);
    if (rest > 0 && code == MPI_SUCCESS)
        code = run ? vector(old, 1, rest, 1, &part[2]) : vector(old, rest, 1, step, &part[2]);
    *type = groups > 0 ? part[1] : part[2];
    if (groups > 0 && rest > 0 && code == MPI_SUCCESS) {
        code = MPI_Type_create_struct(2, one, at, &part[1], type);
        forget(&part[1]);
        forget(&part[2]);
    }
    forget(&part[0]);
    forget(&old);
    return code;
}

/** Are the bytes of a layout, and those that it reaches over, fewer than 2^62? */
static bool is_reached(tsr_layout const *l, int64_t bytes)
{
    int64_t const limit = (int64_t)1 << 62;
    int64_t reach = bytes;
    for (int k = 0; k < l->shape.leaves; ++k) {
        uint64_t const step = tsr_abs64(l->stride.leaf[k].value);
        if (step >= (uint64_t)limit)
            return false;
        int64_t const more = tsr_mul64_most(l->shape.leaf[k].value, tsr_mul64_most((int64_t)step, bytes));
        if (more >= limit - reach)
            return false;
        reach += more;
    }
    return tsr_mul64_most(tsr_layout_size(*l), bytes) < limit;
}

bool tsr_dist_mpi_type(tsr_layout l, tsr_dtype type, int *datatype, tsr_message *error)
{
    int64_t const bits = tsr_dtype_bits(type), bytes = bits / 8;
    tsr_layout const c = tsr_layout_coalesce(tsr_static_all(l));
    MPI_Datatype made = MPI_BYTE;
    int64_t run = bytes;
    int first = 0, code = MPI_SUCCESS;
    if (bits <= 0 || bits % 8 != 0)
        return refused(error, "elements are not whole bytes");
    if (!tsr_layout_ok(c)) {
        tsr_format_layout(error->text, sizeof error->text, c, 0);
        return false;
    }
    if (c.composed || tsr_has_basis(&c.stride))
        return refused(error, "a swizzle or a basis stride is no step in bytes");
    if (c.stride.leaf[0].value == 1) {
        run = tsr_mul64_most(run, c.shape.leaf[0].value);
        first = 1;
    }
    if (!is_reached(&c, bytes))
        return refused(error, "the layout has 2^62 bytes or more, or reaches as far");
    code = repeat(&made, run, 1);
    for (int k = first; k < c.shape.leaves && code == MPI_SUCCESS; ++k)
        code = repeat(&made, c.shape.leaf[k].value, c.stride.leaf[k].value * bytes);
    code = code ? code : MPI_Type_commit(&made);
    if (code != MPI_SUCCESS)
        return refused(error, "MPI has no room for it");
    *datatype = (int)MPI_Type_c2f(made);
    return true;
}
