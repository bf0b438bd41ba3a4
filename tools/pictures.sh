#!/bin/sh
# The pictures that pages show, written or with `check` compared, so that there are the same ones and no others: in
# docs/book those of the commands that its chapters show ("$ tessera .. -o NAME.svg"), in docs/gallery those of
# `tessera gallery` that a page names.
# usage: pictures.sh TESSERA SOURCE_FOLDER [check]
export LC_ALL=C
docs=$2/docs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/all/gallery" "$scratch/book" "$scratch/gallery"
ln -s "$1" "$scratch/bin/tessera"
PATH=$scratch/bin:$PATH
sed -n 's/^\$ \(tessera .* -o [a-z0-9_]*\.svg\)$/\1/p' "$docs"/book/*.md >"$scratch/commands"
cd "$scratch/book" && sh -e "$scratch/commands" && tessera gallery "$scratch/all" >/dev/null || exit 1
for picture in $(sed -n 's,.*](.*gallery/\([a-z0-9_]*\.svg\)).*,\1,p' "$2"/*.md "$docs"/*.md "$docs"/book/*.md); do
    cp "$scratch/all/gallery/$picture" "$scratch/gallery" || exit 1
done
for folder in book gallery; do
    if [ "$3" ]; then
        diff -rq -x '*.md' "$scratch/$folder" "$docs/$folder" || exit 1
    else
        rm -f "$docs/$folder"/*.svg && cp "$scratch/$folder"/*.svg "$docs/$folder" || exit 1
    fi
done
