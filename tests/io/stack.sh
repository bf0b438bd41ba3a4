#!/bin/sh
# Files through a stack of 128 kB: what moves takes less, and nothing is left of what failed.
# usage: stack.sh TESSERA SOURCE_FOLDER
tessera=$1
. "$2/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
header="{'descr': '<f4', 'fortran_order': False, 'shape': (1205, 1203), }"
printf '\223NUMPY\001\000\200\000%-127s\n' "$header" >in.npy
head -c $((1205 * 1203 * 4)) /dev/zero >>in.npy
for options in '--permute 1,0' '--permute 1,0 --cast f16' '--permute 1,0 --cast f64' '--permute 1,0 --cast u8' '--tile 7,9' \
    '--tile 32,32 --cast bf16' '--slice ::-1,::-1' '--layout (1205,1203):(1,1208)' '--permute 1,0 --memory 100K'; do
    # shellcheck disable=SC2086,SC3045
    output=$( (ulimit -s 128 && exec "$tessera" relayout in.npy out.npy --verify $options) 2>&1 | tail -n 1)
    status=0
    check "128 kB of stack: $options" 0 "verified: $((1205 * 1203)) elements"
done
output=$(ls)
check 'no temporary file is left' 0 'in.npy
out.npy'
all_passed
