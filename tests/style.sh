#!/bin/sh
# The form of the sources: no line of C, in any room, is longer than 120 columns, and what a header declares extern or
# defines as a macro has our prefix (names.h and emulate/words.h, whose names are the purpose, apart): a macro of the
# user's is neither used nor undefined. tests/build/headers_alone.cmake includes all headers behind such macros.
# Words are those of docs/glossary.md.
# Where there is clang-format 14, whose form is .clang-format, each file has its form; a table or a list that reads better
# as it stands is between `clang-format off` and `on`.
# usage: style.sh SOURCE_FOLDER
#
# Exempt is what must be one line: an example of a doc comment, which a test runs; a row of a table that others continue
# (a macro's \, with a text in it); the rows of a table of names and numbers, or of the strokes of letters.
export LC_ALL=C
cd "$1" || exit 2
find bench cli examples include python src tests tools web \( -name '*.c' -o -name '*.h' -o -name '*.inc' \
    -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.hip' \) -print | sort >"${TMPDIR:-/tmp}/style.$$"
trap 'rm -f "${TMPDIR:-/tmp}/style.$$"' EXIT
[ -s "${TMPDIR:-/tmp}/style.$$" ] || exit 2
long=$(LC_ALL=C.UTF-8 xargs awk '
    length > 120 && !/^ \*  Example / && !/".*\\$/ && !/^ *"[^"]*".*,$/ && !/^    *\{ ?[0-9"F]/ && !/^    X\(.*\)$/ \
        && !/^#define / && !/^ *".*"\)*$/ && !/^#    pragma/ { print FILENAME ":" FNR ": " length " columns" }
' <"${TMPDIR:-/tmp}/style.$$")
open=$(grep -rnE '^ *extern .*[a-z_]+(\[\])*;' include | grep -vE '[ *]tsr_[a-z_]*(\[\])*;')
macros=$(grep -rnE '^ *# *(define|undef) +[A-Za-z_]' include --include='*.h' --include='*.cuh' --exclude=names.h --exclude=words.h |
    grep -vE ':[0-9]+: *# *(define|undef) +(TSR_|tsr_)')
# Words that the glossary has others for.
worn=$(sed -n 's/^| .* | .* | \([a-z_, ]*\) |$/\1/p' docs/glossary.md | tr -s ', ' '\n\n' | grep -v -e '^not$' -e '^$' | paste -sd'|')
[ -n "$worn" ] || exit 2
worn=$(grep -rnoE "[A-Za-z0-9_]*" src include cli python/src --include='*.[ch]' --include='*.cuh' | grep -E ":(.*_)?($worn)(_.*)?$"
    find src include cli python/src | grep -E "[/_]($worn)[._]")
# A function has its name in front of its parameters, where editors and a search for `name(` find it: a file that defines
# one behind a macro of that name undefines the macro (src/exec/by_address.h).
hidden=$(grep -rnE '^[A-Za-z_][A-Za-z_0-9 *]*\(tsr_[a-z_0-9]+\)\(' src cli)
# Classes of letters and messages are those of no language: a script says so, or reads check.sh, which does.
spoken=$(find tests tools -name '*.sh' ! -name check.sh -exec grep -L -e '^export LC_ALL=C$' -e '^\. .*/check\.sh' {} + | sed 's/$/: export LC_ALL=C/')
form=
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    form=$(xargs clang-format --dry-run <"${TMPDIR:-/tmp}/style.$$" 2>&1 | grep 'warning:')
else
    echo 'skipped: no clang-format 14, lines are measured, their form is not judged'
fi
[ -z "$long$open$macros$worn$hidden$spoken$form" ] && exit 0
printf '%s\n' "$long" "$open" "$macros" "$worn" "$hidden" "$spoken" "$form"
exit 1
