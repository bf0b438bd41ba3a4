#!/bin/sh
# The pages of this tree as a static site in FOLDER/site. The pages keep their places, so that links need no change.
# usage: book.sh MKDOCS SOURCE_FOLDER FOLDER
source=$2
folder=$3
rm -rf "$folder/pages" "$folder/site"
mkdir -p "$folder/pages/docs" "$folder/pages/examples" || exit 1
cp "$source/docs/mkdocs.yml" "$folder" &&
    cp "$source"/*.md "$folder/pages" &&
    cp -r "$source"/docs/*.md "$source"/docs/*.svg "$source"/docs/*.css "$source"/docs/book "$source"/docs/gallery \
        "$folder/pages/docs" &&
    cp -r "$source/examples/cuda" "$folder/pages/examples" || exit 1
cd "$folder" && "$1" build --quiet --config-file mkdocs.yml
