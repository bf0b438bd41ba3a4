#!/bin/sh
# The recipes of a made-up release: every placeholder is filled, and what this machine can read is read.
# usage: recipes.sh SOURCE_FOLDER
. "$1/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo archive >"$scratch/archive"
version=$(sed -n 's/^project(tessera VERSION \([0-9.]*\).*/\1/p' "$1/CMakeLists.txt")
release() { sh "$1/packaging/release.sh" "$scratch/archive" "$2" https://example.org/tessera "$scratch/out" 2>&1; }
is 'an address without the version' "$(release "$1" https://example.org/tessera.tar.gz)" \
    "release.sh: the address https://example.org/tessera.tar.gz does not end with tessera-$version.tar.gz"
is 'the recipes' "$(release "$1" "https://example.org/tessera-$version.tar.gz")" ''
is 'recipes with a placeholder' "$(grep -rl '@[A-Z]' "$scratch/out")" ''
is 'recipes without the version' "$(cd "$scratch/out" && grep -rLF "$version" conan conda homebrew spack vcpkg)" ''
is 'recipes with the sum' "$(grep -rl "$(sha256sum <"$scratch/archive" | cut -c 1-64)" "$scratch/out" | wc -l)" 4
is 'recipes with the long sum' "$(grep -rl "$(sha512sum <"$scratch/archive" | cut -c 1-128)" "$scratch/out" | wc -l)" 1
for option in $(grep -rhoE '\bTESSERA_[A-Z_]+' "$scratch/out" "$1/packaging/debian/rules" | sort -u); do
    is "the option $option" "$(grep -hoE "(option|set)\($option " "$1"/CMakeLists.txt "$1"/cmake/*.cmake "$1"/python/CMakeLists.txt |
        head -n 1 | cut -d '(' -f 2)" "$option "
done
if command -v python3 >/dev/null; then
    for recipe in conan/conanfile.py spack/package.py; do
        is "$recipe is Python" "$(python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$scratch/out/$recipe" 2>&1)" ''
    done
    is 'vcpkg.json is JSON' "$(python3 -m json.tool "$scratch/out/vcpkg/vcpkg.json" 2>&1 >/dev/null)" ''
fi
if command -v ruby >/dev/null; then
    is 'tessera.rb is Ruby' "$(ruby -c "$scratch/out/homebrew/tessera.rb" 2>&1)" 'Syntax OK'
fi
all_passed
