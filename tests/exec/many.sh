#!/bin/sh
# Many random cases of the engine, by every row of this machine: copies and reductions, updates, products, nibbles. As many
# processes as are asked for, each with a seed of its own. Prints how many cases each kind has tried; the status is 0 if none
# failed.
#
# usage: many.sh BUILD_FOLDER [CASES (100000)] [PROCESSES (2)] [FIRST_SEED (1000)] [sanitized]
#
# With `sanitized` seven of eight cases are small: 100,000 end in minutes on 16 cores. The few large ones that a test always
# tries have a process of their own then.
#
# CASES are of copies and reductions; of updates there are a quarter, of products a tenth, of nibbles a hundredth. The targets
# are test_engine, test_own, test_gemm, test_nibbles and test_compute, or the same behind _sanitized.
export LC_ALL=C
build=${1:?a build folder}
cases=${2:-100000}
processes=${3:-2}
seed=${4:-1000}
suffix=${5:+_$5}
times=${5:+3} # a test with sanitizers tries a third (tests/sanitizer.h)
times=${times:-1}
size=${5:+small}
# Threads that wait for others of a process would take the time of other processes.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
each=$(((cases + processes - 1) / processes * times))

# run NAME SEED ARGUMENT..: one process of a test, whose output is kept.
run() {
    name=$1
    number=$2
    shift 2
    program=$(find "$build" -type f -name "test_$name$suffix" | head -n 1)
    "${program:-test_$name$suffix}" "$@" >"$work/$name.$number" 2>&1 || echo "$name $number" >>"$work/failed"
}

one() {
    run engine "$1" "$1" $(((each + 999) / 1000)) $size # percent of 100,000
    run own "$1" "$1" $((each / 4 + 1))
    run gemm "$1" $((each / 10 + 1)) "$1" $size
    run nibbles "$1" "$1" $((each / 100 + 30))
}

# What tests try besides random cases.
others() {
    run engine others "$seed" 0
    run gemm others 0 "$seed"
}

run compute "$seed" "$seed" &
[ -z "$size" ] || others &
i=0
while [ "$i" -lt "$processes" ]; do
    one $((seed + i)) &
    i=$((i + 1))
done
wait
for kind in engine own gemm compute; do
    printf '%s: %s cases\n' "$kind" "$(cat "$work/$kind".* |
        sed -n 's/^\([0-9]*\) .*/\1/p; s/.*, \([0-9]*\) cases$/\1/p' | awk '{ n += $1 } END { print n + 0 }')"
done
sed -n 's/.*; rows/rows/p' "$work"/engine.* | sort -u
[ -e "$work/failed" ] || exit 0
while read -r kind number; do
    echo "FAILED: $kind, seed $number"
    tail -n 20 "$work/$kind.$number"
done <"$work/failed"
exit 1
