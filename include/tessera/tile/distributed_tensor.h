/** Static distributed tensor: the elements of a tile that one thread holds, in the caller's buffer, named by Y.
 *
 *  Law     set_slice(t, s, get_slice(t, s)) changes nothing; shuffle there and back changes nothing.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/static_distributed_tensor.hpp, slice_tile.hpp,
 *          shuffle_tile.hpp; ops/reduce/block/block_reduce.hpp.
 */
#ifndef TSR_TILE_DISTRIBUTED_TENSOR_H
#define TSR_TILE_DISTRIBUTED_TENSOR_H

#include "tessera/tile/buffer_view.h"
#include "tessera/tile/operations.h"

TSR_HEADER_BEGIN

typedef struct tsr_distributed_tensor {
    tsr_encoding encoding;
    tsr_buffer_view buffer; /* of tsr_thread_buffer_size() elements; NULL: nothing happens on it */
} tsr_distributed_tensor;

/** The part of one thread: a buffer of elements in the order of its distribution. */
TSR_API tsr_distributed_tensor tsr_make_static_distributed_tensor(tsr_encoding const *e, void *buffer,
                                                                  tsr_dtype type);

TSR_API tsr_reason tsr_distributed_get_(tsr_distributed_tensor const *t, int64_t const *y, void *element,
                                        tsr_variable v);

TSR_API tsr_reason tsr_distributed_set_(tsr_distributed_tensor const *t, int64_t const *y, void const *element,
                                        tsr_variable v);

TSR_API tsr_reason tsr_set_tile_(tsr_distributed_tensor const *t, void const *element, tsr_variable v);

/** One element at Y; the type of *element is checked. Give the reason why not, or OK. */
#define tsr_distributed_get(t, y, element) tsr_distributed_get_(t, y, element, TSR_VARIABLE(element))
#define tsr_distributed_set(t, y, element) tsr_distributed_set_(t, y, element, TSR_VARIABLE(element))

/** Every element becomes *element. */
#define tsr_set_tile(t, element) tsr_set_tile_(t, element, TSR_VARIABLE(element))

/** The elements of a slice into `part`, whose encoding is the slice's. */
TSR_API void tsr_get_slice_tile(tsr_distributed_tensor const *t, tsr_encoding_slice const *slice,
                                tsr_distributed_tensor const *part);

/** The elements of `part` back into the slice. */
TSR_API void tsr_set_slice_tile(tsr_distributed_tensor const *t, tsr_encoding_slice const *slice,
                                tsr_distributed_tensor const *part);

/** The same elements in the order of Y of `to`. Errors  SHUFFLE, TYPE; nothing is moved then. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_shuffle_tile(tsr_distributed_tensor const *from,
                                                  tsr_distributed_tensor const *to);

/** Combines the elements of `t` of each X that is left into `sum`, whose encoding is the reduced one and whose elements
 *  are what they begin with: within the thread only. Errors  UPDATE_SPACE, UPDATE_TYPE, TYPE; nothing is done then. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_block_tile_reduce(tsr_distributed_tensor const *t,
                                                       tsr_distributed_tensor const *sum, uint32_t dims,
                                                       tsr_memory_operation op);

/** The step of a reduction between threads: combines the elements of all indices of P p that differ in its replication
 *  only, so that each of them has the result. `buffers` are those of all threads, one behind the other in the order of
 *  P, the last P fastest; what lanes do at once is a loop here. Copies that were there before a reduction count, too.
 *  Errors  LANES; UPDATE_TYPE; nothing is done then.
 *  Source  ROCm composable_kernel, ops/reduce/block/block_reduce.hpp: block_tile_reduce_sync, where p is the lane. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_block_tile_reduce_sync(tsr_encoding const *e, int p, tsr_memory_operation op,
                                                            tsr_dtype type, void *buffers);

TSR_HEADER_END

#endif
