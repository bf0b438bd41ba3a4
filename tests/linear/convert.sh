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

# dot WHICH WIDTH PARENT
dot() {
    printf '#ttg.dot_op<{opIdx = %s, parent = %s, kWidth = %s}>' "$1" "$3" "$2"
}
one=$(mma 2 '1, 1' '16, 8')
k8='lane=((0,8),(0,16),(1,0),(2,0),(4,0))'
k8t='lane=((8,0),(16,0),(0,1),(0,2),(0,4))'
reads "$(dot 0 8 "$one")" '(16,64)' "linear{register=((0,1),(0,2),(0,4),(8,0),(0,32));$k8;warp=();block=() -> dim0=16;dim1=64}"
reads "$(dot 1 8 "$one")" '(64,8)' "linear{register=((1,0),(2,0),(4,0),(32,0));$k8t;warp=();block=() -> dim0=64;dim1=8}"
four=$(mma 2 '4, 1' '16, 8')
reads "$(dot 0 8 "$four")" '(128,128)' "linear{register=((0,1),(0,2),(0,4),(8,0),(0,32),(0,64),(64,0));$k8;warp=((16,0),(32,0));block=() -> dim0=128;dim1=128}"
reads "$(dot 1 8 "$four")" '(128,64)' "linear{register=((1,0),(2,0),(4,0),(32,0),(64,0),(0,8),(0,16),(0,32));$k8t;warp=((0,0),(0,0));block=() -> dim0=128;dim1=64}"
reads "$(dot 1 8 "$four")" '(64,128)' "linear{register=((1,0),(2,0),(4,0),(32,0),(0,8),(0,16),(0,32),(0,64));$k8t;warp=((0,0),(0,0));block=() -> dim0=64;dim1=128}"
cube=$(mma 2 '2, 4, 2' '1, 16, 8')
reads "$(dot 0 8 "$cube")" '(16,128,128)' 'linear{register=((0,0,1),(0,0,2),(0,0,4),(0,8,0),(0,0,32),(0,0,64),(0,64,0),(2,0,0),(4,0,0),(8,0,0));lane=((0,0,8),(0,0,16),(0,1,0),(0,2,0),(0,4,0));warp=((0,0,0),(0,16,0),(0,32,0),(1,0,0));block=() -> dim0=16;dim1=128;dim2=128}'
reads "$(dot 1 8 "$cube")" '(8,128,64)' 'linear{register=((0,1,0),(0,2,0),(0,4,0),(0,32,0),(0,64,0),(0,0,16),(0,0,32),(2,0,0),(4,0,0));lane=((0,8,0),(0,16,0),(0,0,1),(0,0,2),(0,0,4));warp=((0,0,8),(0,0,0),(0,0,0),(1,0,0));block=() -> dim0=8;dim1=128;dim2=64}'
reads "$(dot 0 2 "$(mma 3 '4, 1' '16, 16, 8')")" '(128,32)' "linear{register=((0,1),(8,0),(0,8),(0,16),(64,0));$quads;warp=((16,0),(32,0));block=() -> dim0=128;dim1=32}"
reads "$(dot 0 4 "$(mma 3 '4, 2' '16, 16, 8')")" '(128,64)' 'linear{register=((0,1),(0,2),(8,0),(0,16),(0,32),(64,0));lane=((0,4),(0,8),(1,0),(2,0),(4,0));warp=((16,0),(32,0),(0,0));block=() -> dim0=128;dim1=64}'
split=$(mma 2 '2, 2' '16, 8')
reads "$(dot 0 8 "$split")" '(32,64)' "linear{register=((0,1),(0,2),(0,4),(8,0),(0,32));$k8;warp=((0,0),(16,0));block=() -> dim0=32;dim1=64}"
reads "$(dot 1 8 "$split")" '(128,32)' "linear{register=((1,0),(2,0),(4,0),(32,0),(64,0),(0,16));$k8t;warp=((0,8),(0,0));block=() -> dim0=128;dim1=32}"
reads "#ttg.slice<{dim = 1, parent = $(dot 0 8 "$one")}>" 16 'linear{register=(8);lane=(0,0,1,2,4);warp=();block=() -> dim0=16}'
reads "#ttg.slice<{dim = 0, parent = $(dot 0 2 "$(mma 3 '4, 1' '16, 16, 8')")}>" 16 'linear{register=(1,8);lane=(2,4,0,0,0);warp=(0,0);block=() -> dim0=16}'

# mfma WARPS M TRANSPOSED
mfma() {
    printf '#ttg.amd_mfma<{version = 2, warpsPerCTA = [%s], instrShape = [%s, %s], isTransposed = %s}>' "$1" "$2" "$2" "$3"
}
down='register=((1,0),(2,0),(8,0),(16,0)'
lanes='lane=((0,1),(0,2),(0,4),(0,8),(0,16),(4,0))'
reads "$(mfma '2, 4' 32 false)" '(32,32)' "linear{$down);$lanes;warp=((0,0),(0,0),(0,0));block=() -> dim0=32;dim1=32}"
reads "$(mfma '2, 4' 32 false)" '(64,32)' "linear{$down);$lanes;warp=((0,0),(0,0),(32,0));block=() -> dim0=64;dim1=32}"
reads "$(mfma '2, 4' 32 false)" '(128,128)' "linear{$down,(64,0));$lanes;warp=((0,32),(0,64),(32,0));block=() -> dim0=128;dim1=128}"
reads "$(mfma '2, 4' 32 true)" '(128,128)' 'linear{register=((0,1),(0,2),(0,8),(0,16),(64,0));lane=((1,0),(2,0),(4,0),(8,0),(16,0),(0,4));warp=((0,32),(0,64),(32,0));block=() -> dim0=128;dim1=128}'
reads "$(mfma '2, 4' 16 false)" '(16,16)' 'linear{register=((1,0),(2,0));lane=((0,1),(0,2),(0,4),(0,8),(4,0),(8,0));warp=((0,0),(0,0),(0,0));block=() -> dim0=16;dim1=16}'
reads "$(mfma '2, 4, 1' 32 false)" '(1,128,128)' 'linear{register=((0,1,0),(0,2,0),(0,8,0),(0,16,0),(0,0,32),(0,0,64));lane=((0,0,1),(0,0,2),(0,0,4),(0,0,8),(0,0,16),(0,4,0));warp=((0,32,0),(0,64,0),(0,0,0));block=() -> dim0=1;dim1=128;dim2=128}'
reads "$(mfma '2, 4, 1' 32 true)" '(2,64,32)' 'linear{register=((0,0,1),(0,0,2),(0,0,8),(0,0,16));lane=((0,1,0),(0,2,0),(0,4,0),(0,8,0),(0,16,0),(0,0,4));warp=((0,32,0),(0,0,0),(1,0,0));block=() -> dim0=2;dim1=64;dim2=32}'
left='lane=((1,0),(2,0),(4,0),(8,0),(16,0),(0,8))'
reads "$(dot 0 8 "$(mfma '1, 8' 32 false)")" '(128,128)' "linear{register=((0,1),(0,2),(0,4),(0,16),(0,32),(0,64),(32,0),(64,0));$left;warp=((0,0),(0,0),(0,0));block=() -> dim0=128;dim1=128}"
reads "$(dot 0 8 "$(mfma '1, 8' 32 false)")" '(16,16)' 'linear{register=((0,1),(0,2),(0,4));lane=((1,0),(2,0),(4,0),(8,0),(0,0),(0,8));warp=((0,0),(0,0),(0,0));block=() -> dim0=16;dim1=16}'
right='lane=((0,1),(0,2),(0,4),(0,8),(0,16),(8,0))'
reads "$(dot 1 8 "$(mfma '1, 8' 32 false)")" '(256,256)' "linear{register=((1,0),(2,0),(4,0),(16,0),(32,0),(64,0),(128,0));$right;warp=((0,32),(0,64),(0,128));block=() -> dim0=256;dim1=256}"
reads "$(dot 1 8 "$(mfma '1, 4' 32 false)")" '(256,256)' "linear{register=((1,0),(2,0),(4,0),(16,0),(32,0),(64,0),(128,0),(0,128));$right;warp=((0,32),(0,64));block=() -> dim0=256;dim1=256}"
reads "$(dot 0 8 "$(mfma '1, 4' 16 false)")" '(128,1)' 'linear{register=((0,0),(0,0),(0,0),(16,0),(32,0),(64,0));lane=((1,0),(2,0),(4,0),(8,0),(0,0),(0,0));warp=((0,0),(0,0));block=() -> dim0=128;dim1=1}'
reads "$(dot 1 8 "$(mfma '1, 1, 8' 16 false)")" '(1,256,256)' 'linear{register=((0,1,0),(0,2,0),(0,4,0),(0,32,0),(0,64,0),(0,128,0),(0,0,128));lane=((0,0,1),(0,0,2),(0,0,4),(0,0,8),(0,8,0),(0,16,0));warp=((0,0,16),(0,0,32),(0,0,64));block=() -> dim0=1;dim1=256;dim2=256}'
reads '#ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [1, 2]}>' '(16,32)' 'linear{register=((2,0),(4,0),(8,0));lane=((0,1),(0,2),(0,4),(0,8),(1,0));warp=((0,16));block=() -> dim0=16;dim1=32}'
reads '#ttg.amd_wmma<{version = 2, isTransposed = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>' '(32,32)' 'linear{register=((0,1),(0,2),(0,4));lane=((1,0),(2,0),(4,0),(8,0),(0,8));warp=((0,16),(16,0));block=() -> dim0=32;dim1=32}'

# The same in Gluon's words, and back.
reads 'gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0], cga_layout=[[0, 0], [1, 0]])' '(128,16)' \
    'linear{register=((0,1),(0,2),(32,0));lane=((0,4),(0,8),(1,0),(2,0),(4,0));warp=((8,0),(16,0));block=((0,0),(64,0)) -> dim0=128;dim1=16}'
reads "DotOperandLayout(operand_index=0, parent=NVMMADistributedLayout(version=[2, 0], warps_per_cta=[1, 1], instr_shape=[16, 8]), k_width=8)" \
    '(16,64)' "linear{register=((0,1),(0,2),(0,4),(8,0),(0,32));$k8;warp=();block=() -> dim0=16;dim1=64}"
reads 'AMDMFMALayout(version=2, warps_per_cta=[2, 4], instr_shape=[32, 32, 8], transposed=False, cga_layout=None)' '(64,32)' \
    "linear{$down);$lanes;warp=((0,0),(0,0),(32,0));block=() -> dim0=64;dim1=32}"
reads 'NVMMASharedLayout(128, 16, 2)' '(8,64)' 'linear{offset=((0,1),(0,2),(0,4),(0,8),(0,16),(0,32),(1,8),(2,16),(4,32));block=() -> dim0=8;dim1=64}'
reads 'NVMMASharedLayout(swizzle_byte_width=32, element_bitwidth=32, rank=2, transposed=True)' '(8,16)' \
    'linear{offset=((1,0),(2,0),(4,0),(0,1),(0,2),(4,4),(0,8));block=() -> dim0=8;dim1=16}'

reads '#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>' '(8,8)' \
    'linear{offset=((0,1),(0,2),(0,4),(1,2),(2,4),(4,0));block=() -> dim0=8;dim1=8}'
reads '#ttg.amd_rotating_shared<{vec = 2, perPhase = 1, maxPhase = 2, order = [1, 0]}>' '(8,8)' \
    'linear{offset=((0,1),(0,2),(0,4),(1,2),(2,2),(4,0));block=() -> dim0=8;dim1=8}'
reads '#ttg.padded_shared<[8:+4] {order = [1, 0]}>' '(4,16)' '(_4,(_8,_2)):(_24,(_1,_12))'

reads '#ttg.padded_shared<[8:+4] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], block = []}>' '()' '(_4,(_8,_2)):(_24,(_1,_12))'
reads 'PaddedSharedLayout([[8, 4]], [[0, 1], [0, 2], [0, 4], [0, 8], [2, 0], [1, 0]], [], [4, 16])' '()' '((_2,_2),(_8,_2)):((_48,_24),(_1,_12))'

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
both ttg '#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = [[2, 0]]}, alignment = 16>'
both gluon 'DistributedLinearLayout(reg_bases=[[0, 1], [2, 0]], lane_bases=[[0, 0], [1, 0]], warp_bases=[], block_bases=[], shape=[8, 4])'
both gluon 'SharedLinearLayout(offset_bases=[[0, 1], [1, 1]], block_bases=[[2, 0]])'
both numpy 'shape=(4, 8), strides=(32, 4)'
both numpy 'shape=(4,), strides=(-8,)'
both ggml 'ne=(8, 4), nb=(4, 32)'
is 'ggml is the other way round' "$("$tessera" convert --to numpy 'ne=(8, 4), nb=(2, 16)' --type f16)" 'shape=(4, 8), strides=(16, 2)'
both cute 'make_layout(make_shape(Int<4>{}, 8), make_stride(8, Int<1>{}))'
both cute 'composition(Swizzle<3,4,3>{}, Int<0>{}, make_layout(make_shape(Int<8>{}, make_shape(Int<2>{}, Int<32>{})), make_stride(Int<64>{}, make_stride(Int<1>{}, Int<2>{}))))'
both cute 'make_layout(make_shape(Int<4>{}, Int<3>{}), make_stride(E<0>{}, Int<2>{} * E<0,1>{}))'
both cutedsl 'cute.make_layout((4, (2, 3)), stride=(6, (3, 1)))'
both cutedsl 'cute.make_layout((8,), stride=(2,))'
both cutedsl 'cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 16, cute.make_layout((8, 64), stride=(64, 1)))'
both cutedsl 'cute.make_composed_layout(cute.make_swizzle(0, 0, 0), -100, cute.make_layout((8, 64), stride=(64, 1)))'
both mdspan 'std::layout_right::mapping<std::extents<std::size_t, 4, 8>>()'
both mdspan 'std::layout_left::mapping<std::extents<std::size_t, 4, 8>>()'
both mdspan 'std::layout_stride::mapping<std::extents<std::size_t, 4, 8>>({}, std::array<std::size_t, 2>{10, 1})'
# as TEXT WANTED: a text in other words
as() {
    is "$1" "$("$tessera" convert --static "$1" 2>&1)" "$2"
}
as 'cute::Layout<cute::Shape<cute::_4,cute::Int<8>>,cute::Stride<cute::_8,cute::_1>>{}' '(4,8):(8,1)'
as 'ComposedLayout<Swizzle<3,4,3>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>{}' 'Sw<3,4,3> o 0 o (8,64):(64,1)'
as 'S<3,4,3> o 0 o (8,64):(64,1)' 'Sw<3,4,3> o 0 o (8,64):(64,1)'
as 'cute::make_layout(cute::make_shape(cute::Int<4>{}, 8), LayoutRight{})' '(4,8):(8,1)'
as 'cute.make_layout((4, 8))' '(4,8):(1,4)'
as 'std::layout_right_padded<8>::mapping<std::extents<int, 4, 6>>()' '(4,6):(8,1)'
as 'std::experimental::layout_left_padded<4>::mapping<std::experimental::extents<int, 6, 3>>{}' '(6,3):(1,8)'
both isl '{ [i0, i1] -> [8*i0 + i1 + 3] : 0 <= i0 < 4 and 0 <= i1 < 8 }'
both isl '{ [i0, i1] -> [7*((i0) mod 2) + ((floor((i0)/2)) mod 3) + 100*floor((i0)/6) - 3*i1] : 0 <= i0 < 24 and 0 <= i1 < 5 }'
both isl '{ [i0] -> [0] : 0 <= i0 < 4 }'
as '{ A[i] -> M[2(i mod 4) + 9floor(i/4)] : 0 <= i <= 11 }' '((4,3)):((2,9))'
as '{ [i] -> [floor((i mod 8)/2)] : 0 <= i < 16 }' '((2,4,2)):((0,1,0))'
# einops PATTERN SHAPE WANTED
einops() {
    is "$1" "$("$tessera" convert --static --shape "$2" "$1" 2>&1)" "$3"
}
einops 'rearrange("b h w c -> b c h w")' '(2,4,8,3)' '(2,3,4,8):(96,1,24,3)'
einops 'rearrange("b (h w) c -> b c h w", h=4)' '(2,32,8)' '(2,8,4,8):(256,1,64,8)'
einops "rearrange('b c (h p) (w q) -> b (h w) (p q c)', p=2, q=4)" '(1,3,8,8)' '(1,(2,4),(3,4,2)):(192,(4,16),(64,1,8))'
einops 'rearrange("a 1 b -> b () a")' '(2,1,3)' '(3,1,2):(1,0,3)'
einops 'repeat("h w -> h w r", r=3)' '(2,4)' '(2,4,3):(4,1,0)'
einops 'repeat("h w -> (h r) w", r=2)' '(2,4)' '((2,2),4):((0,4),1)'
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

# TileLang: fragments to (thread, index), where the thread alone is given its index is inferred.
as 'T.Fragment([8, 8], forward_thread_fn=lambda i, j: i * 4 + j // 2, forward_index_fn=lambda i, j: j % 2)' '(8,(2,4)):(4@0,(1@1,1@0))'
as 'T.Fragment((8, 8), forward_fn=lambda i, j: (i * 4 + j // 2, [j % 2]))' '(8,(2,4)):(4@0,(1@1,1@0))'
as 'tilelang.layout.Fragment([128], forward_thread_fn=lambda i: i // 16 * 32 + i % 8 * 4)' '((8,2,8)):((4@0,1@1,32@0))'
as 'T.Fragment([8, 6], lambda i, j: i)' '(8,6):(1@0,1@1)'
as 'T.Fragment([8], forward_thread_fn=lambda i, rep: i + rep * 8, replicate=4)' 'linear{dim0=((1,0),(2,0),(4,0));rep=((8,0),(16,0)) -> thread=32;index=1}'
as 'T.Fragment([3], forward_thread_fn=lambda i, rep: i + rep * 3, replicate=3)' '(3,3):(1@0,3@0)'
as 'T.Fragment([4, 4], forward_thread_fn=lambda i, j: i ^ j, forward_index_fn=lambda i, j: j)' 'linear{dim0=((1,0),(2,0));dim1=((1,1),(2,2)) -> thread=4;index=4}'
as 'T.Layout([8, 6], lambda i, j: j * 8 + i)' '(8,6):(1,8)'
as 'T.Layout([8, 64], lambda i, j: [j // 64, i // 8, (j // 8 % 8 ^ i % 8) * 8 + j % 8 + i % 8 * 64])' 'Sw<3,3,3> o 0 o (8,64):(64,1)'
as 'make_full_bank_swizzled_layout(64, 128, 16)' 'Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))'
as 'tilelang.layout.make_half_bank_swizzled_layout(8, 64, 8)' 'Sw<2,4,3> o 0 o (8,64):(64,1)'
as 'T.make_quarter_bank_swizzled_layout(8, 32, 16)' 'Sw<1,3,3> o 0 o (8,(16,2)):(16,(1,128))'
# tiles TYPE SHAPE WANTED [OPTIONS]: what make_swizzled_layout chooses
tiles() {
    is "tilelang: $*" "$("$tessera" convert --static --type "$1" --shape "$2" "make_swizzled_layout(A_shared$4)" 2>&1)" "$3"
}
tiles f16 '(64,64)' 'Sw<3,3,3> o 0 o (64,64):(64,1)'
tiles f16 '(16,32)' 'Sw<2,3,3> o 0 o (16,32):(32,1)'
tiles f16 '(16,16)' '(16,16):(24,1)'
tiles f16 '(16,16)' 'Sw<1,3,3> o 0 o (16,16):(16,1)' ', allow_pad=False'
tiles f16 '(16,8)' '(16,8):(8,1)'
tiles u8 '(16,64)' '(16,64):(80,1)' ', k_major=False'
tiles f64 '(8,32)' 'Sw<2,0,4> o 0 o (8,(16,2)):(16,(1,128))'
tiles f64 '(8,16)' 'Sw<2,2,2> o 0 o (8,16):(16,1)' ', k_major=False'
both tilelang 'T.Layout([4, 6], lambda i, j: i * 6 + j)'
both tilelang 'T.Fragment([8, 8], forward_thread_fn=lambda i, j: i * 4 + j // 2, forward_index_fn=lambda i, j: j % 2)'
both tilelang 'T.Fragment([8], forward_thread_fn=lambda i, rep: (i) ^ (rep * 8), replicate=4, forward_index_fn=lambda i: i * 0)'
both gluon 'DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp_bases=[], block_bases=[], shape=[8, 8])'
is 'a fragment to Gluon' "$("$tessera" convert --to gluon 'T.Fragment([8, 8], lambda i, j: (i * 4 + j // 2, j % 2))')" \
    'DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp_bases=[], block_bases=[], shape=[8, 8])'
is 'Gluon to a fragment' "$("$tessera" convert --to tilelang 'DistributedLinearLayout(reg_bases=[[1]], lane_bases=[[2], [0], [4], [8], [0]], warp_bases=[], block_bases=[], shape=[16])')" \
    'T.Fragment([16], forward_thread_fn=lambda i, rep: (i // 2 % 2) ^ (i // 4 * 4) ^ (rep % 2 * 2) ^ (rep // 2 * 16), replicate=4, forward_index_fn=lambda i: (i % 2))'

# MPI: the layout of a type map, from the inside out
as 'MPI_Type_contiguous(6, MPI_INT, &t)' '6:1'
as 'MPI_Type_vector(8, 4, 10, MPI_FLOAT, &t);' '(4,8):(1,10)'
as 'MPI_Datatype a, b; MPI_Type_vector(8, 4, 10, MPI_DOUBLE, &a); MPI_Type_commit(&a); MPI_Type_contiguous(2, a, &b);' '(4,8,2):(1,10,74)'
as 'MPI_Type_vector(4, 1, 8, MPI_INT, &a); MPI_Type_create_resized(a, 0, 4, &b); MPI_Type_contiguous(8, b, &c);' '(4,8):(8,1)'
as 'MPI_Type_create_hvector(3, 2, -64, MPI_INT16_T, &t)' '(2,3):(1,-32)'
as 'MPI_Type_indexed(3, (int[]){2, 2, 2}, (int[]){1, 5, 9}, MPI_FLOAT, &t)' 'Sw<0,0,0> o 1 o (2,3):(1,4)'
as 'MPI_Type_create_indexed_block(4, 3, {0, 4, 32, 36}, MPI_FLOAT, &t)' '(3,2,2):(1,4,32)'
as 'MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]){0, 24}, MPI_DOUBLE, &t)' '2:3'
as 'MPI_Type_create_subarray(2, {8, 10}, {4, 5}, {2, 3}, MPI_ORDER_C, MPI_FLOAT, &t)' 'Sw<0,0,0> o 23 o (5,4):(1,10)'
as 'MPI_Type_create_subarray(2, {8, 10}, {4, 5}, {0, 0}, MPI_ORDER_FORTRAN, MPI_FLOAT, &a); MPI_Type_contiguous(2, a, &b)' '(4,5,2):(1,8,80)'
as 'MPI_Type_dup(MPI_FLOAT, &a); MPI_Type_vector(2, 1, 2, a, &b)' '2:2'
as 'MPI_Type_vector(4, 8, 16, MPI_BYTE, &t)' '(2,4):(1,4)'
both mpi 'MPI_Type_vector(8, 4, 10, MPI_FLOAT, &t0); MPI_Type_create_hvector(3, 1, 400, t0, &t1);'
both mpi 'MPI_Type_contiguous(8, MPI_DOUBLE, &t0);' --type f64
both mpi 'MPI_Type_contiguous(4, MPI_BYTE, &t0); MPI_Type_create_hindexed_block(1, 1, (MPI_Aint[]){3}, t0, &t1);' --type u8

# refused SAYS ARGUMENTS..
refused() {
    says=$1
    shift
    is "$*" "$("$tessera" convert "$@" 2>&1 | grep -c "$says")" 1
}
refused 'extent 6 of dimension 0 is not a power of two' --to triton '6:1'
# encodings by name
is 'a blocked layout by name' "$("$tessera" convert --to ttg_named 'linear{register=((0,1));lane=((0,2),(0,4),(1,0),(2,0),(4,0));warp=((8,0)) -> dim0=16;dim1=8}')" \
    '#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>'
is 'shared memory by name' "$("$tessera" convert --to ttg_named 'Sw<3,3,3> o 0 o (64,64):(64,1)')" \
    '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>'
refused 'bit 4 of offset goes to (2,0), not to (2,3)' --to ttg_named 'linear{offset=((0,1),(0,2),(0,4),(1,2),(2,3),(4,0));block=() -> dim0=8;dim1=8}'
refused 'has 4 bits of register, not 2' --to ttg_named 'linear{register=((0,1),(1,0));lane=((2,3),(0,2),(4,1)) -> dim0=8;dim1=4}'
is 'shared memory is a layout' "$("$tessera" convert --to cute --shape '(64,16)' '#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16}>')" \
    'make_layout(make_shape(Int<64>{}, Int<16>{}), make_stride(Int<16>{}, Int<1>{}))'
memory=$("$tessera" convert --shape '(64,64)' '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>')
threads=$("$tessera" convert --shape '(64,64)' '#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>')
is 'bank conflicts of what is printed' "$("$tessera" eval "bank_conflicts<half_t>(composition(left_inverse($memory), $threads))")" 1

refused_access() {
    is "$2" "$("$tessera" eval "bank_conflicts<half_t>($2)" 2>&1 | grep -c "$1")" 1
}
refused_access 'but 2 outputs of this map have bits: compose the left inverse' "$memory"
refused_access 'this one has 4 modes' "layout($threads)"
split=$("$tessera" convert --shape '(64,64)' '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[1, 0]]}>')
own=$("$tessera" convert --shape '(64,64)' '#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>')
is 'bank conflicts in a block of a cluster' "$("$tessera" eval "bank_conflicts<half_t>(composition(left_inverse($split), $own))")" 1
padded=$("$tessera" convert --shape '(64,64)' '#ttg.padded_shared<[64:+8] {order = [1, 0]}>')
is 'bank conflicts of padded memory' "$("$tessera" eval "bank_conflicts<half_t>(select<1,0>(composition($padded, layout($threads))))")" 1
refused_access 'leads to the shared memory of another block' "composition(left_inverse($split), $threads)"

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
refused 'CGALayout is one power of two' --shape 8 '#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [2], order = [0], CGALayout = [[3]]}>'
refused 'needs 8 rows of 64 elements, not 8 of 8' --shape '(8,8)' '#ttg.nvmma_shared<{swizzlingByteWidth = 128}>'
refused 'fp4Padded leaves gaps' --shape '(8,256)' '#ttg.nvmma_shared<{swizzlingByteWidth = 128, elementBitWidth = 8, fp4Padded = true}>'
refused 'the right operand of wgmma' --shape '(64,64)' "#ttg.dot_op<{opIdx = 1, parent = $(mma 3 '4, 1' '16, 16, 8'), kWidth = 2}>"
for columns in 24 40 96 192; do
    refused "instrShape has $columns columns" --shape '(64,256)' "$(mma 3 '4, 1' "16, $columns, 16")"
done
refused 'opIdx 0 or 1' --shape '(64,64)' "#ttg.dot_op<{opIdx = 2, parent = $(mma 2 '4, 1' '16, 8'), kWidth = 2}>"
refused 'in the place of its alias' --shape '(64,64)' '#ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>'
refused 'transposed 64x4' --shape '(64,64)' '#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [64, 4, 4], isTransposed = false}>'
refused 'versions 1 to 3' --shape '(64,64)' '#ttg.amd_wmma<{version = 4, warpsPerCTA = [1, 1]}>'
refused 'behind the paddings that is no layout' '#ttg.padded_shared<[8:+4] {offset = [[0, 1], [0, 2], [1, 1], [2, 2]], block = []}>'
refused 'are read' --shape '(8,8)' '#ttg.tensor_memory<{blockM = 128}>'
refused 'no such parameter' --shape '(8,8)' 'BlockedLayout(size=[1, 1])'
refused 'a name is needed here' --shape '(8,8)' 'AMDMFMALayout(3)'
refused 'order names each dimension once' --shape '(8,8)' '#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 1]}>'
refused 'threadsPerWarp of 1 integers' --shape 8 '#ttg.blocked<{sizePerThread = [1], order = [0]}>'
refused 'nothing may follow' '#ttg.linear<{register = [[1]]}> x'
# ck EXPR WANTED: CK Tile's words, which are read again
ck() {
    is "ck: $1" "$("$tessera" convert --to ck "$1" 2>&1)" "$2"
    is "ck again: $1" "$("$tessera" convert "$2" 2>&1 | "$tessera" convert --to ck - 2>&1)" "$2"
}
ck '((2,3),8):((1,10),6)' 'naive((3,2,8),(10,1,6)) | merge(3,2):0,1>0 + pass(8):2>1'
ck 'Sw<0,0,0> o 5 o (4,8):(8,1)' 'naive_off((4,8),(8,1),5)'
ck 'linear_tv((32,4):(4,1))' 'dist{R=();H=((32,4));P=((1.0));Y=(1.1)}'
for encoding in 'dist{R=(2);H=((2,4),(4,2));P=((1.0),(0.0,2.0));Y=(1.1,2.1)}' 'dist{R=();H=((4,2),(2,8));P=((1.0,2.1));Y=(1.1,2.0)}' \
    'dist{R=();H=((2,4,2,8),(16,4,2));P=((1.1),(1.3,2.1));Y=(1.0,2.0,1.2,2.2)}' 'dist{R=();H=((1),(8));P=((2.0));Y=(1.0)}'; do
    ck "linear($encoding)" "$encoding"
done
is 'naive' "$("$tessera" convert 'naive((4,8),(8,1))')" '(_4,_8):(_8,_1)'
refused 'some elements are padding' 'naive((8),(1)) | pad(8,1,1):0>0'
refused 'repeats no register' --to ck 'linear{register=(0,1);lane=(2) -> dim0=4}'
refused 'is of register, lane and warp' --to ck 'linear{offset=(1,2) -> dim0=4}'
refused 'finds one with xor' --to ck 'Sw<1,0,1> o 0 o (2,2):(2,1)'
refused 'strides reach into each other' --to mdspan '(4,8):(2,1)'
refused 'mode 0 has 2 strides, but a dimension' --to mdspan '((2,2),2):((1,4),2)'
refused 'strides of layout_stride are positive' --to mdspan '8:-1'
refused 'write their numbers' 'std::layout_right::mapping<std::extents<int, std::dynamic_extent>>()'
refused '1 lengths, but 2 strides' 'std::layout_stride::mapping<std::extents<int, 4>>({}, std::array<int, 2>{1, 2})'
refused 'at most one swizzle' --to cutedsl '(4,3):(1@0,1@1)'
refused 'an integer is expected' 'cute.make_layout((4, x))'
refused 'a swizzle is expected' 'cute.make_composed_layout((4, 8), 0, 8)'
refused 'not congruent' 'cute.make_layout((4, 8), stride=(1, (2, 3)))'
refused 'is not on the right: a sum' --shape '(2,4)' 'rearrange("a b -> a")'
refused 'is not on the left; repeat' --shape '(2,4)' 'rearrange("a b -> a b c", c=2)'
refused 'and has no extent' --shape '(2,4)' 'repeat("a b -> a b c")'
refused 'the sizes differ: 8 and 3' --shape '(2,8)' 'rearrange("a (b c) -> a b c", b=3)'
is 'a name begins like the last line of a dump' "$("$tessera" convert --to triton 'linear{whereter=((0,1),(2,0)) -> dim0=4;dim1=2}' | "$tessera" convert -)" \
    'linear{whereter=((0,1),(2,0)) -> dim0=4;dim1=2}'
refused 'two axes of a group' --shape '(2,8)' 'rearrange("a (b c) -> a b c")'
refused 'an ellipsis' --shape '(2,8)' 'rearrange("... a -> a ...")'
refused 'are not nested' --shape '(2,8)' 'rearrange("(a (b c)) d -> a b c d")'
refused 'this axis is there twice' --shape '(2,8)' 'rearrange("a a -> a")'
refused 'rank' --shape '(2,8)' 'rearrange("a -> a")'
refused 'no mixed radix' '{ [i] -> [i mod 3] : 0 <= i < 7 }'
refused 'two digits of a dimension overlap' '{ [i] -> [i + i] : 0 <= i < 7 }'
refused 'every dimension needs bounds' '{ [i] -> [i] }'
refused 'a dimension of the map' '{ [i] -> [i - 2*j] : 0 <= i < 4 }'
# all bounds of a dimension hold together, in any order
for bounds in '0 <= i < 4 and 0 <= i < 8' '0 <= i < 8 and 0 <= i < 4' '0 <= i <= 3 and 0 <= i < 4' '0 <= i < 9 and 0 <= i <= 3 and 0 <= i < 5'; do
    is "$bounds" "$("$tessera" convert "{ [i] -> [i] : $bounds }")" '(_4):(_1)'
done
refused 'bases are lists of one length, of 1 to 10' '#ttg.linear<{register = [[]], lane = 5}>'
refused 'bases are lists of one length, of 1 to 10' '#ttg.linear<{register = [[]], lane = true}>'
refused 'bases are lists of one length, of 1 to 10' '#ttg.linear<{register = [[1]], lane = 5}>'
refused 'lists of one length' '#ttg.linear<{register = [1, [2]]}>'
refused 'lists of one length' '#ttg.linear<{register = [[1], 2]}>'
refused 'at most 65536 elements are sampled' 'T.Fragment([8, 2882303761517117448], forward_thread_fn=lambda i, j: i)'
refused 'at most 65536 elements are sampled' 'T.Fragment([4294967296, 4294967296], forward_thread_fn=lambda i, j: i)'
# a tuple of one has a comma in Python, and parentheses alone are none
for l in '((2,2)):((1,4))' '(((2),2)):(((1),4))' '8:1' '(8):(1)' '(2,(4),((8))):(1,(2),((8)))'; do
    is "cutedsl: $l" "$("$tessera" convert --to cutedsl "$l" | "$tessera" convert - | tr -d _)" "$l"
done
is 'the DSL' "$("$tessera" convert --to cutedsl '((2,2)):((1,4))')" 'cute.make_layout(((2, 2),), stride=((1, 4),))'
is 'parentheses of Python' "$("$tessera" convert 'cute.make_layout(((2, 2)), stride=((1, 4)))')" '(_2,_2):(_1,_4)'
is 'an integer in parentheses' "$("$tessera" convert 'cute.make_layout((8), stride=(1))')" '_8:_1'
is 'a tag of one letter' "$("$tessera" convert --shape 8 a)" '(_8):(_1)'
refused 'a bound is positive' '{ [i] -> [i] : 0 <= i < 0 }'
refused 'ISL has no xor' --to isl 'Sw<1,0,1> o 0 o (2,2):(2,1)'
refused 'read only' --to einops 8:1
refused 'a shape that is a name has none' 'T.Fragment(buf.shape, forward_thread_fn=lambda i: i)'
refused 'the thread is no mixed radix' 'T.Fragment([4, 4], forward_thread_fn=lambda i, j: i ^ j)'
refused 'the thread is no mixed radix' 'T.Fragment([4, 4], forward_thread_fn=lambda i, j: i + j)'
refused 'no layout of coordinates, and no linear map' 'T.Fragment([6, 6], forward_thread_fn=lambda i, j: i * j, forward_index_fn=lambda i, j: j)'
refused 'no linear map has these offsets' 'T.Layout([6, 6], lambda i, j: i * j)'
refused 'a variable for each dimension' 'T.Layout([6, 6], lambda i: i)'
refused 'the variable n has no range' 'T.Layout([6, 6], lambda i, j: i * n + j)'
refused 'gives a negative number' 'T.Layout([6, 6], lambda i, j: i - j)'
refused 'a fragment has forward_thread_fn' 'T.Fragment([6, 6], replicate=2)'
refused 'at most 65536 elements are sampled' 'T.Layout([512, 512], lambda i, j: i * 512 + j)'
refused 'an operator or the end' 'T.Layout([6], lambda i: i / 2)'
refused 'the arguments are' 'T.Layout([6], fn=lambda i: i)'
refused 'are read' 'T.make_volta_swizzled_layout(8, 8)'
refused 'a multiple of 8 rows' 'make_full_bank_swizzled_layout(4, 64, 16)'
refused 'the two extents of the buffer' 'make_swizzled_layout(A_shared)'
refused 'a fragment repeats no register' --to tilelang 'linear{register=(0,1);lane=(2);warp=() -> dim0=4}'
refused 'a fragment is of register' --to tilelang 'linear{a=((1,0),(0,1)) -> dim0=2;dim1=2}'
refused 'before the beginning' --to tilelang '8:-1'
refused 'beyond 2^39' --to tilelang '2:1099511627776'
refused 'more than 2^63 bytes' --to mpi '(2,2,2):(1,1152921504606846976,1152921504606846976)'
refused 'at most 65536 elements' --to tilelang '(512,512):(512,1)'
refused '@0, thread, and @1, index' --to tilelang '(4,3):(1@2,1@1)'
refused 'blocks of several lengths' 'MPI_Type_indexed(2, {1, 2}, {0, 4}, MPI_INT, &t)'
refused 'displacements of the blocks are no layout' 'MPI_Type_create_indexed_block(3, 1, {0, 4, 5}, MPI_INT, &t)'
refused 'an array has another number' 'MPI_Type_create_indexed_block(3, 1, {0, 4}, MPI_INT, &t)'
refused 'one that was made before' 'MPI_Type_contiguous(3, a, &t)'
refused 'no multiple of the size' 'MPI_Type_create_hvector(3, 1, 6, MPI_INT, &t)'
refused 'no whole elements' 'MPI_Type_vector(3, 3, 8, MPI_BYTE, &t)'
refused 'the constructors are' 'MPI_Type_create_struct(1, {1}, {0}, MPI_INT, &t)'
refused 'is outside of it' 'MPI_Type_create_subarray(1, {8}, {4}, {5}, MPI_ORDER_C, MPI_INT, &t)'
for size in 0 -1 -9223372036854775807 2147483648; do
    refused 'sizes are from 1 to 2^31 - 1' "MPI_Type_create_subarray(1, {$size}, {1}, {2}, MPI_ORDER_C, MPI_INT, &t)"
done
refused 'is outside of it' 'MPI_Type_create_subarray(1, {8}, {1}, {9223372036854775807}, MPI_ORDER_C, MPI_INT, &t)'
refused 'more than 2^63 bytes' 'MPI_Type_create_resized(MPI_INT, -9223372036854775807, 4, &a); MPI_Type_contiguous(3, a, &b); MPI_Type_vector(2, 2, -9223372036854775807, b, &c)'
refused 'more than 2^63 bytes' 'MPI_Type_create_hindexed_block(2, 1, {-9223372036854775807, 9223372036854775807}, MPI_INT, &t)'
refused 'more than 2^63 bytes' 'MPI_Type_vector(2, 1, 4611686018427387904, MPI_DOUBLE, &t)'
refused 'counts are from 1' 'MPI_Type_contiguous(0, MPI_INT, &t)'
refused 'no datatype is made' 'MPI_Type_commit(&t)'
refused 'no steps in bytes' --to mpi 'Sw<1,0,1> o 0 o (2,2):(2,1)'
refused 'elements have 1, 2, 4' --to mpi --type u4 8:1
run convert --to fortran 8:1
check 'an unknown system' 2 ''
all_passed
