#!/bin/sh
# The commands on files: what they print and write, what they refuse, and what an end by force leaves.
# usage: relayout.sh TESSERA SOURCE_FOLDER
tessera=$1
source=$2
. "$source/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$source/examples/data/waves.npy" "$scratch"
cd "$scratch" || exit 2

# refuse NAME STATUS WORDS ARGUMENTS...: the words are in what standard error says (also of a success)
refuse() {
    name=$1
    wanted=$2
    words=$3
    shift 3
    output=$("$tessera" "$@" 2>&1 >/dev/null)
    status=$?
    case $output in *"$words"*) output=refused ;; esac
    check "$name" "$wanted" refused
}

# values FILE: the line of values that show prints
values() {
    output=$("$tessera" show "$@" 2>&1 | sed -n 's/^  values  //p')
    status=0
}

# array DESCR ORDER SHAPE DATA: a small array, its data as printf writes them
array() {
    header="{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"
    printf '\223NUMPY\001\000\200\000%-127s\n' "$header"
    printf "$4"
}

numbers='\001\000\002\000\003\000\004\000\005\000\006\000'
array '<i2' False '(2, 3)' "$numbers" >c.npy
array '<i2' True '(2, 3)' "$numbers" >f.npy
array '|V1' False '(2,)' '\070\270' >raw.npy
array '<f4' False '(2,)' '\000\000\200\077\000\000\300\177' >nan.npy

run show c.npy
check 'what is in a file' 0 "c.npy
  type    i16 ('<i2')
  layout  (2,3):(3,_1)
  order   C
  bytes   12 from byte 138 on, version 1.0
  values  1 2 3 4 5 6"
values f.npy
check 'values in the order of NumPy' 0 '1 3 5 2 4 6'
values waves.npy
check 'shortest decimals' 0 '100 98.01 92.11 82.53 69.67 54.03 36.24 17 ..'
values raw.npy --type f8_e4m3fn
check 'raw bytes with a type' 0 '1 -1'
array '|V16' False '(1,)' '\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020' >wide.npy
values wide.npy --type u128
check 'raw bytes of 128 bits' 0 '100f0e0d0c0b0a090807060504030201'
values nan.npy
check 'NaN' 0 '1 nan'
refuse 'raw bytes without one' 1 'the type must be given' show raw.npy
refuse 'a type that is none' 2 'unknown element type f9' show --type f9 raw.npy
run show c.npy '4:2'
[ "$status" -eq 0 ] && output=both
check 'files and expressions together' 0 both

run relayout c.npy out.npy --permute 1,0 --verify
check 'permute' 0 'c.npy: i16 (2,3):(3,_1)
out.npy: i16 (3,2):(2,_1)
verified: 6 elements'
values out.npy
check 'the values of it' 0 '1 4 2 5 3 6'
"$tessera" relayout f.npy out.npy --verify >/dev/null
values out.npy
check 'Fortran order to C order' 0 '1 3 5 2 4 6'
run relayout c.npy out.npy --tile '(2,2)' --verify
check 'tiles with an edge' 0 'c.npy: i16 (2,3):(3,_1)
out.npy: i16 (1,2,2,2):(8,4,2,_1)
2 elements are 0, no element of the array goes there
verified: 6 elements'
values out.npy
check 'the values of them' 0 '1 2 4 5 3 0 6 0'
"$tessera" relayout c.npy out.npy --permute 1,0 --tile 2,1 --verify >/dev/null
values out.npy
check 'permuted, then tiled' 0 '1 2 4 5 3 0 6 0'
"$tessera" relayout c.npy out.npy --layout '(2,3):(1,3)' --cast f32 --verify >/dev/null
values out.npy
check 'a layout with holes, converted' 0 '1 4 0 2 5 0 3 6'
"$tessera" relayout c.npy out.npy --layout 'Sw<1,0,1> o _0 o (2,3):(1,2)' --verify >/dev/null
values out.npy
check 'a swizzled layout' 0 '1 4 5 2 3 6'
"$tessera" relayout waves.npy out.npy --tile=8,8 --cast=bf16 --verify >/dev/null
"$tessera" relayout out.npy back.npy --permute 0,2,1,3 --cast f32 --verify >/dev/null
run show out.npy
output=$(printf '%s' "$output" | sed "s/'>V2', big-endian/'<V2'/") # in the order of the machine
check 'bf16' 0 "out.npy
  type    bf16 ('<V2')
  layout  (3,4,8,8):(256,64,8,_1)
  order   C
  bytes   1536 from byte 128 on, version 1.0
  values  100 98 92 82.5 69.5 54 36.25 17 .."
for type in f16 f64 i8 u8 i32 bool f8_e4m3fn f8_e5m2 tf32 c64; do
    run relayout waves.npy out.npy --cast "$type" --permute 1,0 --verify
    output=$(printf '%s' "$output" | tail -n 1)
    check "cast to $type" 0 'verified: 600 elements'
done
"$tessera" relayout c.npy c.npy --permute 1,0 >/dev/null
values c.npy
check 'a file onto itself' 0 '1 4 2 5 3 6'

# Both orders of bytes, and the machine's own.
array '>i2' False '(2, 3)' '\000\001\000\002\000\003\000\004\000\005\000\006' >big.npy
run relayout big.npy out.npy --permute 1,0 --verify
output=$(printf '%s' "$output" | tail -n 1)
check 'a big-endian array' 0 'verified: 6 elements'
values big.npy
check 'its values' 0 '1 2 3 4 5 6'
values out.npy
check 'and those of its transpose' 0 '1 4 2 5 3 6'
array '>f4' False '(2,)' '\077\200\000\000\300\040\000\000' >big.npy
values big.npy
check 'big-endian reals' 0 '1 -2.5'
array '<f4' False '(2,)' '\000\000\200\077\000\000\040\300' >little.npy
values little.npy
check 'little-endian reals' 0 '1 -2.5'
"$tessera" relayout big.npy out.npy --cast i8 >/dev/null
values out.npy
check 'a big-endian array, converted' 0 '1 -2'

# Pipes on both sides: what an array announces is read, and no more; words do not come between its bytes.
output=$( (cat c.npy; echo more) | "$tessera" relayout /dev/stdin out.npy --permute 1,0 >/dev/null; "$tessera" show out.npy |
    sed -n 's/^  values  //p')
check 'an array from a pipe' 0 '1 2 3 4 5 6'
"$tessera" relayout c.npy want.npy --permute 1,0 >/dev/null
output=$("$tessera" relayout c.npy /dev/stdout --permute 1,0 2>words | cmp - want.npy && cat words)
check 'an array into a pipe' 0 'c.npy: i16 (3,2):(2,_1)
/dev/stdout: i16 (2,3):(3,_1)'
output=$(cat c.npy | "$tessera" relayout - - --permute 1,0 2>words | cmp - want.npy && cat words)
code=$?
check 'a - for both' 0 '/dev/stdin: i16 (3,2):(2,_1)
/dev/stdout: i16 (2,3):(3,_1)'
mkfifo pipe
cat pipe >got.npy &
"$tessera" relayout c.npy pipe --permute 1,0 >/dev/null
wait $!
output=$([ -p pipe ] && cmp got.npy want.npy && echo same)
check 'a named pipe stays one' 0 same
rm pipe

# Standard error that is closed: the meter goes nowhere, least of all into the array.
"$tessera" relayout waves.npy out.npy --progress >/dev/null 2>&-
status=$?
"$tessera" relayout waves.npy want.npy >/dev/null
output=$(cmp out.npy want.npy && echo same)
check 'the meter of a closed standard error' 0 same
chmod 640 out.npy
"$tessera" relayout waves.npy out.npy >/dev/null
output=$(ls -l out.npy | cut -c1-10)
check 'a target keeps its permissions' 0 -rw-r-----

array '<i2' False '()' '\007\000' >scalar.npy
for option in '--permute ()' '--tile ()' '--layout ():()' '--cast f32'; do
    # shellcheck disable=SC2086
    run relayout scalar.npy out.npy $option --verify
    output=$(printf '%s' "$output" | tail -n 1)
    check "no dimensions, $option" 0 'verified: 1 elements'
done
array '<i2' False '(1, 2, 1, 1, 3, 1, 1, 1)' "$numbers" >eight.npy
run relayout eight.npy out.npy --tile '(2,1,1,3,2,1,1,2)' --verify
output=$(printf '%s' "$output" | tail -n 1)
check 'eight axes in tiles' 0 'verified: 6 elements'
run relayout eight.npy out.npy --layout '(1,(2,1),1,1,(1,3),1,1,1):(0,(3,9),7,7,(5,1),4,4,0)' --verify
output=$(printf '%s' "$output" | tail -n 1)
check 'extents of 1 anywhere' 0 'verified: 6 elements'

# Parts, as NumPy slices.
for row in '0=1 2 3' '-1=4 5 6' ':,1=2 5' ':,-1:=3 6' '::-1=4 5 6 1 2 3' ':,::-2=3 1 6 4' '1,2=6' '0:1,:2,=1 2' '1:2=4 5 6' '+1,0:3:2=4 6'; do
    run relayout f.npy out.npy --verify "--slice=${row%%=*}"
    values out.npy
    array '<i2' False '(2, 3)' "$numbers" >slice.npy
    run relayout slice.npy out.npy --verify "--slice=${row%%=*}"
    [ "$status" -eq 0 ] && values out.npy
    check "slice ${row%%=*}" 0 "${row#*=}"
done
run relayout slice.npy out.npy --slice ':,1:' --permute 1,0 --verify
check 'a part, permuted' 0 'slice.npy: i16 (2,3):(3,_1)
part: i16 (2,2):(3,1)
out.npy: i16 (2,2):(2,_1)
verified: 4 elements'
refuse 'an index that is not there' 1 '2 is not within axis 0, which has 2 indices' relayout slice.npy no.npy --slice 2
refuse 'one from the end' 1 'axis 0, which has 2' relayout slice.npy no.npy --slice=-3
refuse 'a bound that is not there' 1 '4 is not within axis 1, which has 3 indices' relayout slice.npy no.npy --slice 0,1:4
refuse 'an empty part' 1 'axis 1, from 2 to 2 by 1, has no indices' relayout slice.npy no.npy --slice 0,2:2
refuse 'a backward part' 1 'axis 1, from 2 to 0 by 1, has no indices' relayout slice.npy no.npy --slice 0,2:0
refuse 'a step of 0' 1 'the step of axis 0 is 0' relayout slice.npy no.npy --slice ::0
refuse 'more axes than there are' 1 'more than the 2 axes' relayout slice.npy no.npy --slice 0,0,0
refuse 'no slice' 1 'axis 0 is neither an index nor FROM:TO:STEP, as in 0:4,:,3: x' relayout slice.npy no.npy --slice x
refuse 'half a slice' 1 'axis 1 is neither' relayout slice.npy no.npy --slice 0,1-
refuse 'a slice of 2^64' 1 'axis 0 is neither' relayout slice.npy no.npy --slice 99999999999999999999

# Other extents, in C order, whatever order the file has.
for row in '3,2=(3,2):(2,_1) 1 2 3 4 5 6' '-1=(6):(_1) 1 2 3 4 5 6' '6,-1,1=(6,1,1):(1,1,_1) 1 2 3 4 5 6' '(1,2,3)=(1,2,3):(6,3,_1) 1 2 3 4 5 6'; do
    array '<i2' True '(2, 3)' '\001\000\004\000\002\000\005\000\003\000\006\000' >order.npy
    for file in slice.npy order.npy; do
        run relayout "$file" out.npy "--reshape=${row%%=*}" --verify
        [ "$status" -eq 0 ] && output=$("$tessera" show out.npy | sed -n 's/^  layout  //p; s/^  values  //p' | paste -sd ' ' -)
        check "reshape ${row%%=*} of $file" 0 "${row#*=}"
    done
done
for row in '--reshape 3,2 --permute 1,0=1 3 5 2 4 6' '--slice ::-1 --reshape -1=4 5 6 1 2 3' '--slice :,::-1 --reshape 2,3,1 --permute 1,0,2=3 6 2 5 1 4' \
    '--reshape 3,2 --tile 2,2=1 2 3 4 5 6 0 0' '--reshape 6 --layout 6:2=1 0 2 0 3 0 4 0 ..' '--slice 1 --reshape 3,1 --cast f32=4 5 6'; do
    # shellcheck disable=SC2086
    run relayout slice.npy out.npy ${row%%=*} --verify
    [ "$status" -eq 0 ] && values out.npy
    check "reshape in ${row%%=*}" 0 "${row#*=}"
done
run relayout scalar.npy out.npy --reshape 1,1 --verify
run relayout out.npy out.npy --reshape '()' --verify
check 'one element has any number of axes' 0 'out.npy: i16 (1,1):(1,_1)
out.npy: i16 ():()
verified: 1 elements'
refuse 'too few elements' 1 '--reshape 5 has 5 elements, and (2,3) has 6' relayout slice.npy no.npy --reshape 5
refuse 'too many' 1 '--reshape 4,2 has more than the 6 elements of (2,3)' relayout slice.npy no.npy --reshape 4,2
refuse 'nothing is left' 1 'the 6 elements of (2,3) are no multiple of 4' relayout slice.npy no.npy --reshape 4,-1
refuse 'twice what is left' 1 'may stand once' relayout slice.npy no.npy --reshape=-1,-1
refuse 'an extent of -2' 1 'extent -2 of axis 1 is negative' relayout slice.npy no.npy --reshape 3,-2
refuse 'an extent of 2^62' 1 'has more than the 6' relayout slice.npy no.npy --reshape 4611686018427387904,4611686018427387904
refuse 'nested extents' 1 '--reshape needs one integer an axis' relayout slice.npy no.npy --reshape '(2,(3,1))'
refuse 'axes without strides' 1 'the elements of (2,3) do not lie in C order' relayout order.npy no.npy --reshape 3,2 --permute 1,0
refuse 'seventeen axes' 1 '--reshape has more than 16 axes (TSR_MAX_LEAVES)' relayout slice.npy no.npy --reshape "$(printf '1,%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)2,3"
run relayout slice.npy out.npy --reshape "$(printf '1,%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14)2,3" --verify
check 'sixteen axes' 0 "slice.npy: i16 (2,3):(3,_1)
out.npy: i16 (1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,3):(6,6,6,6,6,6,6,6,6,6,6,6,6,6,3,_1)
verified: 6 elements"
refuse 'no elements for some' 1 '--reshape 0,6 has 0 elements, and (2,3) has 6' relayout slice.npy no.npy --reshape 0,6
refuse 'no reshape of parts' 1 'exclude each other' relayout slice.npy no.npy --reshape 3,2 --dist 'dtensor((2,3),(2),[S(0)])'

# Arrays without elements: what moves extents moves these.
array '<i2' False '(2, 0, 3)' '' >none.npy
run show none.npy
check 'what is in a file without elements' 0 "none.npy
  type    i16 ('<i2')
  layout  (2,0,3), no elements
  order   C
  bytes   0 from byte 138 on, version 1.0
  values"
for row in '--permute 2,0,1=(3,2,0)' '--reshape 0,5=(0,5)' '--reshape 7,-1=(7,0)' '--tile 2,2,2=(1,0,2,2,2,2)' '--cast f64=(2,0,3)' \
    '--slice :,:,1 --permute 1,0=(0,2)' '--slice 1,::-1=(0,3)' '--memory 1 --plan=(2,0,3)'; do
    # shellcheck disable=SC2086
    run relayout none.npy out.npy --verify ${row%%=*}
    output=$(printf '%s' "$output" | tail -n 2 | sed 's/out.npy: [if][16][64] //' | paste -sd ' ' -)
    check "no elements, ${row%%=*}" 0 "${row#*=}, no elements verified: 0 elements"
done
output=$("$tessera" relayout none.npy - --permute 1,0,2 2>words | "$tessera" relayout - out.npy | tail -n 1 && tail -n 1 words)
check 'no elements through a pipe' 0 'out.npy: i16 (0,2,3), no elements
/dev/stdout: i16 (0,2,3), no elements'
run relayout none.npy out.npy --dist 'dtensor((2,0,3),(2),[S(0)])'
check 'no elements for ranks' 0 'none.npy: i16 (2,0,3), no elements
out.0.npy: i16 (1,0,3), no elements
out.1.npy: i16 (1,0,3), no elements'
run relayout out.npy back.npy --from 'dtensor((2,0,3),(2),[S(0)])' --cast f32
check 'and back' 0 'back.npy: f32 (2,0,3), no elements'
refuse 'no type of parts that are not there' 1 'no.0.npy: cannot be opened' relayout no.npy out.npy --from 'dtensor((0),(2),[S(0)])'
refuse 'a layout without elements' 1 'axis 1 of the array has no elements' relayout none.npy no.npy --layout '(2,3,3):(9,3,1)'
refuse 'two unknown extents' 1 '--reshape 0,-1: any extent may stand for -1' relayout none.npy no.npy --reshape 0,-1
refuse 'elements out of none' 1 '--reshape 6 has 6 elements, and (2,0,3) has 0' relayout none.npy no.npy --reshape 6
refuse 'an index of none' 1 '0 is not within axis 1, which has 0 indices' relayout none.npy no.npy --slice :,0

# Files larger than the memory: in boxes they become the same.
for options in '--permute 1,0' '--reshape 25,24' '--reshape 5,4,30 --permute 2,0,1' '--tile 7,9' '--permute 1,0 --tile 3,8 --cast f64' '--layout (20,30):(1,21) --cast i32' \
    '--layout ((4,5),(10,3)):((1,40),(4,200)) --slice ::-1' '--layout Sw<2,1,3>%o%_0%o%(20,30):(32,1)'; do
    set -f
    # shellcheck disable=SC2086
    set -- $options
    i=$#
    while [ "$i" -gt 0 ]; do
        word=$(printf '%s' "$1" | tr '%' ' ')
        shift
        set -- "$@" "$word"
        i=$((i - 1))
    done
    "$tessera" relayout waves.npy want.npy "$@" >/dev/null
    output=$("$tessera" relayout waves.npy out.npy --memory 300 --verify "$@" | tail -n 1)
    cmp -s out.npy want.npy || output='another file'
    status=0
    check "in boxes: $options" 0 'verified: 600 elements'
    set +f
done
refuse 'a size that is none' 2 '--memory 5X: a size is' relayout c.npy no.npy --memory 5X
refuse 'no memory at all' 2 '--memory 0: a size is' relayout c.npy no.npy --memory 0

refuse 'progress on request' 0 'MB copied in' relayout waves.npy out.npy --progress

refuse 'axes that are not all' 1 'one integer for each of the 2 axes' relayout c.npy no.npy --permute 0
refuse 'an axis twice' 1 'must be named once' relayout c.npy no.npy --permute 0,0
refuse 'an axis that is not there' 1 'must be named once' relayout c.npy no.npy --permute 0,2
refuse 'a tile of 0' 1 'extent 0 of axis 1 is not positive' relayout c.npy no.npy --tile 2,0
refuse 'a nested tile' 1 'one integer for each' relayout c.npy no.npy --tile '(2,(1,1))'
refuse 'a layout of another rank' 1 'has 1 modes, the array 2 axes' relayout c.npy no.npy --layout 6:1
refuse 'a layout of another shape' 1 'mode 0 has 2 elements, axis 0 of the array 3' relayout c.npy no.npy --layout '(2,3):(3,1)'
refuse 'a layout that is not injective' 1 'would have one place' relayout c.npy no.npy --layout '(3,2):(1,1)'
refuse 'a negative offset' 1 'the offset -1 is negative' relayout c.npy no.npy --layout '(3,2):(2,-1)'
refuse 'a layout of coordinates' 1 'has no offsets' relayout c.npy no.npy --layout '(3,2):(_1@0,_1@1)'
refuse 'no layout at all' 1 '--layout:' relayout c.npy no.npy --layout '(3,2'
refuse 'tile and layout' 2 'exclude each other' relayout c.npy no.npy --tile 2,2 --layout '(3,2):(2,1)'
refuse 'elements of half a byte' 1 'NumPy has no elements of 4 bits' relayout c.npy no.npy --cast i4
refuse 'a cast to nothing' 1 'unknown element type f9' relayout c.npy no.npy --cast f9
refuse 'an option without its value' 2 '--cast needs a value' relayout c.npy no.npy --cast
refuse 'an option of another command' 2 'unknown option --verify' show --verify c.npy
refuse 'one file only' 2 'an input and an output' relayout c.npy
refuse 'no such file' 1 'cannot be opened' relayout missing.npy no.npy
refuse 'a folder that is not there' 1 'no file can be made' relayout c.npy missing/no.npy
refuse 'a full device' 1 '/dev/full: cannot be written: No space left' relayout c.npy /dev/full
refuse 'a device cannot be read again' 1 'which is not a regular file' relayout c.npy /dev/null --verify
refuse 'a device without end' 1 'it does not begin with' relayout /dev/zero no.npy
ln -s nothing dangling.npy
ln -s circle.npy circle.npy
refuse 'a link to nothing' 1 'dangling.npy: is a link to a file that does not exist' relayout c.npy dangling.npy
refuse 'a link to itself' 1 'circle.npy: is a link that leads to itself' relayout c.npy circle.npy
[ -L dangling.npy ] && [ -L circle.npy ] && [ ! -e nothing ] && [ -c /dev/full ] && output=left
status=0
check 'links and devices are left' 0 left
head -c 100 waves.npy >short.npy
refuse 'half a header' 1 'are there' relayout short.npy no.npy
output=$(ls | grep -c '^no\.npy\|tmp$')
status=0
check 'nothing is left of what was refused' 0 0

printf '\104\000\000\000\000\000\000\000{"w":{"dtype":"U8","shape":[2,3],"data_offsets":[0,6]}}%13s\001\002\003\004\005\006' '' \
    >model.safetensors
run show model.safetensors
check 'a table of tensors' 0 'model.safetensors: 1 tensors, 6 bytes
  w  u8        (2,3):(3,_1)              1 2 3 4 5 6'
refuse 'a broken one' 1 'belong to no tensor' show "$(sed 's/\[2,3\]/[2,2]/; s/\[0,6\]/[2,6]/' model.safetensors >broken.safetensors
    echo broken.safetensors)"

# Tensors: some are changed, the others copied; GGUF in.
printf '\130\001\000\000\000\000\000\000%-344s' '{"__metadata__":{"format":"pt"},"a.w":{"dtype":"I16","shape":[2,3],"data_offsets":[0,12]},"b.w":{"dtype":"I16","shape":[3,2],"data_offsets":[12,24]},"b.bias":{"dtype":"U8","shape":[3],"data_offsets":[24,27]},"four":{"dtype":"F4","shape":[2],"data_offsets":[27,28]},"none":{"dtype":"F32","shape":[0],"data_offsets":[28,28]}}' \
    >model.safetensors
printf "$numbers$numbers"'\007\010\011\041' >>model.safetensors
run relayout model.safetensors out.safetensors --verify
check 'tensors copied' 0 'out.safetensors: 5 tensors, 0 changed
verified: 17 elements of 5 tensors'
run relayout model.safetensors out.safetensors --tensor '*.w' --permute 1,0 --cast f32 --verify
check 'tensors changed' 0 'out.safetensors: 5 tensors, 2 changed
  a.w: f32 (3,2):(2,_1)
  b.w: f32 (2,3):(3,_1)
verified: 17 elements of 5 tensors'
run show out.safetensors
check 'and what is in them' 0 'out.safetensors: 5 tensors, 52 bytes
  a.w     f32       (3,2):(2,_1)              1 4 2 5 3 6
  b.w     f32       (2,3):(3,_1)              1 3 5 2 4 6
  none    f32       (0), no elements
  b.bias  u8        (3):(_1)                  7 8 9
  four    f4_e2m1fn (2):(_1)                  0.5 1'
output=$(head -c 60 out.safetensors | tail -c 52)
check 'metadata are kept' 0 '{"__metadata__":{"format":"pt"},"a.w":{"dtype":"F32"'
run relayout model.safetensors out.npy --tensor b.bias --slice ::-1 --cast i32 --verify
values out.npy
check 'one tensor as an array' 0 '9 8 7'
run relayout model.safetensors out.safetensors --tensor 'b.w,b.b*' --only --slice 1: --verify
check 'some tensors only' 0 'out.safetensors: 2 tensors, 2 changed
  b.w: i16 (2,2):(2,_1)
  b.bias: u8 (2):(_1)
verified: 9 elements of 2 tensors'
run relayout model.safetensors out.safetensors --tensor a.w --tile 1,2 --memory 8 --verify
check 'a tensor in tiles' 0 'out.safetensors: 5 tensors, 1 changed
  a.w: i16 (2,2,1,2):(4,2,2,_1)
verified: 17 elements of 5 tensors'
run relayout model.safetensors out.safetensors --tensor '*.w' --reshape 1,-1,2 --verify
check 'tensors of other extents' 0 'out.safetensors: 5 tensors, 2 changed
  a.w: i16 (1,3,2):(6,2,_1)
  b.w: i16 (1,3,2):(6,2,_1)
verified: 17 elements of 5 tensors'
cp model.safetensors own.safetensors
run relayout own.safetensors own.safetensors --tensor a.w --cast f64 --verify
check 'a file of tensors onto itself' 0 'own.safetensors: 5 tensors, 1 changed
  a.w: f64 (2,3):(3,_1)
verified: 17 elements of 5 tensors'
"$tessera" relayout model.safetensors out.safetensors >/dev/null
output=$(cat model.safetensors | "$tessera" relayout /dev/stdin out.npy 2>&1)
status=$?
check 'what a stream is says its name' 1 'error: /dev/stdin: this is not an .npy file: it does not begin with \x93NUMPY'
output=$(printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n' >lfs.safetensors
    "$tessera" show lfs.safetensors 2>&1)
status=$?
check 'a pointer of Git LFS is called one' 1 'error: lfs.safetensors: this is not a .safetensors file, but a pointer of Git LFS: git lfs pull fetches the file'
refuse 'a tensor that is not there' 1 '--tensor: no tensor is named x*' relayout model.safetensors no.safetensors --tensor 'x*'
refuse 'many tensors as one array' 1 'holds one array, but 2 tensors are meant' relayout model.safetensors no.npy --tensor '*.w'
refuse 'no tensors into tensors' 1 'an array cannot become a file of tensors' relayout c.npy no.safetensors
refuse 'a field of numbers' 1 'the elements have no fields, and none is named "a"' relayout c.npy no.npy --tensor a
refuse 'only a field' 2 '--only is for a file of tensors' relayout c.npy no.npy --tensor a --only
refuse 'a field of parts' 2 '--from reads parts' relayout c.npy no.npy --tensor a --from 'dtensor((2),(2),[S(0)])'
printf '\223NUMPY\001\000\200\000%-127s\n' "{'descr': [('x', '<i2'), ('y', [('u', '|u1'), ('v', '>i2')])], 'fortran_order': False, 'shape': (2,), }" >records.npy
printf '\001\000\007\000\003\002\000\010\000\004' >>records.npy
for row in 'x=1 2' 'y.u=7 8' 'y.v=3 4'; do
    run relayout records.npy out.npy --tensor "${row%%=*}" --verify
    [ "$status" -eq 0 ] && values out.npy
    check "field ${row%%=*}" 0 "${row#*=}"
done
refuse 'structures without a field' 1 'choose one of their fields x, y.u, y.v (--tensor)' relayout records.npy no.npy
refuse 'a field that is not there' 1 'have no field "y", but the fields x, y.u, y.v' relayout records.npy no.npy --tensor y
array '<i2' False '(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3)' "$numbers" >many.npy
run relayout many.npy out.npy --permute 1,0 --verify
check 'eighteen dimensions' 0 '18 dimensions are read as 2: those of one index are left out, and of more than 16 the last ones joined
many.npy: i16 (2,3):(3,_1)
out.npy: i16 (3,2):(2,_1)
verified: 6 elements'
refuse 'only what' 2 '--only needs --tensor' relayout model.safetensors no.safetensors --only
refuse 'an axis that a tensor has not' 1 'of tensor "b.bias"; --tensor chooses some' relayout model.safetensors no.safetensors --tensor 'b.bias' --permute 1,0
run relayout model.safetensors out.safetensors --only --tensor four --cast f32 --slice ::-1 --verify
check 'elements of half a byte are converted' 0 'out.safetensors: 1 tensors, 1 changed
  four: f32 (2):(_1)
verified: 2 elements of 1 tensors'
refuse 'no half of a byte is left' 1 'tensor "b.bias" has 12 bits, which are no whole bytes' relayout model.safetensors no.safetensors --tensor b.bias --cast f4_e2m1fn
printf '\100\000\000\000\000\000\000\000%-64s\020\062\124\166\230\272' '{"w":{"dtype":"F4","shape":[4,3],"data_offsets":[0,6]}}' >four.safetensors
for row in '--permute 1,0=(3,4):(4,_1)              0 1.5 4 -0.5 0.5 2 6 -1 ..' '--slice ::-2,:2=(2,2):(2,_1)              -0.5 -1 1.5 2' \
    '--slice :,1:=(4,2):(2,_1)              0.5 1 2 3 6 -0 -1 -1.5' '--tile 3,2=(2,2,3,2):(12,6,2,_1)     0 0.5 1.5 2 4 6 1 0 ..' \
    '--layout (4,3):(1,5)=(14):(_1)                 0 1.5 4 -0.5 0 0.5 2 6 ..'; do
    # shellcheck disable=SC2086
    run relayout four.safetensors out.safetensors --verify ${row%%=*}
    [ "$status" -eq 0 ] && output=$("$tessera" show out.safetensors | tail -n 1)
    check "half bytes, ${row%%=*}" 0 "  w  f4_e2m1fn ${row#*=}"
done
"$tessera" relayout four.safetensors wide.safetensors --cast f16 --verify >/dev/null
"$tessera" relayout wide.safetensors out.safetensors --cast f4_e2m1fn --verify >/dev/null
output=$(tail -c 6 out.safetensors | od -A n -t x1 | tr -d ' ')
check 'there and back' 0 1032547698ba
refuse 'a type that safetensors has not' 1 'safetensors has no elements of c128' relayout model.safetensors no.safetensors --tensor b.bias --cast c128
run relayout model.safetensors out.safetensors --only --tensor none,b.bias --cast f64 --reshape=-1,1 --verify
check 'a tensor without elements' 0 'out.safetensors: 2 tensors, 2 changed
  b.bias: f64 (3,1):(1,_1)
  none: f64 (0,1), no elements
verified: 3 elements of 2 tensors'
run relayout model.safetensors out.npy --tensor none --reshape 4,0 --verify
check 'and as an array' 0 'model.safetensors: f32 (0), no elements
out.npy: f32 (4,0), no elements
verified: 0 elements'
refuse 'a broken file' 1 'belong to no tensor' relayout broken.safetensors no.safetensors
zero='\000\000\000\000\000\000\000'
printf "GGUF\\003\\000\\000\\000\\002$zero\\001$zero\\001${zero}k\\004\\000\\000\\000\\005\\000\\000\\000\\001${zero}w\\002\\000\\000\\000\\003$zero\\002$zero\\031\\000\\000\\000\\000$zero\\001${zero}q\\001\\000\\000\\000\\040$zero\\010\\000\\000\\000\\040$zero" >model.gguf
size=$(wc -c <model.gguf)
head -c $(((32 - size % 32) % 32)) /dev/zero >>model.gguf
printf "$numbers" >>model.gguf
head -c 54 /dev/zero >>model.gguf
run show model.gguf
check 'a table of GGUF' 0 'model.gguf: 2 tensors, 66 bytes
  w  i16       (2,3):(3,_1)              1 2 3 4 5 6
  q  Q8_0      no layout: quantised'
run relayout model.gguf out.safetensors --only --tensor w --permute 1,0 --verify
check 'GGUF to safetensors' 0 'out.safetensors: 1 tensors, 1 changed
  w: i16 (3,2):(2,_1)
verified: 6 elements of 1 tensors'
output=$(head -c 40 out.safetensors | tail -c 32)
check 'with its numbers as metadata' 0 '{"__metadata__":{"k":"5"},"w":{"'
sed 's/\(q\o1\o0\o0\o0\o40\o0\o0\o0\o0\o0\o0\o0\)\o10/\1\o51/' model.gguf >opaque.gguf
run show opaque.gguf
check 'an unknown type hides no tensor' 0 'opaque.gguf: 2 tensors, 66 bytes
  w  i16       (2,3):(3,_1)              1 2 3 4 5 6
  q  type 41   no layout: unknown type'
run relayout opaque.gguf out.npy --tensor w --verify
check 'nor keeps it' 0 'opaque.gguf: i16 (2,3):(3,_1)
out.npy: i16 (2,3):(3,_1)
verified: 6 elements'
refuse 'itself is refused' 1 'tensor "q" has the unknown type 41: what its bytes mean is not known' relayout opaque.gguf no.npy --tensor q
refuse 'by name among others' 1 'tensor "q" is of an unknown type (type 41), which safetensors does not have' relayout opaque.gguf no.safetensors
refuse 'quantised tensors' 1 'tensor "q" is quantised (Q8_0), which safetensors does not have' relayout model.gguf no.safetensors
refuse 'one as an array' 1 'tensor "q" is quantised (Q8_0)' relayout model.gguf no.npy --tensor q
output=$(ls | grep -c '^no\.\|tmp$')
status=0
check 'nothing is left of what was refused of tensors' 0 0

# An end by force: the target is the old file or the whole new one, whenever it comes.
header="{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }"
printf '\223NUMPY\001\000\200\000%-127s\n' "$header" >large.npy
dd if=/dev/zero bs=1048576 count=64 >>large.npy 2>/dev/null
permute='--permute 1,0' # in the file; without it pieces are made in memory and written
for signal in TERM KILL; do
    for wait in 0 0.02 0.05 0.1 0.2 0.4; do
        cp waves.npy target.npy
        [ "$permute" ] && permute= || permute='--permute 1,0'
        "$tessera" relayout large.npy target.npy $permute --cast f16 >/dev/null 2>&1 &
        sleep "$wait"
        kill -"$signal" $! 2>/dev/null
        wait $! 2>/dev/null
        status=0
        if cmp -s waves.npy target.npy; then
            output=whole
        else
            output=$("$tessera" show target.npy 2>&1 | sed -n 's/^  layout  (4096,4096):(4096,_1)$/whole/p')
        fi
        check "ended by $signal after $wait" 0 whole
        output=$(ls | grep -c 'tmp$')
        [ "$signal" = TERM ] && check "nothing is left by $signal after $wait" 0 0
    done
done

# An input that becomes shorter: an error and the old file, or the whole new one.
for wait in 0 0.01 0.02 0.03 0.05 0.1; do
    cp waves.npy target.npy
    cp large.npy shorter.npy
    "$tessera" relayout shorter.npy target.npy --cast f16 >/dev/null 2>words &
    sleep "$wait"
    truncate -s 5000 shorter.npy
    wait $!
    status=$?
    output=wrong
    if [ $status -eq 0 ]; then
        output=$("$tessera" show target.npy 2>&1 | sed -n 's/^  layout  (4096,4096):(4096,_1)$/whole/p')
    elif cmp -s waves.npy target.npy && grep -q 'shorter\|announced' words; then
        output=whole
        status=0
    fi
    check "an input shorter after $wait" 0 whole
done

"$tessera" relayout c.npy target.npy >/dev/null
output=$(ls | grep -c 'tmp$')
status=0
check 'what ends by force left is removed by the next run' 0 0

all_passed
