#!/bin/sh
# tessera relayout of an .npy file beside cp, both from the page cache: the least and the median of interleaved runs, and the
# ratio of the least to cp's. On a virtual machine whose host finds memory on first use only the least ones are comparable.
# The copy is what the program itself says (--progress): until the last element is written, as cp ends; "on the disk" is the
# whole program, beside cp and sync.
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
set -- cp as_it_is permute tile cast_bf16 permute_cast_f16
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
for name in cp as_it_is permute tile cast_bf16 permute_cast_f16; do
    awk -v name=$name -v c="$(least $name.copy)" -v m="$(median $name.copy)" -v d="$(least $name.disk)" \
        -v cp="$(least cp.copy)" -v sync="$(least cp.disk)" 'BEGIN {
            printf "%-18s copy %5d ms (median %5d), %.2f of cp; on the disk %5d ms, %.2f of cp and sync\n",
                name, c, m, c / cp, d, d / sync }'
done
