#!/bin/sh
# The pages of this tree as a static site in FOLDER/site. The pages keep their places, so that links need no change. With a
# playground, it is a part of the site, and examples and exercises open in it.
# The site has the gallery too, which `tessera gallery` draws.
# usage: book.sh MKDOCS TESSERA SOURCE_FOLDER FOLDER [PLAYGROUND_FOLDER]
export LC_ALL=C
source=$3
folder=$4
rm -rf "$folder/pages" "$folder/site"
mkdir -p "$folder/pages/docs" "$folder/pages/examples" "$folder/pages/bench" || exit 1
cp "$source/docs/mkdocs.yml" "$folder" &&
    cp "$source"/*.md "$folder/pages" &&
    cp -r "$source"/docs/*.md "$source"/docs/*.svg "$source"/docs/*.css "$source"/docs/book "$source"/docs/gallery \
        "$source"/docs/notes \
        "$folder/pages/docs" &&
    cp -r "$source/examples/cuda" "$source/examples/data" "$folder/pages/examples" && cp -r "$source/bench/results" "$folder/pages/bench" &&
    "$2" gallery "$folder/pages/docs" >/dev/null || exit 1
(cd "$folder" && "$1" build --quiet --config-file mkdocs.yml) || exit 1
[ "$5" ] || exit 0
cp -r "$5" "$folder/site/playground" || exit 1
for page in "$folder"/site/docs/*.html "$folder"/site/docs/book/*.html; do
    case $page in */docs/book/*) up=../.. ;; *) up=.. ;; esac
    LC_ALL=C awk -v playground=$up/playground/index.html -f "$source/tools/book_links.awk" "$page" >"$folder/page" &&
        mv "$folder/page" "$page" || exit 1
done
