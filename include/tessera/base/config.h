/** Language and platform: the only file that asks which compiler is at work.
 *
 *  TSR_FN         a function that folds into a constant or an index (values, literals, evaluation, small queries):
 *                 inline in C, where the library has a symbol of it, too; constexpr in C++, on host and device in
 *                 CUDA and HIP
 *  TSR_EVAL       the same, for the few that must fold into their caller
 *  TSR_INLINE     the same, of a function that reads or writes memory: never constexpr
 *  TSR_REF        the same, for the few that must fold into their caller
 *  TSR_LITERAL    TSR_EVAL for makers of literals. They are large where no number is known. So the C file that has the
 *                 inline functions as symbols calls them
 *  TSR_OP         a function that computes, checks or plans: a symbol of the library in C; in C++, CUDA and HIP its
 *                 body is in a header, as that of TSR_FN is
 *  TSR_INTERNAL   the same between the rooms of the library: no symbol of a shared one
 *  TSR_LOCAL      a function of one file of the library, or of the bodies of one room
 *  TSR_OP_MEMORY, TSR_LOCAL_MEMORY
 *                 the same, of a function that reads or writes memory: never constexpr
 *  TSR_LOCAL_REF  the same, for the few that must fold into their caller
 *  TSR_BODIES     1 where the headers bring the bodies of operations: in C++, CUDA and HIP, and in the one C file of a
 *                 program without the library that defines TSR_IMPLEMENTATION
 *  TSR_MEMBER     the same as a member of a struct of C++ and CUDA
 *  TSR_COPY       copies n bytes that do not overlap
 *  TSR_RESTRICT   before a pointer through which alone its bytes are reached
 *  TSR_ALIGNED    a pointer that is a multiple of n bytes, where that makes a difference: on a GPU
 *  TSR_ALIGN      before a member: at multiples of n bytes
 *  TSR_ALIGNMENT  the alignment of a type; in C also of an expression
 *  TSR_BIG_ENDIAN 1 where the first byte of a number in memory is the highest one, else 0
 *  TSR_HAS_OVERFLOW
 *                 1 where the compiler computes in 64 bits and says whether the result fits
 *  TSR_ON_GPU     1 where code for a GPU is generated, else 0
 *  TSR_TRAP       ends a program, or a kernel, without words
 *  TSR_HAS_WGMMA  0 where code for a GPU without wgmma is generated, else 1
 *  TSR_HAS_TMA    0 where code for a GPU before sm_90 is generated, else 1
 *  TSR_EMULATE    1 where kernels are compiled for the CPU (emulate/run.h), else 0
 *  TSR_GPU_ARCH   the GPU that code is generated for, 900 for sm_90; 0 on a host, and for the emulator of kernels
 *  TSR_GPU_EXACT, TSR_GPU_FAMILY
 *                 1 where that code is for this GPU alone (sm_90a), or for its family (sm_100f), else 0
 *  TSR_CAS        compare and swap of a 32-bit or 64-bit word, atomic; gives the old value
 *  TSR_CAS_HALF   1 where it takes words of 16 bits, too
 *  TSR_PART       a function of the headers that is a part of one other and keeps its own frame in C, so that the large
 *                 values of the parts of a long operation are not on the stack at the same time
 *  TSR_APART      a function of the headers that reads or writes memory and is never folded into its caller
 *  TSR_CONST      a layout known when code is generated: `const` in C, `constexpr` in C++ and CUDA
 *  TSR_ZERO       the initialiser of an all-zero struct
 *  TSR_SCRATCH    after the name of a large local that is written before it is read: cleared only where a constant
 *                 expression needs that
 *  TSR_HEADER_BEGIN, TSR_HEADER_END
 *                 around the code of a header: a C++ program that asks for warnings of C's casts and of 0 as a pointer
 *                 gets them for its own code only
 *  TSR_UNROLL     before a loop with a constant bound that must disappear when its data are constants
 *  TSR_IS_KNOWN   may loops be unrolled, since the compiler knows this number?
 *  TSR_CHECKED    1: tsr_ref and its kin check type, coordinate and bounds; the default is 1 where the compiler does
 *                 not optimize and NDEBUG is not defined, on a host
 *  TSR_API        a function of the compiled library
 *  TSR_ARG        in C++, how a function that folds takes a value: by reference, so that no loop copies it. Device code
 *                 cannot refer to a constant of the host, so CUDA and HIP take it by value
 *  TSR_WEAK       behind it: its address is 0 in a C++ program that is linked without the library
 *  TSR_TRY        one that can fail: a program that does not look at its result gets a warning
 *  TSR_NODISCARD  the same warning, behind TSR_INLINE and the others
 */
#ifndef TSR_BASE_CONFIG_H
#define TSR_BASE_CONFIG_H

#if !defined(__CUDACC_RTC__)
#  include <stdbool.h>
#  include <stddef.h>
#  include <stdint.h>
#  include <string.h>
#else /* NVRTC has no headers; these are the types that libcu++ gives it */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#endif

#define TSR_VERSION_MAJOR 0
#define TSR_VERSION_MINOR 1
#define TSR_VERSION_PATCH 0

/** The most leaves a tuple holds. No layout recorded from CuTe needs more than 15; at 32 gcc leaves a literal
 *  unfolded and clang takes four times as long to fold them (docs/design.md, "Capacity"). */
#ifndef TSR_MAX_LEAVES
#  define TSR_MAX_LEAVES 16
#endif

/** The most parentheses that open at one leaf; a tuple is then at most TSR_MAX_DEPTH deep. */
#define TSR_MAX_OPEN 15
#define TSR_MAX_DEPTH (TSR_MAX_OPEN * TSR_MAX_LEAVES)

/** How many coordinates a law is tried on when no rule on the modes decides it. */
#ifndef TSR_LAW_BUDGET
#  define TSR_LAW_BUDGET 65536
#endif

/** How many elements one search visits, and one picture or query of memory: what would take more is refused with this
 *  number, so that no expression takes long. */
#ifndef TSR_WORK_BUDGET
#  define TSR_WORK_BUDGET 4194304
#endif

/* Functions, and those of templates, which other macros follow: NVRTC reads the body of a template where it is called,
 * and those of all other functions at once. So there each function is a template of nothing. */
#if defined(__CUDACC__)
#  define TSR_TEMPLATE_FN static __host__ __device__ constexpr inline
#  define TSR_TEMPLATE_EVAL static __host__ __device__ __forceinline__ constexpr
#  if defined(__CUDACC_RTC__)
#    define TSR_FN template <int...> TSR_TEMPLATE_FN
#    define TSR_EVAL template <int...> TSR_TEMPLATE_EVAL
#  endif
#  define TSR_INLINE static __host__ __device__ inline
#  define TSR_REF static __host__ __device__ __forceinline__
#  define TSR_MEMBER __host__ __device__ __forceinline__
#elif defined(__HIP__) /* the attributes, for their names come from a header of HIP that may not be there */
#  define TSR_BOTH_ __attribute__((host)) __attribute__((device))
#  define TSR_TEMPLATE_FN static TSR_BOTH_ constexpr inline
#  define TSR_TEMPLATE_EVAL static TSR_BOTH_ inline __attribute__((always_inline)) constexpr
#  define TSR_INLINE static TSR_BOTH_ inline
#  define TSR_REF static TSR_BOTH_ inline __attribute__((always_inline))
#  define TSR_MEMBER TSR_BOTH_ inline __attribute__((always_inline))
#elif defined(__cplusplus)
#  define TSR_TEMPLATE_FN static constexpr inline
#  define TSR_INLINE static inline
#elif defined(TSR_IMPLEMENTATION) || defined(TSR_INLINE_SYMBOLS) /* C: the file whose inline functions are symbols */
#  define TSR_FN TSR_API inline
#  define TSR_INLINE TSR_API inline
#else
#  define TSR_FN inline
#  define TSR_INLINE inline
#endif

#if !defined(TSR_FN)
#  define TSR_FN TSR_TEMPLATE_FN
#endif

#if defined(TSR_TEMPLATE_EVAL) && !defined(TSR_EVAL)
#  define TSR_EVAL TSR_TEMPLATE_EVAL
#elif !defined(TSR_EVAL)
#  if defined(__GNUC__)
#    define TSR_EVAL TSR_FN __attribute__((always_inline))
#    define TSR_REF TSR_INLINE __attribute__((always_inline))
#    define TSR_MEMBER inline __attribute__((always_inline))
#  else
#    define TSR_EVAL TSR_FN
#    define TSR_REF TSR_INLINE
#    define TSR_MEMBER inline
#  endif
#  define TSR_TEMPLATE_EVAL TSR_EVAL
#endif

/* What calls the library: there is none on a device, which nvcc says of each function of both that calls it. */
#if (defined(__CUDACC__) && !defined(__CUDACC_RTC__)) || defined(__HIP__)
#  define TSR_HOST static inline
#  define TSR_HOST_REF static inline __attribute__((always_inline))
#  define TSR_HOST_MEMBER inline __attribute__((always_inline))
#else
#  define TSR_HOST TSR_INLINE
#  define TSR_HOST_REF TSR_REF
#  define TSR_HOST_MEMBER TSR_MEMBER
#endif

#if defined(__cplusplus) || !(defined(TSR_IMPLEMENTATION) || defined(TSR_INLINE_SYMBOLS))
#  define TSR_LITERAL TSR_EVAL
#else
#  define TSR_LITERAL TSR_FN
#endif

#if defined(__cplusplus)
#  define TSR_CONST constexpr
#  define TSR_ZERO \
    {              \
    }
#  define TSR_SCRATCH = {}
#  define TSR_BODIES 1
#  define TSR_OP TSR_FN
#  define TSR_OP_MEMORY TSR_INLINE
#  define TSR_INTERNAL TSR_FN
#  define TSR_LOCAL TSR_FN
#  define TSR_LOCAL_MEMORY TSR_INLINE
#else
#  define TSR_CONST const
#  define TSR_ZERO \
    {              \
      0            \
    }
#  define TSR_SCRATCH
#  if defined(TSR_IMPLEMENTATION)
#    define TSR_BODIES 1
#  else
#    define TSR_BODIES 0
#  endif
#  define TSR_OP TSR_API
#  define TSR_OP_MEMORY TSR_API
#  if defined(__GNUC__)
#    define TSR_INTERNAL extern __attribute__((visibility("hidden")))
#  else
#    define TSR_INTERNAL extern
#  endif
#  define TSR_LOCAL static inline
#  define TSR_LOCAL_MEMORY static inline
#endif

#if defined(__GNUC__) && !defined(__cplusplus)
#  define TSR_LOCAL_REF static inline __attribute__((always_inline))
#elif defined(__cplusplus)
#  define TSR_LOCAL_REF TSR_REF
#else
#  define TSR_LOCAL_REF static inline
#endif

#if defined(__GNUC__) && !defined(__cplusplus)
#  define TSR_PART static __attribute__((noinline, unused))
#else
#  define TSR_PART TSR_FN
#endif

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIP__)
#  define TSR_APART static __attribute__((noinline, unused))
#else
#  define TSR_APART TSR_INLINE
#endif

#if (defined(__GNUC__) || defined(__CUDACC__)) && !defined(__CUDACC_RTC__)
#  define TSR_COPY(to, from, n) __builtin_memcpy(to, from, n)
#else
#  define TSR_COPY(to, from, n) memcpy(to, from, n)
#endif

#if defined(__GNUC__) || defined(__CUDACC__)
#  define TSR_RESTRICT __restrict__
#else
#  define TSR_RESTRICT
#endif

#if defined(__GNUC__) && defined(__cplusplus) && !defined(__CUDACC__) && !defined(__HIP__)
#  if defined(__clang__)
#    define TSR_NO_USELESS_CAST_
#  else
#    define TSR_NO_USELESS_CAST_ _Pragma("GCC diagnostic ignored \"-Wuseless-cast\"")
#  endif
#  define TSR_HEADER_BEGIN                                                                \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") \
        _Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"") TSR_NO_USELESS_CAST_
#  define TSR_HEADER_END _Pragma("GCC diagnostic pop")
#else
#  define TSR_HEADER_BEGIN
#  define TSR_HEADER_END
#endif

#if defined(__cplusplus)
#  define TSR_ALIGN(n) alignas(n)
#else
#  define TSR_ALIGN(n) _Alignas(n)
#endif

#if defined(__cplusplus)
#  define TSR_ALIGNMENT(x) alignof(x)
#elif defined(__GNUC__)
#  define TSR_ALIGNMENT(x) __alignof__(x)
#else
#  define TSR_ALIGNMENT(x) _Alignof(x)
#endif

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#  define TSR_BIG_ENDIAN 1
#else
#  define TSR_BIG_ENDIAN 0
#endif

#if defined(__CUDA_ARCH__)
#  define TSR_ON_GPU 1
#  define TSR_TRAP() __trap()
#  define TSR_ALIGNED(p, n) __builtin_assume_aligned(p, n)
#elif defined(__HIP_DEVICE_COMPILE__) /* where the number must be a constant by itself */
#  define TSR_ON_GPU 1
#  define TSR_TRAP() __builtin_trap()
#  define TSR_ALIGNED(p, n) (p)
#else
#  define TSR_ON_GPU 0
#  define TSR_TRAP() __builtin_trap()
#  define TSR_ALIGNED(p, n) (p)
#endif

#if defined(__SIZEOF_INT128__) && !defined(__CUDACC__) && !defined(__HIP__) /* on 32 bits it may be a call */
#  define TSR_HAS_OVERFLOW 1
#else
#  define TSR_HAS_OVERFLOW 0
#endif

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#  define TSR_HAS_WGMMA 0
#else
#  define TSR_HAS_WGMMA 1
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#  define TSR_HAS_TMA 0
#else
#  define TSR_HAS_TMA 1
#endif

#if !defined(TSR_EMULATE)
#  define TSR_EMULATE 0
#endif

#if defined(__CUDA_ARCH__) && !TSR_EMULATE
#  define TSR_GPU_ARCH __CUDA_ARCH__
#else
#  define TSR_GPU_ARCH 0
#endif
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) \
    || defined(__CUDA_ARCH_FEAT_SM103_ALL) || defined(__CUDA_ARCH_FEAT_SM110_ALL)                                \
    || defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
#  define TSR_GPU_EXACT 1
#else
#  define TSR_GPU_EXACT 0
#endif
#if defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#  define TSR_GPU_FAMILY 1
#else
#  define TSR_GPU_FAMILY 0
#endif

#if defined(__CUDA_ARCH__)
#  define TSR_CAS(p, expected, desired) atomicCAS(p, expected, desired)
#elif defined(__GNUC__)
#  define TSR_CAS(p, expected, desired) __sync_val_compare_and_swap(p, expected, desired)
#else
#  error "tessera: no atomic compare and swap is known for this compiler; take gcc, clang, nvcc or hipcc"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#  define TSR_CAS_HALF 0
#else
#  define TSR_CAS_HALF 1
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#  define TSR_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#  define TSR_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && !defined(__CUDACC__) /* the host pass of nvcc warns about the pragma */
#  define TSR_UNROLL _Pragma("GCC unroll 64")
#else
#  define TSR_UNROLL
#endif

#if !defined(TSR_CHECKED)
#  if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(NDEBUG) && !defined(__CUDACC__) && !defined(__HIP__)
#    define TSR_CHECKED 1
#  else
#    define TSR_CHECKED 0
#  endif
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#  define TSR_IS_KNOWN(x) __builtin_constant_p(x)
#else /* clang takes values apart before it asks whether a number is known */
#  define TSR_IS_KNOWN(x) true
#endif

#if defined(__cplusplus)
#  define TSR_EXTERN_C extern "C"
#else
#  define TSR_EXTERN_C extern
#endif
#if defined(__CUDACC_RTC__) /* it takes no host functions; a call of one of these is an unresolved symbol, by name */
#  define TSR_API TSR_EXTERN_C __device__
#elif defined(_WIN32) && defined(TSR_SHARED)
#  define TSR_API TSR_EXTERN_C __declspec(dllimport)
#elif defined(__GNUC__)
#  define TSR_API TSR_EXTERN_C __attribute__((visibility("default")))
#else
#  define TSR_API TSR_EXTERN_C
#endif

#if defined(__CUDACC__) || defined(__HIP__)
#  define TSR_ARG(type) type
#else
#  define TSR_ARG(type) type const &
#endif

#if defined(__ELF__) && defined(__cplusplus)
#  define TSR_WEAK __attribute__((weak))
#else
#  define TSR_WEAK
#endif

#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
#  define TSR_NODISCARD __attribute__((warn_unused_result))
#else
#  define TSR_NODISCARD
#endif
#if defined(__cplusplus) && __cplusplus >= 201703L && !defined(__GNUC__) && !defined(__CUDACC_RTC__) \
    && !defined(_WIN32)
#  define TSR_TRY TSR_EXTERN_C [[nodiscard]]
#else
#  define TSR_TRY TSR_API TSR_NODISCARD
#endif

#endif
