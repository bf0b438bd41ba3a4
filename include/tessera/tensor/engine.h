/** Engine: the pointer, counter or coordinate to which a tensor adds the offsets of its layout.
 *
 *      counting     an integer: the element at offset k is n + k
 *      coordinates  a coordinate: the element at a basis offset is the sum (identity and TMA tensors)
 *      pointer      an address of elements of a type, in a memory space, to be written or only read
 *
 *  Any engine may have one function, which is applied when an element is read (tensor/access.h).
 *
 *  Source  CuTe, include/cute/pointer*.hpp, numeric/arithmetic_tuple.hpp, tensor_impl.hpp.
 */
#ifndef TSR_TENSOR_ENGINE_H
#define TSR_TENSOR_ENGINE_H

#include "tessera/base/number.h"
#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

typedef enum tsr_engine_kind { TSR_COUNTING, TSR_COORDINATES, TSR_POINTER } tsr_engine_kind;

/** rmem is where untagged pointers point, too. CK Tile's names: global is gmem, lds smem; vgpr, sgpr and generic
 *  rmem. */
typedef enum tsr_space { TSR_RMEM, TSR_GMEM, TSR_SMEM, TSR_TMEM } tsr_space;

/** The function that is applied to an element when it is read. */
typedef enum tsr_map_kind { TSR_AS_IS, TSR_CAST, TSR_SCALE_BY, TSR_FUNCTION, TSR_INSIDE } tsr_map_kind;

typedef tsr_number (*tsr_function)(tsr_number x, void const *context);

typedef struct tsr_map {
    uint8_t kind;
    tsr_dtype type; /* cast: to this one */
    double scale;
    tsr_function function;
    void const *context; /* function: its second argument; inside: the shape, a tsr_tuple */
} tsr_map;

typedef struct tsr_engine {
    uint8_t kind, space;
    uint8_t bit;         /* pointer to elements smaller than a byte: the bit within the byte */
    bool constant;       /* pointer: the elements are not to be written */
    tsr_dtype type;      /* pointer: of one element */
    uint64_t address;    /* pointer: of a byte; tmem: lane and column */
    uint64_t begin, end; /* pointer: the bytes that may be touched (tensor/reach.h); end 0: not known */
    tsr_swizzle swizzle; /* smem: what the byte address goes through when the pointer is read */
    tsr_tuple at;        /* counting: the integer, coordinates: the coordinate; invalid: why the engine is */
    tsr_map map;
} tsr_engine;

/** The bits of one element of a pointer. */
TSR_FN int tsr_engine_bits(tsr_engine e) { return tsr_dtype_bits(e.type); }

TSR_EVAL tsr_engine tsr_engine_of_(tsr_engine_kind kind, tsr_tuple at)
{
    tsr_engine r = TSR_ZERO;
    r.kind = (uint8_t)kind;
    r.at = at;
    return r;
}

/** counting_iter(n). */
TSR_OP tsr_engine tsr_counting_iter(tsr_tuple n);

/** An iterator over coordinates that begins at `at`. */
TSR_FN tsr_engine tsr_make_inttuple_iter(tsr_tuple at) { return tsr_engine_of_(TSR_COORDINATES, at); }

/** The same, of a tuple also for one integer, as CuTe prints it: ArithTuple(0). */
TSR_FN tsr_engine tsr_arith_tuple(tsr_tuple at) { return tsr_make_inttuple_iter(tsr_wrap(at)); }

/** Pointers to elements of a type at an address, tagged with their memory space. */
TSR_OP tsr_engine tsr_gmem_ptr(tsr_tuple address, tsr_dtype type);

TSR_OP tsr_engine tsr_smem_ptr(tsr_tuple address, tsr_dtype type);

TSR_OP tsr_engine tsr_rmem_ptr(tsr_tuple address, tsr_dtype type);

/** Tensor memory is addressed by lanes (high half) and 32-bit columns (low half). */
TSR_OP tsr_engine tsr_tmem_ptr(tsr_tuple address, tsr_dtype type);

TSR_FN uint32_t tsr_rotate_(uint32_t x, int left) { return left == 0 ? x : x << left | x >> (32 - left); }

/** tsr_engine_add in place. */
TSR_FN void tsr_engine_move_(tsr_engine *e, tsr_tuple const *offset)
{
    if (e->at.status)
        return;
    if (offset->status || e->kind != TSR_POINTER) {
        e->at = offset->status ? *offset : tsr_add(e->at, *offset);
        return;
    }
    int64_t const n = offset->leaf[0].value;
    if (!tsr_is_leaf(offset) || !tsr_leaf_is_int(offset->leaf[0])) {
        e->at = tsr_bad_tuple(TSR_BASIS, 0, 0, 0, 0);
    } else if (e->space == TSR_TMEM) { /* parts of a column are counted in the highest bits */
        int const parts = tsr_bit_width((uint64_t)(32 / tsr_dtype_bits(e->type))) - 1;
        e->address = tsr_rotate_(tsr_rotate_((uint32_t)e->address, parts) + (uint32_t)((uint64_t)n & 0xffffffffu),
                                 parts == 0 ? 0 : 32 - parts);
    } else {
        int64_t distance = 0;
        if (!tsr_mul64(n, tsr_dtype_bits(e->type), &distance) || !tsr_add64(distance, e->bit, &distance)) {
            e->at = tsr_bad_tuple(TSR_OVERFLOW, 0, n, 0, 0);
            return;
        }
        int64_t const bit = ((distance % 8) + 8) % 8;
        e->address += (uint64_t)((distance - bit) / 8);
        e->bit = (uint8_t)bit;
    }
}

/** The engine `offset` elements on. Units: a pointer and a counter take integers, a coordinate takes coordinates. */
TSR_FN tsr_engine tsr_engine_add(tsr_engine e, tsr_tuple offset)
{
    tsr_engine_move_(&e, &offset);
    return e;
}

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tensor/body/engine.h"
#endif

#endif
