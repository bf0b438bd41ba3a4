#!/bin/sh
# The gallery in the folder docs is what `tessera gallery` writes: the same page, the same pictures and no others.
# usage: gallery.sh TESSERA DOCS
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/gallery"
"$1" gallery "$scratch" &&
    cmp "$scratch/gallery.md" "$2/gallery.md" &&
    diff -rq "$scratch/gallery" "$2/gallery"
