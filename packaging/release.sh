#!/bin/sh
# The recipes of a release: those of packaging, with version, addresses and sums in the places of @VERSION@, @URL@, @HOMEPAGE@,
# @SHA256@ and @SHA512@. The address ends with the archive's name, which has the version.
# usage: release.sh ARCHIVE URL HOMEPAGE OUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^project(tessera VERSION \([0-9.]*\).*/\1/p' "$here/../CMakeLists.txt")
case $2 in
    *"tessera-$version.tar.gz") ;;
    *) echo "release.sh: the address $2 does not end with tessera-$version.tar.gz" >&2 && exit 1 ;;
esac
sha256=$(sha256sum "$1" | cut -d ' ' -f 1)
sha512=$(sha512sum "$1" | cut -d ' ' -f 1)
for recipe in "$here"/vcpkg/* "$here"/conan/* "$here"/spack/* "$here"/conda/* "$here"/homebrew/*; do
    to=$4/${recipe#"$here/"}
    mkdir -p "$(dirname "$to")"
    sed -e "s|@VERSION@|$version|g" -e "s|@URL@|$2|g" -e "s|@HOMEPAGE@|$3|g" -e "s|@SHA256@|$sha256|g" -e "s|@SHA512@|$sha512|g" \
        "$recipe" >"$to"
done
