#!/bin/sh
# Random index functions and copies as code of every language give what the library gives: compiled by a C compiler, as
# C++ on a host that plays a GPU, by nvcc and by clang's HIP, and run; run by Python, where Triton's functions are those of
# Python. With GPU after CASES, CUDA and Triton run on a GPU.
# usage: emit_random.sh EMIT_RANDOM CC CXX NVCC CLANG PYTHON CASES [GPU]    a program may be ""
export LC_ALL=C
emit=$1
cc=$2
cxx=$3
nvcc=$4
clang=$5
python=$6
cases=$7
gpu=$8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# write LANGUAGE FILE: the program of a language, and what it is to print
write() {
    "$emit" "$1" "$scratch" 1 "$cases" >"$scratch/log" || { cat "$scratch/log"; failed=1; }
    mv "$scratch/code" "$scratch/$2"
    sed '/^copies/,$d' "$scratch/want" >"$scratch/values"
}

# prints WHAT WANTED PROGRAM..: the program prints that
prints() {
    what=$1
    wanted=$2
    shift 2
    "$@" >"$scratch/got" 2>"$scratch/log"
    [ "$wanted" = values ] && sed -i '/^copies/,$d' "$scratch/got"
    if cmp -s "$scratch/got" "$scratch/$wanted"; then
        echo "$what: $(wc -l <"$scratch/got") values agree"
    else
        echo "$what: $(wc -l <"$scratch/got") lines, $(diff "$scratch/got" "$scratch/$wanted" | grep -c '^>') differ"
        head -5 "$scratch/log"
        failed=1
    fi
}

# builds WHAT COMPILER..: it compiles without a word
builds() {
    what=$1
    shift
    "$@" >"$scratch/log" 2>&1 && [ ! -s "$scratch/log" ] && return
    echo "$what: it does not compile"
    head -20 "$scratch/log"
    failed=1
    return 1
}

write c f.c
builds C "$cc" -std=c11 -Wall -Wextra -Werror -o "$scratch/f" "$scratch/f.c" && prints C want "$scratch/f"
write cuda f.cu
if [ "$cxx" ]; then
    builds 'CUDA as C++' "$cxx" -x c++ -std=c++17 -DSHIM -Wall -Wextra -Werror -o "$scratch/f" "$scratch/f.cu" \
        && prints 'CUDA as C++' want "$scratch/f"
fi
if [ "$nvcc" ]; then
    builds CUDA "$nvcc" -std=c++17 -arch=sm_90 -diag-suppress 177,550 -o "$scratch/f" "$scratch/f.cu" && prints 'CUDA on the host' values "$scratch/f"
else
    echo 'skipped: no nvcc'
fi
if [ "$gpu" ]; then
    builds CUDA "$nvcc" -std=c++17 -arch=native -DON_DEVICE -o "$scratch/f" "$scratch/f.cu" && prints 'CUDA on a GPU' want "$scratch/f"
fi
write hip f.hip
mkdir -p "$scratch/hip" "$scratch/host/hip"
: >"$scratch/host/hip/hip_runtime.h"
if [ "$cxx" ]; then
    builds 'HIP as C++' "$cxx" -x c++ -std=c++17 -DSHIM -Wall -Wextra -Werror -I"$scratch/host" -o "$scratch/f" "$scratch/f.hip" \
        && prints 'HIP as C++' want "$scratch/f"
fi
if [ "$clang" ] && "$clang" -print-targets 2>/dev/null | grep -q amdgcn; then
    cat >"$scratch/hip/hip_runtime.h" <<'HIP'
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
struct dimension { unsigned x; };
extern __device__ dimension const blockIdx, threadIdx;
HIP
    hip="$clang -x hip -std=c++17 -nogpuinc -nogpulib -Wall -Werror -Wno-unused-command-line-argument -Wno-unused-function -I$scratch"
    for side in '--cuda-device-only --offload-arch=gfx90a -c -emit-llvm' '--cuda-host-only -fsyntax-only'; do
        # shellcheck disable=SC2086
        builds "HIP $side" $hip $side -o "$scratch/f.o" "$scratch/f.hip" && echo "HIP $side: compiled"
    done
else
    echo 'skipped: no clang with amdgcn'
fi
if [ "$python" ]; then
    write python f.py
    prints Python want "$python" "$scratch/f.py"
    write triton g.py
    [ "$gpu" ] && prints 'Triton on a GPU' want "$python" "$scratch/g.py"
    "$python" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$scratch/g.py" || failed=1
    mkdir -p "$scratch/plain/triton"
    printf 'def jit(f):\n    return f\n' >"$scratch/plain/triton/__init__.py"
    : >"$scratch/plain/triton/language.py"
    prints 'Triton by Python' values env PYTHONPATH="$scratch/plain" "$python" "$scratch/g.py"
fi
[ $failed = 0 ]
