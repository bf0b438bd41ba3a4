#!/bin/sh
# docs/api.md: below its rules, every public function of the headers, from their declarations and comments.
# usage: api.sh SOURCE_FOLDER [check]
cd "$1" || exit 2
page=docs/api.md
[ -s $page ] || exit 2
new="${TMPDIR:-/tmp}/api.$$"
trap 'rm -f "$new"' EXIT

# The headers in the order of the design, each with its functions.
headers() {
    for room in base core tensor . exec atom tma tile gpu; do
        find "include/tessera/$room" -maxdepth 1 -name '*.h' ! -name '*_list.h' | sort
    done
}

{
    sed '/^<!-- generated/q' $page
    for header in $(headers); do
        awk '
            function flush(   name, first) {
                gsub(/[ \t]+/, " ", signature)
                sub(/^ /, "", signature)
                if (match(signature, /tsr_[a-z0-9_]+\(/)) {
                    name = substr(signature, RSTART, RLENGTH - 1)
                    if (name !~ /_$/ && !(name in seen)) {
                        seen[name] = 1
                        first = comment
                        sub(/\. .*$/, ".", first)
                        sub(/ \*\/.*$/, "", first)
                        gsub(/\|/, "\\|", first)
                        gsub(/</, "\\&lt;", first)
                        gsub(/\[/, "\\&#91;", first)
                        gsub(/\]/, "\\&#93;", first)
                        if (!rows++) {
                            sub(/^include\//, "", FILENAME)
                            printf "\n### %s\n\n%s\n\n| | | |\n|---|---|---|\n", FILENAME, title
                        }
                        printf "| `%s` | %s | %s |\n", signature, kind, first
                    }
                }
                comment = ""
            }
            FNR == 1 { title = ""; heading = 1 }
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
            /^\/\*/ { comment = $0; sub(/^\/\*\*? ?/, "", comment); inside = !/\*\//; next }
            inside { line = $0; sub(/^ \*+ */, "", line); if (line !~ /^\//) comment = comment " " line; if (/\*\//) inside = 0; next }
            /^TSR_(API|OP|OP_MEMORY|FN|EVAL|INLINE|REF) / {
                kind = /^TSR_(API|OP|OP_MEMORY) / ? "symbol" : "inline"
                signature = $0
                sub(/^TSR_[A-Z_]+ /, "", signature)
                open = 1
            }
            open && !/^TSR_/ { signature = signature " " $0 }
            open && /[;{]/ { sub(/[;{].*$/, "", signature); sub(/ *$/, "", signature); flush(); open = 0; next }
            /^$/ { if (!open) comment = "" }
        ' "$header"
    done
} >"$new"
if [ "$2" = check ]; then
    diff -u $page "$new" || { echo "docs/api.md is not what tools/api.sh writes"; exit 1; }
else
    cp "$new" $page
fi
