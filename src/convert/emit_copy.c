/** A copy from one layout to another one as code: the two index functions, and a loop or a kernel. */
#include "convert/emit.h"

/** The type of elements in C: real ones by name, all others by size, for a copy moves bits. */
static char const *element(tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    if (type == TSR_F32 || type == TSR_F64)
        return type == TSR_F32 ? "float" : "double";
    return bits == 8 ? "uint8_t" : bits == 16 ? "uint16_t" : bits == 32 ? "uint32_t" : bits == 64 ? "uint64_t" : NULL;
}

static void write_copy(writer *w, tsr_code in, int64_t size, char const *type)
{
    long long const n = size;
    switch (in) {
    case TSR_CODE_C:
        put(w,
            "void copy(%s *to, %s const *from)\n{\n    for (long long i = 0; i < %lld; ++i)\n"
            "        to[to_offset(i)] = from[from_offset(i)];\n}\n",
            type, type, n);
        break;
    case TSR_CODE_CUDA:
    case TSR_CODE_HIP:
        put(w,
            "/* <<<%lld, 256>>> */\n__global__ void copy(%s *to, %s const *from)\n{\n"
            "    long long const i = blockIdx.x * 256ll + threadIdx.x;\n    if (i < %lld)\n"
            "        to[to_offset(i)] = from[from_offset(i)];\n}\n",
            (n + 255) / 256, type, type, n);
        break;
    case TSR_CODE_PYTHON:
        put(w,
            "def copy(to, source):\n    for i in range(%lld):\n        to[to_offset(i)] = source[from_offset(i)]\n",
            n);
        break;
    case TSR_CODE_TRITON:
        put(w,
            "# copy[(%lld,)](to, source)\n@triton.jit\ndef copy(to, source):\n"
            "    i = tl.program_id(0).to(tl.int64) * 256 + tl.arange(0, 256)\n"
            "    x = tl.load(source + from_offset(i), mask=i < %lld)\n"
            "    tl.store(to + to_offset(i), x, mask=i < %lld)\n",
            (n + 255) / 256, n, n);
        break;
    default: /* CuTe */
        put(w, "template <class T>\nCUTE_HOST_DEVICE void copy_elements(T *to, T const *from)\n{\n"
               "    cute::Tensor target = cute::make_tensor(to, to_layout());\n"
               "    cute::copy(cute::make_tensor(from, from_layout()), target);\n}\n");
    }
}

/** The size of a value with one offset; others are refused. */
static int64_t size_of(tsr_converted const *v, scan *s)
{
    bool const one = v->is_map ? v->map.out.count == 1 : !tsr_has_basis(&v->layout.stride);
    if (!one)
        scan_fail(s, "a copy needs layouts with one offset, not with coordinates");
    if (v->is_map && tsr_linear_bits(&v->map.in) > TSR_LINEAR_DIM_BITS)
        scan_refuse(s, tsr_because(TSR_LINEAR_CAPACITY, 0, tsr_linear_bits(&v->map.in), TSR_LINEAR_DIM_BITS, 0));
    return s->failed ? 0 : v->is_map ? (int64_t)1 << tsr_linear_bits(&v->map.in) : tsr_layout_size(v->layout);
}

bool tsr_emit_copy(char *out, size_t size, tsr_code in, tsr_converted const *from, tsr_converted const *to,
                   tsr_dtype type, tsr_message *error)
{
    writer w;
    scan s = tsr_scan_open_("", 0, error);
    bool const cute = in == TSR_CODE_CUTE, typed = in == TSR_CODE_C || in == TSR_CODE_CUDA || in == TSR_CODE_HIP;
    writer_open(&w, out, size);
    if (tsr_emit_begin_(&w, &s, in, from) && tsr_converted_why_(to).status)
        scan_refuse(&s, tsr_converted_why_(to));
    int64_t const elements = s.failed ? 0 : size_of(from, &s), others = s.failed ? 0 : size_of(to, &s);
    if (!s.failed && elements != others)
        scan_refuse(&s, tsr_because(TSR_DIFFER_SIZE, 0, elements, others, 0));
    if (!s.failed && typed && !element(type))
        scan_fail(&s, "a copy in C is of elements of 8, 16, 32 or 64 bits");
    if (!s.failed) {
        char const *const gap = in == TSR_CODE_PYTHON || in == TSR_CODE_TRITON ? "\n\n" : "\n";
        char const *const name = typed ? element(type) : "";
        put(&w, "%s", strncmp(name, "uint", 4) == 0 ? "#include <stdint.h>\n\n" : "");
        tsr_emit_function_(&w, from, in, cute ? "from_layout" : "from_offset", &s);
        put(&w, "%s", gap);
        tsr_emit_function_(&w, to, in, cute ? "to_layout" : "to_offset", &s);
        put(&w, "%s", gap);
        write_copy(&w, in, elements, name);
    }
    return tsr_convert_end_(&w, &s);
}
