#!/bin/sh
# bench/own: what it prints of a copy, a product and a contraction, and of what it cannot measure.
# usage: bench_own.sh PROGRAM SOURCE_FOLDER
program=$1
. "$2/tests/check.sh"

# The form of a measurement; its numbers, and which libraries there are, belong to the machine.
measure() {
    output=$("$program" --repeat 1 "$@" 2>/dev/null)
    status=$?
    output=$(printf '%s\n' "$output" | sed -e '/^OpenBLAS/d' -e '/^BLIS/d' -e '/^HPTT/d' -e '/^FMA/d' -e 's/row [a-z0-9]*/row/' -e 's/[0-9.][0-9.]*/#/g' \
        -e 's/  */ /g')
}
measure copy '(64,32):(1,64)' '(64,32):(32,1)'
check 'a copy is measured beside memcpy' 0 'copy: # bytes read and written; row, # thread, median of #
 GB/s tessera, of it
tessera #
memcpy # #'
measure --type bf16 gemm 32 16 8
check 'a product' 0 'gemm: # operations; row, # thread, median of #
 GFLOP/s tessera, of it
tessera #'
refuse() { # refuse NAME WORDS ARGUMENTS...: no answer, and these words about it
    name=$1
    words=$2
    shift 2
    output=$("$program" "$@" 2>&1 >/dev/null)
    status=$?
    check "$name" 1 "$words"
}
refuse 'an extent of 0' 'error: extent 0 of mode 0 is not a positive integer' gemm 0 1 2
refuse 'a layout that is refused' 'error: composition: extent 3 of mode 0 on the right does not split over extent 4 on the left; the nearest legal extents are 2 and 4' \
    copy 'composition((4,6):(6,1),3:2)' 3
measure contract 'abk,kc->abc' '(2,3,4)' '(4,5)' '(2,3,5)'
check 'a contraction beside a product of its extents' 0 'M #, N #, K #
contract: # operations; row, # thread, median of #
 GFLOP/s tessera, of it
tessera #
tessera gemm # #'
measure copy 8 9
check 'what cannot be copied is not measured' 1 ''
measure gemm 8 9
check 'a product has three operands' 2 ''
refuse 'an error of einsum quotes the text' 'error: einsum "mk,kna->mn": operand 1 has 2 modes, but 3 letters' \
    contract 'mk,kna->mn' '(2,3)' '(3,4)' '(2,4)'
wrong() { # wrong NAME WORDS ARGUMENTS...: it is not called as it is meant
    name=$1
    words=$2
    shift 2
    output=$("$program" "$@" 2>&1)
    status=$?
    check "$name" 2 "$words"
}
wrong 'nothing to measure' 'error: it measures a copy (FROM TO), a gemm (M N K, or A B C) or a contract ("mk,nk->mn" A B C)'
wrong 'another type' 'error: --type: unknown element type f33' --type f33 copy 8 8
wrong 'no turns' 'error: --repeat takes a number from 1 to 1001, not 0' --repeat 0 copy 8 8
wrong 'an option without a value' 'error: --threads takes a number from 1 to 1024, not nothing' --threads
wrong 'another option' 'error: unknown option --turns: it takes --type, --cast, --threads and --repeat' --turns 3 copy 8 8
all_passed
