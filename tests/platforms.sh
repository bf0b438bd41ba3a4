#!/bin/sh
# Builds and tests the library on other platforms than this one. A platform without its tools is one line of what is
# missing; the status is 0 when no test of the others fails.
# usage: platforms.sh SOURCE_FOLDER BUILD_FOLDER [PLATFORM...]
#   OPTIMISE (-O1), JOBS (2), LAWS (5, percent of the random laws)
#
# One line a platform: name, compiler, flags, how a program is run, what is tested.
#   core   expressions, tiles, laws        files  arrays, outputs and the commands on them
#   gpu    the run-time library against the driver that keeps the books
# Debian has them in gcc-12-multilib, musl-tools, gcc-aarch64-linux-gnu, gcc-s390x-linux-gnu, gcc-mingw-w64-x86-64-posix,
# qemu-user-static and wine64.
platforms='native  cc  -  -  core,files,gpu
m32  cc  -m32,-msse2,-mfpmath=sse,-idirafter,/usr/include/x86_64-linux-gnu  -  core,files,gpu
musl  musl-gcc  -  -  core,files,gpu
arm64  aarch64-linux-gnu-gcc  -static  qemu-aarch64-static  core,files
s390x  s390x-linux-gnu-gcc  -static  qemu-s390x-static  core,files
mingw  x86_64-w64-mingw32-gcc  -static,-D__USE_MINGW_ANSI_STDIO,-Wno-format,-Wno-format-extra-args  wine64  core'

source=$(cd "$1" && pwd) || exit 2
mkdir -p "$2" || exit 2
build=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- m32 musl arm64 s390x mingw
PATH=$PATH:/usr/lib/wine
WINEDEBUG=-all
WINEPREFIX=$build/wine
export WINEDEBUG WINEPREFIX
failures=0

# compile FOLDER FILE...: objects of the sources, a few at once
compile() {
    objects=$1
    shift
    mkdir -p "$objects"
    printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I FILE sh -c '
        out=$1/$(printf %s "$2" | tr / _).o
        shift 2
        exec "$@" -c -o "$out"' sh "$objects" FILE $cc -std=c11 "${OPTIMISE:--O1}" -UNDEBUG -Wall -Wextra -Werror \
        -Wno-attributes -I "$source/include" FILE
}

# program NAME SOURCE [OBJECTS AND FLAGS...]
program() {
    name=$1
    from=$2
    shift 2
    $cc -std=c11 "${OPTIMISE:--O1}" -UNDEBUG -I "$source/include" "$source/tests/$from" "$@" -o "$folder/$name$exe" \
        "$folder"/objects/*.o $dl 2>"$folder/$name.log" || { cat "$folder/$name.log"; false; }
}

# try NAME COMMAND...: what it says last, and whether it failed
try() {
    what=$1
    shift
    (cd "$folder" && "$@") >"$folder/$what.out" 2>&1
    status=$?
    said=$(tail -n 1 "$folder/$what.out" | tr -d '\r')
    printf '%-7s %-16s %s\n' "$platform" "$what" "$said"
    [ "$status" -eq 0 ] && return
    echo "        status $status: $folder/$what.out"
    failures=$((failures + 1))
}

test_core() {
    program conformance conformance.c && try conformance $run "./conformance$exe" "$source/tests/conformance"
    program tile tile.c && try tile $run "./tile$exe" "$source/tests/tile"
    program tma tma.c && try tma $run "./tma$exe"
    program laws laws.c && try laws $run "./laws$exe" 1 "${LAWS:-5}"
}

test_files() {
    for test in npy safetensors hostile; do
        program "io_$test" "io/$test.c" && try "io_$test" $run "./io_$test"
    done
    program io_output io/output.c "$source/cli/guard.c" && try io_output $run ./io_output ${run:+emulated}
    # shellcheck disable=SC2046
    $cc -std=c11 "${OPTIMISE:--O1}" -I "$source/include" $(cat "$folder/cli") -o "$folder/program" "$folder"/objects/*.o \
        $dl 2>"$folder/cli.log" || { cat "$folder/cli.log"; return 1; }
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$run" "$folder/program" >"$folder/tessera"
    chmod +x "$folder/tessera"
    try cli sh "$source/tests/cli.sh" "$folder/tessera" "$source"
    try relayout sh "$source/tests/io/relayout.sh" "$folder/tessera" "$source"
}

test_gpu() {
    for library in fake empty; do
        $cc -std=c11 -shared -fPIC -I "$source/include" "$source/tests/gpu/$library.c" -o "$folder/$library.so" || return 1
    done
    for test in runtime refused; do
        mkdir -p "$folder/cache_$test"
        program "gpu_$test" "gpu/$test.c" && try "gpu_$test" ./"gpu_$test" ./fake.so ./empty.so "cache_$test"
    done
}

# test_platform NAME COMPILER FLAGS RUN WHAT
test_platform() {
    platform=$1
    folder=$build/$platform
    cc="$2 $(printf %s "$3" | tr , ' ' | sed 's/^-$//')"
    run=$(printf %s "$4" | sed 's/^-$//')
    what=$5
    dl='-ldl -lm'
    exe=
    [ "$platform" != mingw ] || dl= exe=.exe
    mkdir -p "$folder"
    for tool in "$2" $run; do
        command -v "$tool" >/dev/null || { printf '%-7s skipped: there is no %s\n' "$platform" "$tool"; return; }
    done
    echo 'int main(void) { return 0; }' >"$folder/nothing.c"
    if ! $cc "$folder/nothing.c" -o "$folder/empty$exe" 2>/dev/null || ! (cd "$folder" && $run "./empty$exe" >/dev/null 2>&1); then
        printf '%-7s skipped: a program of %s does not run here\n' "$platform" "$cc"
        return
    fi
    cc -std=c11 "$source/tools/amalgamate.c" -o "$folder/amalgamate" &&
        "$folder/amalgamate" "$source/include" "$folder/tessera.h" "$folder/one_header.c" \
            $(sed -n 's/^set(TESSERA_ONE_HEADER_OF \(.*\))/\1/p' "$source/cmake/one_header.cmake") || exit 2
    set -- "$source"/src/*.c "$source"/src/picture/*.c
    case $what in *files*) set -- "$@" "$source"/src/io/*.c "$source"/src/gpu/*.c "$folder/one_header.c" ;; esac
    ls "$source"/cli/*.c >"$folder/cli"
    rm -rf "$folder/objects"
    if ! compile "$folder/objects" "$@"; then
        printf '%-7s does not compile\n' "$platform"
        failures=$((failures + 1))
        return
    fi
    for part in $(printf %s "$what" | tr , ' '); do
        "test_$part" || failures=$((failures + 1))
    done
}

for wanted in "$@"; do
    line=$(printf '%s\n' "$platforms" | grep "^$wanted ") || { echo "there is no platform $wanted"; exit 2; }
    # shellcheck disable=SC2086
    test_platform $line
done
[ "$failures" -eq 0 ]
