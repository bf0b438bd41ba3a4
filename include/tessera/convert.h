/** Layouts in the words of other systems, and as code: read and written exactly, or refused with the reason.
 *
 *      triton   what Triton prints of a linear layout: - register=1 -> (0, 1) .. where out dims are: [dim0 (size 16)]
 *      ttg      #ttg.linear<{..}>, shared_linear; also read, with a shape: #ttg.blocked, slice, dot_op, nvidia_mma,
 *               amd_mfma, amd_wmma, swizzled_shared, nvmma_shared and padded_shared
 *      gluon    DistributedLinearLayout(reg_bases=[..], ..), SharedLinearLayout; also read: the other classes of Gluon
 *      cute     make_layout(make_shape(Int<4>{}, 8), make_stride(8, Int<1>{})); also read: Layout<..>, and prints
 *      cutedsl  cute.make_layout((4, 8), stride=(8, 1)) of the DSL in Python
 *      ck       naive((4,8),(8,1)), a descriptor, or dist{..}, the encoding of a distribution; both are expressions
 *      mdspan   std::layout_right::mapping<std::extents<std::size_t, 4, 8>>(), layout_left, layout_stride
 *      einops   rearrange("b (h w) c -> b c h w", h=4), with the shape of the tensor on the left; read only
 *      isl      { [i0, i1] -> [8*i0 + i1] : 0 <= i0 < 4 and 0 <= i1 < 8 }
 *      tilelang T.Fragment([8, 8], forward_thread_fn=lambda i, j: i * 4 + j // 2, forward_index_fn=lambda i, j: j % 2),
 *               T.Layout([4, 8], lambda i, j: i * 8 + j); also read: make_swizzled_layout(A), with a shape
 *      mpi      MPI_Type_vector(8, 4, 10, MPI_FLOAT, &a); MPI_Type_create_hvector(2, 1, 400, a, &b);
 *      numpy    shape=(4, 8), strides=(32, 4), the strides in bytes
 *      ggml     ne=(8, 4), nb=(4, 32): the first dimension is the last one of NumPy
 *      onednn   aBcd16b, nChw16c: a tag of blocked memory, with a shape
 *
 *  Law      what is written is read as the same function, with the same shape and size of elements.
 *  Source   triton-lang/triton, TritonGPUAttrDefs.td and LinearLayoutConversions.cpp; numpy.ndarray; ggml.h; oneDNN,
 *           "Memory formats".
 */
#ifndef TSR_CONVERT_H
#define TSR_CONVERT_H

#include "tessera/text.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, name): the systems. */
#define TSR_SYSTEM_LIST(X) \
    X(TRITON, triton) X(TTG, ttg) X(GLUON, gluon) X(CUTE, cute) X(CUTEDSL, cutedsl) X(CK, ck) X(NUMPY, numpy) \
    X(GGML, ggml) X(ONEDNN, onednn) X(MDSPAN, mdspan) X(EINOPS, einops) X(ISL, isl) \
    X(TILELANG, tilelang) X(MPI, mpi) X(TTG_NAMED, ttg_named)
/* clang-format on */

typedef enum tsr_system {
#define TSR_X_(id, name) TSR_SYSTEM_##id,
    TSR_SYSTEM_LIST(TSR_X_)
#undef TSR_X_
        TSR_SYSTEMS
} tsr_system;

/** A layout, or where it is none, a linear map. */
typedef struct tsr_converted {
    bool is_map;
    tsr_layout layout;
    tsr_linear map;
} tsr_converted;

/** The system of a name; TSR_SYSTEMS for an unknown one. */
TSR_API tsr_system tsr_system_named(char const *name);
TSR_API char const *tsr_system_name(tsr_system system);

/** The system that a text looks like; TSR_SYSTEMS: it may be an expression. */
TSR_API tsr_system tsr_system_of(char const *text);

/** Reads a text of a system. `shape` is the extents of the tensor, slowest first, where the text has none, else ();
 *  `bytes` the size of an element. *error says why not. */
TSR_TRY bool tsr_convert_read(tsr_system from, char const *text, tsr_tuple shape, int64_t bytes, tsr_converted *r,
                              tsr_message *error);

/** The value of a text: of the system that it looks like, or of an expression. `flags` are those of text.h; *error says
 *  why there is none. (Component calc.) */
TSR_TRY bool tsr_converted_of(char const *text, unsigned flags, tsr_tuple shape, int64_t bytes, tsr_converted *r,
                              tsr_message *error);

/** Writes a value in the words of a system, as snprintf does; false, and nothing, where the system has no words for it:
 *  *error says which part. */
TSR_TRY bool tsr_convert_write(char *out, size_t size, tsr_system to, tsr_converted const *v, int64_t bytes,
                               tsr_message *error);

/* clang-format off */
/** X(id, name): the languages of tsr_emit. */
#define TSR_CODE_LIST(X) \
    X(C, c) X(CUDA, cuda) X(HIP, hip) X(PYTHON, python) X(TRITON, triton) X(CUTE, cute)
/* clang-format on */

typedef enum tsr_code {
#define TSR_X_(id, name) TSR_CODE_##id,
    TSR_CODE_LIST(TSR_X_)
#undef TSR_X_
        TSR_CODES
} tsr_code;

/** The language of a name; TSR_CODES for an unknown one. */
TSR_API tsr_code tsr_code_named(char const *name);

/** Writes the index function as code that needs nothing else, as snprintf does. It is a function `offset` of the index.
 *  A map, or a layout of coordinates, has one for each output, of its name. For CuTe it is a function `layout` that
 *  returns the layout. An invalid value is refused with its reason. */
TSR_TRY bool tsr_emit(char *out, size_t size, tsr_code in, tsr_converted const *v, tsr_message *error);

/** Writes a copy between two layouts of one size: their index functions, and `copy(to, from)`, a loop in C and Python,
 *  a kernel in CUDA, HIP and Triton, and `copy_elements` by CuTe. `type` is the element type in C, CUDA and HIP.
 *  Errors  DIFFER_SIZE; coordinates in the place of offsets; elements of other sizes than 8, 16, 32 and 64 bits. */
TSR_TRY bool tsr_emit_copy(char *out, size_t size, tsr_code in, tsr_converted const *from, tsr_converted const *to,
                           tsr_dtype type, tsr_message *error);

TSR_HEADER_END

#endif
