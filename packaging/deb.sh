#!/bin/sh
# Debian's packages of this tree, by packaging/debian: made in OUT_FOLDER, and judged by lintian where it is there.
# usage: deb.sh SOURCE_FOLDER OUT_FOLDER
set -eu
export LC_ALL=C
source=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^project(tessera VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
tree=$out/tessera-$version
rm -rf "$tree"
mkdir "$tree"
(cd "$source" && tar cf - --exclude=./build --exclude=.git .) | (cd "$tree" && tar xf -)
date=$(dpkg-parsechangelog -l "$tree/packaging/debian/changelog" -S Timestamp)
(cd "$out" && tar cf - --sort=name --mtime="@$date" --owner=0 --group=0 --numeric-owner "tessera-$version" |
    gzip -n >"tessera_$version.orig.tar.gz")
cp -r "$tree/packaging/debian" "$tree/debian"
(cd "$tree" && dpkg-buildpackage -us -uc)
# A first upload closes the bug in which it is announced; its number is known then.
! command -v lintian >/dev/null || lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$out"/*.changes
