#!/bin/sh
# build.sh PKG_CONFIG LIBDIR CC SOURCE PROGRAM: builds and runs SOURCE with what pkg-config says, and only that.
set -eu
export LC_ALL=C

pkg_config=$1 libdir=$2 cc=$3 source=$4 program=$5

PKG_CONFIG_LIBDIR=$libdir/pkgconfig
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_LIBDIR LD_LIBRARY_PATH

# The flags are several words on purpose.
# shellcheck disable=SC2046
"$cc" -std=c11 "$source" $("$pkg_config" --cflags --libs tessera) -o "$program"
"$program"
