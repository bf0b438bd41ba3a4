#!/bin/sh
# What the program says of itself, as files of this tree: written, or with `check` compared.
# usage: reference.sh TESSERA SOURCE_FOLDER [check]
export LC_ALL=C
tessera=$1
source=$2
failed=0

says() { # says FILE ARGUMENTS...: the file is what the program prints
    file=$source/$1
    shift
    if [ "$check" ]; then
        "$tessera" "$@" | cmp - "$file" || failed=1
    else
        "$tessera" "$@" >"$file" || failed=1
    fi
}
check=$3

says docs/operations.md reference
says share/tessera.1 man
says share/tessera.bash completion bash
says share/tessera.zsh completion zsh
says share/tessera.fish completion fish
[ $failed -eq 0 ]
