#!/bin/sh
# Runs a libFuzzer program for some seconds. Each line of the seed files, up to a tab, is an input of its first corpus.
# usage: run.sh FUZZER SECONDS SCRATCH_FOLDER SEEDS...
export LC_ALL=C
fuzzer=$1
seconds=$2
scratch=$3
shift 3
rm -rf "$scratch"
mkdir -p "$scratch/seeds" || exit 2
if [ $# -gt 0 ]; then
    cut -f 1 "$@" | sort -u | (cd "$scratch/seeds" && split -a 5 -l 1) || exit 2
fi
cd "$scratch" && exec "$fuzzer" -seed=1 -max_len=2048 -rss_limit_mb=4096 -timeout=300 -max_total_time="$seconds" \
    -print_final_stats=1 -verbosity=1 seeds
