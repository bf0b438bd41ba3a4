#!/bin/sh
# What the documents and the comments of the headers name exists: functions, types and macros (tsr_.., TSR_..),
# commands (`tessera COMMAND`), headers (tessera/..), and files and folders of this tree. A name that ends with an underscore
# or with .. is the beginning of some.
# usage: names_exist.sh CC TESSERA SOURCE_FOLDER
cc=$1
tessera=$2
cd "$3" || exit 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# parts WHAT FILE...: the code or the comments of files
parts() {
    awk -v what="$1" '
        function put(text, is) { if ((what == "comments") == is) printf "%s", text }
        {
            line = $0
            while (line != "") {
                at = index(line, inside ? "*/" : "/*")
                put(at ? substr(line, 1, at + (inside ? 1 : -1)) : line, inside)
                line = at ? substr(line, at + (inside ? 2 : 0)) : ""
                inside = at ? !inside : inside
            }
            print ""
        }' $2
}

headers=$(find include -name '*.h' -o -name '*.cuh' | sort)
pages="README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md $(ls docs/*.md docs/book/*.md docs/notes/*.md)"

# What there is: as the compiler sees it, lists expanded, and as it is written for C++ and CUDA. DLPack may not be there.
export LC_ALL=C
for header in $(cd include && ls tessera/*.h tessera/exec/tma.h | grep -v dlpack); do
    echo "#include <$header>"
done >"$scratch/all.c"
{ "$cc" -std=c11 -Iinclude -E "$scratch/all.c" && "$cc" -std=c11 -Iinclude -dM -E "$scratch/all.c" && parts code "$headers"; } |
    grep -oE '\b(tsrc?|TSR)_[A-Za-z0-9_]*' | sort -u >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -gt 1000 ] || { echo 'the names of the headers are not found'; exit 1; }
grep -ohE '\bTESSERA_[A-Z_]+' CMakeLists.txt cmake/*.cmake tests/CMakeLists.txt tests/*/CMakeLists.txt \
    src/*/*.c | sort -u >"$scratch/options"
"$tessera" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' >"$scratch/commands"

# missing PLACE NAME
missing() {
    printf '%s names %s, which is not there\n' "$1" "$2"
    failed=$((failed + 1))
}

# check PLACE: the names in the text of standard input
check() {
    place=$1
    cat >"$scratch/text"
    grep -oE '\b(tsrc?|TSR)_[A-Za-z0-9_]*(\*|\.\.)?' "$scratch/text" | sort -u >"$scratch/named"
    grep -vE '(_|\*|\.\.)$' "$scratch/named" | comm -23 - "$scratch/names" >"$scratch/missing"
    grep -E '(_|\*|\.\.)$' "$scratch/named" | sed 's/[*.]*$//' | while read -r name; do
        grep -q "^$name" "$scratch/names" || echo "$name"
    done >>"$scratch/missing"
    grep -oE '\bTESSERA_[A-Z_]+' "$scratch/text" | sort -u | comm -23 - "$scratch/options" >>"$scratch/missing"
    grep -oE '`tessera [a-z]+' "$scratch/text" | cut -d' ' -f2 | sort -u | while read -r name; do
        grep -qx "$name" "$scratch/commands" || echo "tessera $name"
    done >>"$scratch/missing"
    grep -oE '\btessera/[a-z0-9_/]+\.(h|cuh)' "$scratch/text" | sort -u | while read -r name; do
        [ -f "include/$name" ] || echo "$name"
    done >>"$scratch/missing"
    # not those of CuTe and CK Tile, which are named as sources
    grep -oE '\b(bench|cli|cmake|docs|examples|include|share|src|tests|tools)/[A-Za-z0-9_/]+(\.[a-z]+)?' "$scratch/text" |
        grep -vE '/(cute|cpp|ck_tile)(/|$)' | sort -u | while read -r name; do
        [ -e "$name" ] || ls -d "$name"* >/dev/null 2>&1 || echo "$name"
    done >>"$scratch/missing"
    while read -r name; do
        case $name in *NAME*) ;; *) missing "$place" "$name" ;; esac
    done <"$scratch/missing"
}

for page in $pages; do
    check "$page" <"$page"
done
for header in $headers; do
    parts comments "$header" >"$scratch/comments"
    check "$header" <"$scratch/comments"
done
[ "$failed" -eq 0 ]
