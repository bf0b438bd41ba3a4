#!/bin/sh
# Ranks that write their parts of an array are killed at any time: a part is whole or not there, and what stood there before
# is whole. The other ranks write theirs.
# usage: killed.sh TESSERA
export LC_ALL=C
tessera=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
dist='dtensor((2048,2048),(3),[S(1)])'
{
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (2048, 2048), }"
    head -c $((2048 * 2048 * 4)) /dev/urandom
} >in.npy
"$tessera" relayout in.npy right.npy --dist "$dist" >/dev/null || exit 1
"$tessera" relayout in.npy old.npy --dist "$dist" --cast f16 >/dev/null || exit 1

write() { # write RANK: stands for the rank's process
    exec "$tessera" relayout in.npy out.npy --dist "$dist" --rank "$1" >/dev/null 2>&1
}

half=0
lost=0
for delay in 0 0.002 0.004 0.006 0.008 0.01 0.012 0.015 0.03 0.1 0.3; do
    cp old.0.npy out.0.npy
    rm -f out.1.npy out.2.npy
    write 0 & first=$!
    write 1 & second=$!
    write 2 & third=$!
    sleep $delay
    kill -KILL $first $second 2>/dev/null
    wait $first
    [ $? -eq 0 ] || lost=$((lost + 1))
    wait $second
    wait $third || exit 1
    cmp -s out.0.npy old.0.npy || cmp -s out.0.npy right.0.npy || half=$((half + 1))
    [ ! -e out.1.npy ] || cmp -s out.1.npy right.1.npy || half=$((half + 1))
    cmp -s out.2.npy right.2.npy || half=$((half + 1))
done
echo "$half half-written parts; rank 0 was killed in time in $lost of 11 runs"
[ $half -eq 0 ] && [ $lost -gt 0 ]
