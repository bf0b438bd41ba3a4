#!/bin/sh
# What is optional may be absent: each thing that CMake or a test says is absent is a row of the table in CONTRIBUTING.md, and
# no test is given a program that was not found.
# usage: absent.sh SOURCE_FOLDER BUILD_FOLDER
. "$1/tests/check.sh"
given=$(find "$2" -name CTestTestfile.cmake -exec grep 'add_test(.*NOTFOUND' {} + | head -n 3)
is 'what a test runs was found' "$given" ''

cd "$1" || exit 2
lists="CMakeLists.txt $(find cmake bench python tests web -name CMakeLists.txt -o -name '*.cmake')"
# The lists are many words on purpose.
# shellcheck disable=SC2086
things=$({
    sed -nE 's/.*"tessera: (no [^,$]*),.*/\1/p; s/^ *tessera_find_program\([A-Z0-9_]+ ([^ ]+) .*/no \1/p' $lists
    grep -rhoE "skipped: no [A-Za-z/][^],'\"\$\\]*[],'\"\\]" tests | sed 's/^skipped: //; s/.$//'
} | sort -u)
[ "$(echo "$things" | wc -l)" -ge 20 ] || { echo 'what may be absent is not found'; exit 1; }
unlisted=$(echo "$things" | while read -r thing; do
    grep -qF "| $thing |" CONTRIBUTING.md || echo "$thing"
done)
is 'what may be absent is a row of CONTRIBUTING.md' "$unlisted" ''
all_passed
