#!/bin/sh
# The pictures of the book, by the commands that its pages show ("$ tessera .. -o NAME.svg"): written, or with `check`
# compared, so that there are the same ones and no others.
# usage: book_pictures.sh TESSERA SOURCE_FOLDER [check]
export LC_ALL=C
book=$2/docs/book
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/pictures"
ln -s "$1" "$scratch/bin/tessera"
PATH=$scratch/bin:$PATH
sed -n 's/^\$ \(tessera .* -o [a-z0-9_]*\.svg\)$/\1/p' "$book"/*.md >"$scratch/commands"
cd "$scratch/pictures" || exit 2
sh -e "$scratch/commands" || exit 1
if [ "$3" ]; then
    diff -rq -x '*.md' "$scratch/pictures" "$book"
else
    rm -f "$book"/*.svg && cp ./*.svg "$book"
fi
