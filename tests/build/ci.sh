#!/bin/sh
# CI builds and runs all that a reader is told to: every workflow of CMakePresets.json and every command of the pages is a
# part of it, or listed as skipped with its reason. And its judge fails where a part is missing, fails, or skips unsaid.
# usage: ci.sh SOURCE_FOLDER
. "$1/tests/check.sh"
cd "$1/.ci" || exit 2
command -v bash >/dev/null || { echo 'skipped: no bash'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# covered WHAT PATTERN: something of CI, or a line of what it skips, has the words
covered() {
    is "$1" "$(grep -qE -- "$2" parts check install pip bench ninja skips && echo covered || echo missing)" covered
}

presets=$(tr -d '\n' <../CMakePresets.json | sed 's/.*"workflowPresets"//' | grep -oE '"name": "[a-z]+", *"steps"' | cut -d '"' -f 4)
[ "$(echo "$presets" | wc -l)" -ge 10 ] || { echo 'the workflows are not found'; exit 1; }
for preset in $presets; do
    covered "the workflow $preset" "preset $preset( |\$|	)"
done
for preset in $(cat ../*.md ../docs/*.md ../docs/book/*.md ../.github/workflows/*.yml | tr '\n' ' ' | grep -oE 'cmake --workflow +--preset +[a-z]+' | sed 's/.* //' | sort -u); do
    is "the preset $preset of a page or a hosted file" "$(echo "$presets" | grep -x "$preset")" "$preset"
done
covered 'the installed library' 'cmake --install'
covered 'the package of Python' 'pip install .*\./python'
covered 'other platforms' 'platforms\.sh'

# Hosted machines call scripts and platforms that exist.
hosted=$(sed 's/#.*//' ../.github/workflows/*.yml)
for script in $(echo "$hosted" | grep -oE '(\.ci|tests)/[a-z_/.]+' | sort -u); do
    is "the script $script of a hosted file" "$(ls "../$script")" "../$script"
done
for platform in $(echo "$hosted" | sed -n 's/.*{ platform: \([a-z0-9]*\),.*/\1/p'); do
    is "the platform $platform of a hosted file" "$(sed "s/^platforms='//" ../tests/platforms.sh | grep -o "^$platform ")" "$platform "
done

# What needs a GPU is listed, so that a new test of one does not fail CI at its very end.
for name in $(sed -n 's/^tessera_add_cuda_test(\([a-z_0-9]*\) .*/\1/p' ../tests/cuda/CMakeLists.txt); do
    is "the test cuda_$name" "$(awk -F '\t' -v name="test cuda_$name" '!/^#/ && name ~ "^(" $1 ")$" { print "listed" }' skips)" listed
done

# judged PARTS RESULTS LOG: the last line of the judge
judged() {
    mkdir -p "$scratch/logs"
    printf %b "$1" >"$scratch/parts"
    printf %b "$2" >"$scratch/logs/results"
    printf %b "$3" >"$scratch/logs/a.log"
    : >"$scratch/logs/b.log"
    bash ./report "$scratch/parts" "$scratch/skips" "$scratch/logs" >"$scratch/out"
    echo "$? $(tail -n 1 "$scratch/out")"
}

printf 'test slow\ttoo slow\n' >"$scratch/skips"
is 'all parts pass' "$(judged 'a true\nb true\n' 'a 0 5\nb 0 1\n' '')" '0 2 passed, 0 failed, 0 skipped'
is 'a part fails' "$(judged 'a true\nb true\n' 'a 0 5\nb 1 1\n' '')" '1 1 passed, 1 failed, 0 skipped'
is 'a part is missing' "$(judged 'a true\nb true\n' 'a 0 5\n' '')" '1 1 passed, 1 failed, 0 skipped'
is 'nothing ran' "$(judged '' '' '')" '1 0 passed, 0 failed, 0 skipped'
is 'a test is skipped, as listed' "$(judged 'a true\n' 'a 0 5\n' '1/9 Test  #1: slow ....***Skipped  0.1 sec\n')" \
    '0 1 passed, 0 failed, 1 skipped'
is 'a test is skipped, not listed' "$(judged 'a true\n' 'a 0 5\n' '1/9 Test  #1: other ....***Skipped  0.1 sec\n')" \
    '1 1 passed, 1 failed, 1 skipped'
is 'CMake misses something' "$(judged 'a true\n' 'a 0 5\n' '-- tessera: no emcc, the playground is not made\n')" \
    '1 1 passed, 1 failed, 1 skipped'
# bare LINE: the verdict on a bare system that says this
bare() {
    printf '%s\n' "$1" >"$scratch/logs/bare.log"
    judged 'a true\n' 'a 0 5\n' ''
    rm "$scratch/logs/bare.log"
}
is 'a bare system lacks what is optional' "$(bare '-- tessera: no C++ compiler, the tests in C++ are left out')" \
    '0 1 passed, 0 failed, 1 skipped'
is 'a bare system leaves out a part of a test' "$(bare 'SKIPPED bare: no NumPy')" '0 1 passed, 0 failed, 1 skipped'
is 'a bare system lacks what the README brings' "$(bare '-- tessera: no libpng, pictures are not drawn as .png')" \
    '1 1 passed, 1 failed, 1 skipped'
is 'a bare system skips a test without a word' "$(bare 'SKIPPED bare: test slow')" '1 1 passed, 1 failed, 1 skipped'
is 'a bare system lacks what is not listed' "$(bare 'SKIPPED bare: no abacus')" '1 1 passed, 1 failed, 1 skipped'
is 'what is skipped elsewhere is not by the name of the bare system' \
    "$(judged 'a true\n' 'a 0 5\n' '-- tessera: no C++ compiler, the tests in C++ are left out\n')" '1 1 passed, 1 failed, 1 skipped'
printf 'part b\tnot today\n' >"$scratch/skips"
is 'a part is listed as skipped' "$(judged 'a true\nb true\n' 'a 0 5\n' '')" '0 1 passed, 0 failed, 1 skipped'
all_passed
