#!/bin/sh
# What the pages show of the command line is what it prints. In a plain block the lines that begin with "$ " are commands,
# what follows each is its output; they run in one scratch folder that holds the files of examples/data.
# usage: page_commands.sh TESSERA SOURCE_FOLDER
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/work"
ln -s "$1" "$scratch/bin/tessera"
cp -r "$source"/examples/data/*.npy "$source"/examples/data/*.tile "$source"/examples/data/*/ "$scratch/work"
PATH=$scratch/bin:$PATH
cd "$scratch/work" || exit 2
. "$source/tests/check.sh"

# tried: the command that was read, against the output that was read
tried() {
    [ "$command" ] || return
    sh -c "$command" >"$scratch/got" 2>&1
    if cmp -s "$scratch/got" "$scratch/want"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s\n' "$page" "$command"
        diff "$scratch/got" "$scratch/want"
    fi
    command=
}

for path in "$source"/README.md "$source"/CONTRIBUTING.md "$source"/docs/*.md "$source"/docs/book/*.md; do
    page=${path##*/}
    inside=
    command=
    while IFS= read -r line; do
        case $line in
        '```')
            tried
            if [ "$inside" ]; then inside=; else inside=plain; fi
            ;;
        '```'*) inside=other ;;
        '$ '*)
            [ "$inside" = plain ] || continue
            tried
            command=${line#??}
            : >"$scratch/want"
            ;;
        *) [ "$command" ] && printf '%s\n' "$line" >>"$scratch/want" ;;
        esac
    done <"$path"
done
all_passed
