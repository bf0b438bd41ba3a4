#!/bin/sh
# Layouts over named sizes on the command line: what eval and emit print, and that the emitted code gives what the
# calculator gives.
# usage: given.sh TESSERA SOURCE_FOLDER CC [PYTHON [CXX]]
tessera=$1
source=$2
cc=$3
python=$4
cxx=$5
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
is 'a refusal' "$("$tessera" eval --given '' 'composition((4,M):(1,8), 6:1)' 2>/dev/null)" 'error: 6 is not a multiple of 4 (at character 0)'
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
# reserved LANGUAGE COMMAND SUFFIX NAMES..: each name is refused, or the code is compiled with it.
reserved() {
    language=$1
    compile=$2
    suffix=$3
    shift 3
    for name; do
        "$tessera" emit "$language" --given "$name % 2 == 0" "($name,K):(K,1)" >"$scratch/n.$suffix" 2>"$scratch/words" \
            || { is "$language: $name" "$(cat "$scratch/words")" \
                "error: $name means something else in the code: give this size another name"; continue; }
        is "$language: $name" "$($compile "$scratch/n.$suffix" 2>&1)" ''
    done
}
names='alignas and asm assert async auto await bitand bool break case catch char16_t class co_await concept const constexpr
def default del delete do double elif else enum errno except explicit export extern false final finally float for friend from
global goto guards i if import in inline int int64_t INT64_MAX INT8_C is lambda linux long main match mutable namespace new
noexcept nonlocal not NULL offset operator or override pass private public raise register requires restrict return self short
signed SIZE_MAX static stdin struct switch template this threadIdx throw tl triton true try type typedef typename typeof
uint8_t union unix unsigned using virtual void volatile wchar_t while with x xor xor_eq yield None True False'
# shellcheck disable=SC2086
reserved c "$cc -std=gnu11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only" c $names
# shellcheck disable=SC2086
[ "$cxx" ] && reserved cuda "$cxx -x c++ -std=c++20 -D__host__= -D__device__= -Werror -fsyntax-only" cu $names
# shellcheck disable=SC2086
[ "$python" ] && reserved python "$python -m py_compile" py $names
refused() {
    "$tessera" emit "$@" >/dev/null 2>&1 && echo taken || echo refused
}
for name in operator namespace threadIdx linux INT64_MAX asm; do
    is "cuda: $name" "$(refused cuda --given '' "($name,K):(K,1)")" refused
done
is 'a word of C++ in C' "$(refused c --given '' '(operator,K):(K,1)')" taken
is 'a word of C in Python' "$(refused python --given '' '(switch,K):(K,1)')" taken
is 'an output of a map' "$("$tessera" emit c 'linear{in=(1) -> int=2}' 2>&1)" \
    'error: int means something else in the code: give this output another name'

# A stack of 128 kB is enough for the deepest expressions, or they are refused.
deep() {
    (ulimit -s 128 && "$tessera" eval --given '' "$1" 2>&1)
}
open='(((((((((((((((((((((('
close='))))))))))))))))))))))'
is '22 parentheses' "$(deep "${open}M,K$close:${open}K,1$close")" \
    'error: at most 15 parentheses may be open at one leaf (TSR_MAX_OPEN) (at character 41)'
calls=$(printf '%s' "$open" | sed 's/(/coalesce(/g')
is '22 calls' "$(deep "$calls(M,K):(K,1)$close")" '(M,K):(K,1)'
is 'divides' "$(deep "zipped_divide(zipped_divide(zipped_divide((M,K):(K,1), (2,2)), (2,2)), (2,2))")" \
    "$("$tessera" eval --given '' "zipped_divide(zipped_divide(zipped_divide((M,K):(K,1), (2,2)), (2,2)), (2,2))")"
is 'no layout' "$("$tessera" emit c --given '' 'size(M:1)' 2>&1)" 'error: code is made of a layout, and this is none'
is 'no expression' "$("$tessera" emit c --given 'M' 'M:1' 2>&1)" \
    'error: guards: a guard is `name % divisor == 0`: `%` is expected here (at character 0)'
all_passed
