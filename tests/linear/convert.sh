#!/bin/sh
# Layouts of other systems, in and out. The values of Triton's attributes are those of its own tests
# (triton-lang/triton, unittest/Dialect/TritonGPU/LinearLayoutConversionsTest.cpp).
# usage: convert.sh TESSERA SOURCE_FOLDER
tessera=$1
source=$2
. "$source/tests/check.sh"

# reads TEXT SHAPE WANTED: an attribute, and its map
reads() {
    is "$1 $2" "$("$tessera" convert --shape "$2" "$1" 2>&1)" "$3"
}

# blocked SIZE THREADS WARPS ORDER CTAS SPLIT CTAORDER
blocked() {
    printf '#ttg.blocked<{sizePerThread = [%s], threadsPerWarp = [%s], warpsPerCTA = [%s], order = [%s]' "$1" "$2" "$3" "$4"
    printf ', CTAsPerCGA = [%s], CTASplitNum = [%s], CTAOrder = [%s]}>' "$5" "$6" "$7"
}
reads "$(blocked 1 4 4 0 1 1 0)" 16 'linear{register=();lane=(1,2);warp=(4,8);block=() -> dim0=16}'
reads "$(blocked 1 4 4 0 4 2 0)" 32 'linear{register=();lane=(1,2);warp=(4,8);block=(16,0) -> dim0=32}'
reads "$(blocked '8, 1' '8, 4' '1, 4' '0, 1' '1, 2' '1, 2' '1, 0')" '(64,128)' \
    'linear{register=((1,0),(2,0),(4,0),(0,16),(0,32));lane=((8,0),(16,0),(32,0),(0,1),(0,2));warp=((0,4),(0,8));block=((0,64)) -> dim0=64;dim1=128}'
reads "$(blocked 1 4 4 0 1 1 0)" 128 'linear{register=(16,32,64);lane=(1,2);warp=(4,8);block=() -> dim0=128}'
reads "$(blocked '1, 1' '4, 1' '4, 1' '0, 1' '1, 1' '1, 1' '1, 0')" '(128,1)' \
    'linear{register=((16,0),(32,0),(64,0));lane=((1,0),(2,0));warp=((4,0),(8,0));block=() -> dim0=128;dim1=1}'
reads "$(blocked 4 4 4 0 1 1 0)" 8 'linear{register=(1,2);lane=(4,0);warp=(0,0);block=() -> dim0=8}'
reads "$(blocked '1, 1' '32, 1' '1, 8' '0, 1' '1, 1' '1, 1' '1, 0')" '(1,64)' \
    'linear{register=((0,8),(0,16),(0,32));lane=((0,0),(0,0),(0,0),(0,0),(0,0));warp=((0,1),(0,2),(0,4));block=() -> dim0=1;dim1=64}'
reads "$(blocked 2 4 1 0 1 1 0)" 32 'linear{register=(1,8,16);lane=(2,4);warp=();block=() -> dim0=32}'
reads "$(blocked '1, 4' '8, 4' '4, 1' '1, 0' '2, 2' '2, 1' '1, 0')" '(128,16)' \
    'linear{register=((0,1),(0,2),(32,0));lane=((0,4),(0,8),(1,0),(2,0),(4,0));warp=((8,0),(16,0));block=((0,0),(64,0)) -> dim0=128;dim1=16}'
reads "$(blocked 1 1 4 0 2 2 0)" 4 'linear{register=();lane=();warp=(1,0);block=(2) -> dim0=4}'
reads "$(blocked 1 1 1 0 4 4 0)" 2 'linear{register=();lane=();warp=();block=(1,0) -> dim0=2}'
reads "$(blocked '8, 1' '8, 4' '1, 4' '0, 1' '1, 2' '1, 2' '0, 1')" '(64,1)' \
    'linear{register=((1,0),(2,0),(4,0));lane=((8,0),(16,0),(32,0),(0,0),(0,0));warp=((0,0),(0,0));block=((0,0)) -> dim0=64;dim1=1}'
reads "$(blocked '2, 2' '4, 8' '2, 2' '1, 0' '2, 2' '2, 2' '1, 0')" '(1024,128)' \
    'linear{register=((0,1),(1,0),(0,32),(16,0),(32,0),(64,0),(128,0),(256,0));lane=((0,2),(0,4),(0,8),(2,0),(4,0));warp=((0,16),(8,0));block=((0,64),(512,0)) -> dim0=1024;dim1=128}'
reads "$(blocked '1, 1, 1, 4' '2, 1, 1, 16' '1, 2, 4, 1' '3, 0, 1, 2' '1, 1, 1, 1' '1, 1, 1, 1' '3, 2, 1, 0')" '(2,1,1,1)' \
    'linear{register=((0,0,0,0),(0,0,0,0));lane=((0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,0),(1,0,0,0));warp=((0,0,0,0),(0,0,0,0),(0,0,0,0));block=() -> dim0=2;dim1=1;dim2=1;dim3=1}'

# mma VERSION WARPS INSTRUCTION
mma() {
    printf '#ttg.nvidia_mma<{versionMajor = %s, versionMinor = 0, warpsPerCTA = [%s], instrShape = [%s]%s}>' "$1" "$2" "$3" "$4"
}
quads='lane=((0,2),(0,4),(1,0),(2,0),(4,0))'
reads "$(mma 2 '1, 1' '16, 8')" '(32,32)' \
    "linear{register=((0,1),(8,0),(0,8),(0,16),(16,0));$quads;warp=();block=() -> dim0=32;dim1=32}"
reads "$(mma 2 '1, 1' '16, 8')" '(16,128)' \
    "linear{register=((0,1),(8,0),(0,8),(0,16),(0,32),(0,64));$quads;warp=();block=() -> dim0=16;dim1=128}"
cga=', CTAsPerCGA = [4, 2, 2], CTASplitNum = [4, 2, 1], CTAOrder = [2, 1, 0]'
registers='register=((0,0,1),(0,8,0),(0,0,8),(0,0,16),(0,0,32),(0,0,64),(0,16,0),(0,32,0))'
lanes='lane=((0,0,2),(0,0,4),(0,1,0),(0,2,0),(0,4,0))'
reads "$(mma 2 '16, 1, 1' '1, 16, 8' "$cga")" '(64,128,128)' \
    "linear{$registers;$lanes;warp=((1,0,0),(2,0,0),(4,0,0),(8,0,0));block=((0,0,0),(0,64,0),(16,0,0),(32,0,0)) -> dim0=64;dim1=128;dim2=128}"
reads "$(mma 2 '16, 1, 1' '1, 16, 8' "$cga")" '(1,128,128)' \
    "linear{$registers;$lanes;warp=((0,0,0),(0,0,0),(0,0,0),(0,0,0));block=((0,0,0),(0,64,0),(0,0,0),(0,0,0)) -> dim0=1;dim1=128;dim2=128}"
for instruction in '16, 16, 8' '16, 8, 8'; do
    reads "$(mma 3 '4, 1' "$instruction")" '(64,16)' \
        "linear{register=((0,1),(8,0),(0,8));$quads;warp=((16,0),(32,0));block=() -> dim0=64;dim1=16}"
done
reads "$(mma 3 '4, 1' '16, 16, 8')" '(128,16)' \
    "linear{register=((0,1),(8,0),(0,8),(64,0));$quads;warp=((16,0),(32,0));block=() -> dim0=128;dim1=16}"
reads "$(mma 3 '4, 1' '16, 16, 8')" '(1024,1024)' \
    "linear{register=((0,1),(8,0),(0,8),(0,16),(0,32),(0,64),(0,128),(0,256),(0,512),(64,0),(128,0),(256,0),(512,0));$quads;warp=((16,0),(32,0));block=() -> dim0=1024;dim1=1024}"
four='register=((0,1),(8,0),(0,8),(0,16)'
reads "$(mma 3 '4, 2' '16, 32, 16')" '(64,32)' "linear{$four);$quads;warp=((16,0),(32,0),(0,0));block=() -> dim0=64;dim1=32}"
reads "$(mma 3 '4, 2' '16, 32, 16')" '(64,64)' "linear{$four);$quads;warp=((16,0),(32,0),(0,32));block=() -> dim0=64;dim1=64}"
reads "$(mma 3 '4, 2' '16, 32, 16')" '(128,64)' "linear{$four,(64,0));$quads;warp=((16,0),(32,0),(0,32));block=() -> dim0=128;dim1=64}"
reads "$(mma 3 '4, 2' '16, 32, 16')" '(256,64)' "linear{$four,(64,0),(128,0));$quads;warp=((16,0),(32,0),(0,32));block=() -> dim0=256;dim1=64}"
reads "$(mma 3 '4, 4' '16, 16, 8')" '(16,16)' "linear{register=((0,1),(8,0),(0,8));$quads;warp=((0,0),(0,0),(0,0),(0,0));block=() -> dim0=16;dim1=16}"
reads "$(mma 3 '4, 4' '16, 16, 8')" '(32,16)' "linear{register=((0,1),(8,0),(0,8));$quads;warp=((16,0),(0,0),(0,0),(0,0));block=() -> dim0=32;dim1=16}"
reads "$(mma 3 '4, 4' '16, 16, 8')" '(128,16)' "linear{register=((0,1),(8,0),(0,8),(64,0));$quads;warp=((16,0),(32,0),(0,0),(0,0));block=() -> dim0=128;dim1=16}"
reads "$(mma 3 '4, 4' '16, 16, 8')" '(32,32)' "linear{register=((0,1),(8,0),(0,8));$quads;warp=((16,0),(0,0),(0,16),(0,0));block=() -> dim0=32;dim1=32}"
reads "$(mma 3 '4, 4' '16, 16, 8')" '(64,32)' "linear{register=((0,1),(8,0),(0,8));$quads;warp=((16,0),(32,0),(0,16),(0,0));block=() -> dim0=64;dim1=32}"

reads '#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>' '(8,8)' \
    'linear{offset=((0,1),(0,2),(0,4),(1,2),(2,4),(4,0));block=() -> dim0=8;dim1=8}'
reads '#ttg.padded_shared<[8:+4] {order = [1, 0]}>' '(4,16)' '(_4,(_8,_2)):(_24,(_1,_12))'

# both SYSTEM TEXT ..: what is written is read as the same text
both() {
    system=$1
    text=$2
    shift 2
    is "$text" "$(printf '%s' "$text" | "$tessera" convert --to "$system" "$@" - 2>&1)" "$text"
}
both triton '- register=1 -> (0, 1)
  register=2 -> (8, 0)
- lane=1 -> (0, 2)
- warp is a size 1 dimension
where out dims are: [dim0 (size 16), dim1 (size 4)]'
both ttg '#ttg.linear<{register = [[0, 1], [2, 0]], lane = [[0, 2], [1, 0]], warp = [], block = []}>'
both numpy 'shape=(4, 8), strides=(32, 4)'
both numpy 'shape=(4,), strides=(-8,)'
both ggml 'ne=(8, 4), nb=(4, 32)'
is 'ggml is the other way round' "$("$tessera" convert --to numpy 'ne=(8, 4), nb=(2, 16)' --type f16)" 'shape=(4, 8), strides=(16, 2)'
both onednn abcd --shape '(2,16,7,7)'
both onednn acdb --shape '(2,16,7,7)'
both onednn aBcd16b --shape '(2,32,7,7)'
both onednn ABcd4a16b4a --shape '(32,32,3,3)'
is 'nchw' "$("$tessera" convert --shape '(2,3,5,7)' nchw)" '(_2,_3,_5,_7):(_105,_35,_7,_1)'
is 'nChw16c' "$("$tessera" convert --to onednn --shape '(2,32,5,7)' nChw16c)" 'aBcd16b'
is 'OIhw16i16o' "$("$tessera" convert --to onednn --shape '(32,32,3,3)' OIhw16i16o)" 'ABcd16b16a'
is 'a swizzle to Triton' "$("$tessera" convert --to triton 'Sw<1,0,1> o 0 o (2,2):(2,1)')" '- dim0=1 -> (3)
- dim1=1 -> (1)
where out dims are: [offset (size 4)]'

# refused SAYS ARGUMENTS..
refused() {
    says=$1
    shift
    is "$*" "$("$tessera" convert "$@" 2>&1 | grep -c "$says")" 1
}
refused 'extent 6 of dimension 0 is not a power of two' --to triton '6:1'
refused 'index 5 gives 4, but the xor' --to ttg '(4,4):(1,3)'
refused 'no coordinate gives' --to ttg 'linear{register=(2) -> dim0=4}'
refused 'the outputs of #ttg.linear are dim0' --to ttg '(4,4):(1,4)'
refused 'a swizzled layout' --to numpy 'Sw<1,0,1> o 0 o (2,2):(2,1)'
refused 'mode 0 has 2 strides' --to numpy '((2,2),2):((1,4),2)'
refused "leaves the range" --to numpy "(2,2):(1,2305843009213693952)"
refused 'the layout has gaps' --to onednn '(4,4):(8,1)'
refused 'a block lies outside' --to onednn '((2,2),2,2):((2,8),1,4)'
refused 'the shape of the tensor is needed' aBcd16b
refused 'it divides the extent' --shape '(2,30,7,7)' aBcd16b
refused 'a letter for each dimension' --shape '(2,30,7)' ab
refused 'no multiple of the size' 'shape=(4, 8), strides=(30, 4)'
refused 'as many strides as extents' 'shape=(4, 8), strides=(4,)'
for line in '- register=2 -> (1)' '- register=1 -> (1, 0)' '- register=1 -> (2)'; do
    printf '%s\nwhere out dims are: [dim0 (size 2)]' "$line" | "$tessera" convert - 2>/dev/null
    is "$line" $? 1
done
refused 'CGALayout is not read' --shape 8 '#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [2], order = [0], CGALayout = [[1]]}>'
refused 'are read' --shape '(8,8)' '#ttg.nvmma_shared<{swizzlingByteWidth = 128}>'
refused 'order names each dimension once' --shape '(8,8)' '#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 1]}>'
refused 'threadsPerWarp of 1 integers' --shape 8 '#ttg.blocked<{sizePerThread = [1], order = [0]}>'
refused 'nothing may follow' '#ttg.linear<{register = [[1]]}> x'
run convert --to fortran 8:1
check 'an unknown system' 2 ''
all_passed
