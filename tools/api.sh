#!/bin/sh
# docs/api.md: below its rules, every public function of the headers, from their declarations and comments. Those of the
# headers of tools/stable.txt are the stable tier.
# usage: api.sh SOURCE_FOLDER [check]
# With check it fails where the page is old, and where a function breaks one of the rules that can be seen: they are in
# rules() below.
export LC_ALL=C
cd "$1" || exit 2
page=docs/api.md
[ -s $page ] || exit 2
new="${TMPDIR:-/tmp}/api.$$"
trap 'rm -f "$new" "$new.broken"' EXIT
: >"$new.broken"

# The headers in the order of the design, each with its functions.
headers() {
    for room in base core tensor . exec atom tma tile gpu mesh; do
        find "include/tessera/$room" -maxdepth 1 -name '*.h' ! -name '*_list.h' | sed 's,/\./,/,' | LC_ALL=C sort
    done
}

{
    sed '/^<!-- generated/q' $page
    for header in $(headers); do
        tier=
        grep -qxF "$(echo "${header#include/tessera/}" | sed 's,^\./,,')" tools/stable.txt && tier=' *Stable.*'
        awk -v tier="$tier" -v broken="$new.broken" '
            FILENAME ~ /\/ops\// { # what the table of operations says of a function
                if (match($0, /[XA]\([A-Za-z0-9_]+, [a-z0-9_]+, .*\), "[^"]*"/)) {
                    split(substr($0, RSTART + 2, RLENGTH), part, ", ")
                    line = substr($0, RSTART, RLENGTH - 1)
                    sub(/^.*\), "/, "", line)
                    help["tsr_" part[2]] = toupper(substr(line, 1, 1)) substr(line, 2) "."
                }
                next
            }
            # What a function breaks: answers, results that are looked at, the source before the destination.
            function rules(name, signature,   type, arguments, n, part, i, word, to) {
                type = signature
                sub(/ ?\*?tsr_[a-z0-9_]+\(.*$/, "", type)
                if (name ~ /(^tsr_|_)is_/ && type !~ /^(bool|tsr_verdict)$/)
                    print name ": tsr_is_.. is a bool or a verdict" >>broken
                if (macro == "TSR_API" && name !~ /_why$/ && (type == "tsr_reason" || (type == "bool" && signature ~ /tsr_message \*error\)$/)))
                    print name ": what can fail is declared by TSR_TRY" >>broken
                arguments = signature
                sub(/^[^(]*\(/, "", arguments)
                sub(/\)$/, "", arguments)
                n = split(arguments, part, /, /)
                for (i = 1; i <= n; ++i) {
                    word = part[i]
                    sub(/^.*[ *]/, "", word)
                    if (word ~ /^(to|d|destination)$/ && part[i] !~ /tsr_dtype|tsr_tma_desc|tsr_descriptor/)
                        to = i
                    if (word ~ /^(from|s|source)$/ && to && name !~ /^tsr_gpu_/)
                        print name ": the source stands before the destination" >>broken
                }
            }
            function flush(   name, first) {
                gsub(/[ \t]+/, " ", signature)
                sub(/^ /, "", signature)
                if (match(signature, /tsr_[a-z0-9_]+\(/)) {
                    name = substr(signature, RSTART, RLENGTH - 1)
                    if (name !~ /_$/ && !(name in seen)) {
                        seen[name] = 1
                        rules(name, signature)
                        first = comment != "" ? comment : name in help ? help[name] : together ? last : section
                        last = first
                        sub(/\. .*$/, ".", first)
                        sub(/ \*\/.*$/, "", first)
                        gsub(/\|/, "\\|", first)
                        gsub(/</, "\\&lt;", first)
                        gsub(/\[/, "\\&#91;", first)
                        gsub(/\]/, "\\&#93;", first)
                        if (!rows++) {
                            sub(/^include\//, "", FILENAME)
                            printf "\n### %s\n\n%s%s\n\n| | | |\n|---|---|---|\n", FILENAME, title, tier
                        }
                        printf "| `%s` | %s | %s |\n", signature, kind, first
                    }
                }
                comment = ""
                together = 1
            }
            FNR == 1 { title = ""; heading = 1; section = "" }
            heading { # the first sentence of the header
                line = $0
                sub(/^(\/\*\*| \*) */, "", line)
                if (line == "" || $0 ~ /\*\/ *$/) heading = 0
                sub(/ *\*\/.*$/, "", line)
                if (sub(/[.] .*$/, ".", line) || line ~ /[.:]$/) heading = 0
                gsub(/</, "\\&lt;", line)
                gsub(/\[/, "\\&#91;", line)
                gsub(/\]/, "\\&#93;", line)
                title = title (title == "" ? "" : " ") line
                sub(/:$/, ".", title)
            }
            /^#if.*__cplusplus/ { overloads = 1 }
            /^#(else|endif)/ { overloads = 0 }
            overloads { next }
            /^\/\* clang-format/ { next }
            /^\/\*/ { plain = /^\/\* /; comment = $0; sub(/^\/\*\*? ?/, "", comment); inside = !/\*\//; next }
            inside { line = $0; sub(/^ \*+ */, "", line); if (line !~ /^\//) comment = comment " " line; if (/\*\//) inside = 0; next }
            /^TSR_(API|TRY|OP|OP_MEMORY|FN|EVAL|INLINE|REF|HOST|HOST_REF|LOCAL_MEMORY) / {
                kind = /^TSR_(API|TRY|OP|OP_MEMORY) / ? "symbol" : "inline"
                macro = $1
                signature = $0
                sub(/^TSR_[A-Z_]+ (TSR_NODISCARD )?/, "", signature)
                open = 1
            }
            open && !/^TSR_/ { signature = signature " " $0 }
            open && /[;{]/ { sub(/[;{].*$/, "", signature); sub(/ *$/, "", signature); flush(); open = 0; next }
            /^$/ { if (!open) { if (comment != "" && plain) section = comment; comment = ""; together = 0 } }
        ' src/ops/*.h "$header"
    done
} >"$new"
if [ "$2" = check ]; then
    if [ -s "$new.broken" ]; then
        cat "$new.broken"
        echo "rules of docs/api.md are broken"
        exit 1
    fi
    diff -u $page "$new" || { echo "docs/api.md is not what tools/api.sh writes"; exit 1; }
else
    cp "$new" $page
fi
