#!/bin/sh
# Rows of Blackwell's words and layouts through the calculator: how many are equal, refused and different, and the first of
# each.
#
#   usage: sh tests/blackwell.sh [--strict] BUILD_FOLDER FILE..
#
# A file has rows NAME<TAB>PARAMETERS<TAB>VALUE[<TAB>WORDS]; tests/blackwell.awk says what is asked for them. A row is refused
# where the calculator says why, or has no operation for it; one with WORDS must be, with these words. The exit status is 1
# where a row differs, with --strict also where a row without WORDS is refused.
export LC_ALL=C
set -u
strict=0
[ "${1-}" = --strict ] && strict=1 && shift
[ $# -ge 2 ] || { sed -n 's/^#   usage: /usage: /p' "$0"; exit 2; }
build=$1
here=$(dirname "$0")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
shift
status=0
for file; do
    awk -f "$here/blackwell.awk" "$file" >"$work/asked" || exit 2
    cut -f1 "$work/asked" | sed 's/^-$/no_such_operation()/' >"$work/expressions"
    "$build/tessera" eval - <"$work/expressions" >"$work/answers" 2>/dev/null
    paste "$work/asked" "$work/answers" | awk -F '\t' -v file="$(basename "$file")" -v strict=$strict '
        $5 != "" && (index($6, "error: ") != 1 || !index($6, $5)) { different_row($6 "  not refused: " $5); next }
        plain($6) == plain($2) { ++equal; if (equal == 1) first_equal = $1 "  =  " $6; next }
        $6 ~ /^error: / {
            if (++refused == 1) first_refused = ($1 == "-" ? $3 : $1) "  :  " substr($6, 8)
            bad += strict && $5 == ""
            next
        }
        { different_row($6 "  not  " $2) }
        # A tile by its shapes, and an origin whose zeros are static or not.
        function plain(text) {
            if (text ~ /^ArithTuple/)
                while (sub(/^ArithTuple\([^o]*_/, "&#", text))
                    sub(/_#/, "", text)
            if ($3 == "tmem_copy_tiler") {
                gsub(/:(\([^)]*\)|_[0-9]+)/, "", text)
                gsub(/[<>()]/, "", text)
            }
            return text
        }
        function different_row(words) { if (++different == 1) first_different = $1 "  =  " words }
        END {
            printf "%s: %d equal, %d refused, %d different of %d\n", file, equal, refused, different, NR
            if (equal) print "  equal      " first_equal
            if (refused) print "  refused    " first_refused
            if (different) print "  different  " first_different
            exit different + bad > 0
        }' || status=1
done
exit $status
