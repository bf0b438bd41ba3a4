/** Makers of distributed layouts, from the words of other systems.
 *
 *  Errors  false and a message; each result holds the law of tsr_dist_check.
 */
#ifndef TSR_MESH_MAKE_H
#define TSR_MESH_MAKE_H

#include "tessera/mesh/layout.h"

TSR_HEADER_BEGIN

/** ScaLAPACK's descriptor of an m by n matrix in blocks of mb by nb, on p by q processes. */
typedef struct tsr_scalapack {
    int64_t m, n, mb, nb, p, q;
    int64_t rsrc, csrc; /* the process of the first row and of the first column */
    int64_t lld;        /* leading dimension of local memory; 0: the rows of the process */
    bool columns;       /* ranks are numbered down the columns of the grid, else along its rows */
} tsr_scalapack;

TSR_TRY bool tsr_dist_from_scalapack(tsr_scalapack const *s, tsr_dist_layout *d, tsr_message *error);

/* clang-format off */
/** X(id, name, help): the placements of DTensor, one an axis of the mesh. */
#define TSR_PLACEMENT_LIST(X)                                                          \
  X(SHARD, "S", "S(mode): chunks of a mode, of ceil(extent / ranks) elements")         \
  X(STRIDED, "SS", "SS(mode, factor): parts of ceil(extent / factor), each in chunks by its own length") \
  X(REPLICATE, "R", "R: copies")                                                       \
  X(PARTIAL, "P", "P: addends")
/* clang-format on */

typedef enum tsr_placement_kind {
#define TSR_X_(id, name, help) TSR_PLACE_##id,
    TSR_PLACEMENT_LIST(TSR_X_)
#undef TSR_X_
        TSR_PLACEMENTS
} tsr_placement_kind;

typedef struct tsr_placement {
    tsr_placement_kind kind;
    int mode;
    int64_t factor;
} tsr_placement;

/** DTensor: one placement an axis of the mesh, whose last axis has neighbouring ranks. Placements take effect from left
 *  to right, or in the order of axes in `order`, unless it is NULL. Parts are compact, the last mode contiguous.
 *          Where the ranks' elements lie alike the splits are shards, and else chunks.
 *  Source  PyTorch, torch/distributed/tensor/placement_types.py. */
TSR_TRY bool tsr_dist_from_placements(int modes, int64_t const *extent, int axes, int64_t const *mesh,
                                      tsr_placement const *placement, int const *order, tsr_dist_layout *d,
                                      tsr_message *error);

/** JAX and XLA: "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{replicated}", "{maximal device=3}", with iota,
 *  transposed iota or a list of devices. Parts are compact, the last mode contiguous.
 *  Errors  a list of devices in which the number of a device is no sum of what each mode of the tiles adds.
 *  Source  XLA, xla/hlo/ir/hlo_sharding.h and tile_assignment.h. */
TSR_TRY bool tsr_dist_from_sharding(int modes, int64_t const *extent, char const *text, tsr_dist_layout *d,
                                    tsr_message *error);

/** One format of HPF: `*` (extent 1 of the grid is not used), BLOCK, BLOCK(m), CYCLIC, CYCLIC(k), GEN_BLOCK(sizes). */
typedef enum tsr_hpf_kind { TSR_HPF_WHOLE, TSR_HPF_BLOCK, TSR_HPF_CYCLIC, TSR_HPF_GEN_BLOCK } tsr_hpf_kind;

typedef struct tsr_hpf_format {
    tsr_hpf_kind kind;
    int64_t size;         /* 0: ceil(extent / processors) of a block, 1 of a cycle; of GEN_BLOCK how many sizes */
    int64_t const *sizes; /* of GEN_BLOCK: the elements of each processor */
} tsr_hpf_format;

/** HPF's DISTRIBUTE: the formats that are not WHOLE take the axes of the grid in turn. The first axis has neighbouring
 *  ranks, and the first mode is contiguous. */
TSR_TRY bool tsr_dist_from_hpf(int modes, int64_t const *extent, tsr_hpf_format const *format, int axes,
                               int64_t const *grid, tsr_dist_layout *d, tsr_message *error);

/** MPI_Type_create_darray: one format and one size of the grid for each mode. The last axis of the grid has
 *  neighbouring ranks. The last mode is contiguous, or the first one (MPI_ORDER_FORTRAN).
 *  Source  MPI 4.1, 5.1.4. */
TSR_TRY bool tsr_dist_from_darray(int modes, int64_t const *extent, tsr_hpf_format const *format, int64_t const *grid,
                                  bool fortran, tsr_dist_layout *d, tsr_message *error);

/** A tensor with other extents, whose ranks keep their memory: torch's view of a DTensor.
 *  Law     Element f of all, counted in the order of memory, is at the same rank and offset before and after.
 *  Errors  a split that is none of the new modes, memory with gaps, another number of elements, and 0. */
TSR_TRY bool tsr_dist_view(tsr_dist_layout const *d, int modes, int64_t const *extent, tsr_dist_layout *view,
                           tsr_message *error);

/** X(id, name): the systems whose texts are read and written. `intervals` is no system: modes by tables. */
#define TSR_DIST_SYSTEM_LIST(X) \
  X(SCALAPACK, "scalapack")     \
  X(DTENSOR, "dtensor") X(XLA, "xla") X(HPF, "hpf") X(DARRAY, "darray") X(INTERVALS, "intervals")

typedef enum tsr_dist_system {
#define TSR_X_(id, name) TSR_DIST_##id,
    TSR_DIST_SYSTEM_LIST(TSR_X_)
#undef TSR_X_
        TSR_DIST_SYSTEMS
} tsr_dist_system;

/** Reads the text of a distributed layout.
 *
 *      scalapack(M,N,MB,NB,P,Q[,RSRC,CSRC[,LLD]][,C])   C: ranks down the columns of the grid
 *      dtensor((9,8),(2,2),[S(0),R])                    [S(0)[1],S(0)[0]]: the second axis cuts mode 0 first
 *      xla((8,8),{devices=[2,1,2]<=[4] last_tile_dim_replicate})
 *      dtensor((9),(4),[_StridedShard(dim=0, sf=2)])    placements as torch prints them
 *      hpf((9,8),(BLOCK,CYCLIC(2)),(2,2))
 *      hpf((9),(GEN_BLOCK(2,3,4)),(3))
 *      darray((9,8),(BLOCK,NONE),(2,1)[,F])             F: MPI_ORDER_FORTRAN
 *      intervals((9,8),((0:2,1:3,0:4),*),(2))           rank:length of each mode; the last axis has neighbouring ranks
 *
 *  each with @N behind it where the ranks begin at N. error->at is the character at fault. */
TSR_TRY bool tsr_dist_parse(char const *text, tsr_dist_layout *d, tsr_message *error);

/** The same of a text that may go on: *used is where. */
TSR_TRY bool tsr_dist_parse_front(char const *text, tsr_dist_layout *d, size_t *used, tsr_message *error);

/** The distributed layout of an expression of the calculator, or of a layout into (rank, offset); flags as for
 *  tsr_evaluate. It is of the component calc. */
TSR_TRY bool tsr_dist_read(char const *text, unsigned flags, tsr_dist_layout *d, tsr_message *error);

/** Does a text begin with the name of a system and a bracket? */
TSR_API bool tsr_dist_begins(char const *text);

/** The text of a system that tsr_dist_parse reads as the same layout, as snprintf writes it.
 *  Errors  0: the system has no text for the layout, and the message says what it lacks. */
TSR_TRY size_t tsr_dist_format_as(tsr_dist_system system, char *out, size_t size, tsr_dist_layout const *d,
                                  tsr_message *error);

TSR_HEADER_END

#endif
