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

# copies FROM TO: a copy of numbers in C and in Python moves each to its place
copies() {
    i=0
    while [ $i -lt 64 ]; do
        printf 'call(%s, %s)\ncall(%s, %s)\n' "$1" $i "$2" $i
        i=$((i + 1))
    done | "$tessera" eval --static - >"$scratch/want"
    "$tessera" emit c --type i32 "$1" "$2" >"$scratch/f.c"
    cat >>"$scratch/f.c" <<'C'
#include <stdio.h>
static uint32_t from[1024], to[1024];
int main(void)
{
    for (uint32_t i = 0; i < 1024; ++i)
        from[i] = i;
    copy(to, from);
    for (long long i = 0; i < 64; ++i)
        printf("%u\n%lld\n", to[to_offset(i)], to_offset(i));
}
C
    "$cc" -std=c11 -Wall -Wextra -Werror -o "$scratch/f" "$scratch/f.c" && "$scratch/f" >"$scratch/got"
    is "a copy in C: $1 to $2" "$(cat "$scratch/got")" "$(cat "$scratch/want")"
    [ "$python" ] || return
    "$tessera" emit python "$1" "$2" >"$scratch/f.py"
    printf 'to = {}\ncopy(to, range(1024))\nfor i in range(64):\n    print(to[to_offset(i)], to_offset(i), sep="\\n")\n' >>"$scratch/f.py"
    is "a copy in Python: $1 to $2" "$("$python" "$scratch/f.py")" "$(cat "$scratch/want")"
}
copies '(8,8):(8,1)' 'Sw<3,0,3> o 0 o (8,8):(8,1)'
copies 'linear{i=(1,3,4);j=(12,24,32) -> offset=64}' '(4,16):(17,1)'

# refused SAYS ARGUMENTS..
refused() {
    says=$1
    shift
    is "$*" "$("$tessera" emit "$@" 2>&1 | grep -c "$says")" 1
}
refused 'the sizes differ: 64 and 32' c '(8,8):(8,1)' '(4,8):(8,1)'
refused 'one offset, not with coordinates' cuda '(4,3):(1@0,1@1)' 12:1
refused 'elements of 8, 16, 32 or 64 bits' c 8:1 8:1 --type i4
refused 'share output bit 0' cute 'linear{i=(1,1,3) -> offset=4}'
is 'cute' "$("$tessera" emit cute 'Sw<2,0,2> o 0 o (4,4):(4,1)')" '#include <cute/tensor.hpp>

CUTE_HOST_DEVICE constexpr auto layout()
{
    using namespace cute;
    return composition(Swizzle<2,0,2>{}, Int<0>{}, make_layout(make_shape(Int<4>{}, Int<4>{}), make_stride(Int<4>{}, Int<1>{})));
}'
is 'cute, of coordinates' "$("$tessera" emit cute '(4,3):(1@0,2@1@0)' | sed -n 's/.*make_stride/make_stride/p')" 'make_stride(E<0>{}, Int<2>{} * E<0,1>{}));'
is 'triton, a copy' "$("$tessera" emit triton '(4,4):(4,1)' '16:1' | sed -n '/^# copy/,$p')" '# copy[(1,)](to, source)
@triton.jit
def copy(to, source):
    i = tl.program_id(0).to(tl.int64) * 256 + tl.arange(0, 256)
    x = tl.load(source + from_offset(i), mask=i < 16)
    tl.store(to + to_offset(i), x, mask=i < 16)'
is 'cuda' "$("$tessera" emit cuda '(4,8):(8,1)')" '__host__ __device__ inline long long offset(long long i)
{
    long long const x = i % 4 * 8 + i / 4;
    return x;
}'
is 'triton' "$("$tessera" emit triton 'Sw<2,0,2> o 0 o (4,4):(4,1)')" 'import triton
import triton.language as tl


@triton.jit
def offset(i):
    x = i % 4 * 4 + i // 4
    y = x ^ ((x >> 2 & 3) << 0)
    return y'
run emit fortran '(4,8):(8,1)'
check 'an unknown language' 2 ''
run emit c '(4,0):(8,1)'
check 'an invalid layout' 1 ''
all_passed
