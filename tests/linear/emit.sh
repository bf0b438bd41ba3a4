#!/bin/sh
# The index functions that are emitted, compiled as C and run by Python, give what the calculator gives.
# usage: emit.sh TESSERA SOURCE_FOLDER CC [PYTHON]
tessera=$1
source=$2
cc=$3
python=$4
. "$source/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# compare COUNT FUNCTION EXPR TEXT: f(0) to f(COUNT-1) of the text as code, and what EXPR gives for each index #
compare() {
    count=$1
    name=$2
    i=0
    while [ $i -lt "$count" ]; do
        echo "$3" | sed "s/#/$i/"
        i=$((i + 1))
    done | "$tessera" eval --static - >"$scratch/want"
    "$tessera" emit c "$4" >"$scratch/f.c" || echo refused
    printf '#include <stdio.h>\nint main(void)\n{\n    for (long long i = 0; i < %s; ++i)\n        printf("%%lld\\n", %s(i));\n    return 0;\n}\n' \
        "$count" "$name" >>"$scratch/f.c"
    "$cc" -std=c11 -Wall -Wextra -Wno-unused-function -Werror -o "$scratch/f" "$scratch/f.c" && "$scratch/f" >"$scratch/got"
    is "c: $4" "$(cat "$scratch/got")" "$(cat "$scratch/want")"
    [ "$python" ] || return
    "$tessera" emit python "$4" >"$scratch/f.py"
    printf 'for i in range(%s):\n    print(%s(i))\n' "$count" "$name" >>"$scratch/f.py"
    is "python: $4" "$("$python" "$scratch/f.py")" "$(cat "$scratch/want")"
}

for layout in '8:1' '(4,8):(8,1)' '((2,3),(5,2)):((1,10),(2,-60))' '(4,3):(0,7)' 'Sw<2,0,3> o 0 o (8,8):(8,1)' \
    'Sw<3,2,-3> o 4 o (8,16):(1,8)' 'Sw<1,0,2> o 8 o Sw<2,1,3> o 0 o (4,(4,4)):(16,(1,4))' '1:0' '(3,4,5):(20,5,1)'; do
    compare 64 offset "call($layout, #)" "$layout"
done
compare 12 dim0 'get<0>(call((4,3):(1@0,1@1), #))' '(4,3):(1@0,1@1)'
compare 12 dim1 'get<1>(call((4,3):(1@0,1@1), #))' '(4,3):(1@0,1@1)'
compare 16 offset 'call(linear{i=(1,3);j=(12,5) -> offset=16}, #)' 'linear{i=(1,3);j=(12,5) -> offset=16}'
compare 8 b 'get<1>(call(linear{i=((1,0),(0,2),(1,3)) -> a=2;b=4}, #))' 'linear{i=((1,0),(0,2),(1,3)) -> a=2;b=4}'

is 'cuda' "$("$tessera" emit cuda '(4,8):(8,1)')" '__host__ __device__ inline long long offset(long long i)
{
    long long const x = i % 4 * 8 + i / 4;
    return x;
}'
is 'triton' "$("$tessera" emit triton 'Sw<2,0,2> o 0 o (4,4):(4,1)')" '@triton.jit
def offset(i):
    x = i % 4 * 4 + i // 4
    y = x ^ ((x >> 2 & 3) << 0)
    return y'
run emit fortran '(4,8):(8,1)'
check 'an unknown language' 2 ''
run emit c '(4,0):(8,1)'
check 'an invalid layout' 1 ''
all_passed
