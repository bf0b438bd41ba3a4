#!/bin/sh
# Layouts over named sizes on the command line: what eval and emit print, and that the emitted code gives what the
# calculator gives.
# usage: given.sh TESSERA SOURCE_FOLDER CC [PYTHON]
tessera=$1
source=$2
cc=$3
python=$4
. "$source/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compare EXPR GUARDS "VALUES.." COUNT NUMBERS: offset(VALUES, i) of the code, and the layout NUMBERS at i
compare() {
    i=0
    while [ $i -lt "$4" ]; do
        echo "call($5, $i)"
        i=$((i + 1))
    done | "$tessera" eval --static - >"$scratch/want"
    "$tessera" emit c --given "$2" "$1" >"$scratch/f.c" || echo refused
    printf '#include <stdio.h>\nint main(void)\n{\n    for (int64_t i = 0; i < %s && guards(%s); ++i)\n        printf("%%lld\\n", (long long)offset(%s, i));\n    return 0;\n}\n' \
        "$4" "$3" "$3" >>"$scratch/f.c"
    "$cc" -std=c11 -Wall -Wextra -Werror -o "$scratch/f" "$scratch/f.c" && "$scratch/f" >"$scratch/got"
    is "$1" "$(cat "$scratch/got")" "$(cat "$scratch/want")"
    [ "$python" ] || return
    "$tessera" emit python --given "$2" "$1" >"$scratch/f.py"
    printf 'for i in range(%s * guards(%s)):\n    print(offset(%s, i))\n' "$4" "$3" "$3" >>"$scratch/f.py"
    is "python: $1" "$("$python" "$scratch/f.py")" "$(cat "$scratch/want")"
}

compare 'zipped_divide((M,K):(K,1), (4,2))' 'M % 8 == 0' '8, 6' 48 'zipped_divide((8,6):(6,1), (4,2))'
compare 'logical_divide((M,K):(K,1), (T,_))' '' '6, 5, 3' 30 'logical_divide((6,5):(5,1), (3,_))'
compare 'blocked_product((2,4):(4,1), make_layout((M/2,N/4)))' '' '6, 8' 48 'blocked_product((2,4):(4,1), make_layout((3,2)))'
compare 'zipped_divide(Sw<2,0,2> o (M,4):(4,1), (4,4))' '' '8' 32 'zipped_divide(Sw<2,0,2> o (8,4):(4,1), (4,4))'
compare 'Sw<1,2,-2> o (K,M):(M,1)' '' '4, 8' 32 'Sw<1,2,-2> o (4,8):(8,1)'
compare '((M,2),K):((0,1),2)' '' '3, 4' 24 '((3,2),4):((0,1),2)'

is 'a result and its guards' "$("$tessera" eval --given 'M % 128 == 0' 'logical_divide((M,K):(K,1), (128,32))')" \
    '((128,M/128),(32,K/32)):((K,128*K),(1,32))
if M % 128 == 0 && K % 32 == 0'
is 'several, one without guards' "$("$tessera" eval --given '' 'size((M,K):(K,1))' 'coalesce((M,K):(1,M))')" 'M*K
M*K:1'
is 'a refusal' "$("$tessera" eval --given '' 'complement(3:1, 32)' 2>/dev/null)" 'error: 32 is not a multiple of 3 (at character 0)'
is 'a hint' "$("$tessera" eval '(M,K):(K,1)' 2>&1 >/dev/null | tail -1)" \
    "sizes with names are read under --given: tessera eval --given '' '(M,K):(K,1)'"
is 'no hint' "$("$tessera" eval 'M' 2>&1 >/dev/null | grep -c given)" 0
is 'another language' "$("$tessera" emit fortran --given '' 'M:1' 2>&1)" \
    'error: emit --given writes c, cuda, hip, python or triton, not fortran (see tessera emit --help)'
is 'cute' "$("$tessera" emit cute --given '' 'M:1' 2>&1)" 'error: CuTe has no layouts whose sizes have names'
is 'cuda' "$("$tessera" emit cuda --given '' '(M,K/2):(K,1)' | grep -c '^__host__ __device__ inline')" 2
is 'triton' "$("$tessera" emit triton --given 'K % 2 == 0' '(M,K/2):(K,1)')" 'import triton
import triton.language as tl


# Does offset hold for these sizes?
@triton.jit
def guards(K, M):
    return (K % 2 == 0)


# (M,K/2):(K,1)
@triton.jit
def offset(K, M, i):
    return ((i % M) * K
            + i // M)'
is 'a name of the code' "$("$tessera" emit c --given '' '(i,K):(K,1)' 2>&1)" \
    'error: i means something else in the code: give this size another name'
is 'no layout' "$("$tessera" emit c --given '' 'size(M:1)' 2>&1)" 'error: code is made of a layout, and this is none'
is 'no expression' "$("$tessera" emit c --given 'M' 'M:1' 2>&1)" \
    'error: guards: a guard is `name % divisor == 0`: `%` is expected here (at character 0)'
all_passed
