/** MPI datatypes from layouts: nested vectors of bytes, a mode of the coalesced layout each. */
#include <limits.h>
#include <mpi.h>

#include "tessera/core/coalesce.h"
#include "tessera/dist/mpi.h"

static bool refused(tsr_message *error, char const *words)
{
    error->at = 0;
    snprintf(error->text, sizeof error->text, "no MPI datatype: %s", words);
    return false;
}

/** `count` times `block` of the old type at steps of bytes. It takes the place of the old type. */
static int nest(MPI_Datatype *type, int64_t count, int64_t block, int64_t step)
{
    MPI_Datatype const old = *type;
    MPI_Datatype freed = old;
    int const code = MPI_Type_create_hvector((int)count, (int)block, (MPI_Aint)step, old, type);
    if (old != MPI_BYTE)
        MPI_Type_free(&freed);
    if (code != MPI_SUCCESS)
        *type = MPI_DATATYPE_NULL;
    return code;
}

bool tsr_dist_mpi_type(tsr_layout l, tsr_dtype type, int *datatype, tsr_message *error)
{
    int64_t const bits = tsr_dtype_bits(type), bytes = bits / 8;
    tsr_layout const c = tsr_layout_coalesce(tsr_static_all(l));
    MPI_Datatype made = MPI_BYTE;
    int64_t block = bytes; /* bytes of a run */
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
        block = tsr_mul64_most(block, c.shape.leaf[0].value);
        first = 1;
    }
    if (block > INT_MAX)
        return refused(error, "a run of more than 2^31 - 1 bytes");
    for (int k = first; k < c.shape.leaves; ++k)
        if (c.shape.leaf[k].value > INT_MAX || tsr_abs64(c.stride.leaf[k].value) > (uint64_t)TSR_INT_MAX / 16)
            return refused(error,
                           "a mode of more than 2^31 - 1 elements, or a step that is no 64-bit number of bytes");
    if (first == c.shape.leaves)
        code = MPI_Type_contiguous((int)block, MPI_BYTE, &made);
    for (int k = first; k < c.shape.leaves && code == MPI_SUCCESS; ++k)
        code = nest(&made, c.shape.leaf[k].value, k == first ? block : 1, c.stride.leaf[k].value * bytes);
    code = code ? code : MPI_Type_commit(&made);
    if (code != MPI_SUCCESS)
        return refused(error, "MPI has no room for it");
    *datatype = (int)MPI_Type_c2f(made);
    return true;
}
