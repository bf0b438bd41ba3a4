#!/bin/sh
# Many random cases of the engine, by every row of this machine: copies and reductions, updates, products, nibbles. As many
# processes as are asked for, each with seeds of its own. Prints what each kind has tried; the status is 0 if none failed.
#
# usage: many.sh BUILD_FOLDER [CASES (100000)] [PROCESSES (2)] [FIRST_SEED (1000)]
#
# Takes the tests with sanitizers where they are built (cmake --build BUILD_FOLDER --target test_engine_sanitized ..).
build=${1:?a build folder}
cases=${2:-100000}
processes=${3:-2}
seed=${4:-1000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
each=$(((cases + processes - 1) / processes))

# run NAME FIRST_ARGUMENT SECOND_ARGUMENT: one process of a test, or a line that says that it is not built.
run() {
    program=$(find "$build" -type f -name "test_$1_sanitized" | head -n 1)
    program=${program:-$(find "$build" -type f -name "test_$1" | head -n 1)}
    [ -n "$program" ] || { echo "test_$1 is not built"; return 1; }
    "$program" "$2" "$3"
}

# A test with sanitizers tries a third of its cases (tests/sanitizer.h): it is asked for three times as many.
times=1
[ -z "$(find "$build" -type f -name 'test_engine_sanitized')" ] || times=3

# The engine tries a percentage of 100,000. Of updates there are as many cases, of products and nibbles fewer.
one() {
    run engine "$1" $(((each * times + 999) / 1000)) >"$work/engine.$1" 2>&1 || echo "engine $1" >>"$work/failed"
    run own "$1" $((each * times)) >"$work/own.$1" 2>&1 || echo "own $1" >>"$work/failed"
    run compute "$1" $((each * times / 50)) >"$work/compute.$1" 2>&1 || echo "compute $1" >>"$work/failed"
    run gemm $((each * times / 10)) "$1" >"$work/gemm.$1" 2>&1 || echo "gemm $1" >>"$work/failed"
    run nibbles "$1" $((each * times / 100)) >"$work/nibbles.$1" 2>&1 || echo "nibbles $1" >>"$work/failed"
}

i=0
while [ "$i" -lt "$processes" ]; do
    one $((seed + i)) &
    i=$((i + 1))
done
wait
for kind in engine own compute gemm nibbles; do
    echo "$kind: $(cat "$work/$kind".* | sed -n 's/^\([0-9]*\) .*/\1/p; s/.*, \([0-9]*\) cases$/\1/p' | awk '{ n += $1 } END { print n + 0 }') cases"
done
sed -n 's/.*; rows/rows/p' "$work"/engine.* | sort -u
[ ! -e "$work/failed" ] && exit 0
while read -r kind number; do
    echo "FAILED: $kind, seed $number"
    tail -n 20 "$work/$kind.$number"
done <"$work/failed"
exit 1
