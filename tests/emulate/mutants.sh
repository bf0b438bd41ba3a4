#!/bin/sh
# Kernels with one fault each: some schedule must refuse them, or give other bytes.
# usage: sh mutants.sh SOURCE_DIR LIBRARY [COMPILER [NUMBER..]]
# A row of mutants.tsv is: what is wrong, the file, the test that runs it and its argument, the text, what stands there
# instead (\n: a new line). Prints a line a mutant, with the schedules that caught it; fails where one is missed.
set -u
export LC_ALL=C
source=$1 library=$2 compiler=${3:-c++}
[ $# -gt 3 ] && shift 3 || set --
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests" "$work/examples" && cp -r "$source/tests/emulate" "$work/tests" && cp -r "$source/examples/cuda" "$work/examples"
tab=$(printf '\t') number=0 missed=0 tried=0
while IFS=$tab read -r name file test from to; do
    number=$((number + 1))
    [ $# -gt 0 ] && case " $* " in *" $number "*) ;; *) continue ;; esac
    tried=$((tried + 1))
    awk -v from="$from" -v to="$to" '{ all = all $0 "\n" }
        END { at = index(all, from); if (at == 0) exit 3
              printf "%s%s%s", substr(all, 1, at - 1), to, substr(all, at + length(from)) }' "$source/$file" > "$work/$file" ||
        { echo "$number $name: the text is not in $file"; missed=$((missed + 1)); continue; }
    set -f
    program=${test%% *} argument=${test#"$program"}
    if $compiler -std=c++17 -O0 -DNDEBUG -w -DTSR_EMULATE=1 -I "$source/include" "$work/tests/emulate/$program.cpp" \
        "$library" -ldl -lm -o "$work/mutant" 2> "$work/errors"; then
        timeout 120 "$work/mutant" $argument > "$work/words" 2>&1
        caught=$(for s in "at once" late "at random"; do grep -q ", $s: " "$work/words" && printf '%s, ' "$s"; done)
        sentence=$(grep -m 1 -E ', (at once|late|at random): ' "$work/words" | cut -c 1-150)
    else
        caught="the compiler, " sentence=$(grep -m 1 error "$work/errors" | cut -c 1-150)
    fi
    cp "$source/$file" "$work/$file"
    if [ -n "$caught" ]; then
        echo "$number $name: ${caught%, } | $sentence"
    else
        echo "$number $name: MISSED"
        missed=$((missed + 1))
    fi
done < "$source/tests/emulate/mutants.tsv"
echo "$tried mutants, $missed missed"
[ "$missed" -eq 0 ]
