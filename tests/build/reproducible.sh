#!/bin/sh
# The same sources give the same bytes: library, program, header, installed files, wheel and archive of sources. They are made
# twice from copies that differ in path, dates of files, mask, time zone and home. Compilers' caches are off.
# usage: reproducible.sh SOURCE_FOLDER WORK_FOLDER PYTHON [COMPONENTS]
#   COMPONENTS (core): `all` takes the whole library, the program and the module of Python, which takes ten minutes
set -eu
export LC_ALL=C
source=$(cd "$1" && pwd)
python=$3
components=${4:-core}
rm -rf "$2"
mkdir -p "$2"
work=$(cd "$2" && pwd)
SOURCE_DATE_EPOCH=1700000000
PYTHONDONTWRITEBYTECODE=1
CCACHE_DISABLE=1
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE CCACHE_DISABLE
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
case $components in
    all) options='-DTESSERA_PYTHON=ON' ;;
    *) options="-DTESSERA_COMPONENTS=$components -DTESSERA_CLI=OFF -DTESSERA_PYTHON=OFF -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG" ;;
esac

(cd "$source" && tar cf "$work/sources.tar" CMakeLists.txt CMakePresets.json LICENSE README.md CHANGELOG.md cmake include src cli \
    share tools python examples docs/python.md)

# packed TREE OUT MODULE_FOLDER: the wheel and the archive of sources; the module was built before, by CMake
packed() {
    "$python" - "$1/python" "$2" "$3" <<'PROGRAM'
import pathlib, shutil, sys
sys.path.insert(0, sys.argv[1])
import backend

backend._build = lambda folder: shutil.copytree(sys.argv[3], pathlib.Path(folder, "python"), symlinks=True)
backend.build_wheel(sys.argv[2])
backend.build_sdist(sys.argv[2])
PROGRAM
}

# made TREE DATE: what is made of the tree, in OUT beside it; without the module, the wheel has the package's Python alone
made() {
    tree=$1
    out=$(dirname "$tree")/out
    mkdir -p "$tree" "$out"
    (cd "$tree" && tar xf "$work/sources.tar")
    find "$tree" -exec touch -d "$2" {} +
    # shellcheck disable=SC2086
    cmake --preset release -S "$tree" -B "$tree/build/release" $options >"$out.log" 2>&1
    cmake --build "$tree/build/release" >>"$out.log" 2>&1
    DESTDIR=$out cmake --install "$tree/build/release" --prefix /usr >>"$out.log" 2>&1
    module=$tree/build/release/python
    [ -d "$module/tessera" ] || module=$tree/python
    packed "$tree" "$out" "$module"
    chmod 644 "$out"/tessera-* # the mask is that of who asks
}

# sums FOLDER: what its files are, and who may read them
sums() { (cd "$1" && find . -type f -printf '%m ' -exec sha256sum {} \; | sort -k 3); }

(umask 022 && TZ=UTC HOME=$work LC_ALL=C && export TZ HOME LC_ALL && made "$work/a/tree" '2001-02-03 04:05')
(umask 077 && TZ=Asia/Tokyo HOME=/nowhere LC_ALL=C.UTF-8 && export TZ HOME LC_ALL && made "$work/another folder/the tree" '2020-12-24 12:00')
sums "$work/a/out" >"$work/first"
sums "$work/another folder/out" >"$work/second"
diff "$work/first" "$work/second"
if grep -rlF "$work" "$work/a/out"; then
    echo 'these files name the folder of the build'
    exit 1
fi
grep -q 'libtessera' "$work/first" && grep -q '\.whl$' "$work/first" && grep -q 'tar\.gz$' "$work/first"
echo "$(wc -l <"$work/first") files are the same"
