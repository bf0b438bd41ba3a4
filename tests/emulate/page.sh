#!/bin/sh
# usage: page.sh SOURCE_DIR LIBRARY COMPILER
# Runs the line of docs/emulator.md that begins with g++, by the compiler, and compares what the example prints. Then one
# with a variable of __shared__ must be refused in a sentence.
set -u
export LC_ALL=C
source=$1 library=$2 compiler=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/release" && cp "$library" "$work/build/release" && ln -s "$source/include" "$source/examples" "$work"
cd "$work" || exit 1
line=$(sed -n 's/^    g++ //p' "$source/docs/emulator.md")
[ -n "$line" ] || { echo "docs/emulator.md has no line of g++"; exit 1; }
eval "$compiler -w $line" && ./f8 | diff - "$source/examples/cuda/cuda_24_f8.txt" || exit 1
echo '#include "tessera/emulate/run.h"
__global__ void k() { __shared__ int x; x = 1; }' > shared.cpp
$compiler -std=c++17 -DTSR_EMULATE=1 -I include -fsyntax-only shared.cpp 2>&1 | grep -q "error: tessera: the emulator has no __shared__ variables"
