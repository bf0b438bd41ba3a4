#!/bin/sh
# Layouts that people asked about, from what they posted: a formula, samples, or another system's words.
# usage: posted.sh TESSERA SOURCE_FOLDER
tessera=$1
source=$2
. "$source/tests/check.sh"

# fits WANTED ARGUMENTS..: what explains samples
fits() {
    wanted=$1
    shift
    is "$*" "$("$tessera" fit "$@" 2>/dev/null)" "$wanted"
}

# cute SHAPE TEXT WANTED: the layout of CuTe that shared memory of Triton is
cute() {
    map=$("$tessera" convert --shape "$1" "$2")
    is "$2" "$("$tessera" eval --static "layout(left_inverse($map))" 2>&1)" "$3"
}

# facebookexperimental/triton 1955 (dump_layout prints CuTe): shared memory, and threads and values of registers.
cute '(64,64)' '#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>' 'Sw<3,3,3> o 0 o (64,64):(64,1)'
cute '(64,32)' '#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>' 'Sw<2,3,3> o 0 o (64,32):(32,1)'
cute '(64,16)' '#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>' 'Sw<1,3,3> o 0 o (64,16):(16,1)'
cute '(64,64)' '#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>' 'Sw<3,3,3> o 0 o (64,64):(1,64)'
cute '(64,64)' '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>' 'Sw<3,3,3> o 0 o (64,64):(64,1)'
cute '(64,32)' '#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>' 'Sw<2,3,3> o 0 o (64,32):(32,1)'
cute '(64,32)' '#ttg.swizzled_shared<{vec = 4, perPhase = 4, maxPhase = 2, order = [0, 1]}>' 'Sw<1,2,6> o 0 o (64,32):(1,64)'
mma=$("$tessera" convert --shape '(16,8)' '#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>')
is 'registers of mma' "$("$tessera" eval --static "layout($mma)")" '((2,2),(4,8),1,1):((1@1,8@0),(2@1,1@0),0,0)'

# The other way: layouts of CuTe as shared memory of Triton, and back.
for layout in 'Sw<3,3,3> o 0 o (8,64):(64,1)' 'Sw<2,3,3> o 0 o (8,32):(32,1)' 'Sw<3,4,3> o 0 o (128,8):(1,128)'; do
    bases=$("$tessera" eval "left_inverse(linear($layout))" | sed 's/dim\([01]\)=/dim\1=/g')
    text=$("$tessera" convert --to ttg "$bases")
    is "$layout" "$("$tessera" eval --static "layout(left_inverse($("$tessera" convert "$text")))")" "$layout"
done

# NVIDIA/Fuser 5063 (transforms of domains and CuTe): splits, a swap and a merge are a layout, and a layout is transforms.
fits '((32,4,2),(4,2)):((16,4,1024),(1,512))' '((m/128)*2 + k/4)*512 + m%32*16 + m/32%4*4 + k%4' m=0..255 k=0..7
is 'as transforms' "$("$tessera" convert --to ck '((32,4,2),(4,2)):((16,4,1024),(1,512))')" \
    'naive((2,4,32,2,4),(1024,4,16,512,1)) | merge(2,4,32):0,1,2>0 + merge(2,4):3,4>1'
is 'and back' "$("$tessera" fit '((m/128)*2 + k/4)*512 + m%32*16 + m/32%4*4 + k%4' m=0..255 k=0..7 --to ck 2>/dev/null)" \
    "tessera convert --to ck '((32,4,2),(4,2)):((16,4,1024),(1,512))'"

# sgl-project/DeepGEMM 92 (address bits are permuted, one is flipped): gate and up of 16 rows, row ^ 8.
fits 'Sw<0,0,0> o 8 o (8,2,2):(1,-8,16)' 'row ^ 8' row=0..31
fits '(8,2,8):(1,64,8)' 'row%16/8*64 + row/16*8 + row%8' row=0..127

# NVIDIA/TensorRT-LLM 4826 (indices of row shuffles are costly and memoized): each table of indices is a layout, and so is
# one of the other.
printf '0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15' >"${TMPDIR:-/tmp}/posted.$$"
fits '(2,8):(8,1)' "${TMPDIR:-/tmp}/posted.$$"
printf '0 8 16 24 1 9 17 25 2 10 18 26 3 11 19 27 4 12 20 28 5 13 21 29 6 14 22 30 7 15 23 31' >"${TMPDIR:-/tmp}/posted.$$"
fits '(4,8):(8,1)' "${TMPDIR:-/tmp}/posted.$$"
rm -f "${TMPDIR:-/tmp}/posted.$$"
fits '(2,64):(64,1)' 'r%2*64 + r/2' r=0..127
fits '(4,2,4,4):(4,64,1,16)' '(r/32*32 + r%4*8 + r%32/4)%2*64 + (r/32*32 + r%4*8 + r%32/4)/2' r=0..127
is 'one of the other' "$("$tessera" eval --static 'composition((2,64):(64,1), (4,8,4):(8,1,32))')" '(4,(2,4),4):(4,(64,1),16)'
all_passed
