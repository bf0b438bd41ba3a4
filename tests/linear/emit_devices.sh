#!/bin/sh
# Index functions and copies that are emitted for CUDA and HIP: compiled by nvcc and by clang where these are found. The
# functions of CUDA run on the host and give what the calculator gives.
# usage: emit_devices.sh TESSERA SOURCE_FOLDER NVCC CLANG    a compiler may be ""
tessera=$1
source=$2
nvcc=$3
clang=$4
. "$source/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# each LANGUAGE: all functions and copies, each in its namespace, and a main that prints their values
each() {
    printf '#include <stdint.h>\n#include <stdio.h>\n%s\n' "$2"
    k=0
    while IFS='|' read -r layout other; do
        printf 'namespace n%s {\n' $k
        "$tessera" emit "$1" --type f16 "$layout" "$other" | grep -v '^#include'
        printf '}\n'
        k=$((k + 1))
    done <"$scratch/pairs"
    printf 'int main()\n{\n    for (long long i = 0; i < 64; ++i) {\n'
    k=0
    while IFS='|' read -r layout other; do
        printf '        printf("%%lld\\n%%lld\\n", n%s::from_offset(i), n%s::to_offset(i));\n' $k $k
        k=$((k + 1))
    done <"$scratch/pairs"
    printf '    }\n}\n'
}
cat >"$scratch/pairs" <<'PAIRS'
(8,8):(8,1)|(8,8):(1,8)
Sw<3,0,3> o _0 o (8,8):(8,1)|((2,4),(4,2)):((1,8),(2,32))
linear{i=(1,3,4);j=(12,24,32) -> offset=64}|Sw<2,1,-2> o 8 o (4,16):(16,1)
(4,16):(0,7)|64:-3
Sw<1,0,2> o 8 o Sw<2,1,3> o 0 o (4,(4,4)):(16,(1,4))|linear{i=(32,16,8,4,2,1) -> offset=64}
PAIRS
i=0
while [ $i -lt 64 ]; do
    sed "s/\(.*\)|\(.*\)/call(\1, $i)\ncall(\2, $i)/" "$scratch/pairs"
    i=$((i + 1))
done | "$tessera" eval --static - >"$scratch/want"
if [ "$nvcc" ]; then
    each cuda '' >"$scratch/f.cu"
    "$nvcc" -std=c++17 -arch=sm_90 -o "$scratch/f" "$scratch/f.cu" >"$scratch/log" 2>&1 && "$scratch/f" >"$scratch/got"
    is 'cuda' "$(cat "$scratch/log" "$scratch/got")" "$(cat "$scratch/want")"
else
    echo 'skipped: no nvcc'
fi
if [ "$clang" ] && "$clang" -print-targets 2>/dev/null | grep -q amdgcn; then
    mkdir -p "$scratch/hip"
    cat >"$scratch/hip/hip_runtime.h" <<'HIP'
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
struct dimension { unsigned x; };
extern __device__ dimension const blockIdx, threadIdx;
HIP
    each hip '#include <hip/hip_runtime.h>' | sed '/^int main/,$d' >"$scratch/f.hip"
    for side in '--cuda-device-only --offload-arch=gfx90a -c -emit-llvm' '--cuda-host-only -fsyntax-only'; do
        is "hip $side" "$("$clang" -x hip -std=c++17 -nogpuinc -nogpulib -Wall -Werror -Wno-unused-command-line-argument \
            -I"$scratch" $side -o "$scratch/hip.o" "$scratch/f.hip" 2>&1)" ''
    done
else
    echo 'skipped: no clang with amdgcn'
fi
[ "$passed$failed" = 00 ] && exit 77 # neither is there
all_passed
