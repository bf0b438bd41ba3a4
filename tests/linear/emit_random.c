/** Random layouts and maps as code of a language, in one program that prints their values: the index functions, then a
 *  line `copies`, then what the copies leave. Beside it the values that the library gives.
 *  emit_random LANGUAGE FOLDER SEED CASES  writes FOLDER/code and FOLDER/want */
#include "random_map.h"

#include <ctype.h>

#include "tessera/convert.h"

enum { VALUES = 64, MOST_BITS = 9 };

static char text[1 << 16];
static FILE *code, *want;
static tsr_code in;

static bool is_python(void) { return in == TSR_CODE_PYTHON || in == TSR_CODE_TRITON; }

/** Writes emitted code, whose names get a number; its includes and imports stand on top of the program. */
static void put_code(int k)
{
    static char const *const names[] = {"from_offset(", "to_offset(", "offset(", "copy("};
    for (char const *p = text; *p;) {
        bool const line = p == text || p[-1] == '\n', word = !line && (p[-1] == '_' || isalnum((unsigned char)p[-1]));
        if (line && (strncmp(p, "#include", 8) == 0 || strncmp(p, "import", 6) == 0)) {
            p += strcspn(p, "\n");
            continue;
        }
        size_t n = 0;
        for (int i = 0; i < 4 && n == 0 && !word; ++i)
            n = strncmp(p, names[i], strlen(names[i])) == 0 ? strlen(names[i]) : 0;
        if (n > 0)
            fprintf(code, "%.*s_%d(", (int)n - 1, p, k);
        else
            fputc(*p, code);
        p += n > 0 ? n : 1;
    }
    fputs(is_python() ? "\n\n" : "\n", code);
}

static int64_t value_at(tsr_converted const *v, int64_t i)
{
    return v->is_map ? (int64_t)tsr_linear_at(&v->map, (uint64_t)i) : tsr_layout_offset(&v->layout, i);
}

static int64_t size_of(tsr_converted const *v)
{
    return v->is_map ? (int64_t)1 << tsr_linear_bits(&v->map.in) : tsr_layout_size(v->layout);
}

/** All offsets below 2^bits, each once, in any order that a map has; a layout where it is one. */
static tsr_converted random_order(int bits)
{
    static char const *const names[] = {"i", "j", "k"};
    tsr_converted v = {true, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
    tsr_linear_side const in_side = random_side(names, bits);
    tsr_linear_side out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    for (int b = 0; b < bits; ++b) {
        int const other = (int)noise(b + 1);
        basis[b] = basis[other];
        basis[other] = (uint64_t)1 << b;
    }
    for (int n = (int)noise(4); n > 0; --n) {
        int const a = (int)noise(bits), b = (a + 1 + (int)noise(bits - 1)) % bits;
        basis[a] ^= basis[b];
    }
    tsr_linear_side_add(&out, "offset", bits);
    v.map = tsr_make_linear(&in_side, &out, basis);
    v.layout = tsr_linear_to_layout(v.map);
    v.is_map = !tsr_ok(v.layout);
    return v;
}

static void put_function(int k, int64_t *step)
{
    tsr_message error;
    tsr_converted v = random_order(2 + (int)noise(MOST_BITS - 1));
    if (k % 2 == 0) {
        v.layout = random_layout(10);
        v.is_map = false;
    }
    if (!check("a function is emitted", tsr_emit(text, sizeof text, in, &v, &error), NULL))
        printf("%s\n", error.text);
    put_code(k);
    int64_t const size = size_of(&v);
    *step = size > VALUES ? size / VALUES : 1;
    for (int64_t i = 0; i < VALUES; ++i) /* functions go on behind the last element */
        fprintf(want, "%lld\n", (long long)value_at(&v, i * *step));
}

static void put_copy(int k, int bits)
{
    static int64_t left[1 << MOST_BITS];
    tsr_message error;
    tsr_converted const from = random_order(bits), to = random_order(bits);
    check("a copy is emitted", tsr_emit_copy(text, sizeof text, in, &from, &to, TSR_I32, &error), NULL);
    put_code(k);
    for (int64_t i = 0; i < (int64_t)1 << bits; ++i)
        left[value_at(&to, i)] = value_at(&from, i);
    for (int64_t i = 0; i < (int64_t)1 << bits; ++i)
        fprintf(want, "%lld\n", (long long)left[i]);
}

/* The programs: FUNCTION(k, step) and COPY(k, elements) are what they are made of. */

static char const c_front[] = "#include <stdint.h>\n#include <stdio.h>\n";
static char const c_main[] =
    "#define FUNCTION(k, step) for (long long i = 0; i < 64; ++i) printf(\"%lld\\n\", offset_##k(i * step));\n"
    "#define COPY(k, n) \\\n"
    "    for (uint32_t i = 0; i < n; ++i) to[i] = ~i; \\\n"
    "    copy_##k(to, from); \\\n"
    "    for (int i = 0; i < n; ++i) printf(\"%u\\n\", to[i]);\n"
    "static uint32_t from[1024], to[1024];\n"
    "int main(void)\n{\n    for (uint32_t i = 0; i < 1024; ++i) from[i] = i;\n";

/** On a host that plays a GPU (SHIM), on a GPU (ON_DEVICE), or only the functions on the host. */
static char const cuda_front[] = "#ifdef SHIM\n#define __host__\n#define __device__\n#define __global__ static\n"
                                 "static struct { unsigned x; } blockIdx, threadIdx;\n#endif\n"
                                 "#include <stdint.h>\n#include <stdio.h>\n";
static char const cuda_main[] = "#ifdef ON_DEVICE\n"
                                "#define KERNELS(k) __global__ void values_##k(long long *out, long long step)"
                                " { out[threadIdx.x] = offset_##k(threadIdx.x * step); }\n"
                                "#else\n#define KERNELS(k)\n#endif\n";
static char const cuda_rest[] =
    "#ifdef ON_DEVICE\n"
    "#define FUNCTION(k, step) values_##k<<<1, 64>>>(all, step); if (cudaDeviceSynchronize()) return 1; \\\n"
    "    for (int i = 0; i < 64; ++i) printf(\"%lld\\n\", all[i]);\n"
    "#define RUN(k, n) copy_##k<<<(n + 255) / 256, 256>>>(to, from); if (cudaDeviceSynchronize()) return 1;\n"
    "#else\n"
    "#define FUNCTION(k, step) for (long long i = 0; i < 64; ++i) printf(\"%lld\\n\", offset_##k(i * step));\n"
    "#define RUN(k, n) for (blockIdx.x = 0; blockIdx.x < (n + 255) / 256; ++blockIdx.x) \\\n"
    "    for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x) copy_##k(to, from);\n"
    "#endif\n"
    "#define COPY(k, n) for (uint32_t i = 0; i < n; ++i) to[i] = ~i; \\\n"
    "    RUN(k, n) for (int i = 0; i < n; ++i) printf(\"%u\\n\", to[i]);\n"
    "int main()\n{\n"
    "#ifdef ON_DEVICE\n    uint32_t *from, *to; long long *all;\n"
    "    if (cudaMallocManaged(&from, 4096) || cudaMallocManaged(&to, 4096) || cudaMallocManaged(&all, 512)) return "
    "1;\n"
    "#else\n    static uint32_t from[1024], to[1024];\n#endif\n"
    "    for (uint32_t i = 0; i < 1024; ++i) from[i] = i, to[i] = 0;\n";

static char const python_main[] =
    "def FUNCTION(offset, step):\n    for i in range(64):\n        print(offset(i * step))\n\n\n"
    "def COPY(copy, n):\n    to = {}\n    copy(to, range(n))\n    for i in range(n):\n        print(to[i])\n\n\n";

/** On a GPU; where `triton` has no kernels, only the functions, by Python. */
static char const triton_front[] = "import triton\nimport triton.language as tl\n\n\n";
static char const triton_main[] =
    "if hasattr(tl, 'load'):\n    import torch\n    values = torch.empty(64, dtype=torch.int64, device='cuda')\n"
    "    source = torch.arange(1024, dtype=torch.int32, device='cuda')\n\n\n"
    "def FUNCTION(offset, step, fill):\n    if not hasattr(tl, 'load'):\n        got = [offset(i * step) for i in "
    "range(64)]\n"
    "    else:\n        fill[(1,)](values)\n        got = values.tolist()\n    print('\\n'.join(map(str, got)))\n\n\n"
    "def COPY(copy, n):\n    if hasattr(tl, 'load'):\n        to = torch.full((n,), -1, dtype=torch.int32, "
    "device='cuda')\n"
    "        copy[((n + 255) // 256,)](to, source)\n        print('\\n'.join(map(str, to.tolist())))\n\n\n";

static void put_fill(int k, int64_t step)
{
    fprintf(code,
            "@triton.jit\ndef fill_%d(out):\n    i = tl.arange(0, 64)\n    tl.store(out + i, "
            "offset_%d(i.to(tl.int64) * %lld))\n\n\n",
            k, k, (long long)step);
}

static void put_calls(int cases, int64_t const *step, int const *bits)
{
    for (int k = 0; k < cases; ++k) {
        if (in == TSR_CODE_TRITON)
            fprintf(code, "FUNCTION(offset_%d, %lld, fill_%d if hasattr(tl, 'load') else None)\n", k,
                    (long long)step[k], k);
        else
            fprintf(code, is_python() ? "FUNCTION(offset_%d, %lld)\n" : "    FUNCTION(%d, %lld)\n", k,
                    (long long)step[k]);
    }
    fputs(is_python() ? "print('copies')\n" : "    puts(\"copies\");\n", code);
    if (in == TSR_CODE_CUDA || in == TSR_CODE_HIP)
        fputs("#if defined(SHIM) || defined(ON_DEVICE)\n", code);
    for (int k = 0; k < cases; ++k)
        fprintf(code, is_python() ? "COPY(copy_%d, %d)\n" : "    COPY(%d, %d)\n", cases + k, 1 << bits[k]);
    if (in == TSR_CODE_CUDA || in == TSR_CODE_HIP)
        fputs("#endif\n", code);
    fputs(is_python() ? "" : "    return 0;\n}\n", code);
}

static void put_program(int cases, int64_t *step, int *bits)
{
    bool const cuda = in == TSR_CODE_CUDA || in == TSR_CODE_HIP;
    fputs(in == TSR_CODE_C ? c_front : cuda ? cuda_front : in == TSR_CODE_TRITON ? triton_front : "", code);
    if (in == TSR_CODE_HIP)
        fputs("#include <hip/hip_runtime.h>\n", code);
    for (int k = 0; k < cases; ++k) {
        put_function(k, &step[k]);
        if (in == TSR_CODE_TRITON)
            put_fill(k, step[k]);
    }
    fprintf(want, "copies\n");
    for (int k = 0; k < cases; ++k)
        put_copy(cases + k, bits[k] = 2 + (int)noise(MOST_BITS - 1));
    fputs(in == TSR_CODE_C ? c_main : cuda ? cuda_main : in == TSR_CODE_TRITON ? triton_main : python_main, code);
    for (int k = 0; k < cases && cuda; ++k)
        fprintf(code, "KERNELS(%d)\n", k);
    fputs(cuda ? cuda_rest : "", code);
    put_calls(cases, step, bits);
}

static FILE *open_in(char const *folder, char const *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

int main(int argc, char **argv)
{
    enum { CASES = 1000 };
    static int64_t step[CASES];
    static int bits[CASES];
    int const cases = argc > 4 ? atoi(argv[4]) : 0;
    if (cases < 1 || cases > CASES)
        return 2;
    in = tsr_code_named(argv[1]);
    code = open_in(argv[2], "code");
    want = open_in(argv[2], "want");
    if (!code || !want || in >= TSR_CODE_CUTE)
        return 2;
    random_begin((uint64_t)atoll(argv[3]));
    put_program(cases, step, bits);
    return fclose(code) | fclose(want) | report();
}
