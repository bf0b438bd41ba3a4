/** MPI as a transport: nonblocking messages, and windows of shared memory between the ranks of a host.
 *
 *      tsr_dist_mpi *mpi = tsr_dist_mpi_open(MPI_Comm_c2f(MPI_COMM_WORLD), &error);
 *      tsr_dist_transport const t = tsr_dist_mpi_transport(mpi);
 *      tsr_dist_redistribute(&plan, &t, TSR_F64, old, new_, 0, &error);
 *      tsr_dist_mpi_close(mpi);
 *
 *  These functions are in a library of their own, tessera::mpi, which is built where CMake finds MPI. Communicators are
 *  handles of Fortran, so that this header needs no <mpi.h> and holds for every MPI.
 *
 *  Law     The transport has a communicator of its own: its messages meet no others. MPI's own handler of errors ends
 *          the program, or returns, as the caller has set it for that communicator's parent.
 */
#ifndef TSR_MESH_MPI_H
#define TSR_MESH_MPI_H

#include "tessera/mesh/run.h"

TSR_HEADER_BEGIN

typedef struct tsr_dist_mpi tsr_dist_mpi;

/** A transport between the ranks of a communicator (MPI_Comm_c2f). All its ranks call it. NULL: an error of MPI. */
TSR_TRY tsr_dist_mpi *tsr_dist_mpi_open(int communicator, tsr_message *error);

/** Gives back all that it has, memory of windows too. All ranks call it. */
TSR_API void tsr_dist_mpi_close(tsr_dist_mpi *mpi);

/** The table of functions. */
TSR_API tsr_dist_transport tsr_dist_mpi_transport(tsr_dist_mpi *mpi);

/** Memory for old parts that the ranks of a host see: one copy moves its elements. All ranks call it, once, and then
 *  run plans from this memory only. NULL: an error, on this rank at least. */
TSR_TRY void *tsr_dist_mpi_memory(tsr_dist_mpi *mpi, int64_t bytes, tsr_message *error);

/** How many seconds a run waits for a message, or for the others, before it fails with the rank that it waits for; 0,
 *  as at first, is for ever. A rank that has ended never answers. After such an error the transport is of no use: end
 *  the program by MPI_Abort, because MPI_Finalize may wait for the lost rank, too. */
TSR_API void tsr_dist_mpi_timeout(tsr_dist_mpi *mpi, double seconds);

/** How many ranks in a row share a host, on all hosts: what tsr_dist_plan_make asks for. */
TSR_API int64_t tsr_dist_mpi_host(tsr_dist_mpi const *mpi);

/** The MPI datatype (MPI_Type_f2c) of the elements of a layout, committed; end it with MPI_Type_free.
 *  Law     Element i of a message is the one at offset l(i), for every index i. The type has one constructor for a
 *          run of bytes, and one for each other mode of the coalesced layout. Beyond 2^30 items a mode is groups of
 *          2^30, and the rest behind them.
 *  Errors  swizzles, basis strides and elements below a byte; a layout of 2^62 bytes. false: `*datatype` is left. */
TSR_TRY bool tsr_dist_mpi_type(tsr_layout l, tsr_dtype type, int *datatype, tsr_message *error);

/** The layout of an MPI datatype (MPI_Type_c2f) whose elements have one type.
 *  Law     Element i of a message of one datatype is the one at *begin + l(i), counted in elements from its address. So
 *          tsr_dist_mpi_type comes back: equal offsets, the modes coalesced.
 *  Errors  false and a message: blocks of different lengths or at different steps, several old types, distributed
 *          arrays, runs and steps that are no whole elements. */
TSR_TRY bool tsr_dist_mpi_layout(int datatype, tsr_dtype type, tsr_layout *layout, int64_t *begin,
                                 tsr_message *error);

TSR_HEADER_END

#endif
