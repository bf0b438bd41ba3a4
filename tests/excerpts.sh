#!/bin/sh
# What the book shows of the sources of this tree stands in them: every line of a block ```cpp in a file that its page
# links.
# usage: excerpts.sh SOURCE_FOLDER
export LC_ALL=C
cd "$1/docs/book" || exit 2
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
failed=0
found=0
for page in *.md; do
    sources=$(grep -oE '\]\(\.\./\.\./[a-z0-9_/]+\.(c|cu|cuh|h)\)' "$page" | sed 's/^](//; s/)$//')
    sed -n '/^```cpp$/,/^```$/{/^```/d;/./p}' "$page" >"$scratch"
    while IFS= read -r line; do
        found=$((found + 1))
        grep -qxF -e "$line" $sources /dev/null || { printf '%s: %s\n' "$page" "$line"; failed=1; }
    done <"$scratch"
done
[ "$failed" -eq 0 ] && [ "$found" -gt 0 ]
