#!/bin/sh
# tools/abi.txt: what a program that was compiled with the stable tier relies on. Its functions, each a symbol of the
# library; sizes, offsets and sizes of the fields of its structs; values of its enumerators. For 64-bit systems.
# usage: abi.sh SOURCE_FOLDER LIBRARY [COMPILER [check]]
# With check it says what differs from the page and fails.
export LC_ALL=C
library=$(realpath "$2") compiler=${3:-cc}
cd "$1" || exit 2
page=tools/abi.txt
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

if [ "$(echo __SIZEOF_POINTER__ | $compiler -E -P -)" != 8 ]; then
    echo "skipped: no 64-bit system"
    exit 77
fi
for header in base/status.h core/leaf.h $(cat tools/stable.txt); do
    echo "#include \"tessera/$header\""
done >"$work/all.h"

# The functions of the stable tier, as docs/api.md lists them: "function NAME: SIGNATURE".
awk -F'`' '/^### / { stable = 0 } / \*Stable\.\*$/ { stable = 1 }
    stable && /^\| `/ && $3 ~ /^ \| (symbol|inline) / && match($2, /tsr_[a-z0-9_]+\(/) {
        print "function " substr($2, RSTART, RLENGTH - 1) ": " $2 }' docs/api.md | sort >"$work/functions"
nm -g --defined-only "$library" 2>/dev/null | awk '$2 ~ /^[A-Z]$/ { sub(/^_tsr/, "tsr", $3); print $3 }' | sort -u >"$work/symbols"
awk '{ sub(/:$/, "", $2); print $2 }' "$work/functions" | sort -u | comm -23 - "$work/symbols" >"$work/missing"

# A program that prints the values; the declarations are read behind the preprocessor, which unfolds their lists.
$compiler -std=c11 -Iinclude -E "$work/all.h" | awk -v headers="$(cat tools/stable.txt) base/status.h base/status_list.h core/leaf.h" '
    function last_word(s) {
        sub(/\[.*/, "", s)
        if (match(s, /\(\*[a-z_0-9]+\)/))
            return substr(s, RSTART + 2, RLENGTH - 3)
        gsub(/[* ]+$/, "", s)
        sub(/^.*[* ]/, "", s)
        return s
    }
    function flush(   body, name, n, i, j, k, part, more, word) {
        body = text
        sub(/^[^{]*\{/, "", body)
        name = body
        sub(/\}[^}]*$/, "", body)
        sub(/^.*\}/, "", name)
        gsub(/[ ;]/, "", name)
        if (text ~ /^(typedef )?enum/) {
            n = split(body, part, ",")
            for (i = 1; i <= n; ++i) {
                word = part[i]
                sub(/=.*/, "", word)
                gsub(/ /, "", word)
                if (word != "" && word !~ /_$/ && !(i == n && word ~ /(_COUNT|[A-Z]S)$/))
                    printf "    printf(\"enum %s %%lld\\n\", (long long)%s);\n", word, word
            }
        } else if (name !~ /_$/ && name != "") {
            printf "    printf(\"struct %s %%zu\\n\", sizeof(%s));\n", name, name
            n = split(body, part, ";")
            for (i = 1; i <= n; ++i) {
                if (part[i] ~ /:/ || part[i] ~ /^ *$/)
                    continue
                k = part[i] ~ /\(\*/ ? 1 : split(part[i], more, ",")
                if (k == 1)
                    more[1] = part[i]
                for (j = 1; j <= k; ++j) {
                    word = last_word(more[j])
                    printf "    printf(\"struct %s.%s at %%zu, %%zu\\n\", offsetof(%s, %s), sizeof(((%s *)0)->%s));\n",
                        name, word, name, word, name, word
                }
            }
        }
        text = ""
    }
    BEGIN {
        n = split(headers, h, /[ \n]+/)
        for (i = 1; i <= n; ++i)
            wanted["include/tessera/" h[i]] = 1
        print "#define TSR_ABI_SYMBOLS\n#include \"all.h\"\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{"
    }
    /^# [0-9]+ "/ { file = $3; gsub(/"/, "", file); next }
    !(file in wanted) { next }
    text == "" && !/^(typedef )?(struct|enum)( [a-z_0-9]+)? *\{/ { next }
    { text = text " " $0; sub(/^ /, "", text) }
    text ~ /\}[^{}]*;/ { flush() }
    END { print "    return 0;\n}" }
' >"$work/values.c" || exit 2
$compiler -std=c11 -w -O0 -Iinclude -I"$work" "$work/values.c" -o "$work/values" 2>"$work/errors" \
    || { cat "$work/errors"; echo "the program of tools/abi.sh does not compile"; exit 1; }
{
    echo "# The stable tier on 64-bit systems, written by tools/abi.sh. New lines are additions; a line that changes or goes breaks"
    echo "# programs that are already compiled: docs/stability.md."
    cat "$work/functions"
    "$work/values"
} >"$work/new"

if [ "$4" != check ]; then
    cp "$work/new" $page
    exit 0
fi
wrong=0
if [ -s "$work/missing" ]; then
    sed 's/.*/& is promised by docs\/api.md, and the library has no such symbol/' "$work/missing"
    wrong=1
fi
sort $page >"$work/was" && sort "$work/new" >"$work/is"
comm -23 "$work/was" "$work/is" | sed 's/^/changed or gone: /' >"$work/broken"
comm -13 "$work/was" "$work/is" | sed 's/^/new: /' >"$work/added"
if [ -s "$work/broken" ] || [ -s "$work/added" ]; then
    cat "$work/broken" "$work/added"
    [ -s "$work/broken" ] && echo "Programs that are already compiled break: see docs/stability.md."
    echo "To accept this: sh tools/abi.sh . LIBRARY, and a line in CHANGELOG.md."
    wrong=1
fi
exit $wrong
