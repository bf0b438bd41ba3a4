#!/bin/sh
# tessera relayout of an .npy file beside cp, dd and NumPy, all from the page cache: the least and the median of interleaved
# runs. On a virtual machine whose host finds memory on first use only the least ones are comparable.
# The copy is what the program itself says (--progress): until the last element is written, as cp ends, and its ratio to cp's.
# "On the disk" is the whole program, and its ratio to that of dd conv=fsync, which writes the bytes of the input. NumPy, where
# a Python has it, transposes, saves and calls fsync.
# usage: relayout.sh TESSERA [FOLDER [ROWS [RUNS]]]: an array of ROWS x ROWS f32 (16384: 1.07 GB) in a folder that has room
# for three such files, which are removed
tessera=$1
folder=${2:-${TMPDIR:-/tmp}}
rows=${3:-16384}
runs=${4:-7}
scratch=$(mktemp -d "$folder/relayout.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
case $tessera in */*) tessera=$(cd "$(dirname "$tessera")" && pwd)/$(basename "$tessera") ;; esac
cd "$scratch" || exit 1

printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($rows, $rows), }" >in.npy
head -c $((rows * rows * 4)) /dev/zero | tr '\000' '\100' >>in.npy # 3.0039 everywhere: no page is a hole
cat in.npy >/dev/null

now() { date +%s%N; }

# run NAME COMMAND...: adds the times of a run, in ms, to NAME.copy and NAME.disk
run() {
    name=$1
    shift
    rm -f out.npy
    sync
    begin=$(now)
    if [ "$name" = cp ]; then
        cp in.npy out.npy
        echo $((($(now) - begin) / 1000000)) >>cp.copy
        sync out.npy
    elif [ "$name" = dd ]; then
        dd if=in.npy of=out.npy bs=1048576 conv=fsync 2>/dev/null
    elif [ "$name" = numpy ]; then
        "$python" -c "import numpy as n, os
a = n.load('in.npy', mmap_mode='r').T
with open('out.npy', 'wb') as f:
    n.save(f, n.ascontiguousarray(a))
    f.flush()
    os.fsync(f.fileno())"
    else
        "$tessera" relayout in.npy out.npy --progress "$@" 2>words >/dev/null || exit 1
        sed -n 's/.*MB copied in \([0-9]*\)\.\([0-9]*\) s,.*/\1\20/p' words | sed 's/^0*\(.\)/\1/' >>"$name.copy"
    fi
    echo $((($(now) - begin) / 1000000)) >>"$name.disk"
}

median() { sort -n "$1" | sed -n "$(((runs + 1) / 2))p"; }

# one NAME: a run of a contestant
one() {
    case $1 in
    permute) run permute --permute 1,0 ;;
    tile) run tile --tile 64,64 ;;
    cast_bf16) run cast_bf16 --cast bf16 ;;
    permute_cast_f16) run permute_cast_f16 --permute 1,0 --cast f16 ;;
    *) run "$1" ;;
    esac
}

# Each goes first in turn: what a run leaves in memory is a part of the next one's time.
names='cp dd as_it_is permute tile cast_bf16 permute_cast_f16'
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && names="$names numpy" && break
done
set -- $names
i=0
while [ $i -lt "$runs" ]; do
    for name in "$@"; do one "$name"; done
    first=$1
    shift
    set -- "$@" "$first"
    i=$((i + 1))
done
echo "$rows x $rows f32, $((rows * rows * 4 / 1000000)) MB, $runs runs each, $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
least() { sort -n "$1" | head -n 1; }
for name in $names; do
    [ -f $name.copy ] || cp $name.disk $name.copy
    awk -v name=$name -v c="$(least $name.copy)" -v m="$(median $name.copy)" -v d="$(least $name.disk)" \
        -v n="$(median $name.disk)" -v cp="$(least cp.copy)" -v dd="$(least dd.disk)" -v middle="$(median dd.disk)" 'BEGIN {
            printf "%-16s copy %5d ms (median %5d), %.2f of cp; on the disk %5d ms (median %5d), %.2f (%.2f) of dd\n",
                name, c, m, c / cp, d, n, d / dd, n / middle }'
done
