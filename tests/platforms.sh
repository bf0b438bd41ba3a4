#!/bin/sh
# Builds and tests the library for other platforms than this one. What lacks its tools is one line; the status is 0 when no
# test of the others fails.
# usage: platforms.sh SOURCE_FOLDER BUILD_FOLDER [PLATFORM...]
#   JOBS (2), LAWS (5, percent of the random laws), TESTS (these alone), CMAKE (more words for cmake)
#
# One line a platform: name, system, processor, compiler, its flags, how a program is run, a word for cmake. Debian has the
# tools in gcc-12-multilib, musl-tools, gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu, gcc-s390x-linux-gnu,
# gcc-mingw-w64-x86-64-posix, qemu-user-static and wine64.
export LC_ALL=C
platforms='m32    Linux    i686     gcc                      -m32,-msse2,-mfpmath=sse,-idirafter,/usr/include/x86_64-linux-gnu  -
musl   Linux    x86_64   musl-gcc                 -  -
arm64  Linux    aarch64  aarch64-linux-gnu-gcc    -  qemu-aarch64-static;-L;/usr/aarch64-linux-gnu
riscv64 Linux   riscv64  riscv64-linux-gnu-gcc    -  qemu-riscv64-static;-L;/usr/riscv64-linux-gnu
s390x  Linux    s390x    s390x-linux-gnu-gcc      -  qemu-s390x-static;-L;/usr/s390x-linux-gnu
mingw  Windows  x86_64   x86_64-w64-mingw32-gcc   -D__USE_MINGW_ANSI_STDIO,-Wno-format,-Wno-format-extra-args  wine64'
# Programs that need nothing beside themselves; the scripts of other tests run what was built without an emulator.
tests='laws conformance tile tma table source hostile_text einsum engine gemm compute io_npy io_safetensors io_hostile'
tests="$tests mesh_layouts mesh_redistribute mesh_refused"
tests=${TESTS:-$tests}

source=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" || exit 2
build=$(cd "$2" && pwd)
shift 2
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(printf '%s\n' "$platforms" | cut -d ' ' -f 1)
PATH=$PATH:/usr/lib/wine
WINEDEBUG=-all
WINEPREFIX=$build/wine
export WINEDEBUG WINEPREFIX
failures=0

say() { printf '%-7s %s\n' "$platform" "$*"; }

# test_platform NAME SYSTEM PROCESSOR COMPILER FLAGS RUN [CMAKE_WORD]
test_platform() {
    platform=$1
    folder=$build/$platform
    flags=$(printf %s "$5" | sed 's/^-$//' | tr , ' ')
    command -v "$4" >/dev/null || { say "skipped: there is no $4"; return; }
    # shellcheck disable=SC2086
    cmake -S "$source" -B "$folder" -DCMAKE_SYSTEM_NAME="$2" -DCMAKE_SYSTEM_PROCESSOR="$3" -DCMAKE_C_COMPILER="$4" \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CROSSCOMPILING_EMULATOR="${6#-}" \
        -DCMAKE_CXX_COMPILER=NOTFOUND -DCMAKE_CUDA_COMPILER=NOTFOUND -DTESSERA_HAS_SANITIZERS=OFF -DTESSERA_PYTHON=OFF \
        -DTESSERA_TESTS=ON -DTESSERA_WERROR=ON -DTESSERA_LAWS_PERCENT="${LAWS:-5}" ${7-} $CMAKE >"$folder.log" 2>&1 &&
        targets=$(cmake --build "$folder" --target help | sed -n "s/^\.* *\(test_\($(echo "$tests" | tr ' ' '|' | sed 's/|/\\|/g')\)\)$/\1/p") &&
        cmake --build "$folder" -j "${JOBS:-2}" --target $targets >>"$folder.log" 2>&1 || {
        say "does not build: $folder.log"
        failures=$((failures + 1))
        return
    }
    run=${6%%;*}
    [ "$run" = - ] || command -v "$run" >/dev/null || { say "built and not run: there is no $run"; return; }
    # Where programs are started directly, the kernel must know their kind: not each one has that of 32 bits.
    # shellcheck disable=SC2086
    [ "$run" != - ] || { echo 'int main(void) { return 0; }' | "$4" $flags -x c - -o "$folder/runs" && "$folder/runs"; } 2>/dev/null || {
        say "built and not run: this kernel does not start such programs"
        return
    }
    ctest --test-dir "$folder" --timeout 7200 -j "${JOBS:-2}" -R "^($(echo "$tests" | tr ' ' '|'))$" --output-on-failure >"$folder.out" 2>&1 ||
        failures=$((failures + 1))
    say "$(grep -E 'tests passed|No tests' "$folder.out"): $folder.out"
}

for wanted in "$@"; do
    line=$(printf '%s\n' "$platforms" | grep "^$wanted ") || { echo "there is no platform $wanted"; exit 2; }
    # shellcheck disable=SC2086
    test_platform $line
done
[ "$failures" -eq 0 ]
