#!/bin/sh
# Every command where something is missing: stack, memory, room, descriptors, permission, time.
# usage: limits.sh TESSERA SOURCE_FOLDER [MOMENTS]; STACK is the size of the smallest stack, in kB
#
# Laws   however little there is, a command ends by itself, with status 0, 1 or 2;
#        what could not be written whole is no success, and a target then is the file that it was;
#        killed at any of MOMENTS moments (30), it leaves the target old or new, and whole.
tessera=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
moments=${3:-30}
. "$source/tests/check.sh"
skipped=0
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cp "$source/examples/data/waves.npy" "$scratch"
cd "$scratch" || exit 2

# ends NAME STATUS: a program that ended by itself
ends() {
    case $2 in 0 | 1 | 2) is "$1" ended ended ;; *) is "$1" "status $2" 'status 0, 1 or 2' ;; esac
}

# One call of each command; a command of the program that is not here fails below.
mkdir -p folder/gallery
"$tessera" ops >names
sed -n 's/^\([a-z_0-9]*\)[<(].*->.*/\1/p' names | sort -u >operations
# shellcheck disable=SC2046
"$tessera" ops $(cat operations) | sed -n 's/^    \(.*[^ ]\)  =  .*/\1/p' >examples
cat >calls <<'CALLS'
eval size((2,3):(1,2)) composition((20,2):(16,4),(4,5):(1,4))
explain logical_divide((4,2,3):(2,1,8),(4:2))
show ((2,4),(2,2)):((1,4),(2,16))
show --as svg SM80_16x8x16_F32F16F16F32_TN
show --as html (8,8):(8,1)
show --as ppm (8,8):(8,1)
show waves.npy
diff (4,8):(8,1) (4,8):(1,4)
relayout waves.npy out.npy --tile 8,8 --cast bf16 --verify
reshard model.safetensors folder/reshard --to tp --verify
tma make_tma_copy(SM90_TMA_LOAD,half_t,(128,64):(_1,128),(_64,_8):(_1,_64),(_64,_8),1)
swizzle (8,64)
dist --plan dtensor((9,8),(4),[S(0)]) dtensor((9,8),(4),[S(1)])
fit offsets (2,2)
infer tiles
convert --to triton linear_tv((8,2):(2,1))
emit c (4,8):(8,1)
run script
ops wrap
reference
gallery folder
man
completion bash
help
version
CALLS
printf '0 4 1 5\n' >offsets
printf '\100\0\0\0\0\0\0\0%-64s%024d' '{"a":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}}' 0 >model.safetensors
printf 'a: (4,4)\nb = elementwise(a, a)\n' >tiles
printf 'size((2,3):(1,2))\nshow (4,2)\nexplain coalesce((2,3):(1,2))\n' >script
for command in $("$tessera" help | sed -n 's/^  \([a-z]*\) .*/\1/p; s/^  \([a-z]*\)$/\1/p'); do
    is "the command $command is tried" "$(grep -c "^$command\b" calls | sed 's/^[1-9][0-9]*$/yes/')" yes
done

# each FUNCTION: the function with the words of each call; its first argument is the call as text
each() {
    while read -r line <&3; do
        # shellcheck disable=SC2086
        "$1" "$line" $line
    done 3<calls
}

# Stack: 256 kB answer as much as eight megabytes do.
stack=${STACK:-256}
stack() {
    what=$1
    shift
    "$tessera" "$@" >want 2>&1
    wanted=$?
    (ulimit -s "$stack" && exec "$tessera" "$@") >got 2>&1
    is "$stack kB of stack: $what" "$? $(cmp want got 2>&1)" "$wanted "
}
each stack
"$tessera" eval - <examples >want
(ulimit -s "$stack" && exec "$tessera" eval -) <examples >got
is "$stack kB of stack: every operation" "$? $(cmp want got 2>&1)" '0 '

# Memory: from what the loader needs in steps to what is enough.
least=1000
while [ $least -lt 64000 ] && ! { (ulimit -v $least && exec "$tessera" version) | grep -q .; } >/dev/null 2>&1; do
    least=$((least + 500))
done
memory() {
    what=$1
    shift
    for more in 0 200 800 4000 40000; do
        (ulimit -v $((least + more)) && exec "$tessera" "$@") >got 2>&1
        ends "$((least + more)) kB of memory: $what" $?
    done
}
if [ $least -lt 64000 ]; then
    each memory
    for more in 0 200 800 4000; do
        (ulimit -v $((least + more)) && exec "$tessera" eval -) <examples >got 2>&1
        ends "$((least + more)) kB of memory: every operation" $?
    done
    head -c 900000 /dev/zero | tr '\0' 1 >line
    (ulimit -v $((least + 100)) && exec "$tessera" eval -) <line >got 2>&1
    is 'a line that does not fit in memory' "$? $(grep -c 'out of memory' got)" '1 1'
else
    skipped=$((skipped + 1)) # a sanitizer needs more than any limit gives
fi

# Descriptors: closed, each alone and all together; a command that has something to say cannot say it.
closed() {
    what=$1
    shift
    "$tessera" "$@" >want 2>/dev/null
    wanted=$?
    "$tessera" "$@" >got 2>/dev/null <&-
    is "standard input closed: $what" "$? $(cmp want got 2>&1)" "$wanted "
    "$tessera" "$@" >got 2>&-
    is "standard error closed: $what" "$? $(cmp want got 2>&1)" "$wanted "
    for way in 'closed' 'full'; do
        if [ $way = full ]; then "$tessera" "$@" >/dev/full 2>got; else "$tessera" "$@" >&- 2>got; fi
        is "standard output $way: $what" "$? $(grep -c 'standard output cannot be written' got)" "1 1"
    done
    "$tessera" "$@" <&- >&- 2>&-
    is "all closed: $what" $? 1
    "$tessera" "$@" >got 2>/dev/full
    is "standard error full: $what" "$? $(cmp want got 2>&1)" "$wanted "
}
each closed
"$tessera" eval - <&- 2>got
is 'no input to read from' "$? $(grep -c 'standard input cannot be read' got)" '1 1'
"$tessera" eval - </ 2>got
is 'a folder to read from' "$? $(grep -c 'cannot be read: Is a directory' got)" '1 1'
"$tessera" run / 2>got
is 'a folder as a script' "$? $(grep -c 'cannot be read: Is a directory' got)" '1 1'
"$tessera" eval - </dev/zero 2>got
is 'a line without end' "$? $(grep -c 'line 1 has more than 1048576 characters' got)" '1 1'
"$tessera" eval - </dev/full 2>got # which reads as zeros
is 'another one' $? 1
# What is told to standard error never lands in a file that the program opens.
for closed in '>/dev/null 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    eval "\"$tessera\" relayout waves.npy out.npy --progress $closed"
    "$tessera" relayout waves.npy want.npy >/dev/null
    is "relayout with $closed" "$(cmp out.npy want.npy)" ''
    eval "\"$tessera\" show -o out.svg 8:1 $closed"
    "$tessera" show --as svg 8:1 >want.svg
    is "show -o with $closed" "$(cmp out.svg want.svg)" ''
done

# Room for files: the old target stays, whole, and nothing is left beside it.
printf old >old
room() { # NAME COMMAND...: into the file target
    what=$1
    shift
    for blocks in 0 1 4; do
        cp old "$target"
        (ulimit -f $blocks && exec "$tessera" "$@") >/dev/null 2>&1
        ends "$blocks blocks of room: $what" $?
        if [ "$blocks" = 0 ]; then is "$what: the old file" "$(cmp old "$target")" ''; fi
    done
}
target=target.svg
room 'show -o' show -o target.svg '(64,64):(64,1)'
room 'diff -o' diff -o target.svg '(16,16):(16,1)' '(16,16):(1,16)'
target=target.npy
room 'relayout' relayout waves.npy target.npy
is 'nothing is left' "$(ls | grep -c 'tmp$')" 0
for link in target.svg target.npy; do
    rm $link
    cp old behind
    ln -s behind $link
    (ulimit -f 0 && exec "$tessera" show --as svg -o $link '(64,64):(64,1)') >/dev/null 2>&1
    is "a link and its target stay" "$? $(readlink $link) $(cmp old behind)" '1 behind '
done
"$tessera" show --as svg -o /dev/full 8:1 2>got
is 'show -o /dev/full' "$? $(grep -c '/dev/full: cannot be written: No space left' got) $(ls /dev/full)" '1 1 /dev/full'
"$tessera" show --as svg -o /dev/stdout 8:1 >got
is 'show -o /dev/stdout' "$? $(cmp want.svg got)" '0 '
ln -s nothing dangling.svg
ln -s circle.svg circle.svg
for link in dangling circle; do
    "$tessera" show -o $link.svg 8:1 2>got
    is "show -o, a $link link" "$? $(grep -c 'is a link' got) $(ls nothing 2>/dev/null)" '1 1 '
done

# A folder that may not be written to.
mkdir read_only
cp old read_only/target.svg
chmod 555 read_only
nobody=
[ "$(id -u)" -ne 0 ] || nobody=$(command -v setpriv) && nobody=${nobody:+$nobody --reuid 65534 --clear-groups}
if [ "$(id -u)" -ne 0 ] || { chmod 755 . && $nobody "$tessera" version >/dev/null 2>&1; }; then
    for call in 'show -o read_only/target.svg 8:1' 'show -o read_only/new.svg 8:1' 'relayout waves.npy read_only/new.npy' \
        'gallery read_only'; do
        # shellcheck disable=SC2086
        $nobody "$tessera" $call 2>got >/dev/null
        is "a read-only folder: $call" "$? $(grep -c ': Permission denied' got) $(ls read_only)" \
            '1 1 target.svg'
    done
else
    skipped=$((skipped + 1))
fi

# Killed at any moment: old or new.
header="{'descr': '<f4', 'fortran_order': False, 'shape': (2048, 2048), }"
{ printf '\223NUMPY\001\000\166\000%-117s\n' "$header"; head -c 16777216 /dev/zero | tr '\0' x; } >large.npy
"$tessera" relayout large.npy new.npy --permute 1,0 --cast f64 >/dev/null 2>&1
"$tessera" show -o new.svg '(128,128):(128,1)'
killed=0
# kills NAME SECONDS COMMAND...: each moment a part of the seconds later
kills() {
    name=$1
    seconds=$2
    shift 2
    cp old "target.$name"
    for i in $(seq "$moments"); do
        timeout -s KILL "$(awk "BEGIN { print $seconds * $i / $moments }")" "$tessera" "$@" >/dev/null 2>&1
        [ $? -eq 137 ] && killed=$((killed + 1))
        if cmp -s old "target.$name" || cmp -s "new.$name" "target.$name"; then whole=whole; else whole=mixed; fi
        is "killed in $name at moment $i" $whole whole
        [ $((i % 2)) -eq 0 ] && cp old "target.$name"
    done
    "$tessera" "$@" >/dev/null 2>&1
    is "after all kills, $name" "$(cmp "new.$name" "target.$name") $(ls | grep -c "^target.$name.*tmp$")" ' 0'
}
# interrupts NAME SECONDS COMMAND...: as kills, but such an end is one by the signal, and nothing is left behind.
interrupted=0
interrupts() {
    name=$1
    seconds=$2
    shift 2
    cp old "target.$name"
    for i in $(seq "$moments"); do
        signal=$(echo 'INT TERM HUP' | cut -d' ' -f$((i % 3 + 1)))
        number=$(echo '130 143 129' | cut -d' ' -f$((i % 3 + 1)))
        timeout --preserve-status -s "$signal" "$(awk "BEGIN { print $seconds * $i / $moments }")" "$tessera" "$@" >/dev/null 2>&1
        status=$?
        [ $status -eq "$number" ] && interrupted=$((interrupted + 1)) && status=0
        if cmp -s old "target.$name" || cmp -s "new.$name" "target.$name"; then whole=whole; else whole=mixed; fi
        is "$signal in $name at moment $i" "$status $whole $(ls | grep -c "^target.$name.*tmp$")" '0 whole 0'
        [ $((i % 2)) -eq 0 ] && cp old "target.$name"
    done
}
interrupts npy 0.4 relayout large.npy target.npy --permute 1,0 --cast f64
interrupts svg 0.1 show -o target.svg '(128,128):(128,1)'
echo "$((2 * moments)) moments, interrupted at $interrupted of them"
kills npy 0.4 relayout large.npy target.npy --permute 1,0 --cast f64
kills svg 0.1 show -o target.svg '(128,128):(128,1)'
echo "$((2 * moments)) moments, killed at $killed of them"

# An input that becomes shorter while it is read is an answer.
for i in 1 2 3 4 5; do
    cp large.npy shrinking.npy
    "$tessera" relayout shrinking.npy out.npy --permute 1,0 --cast f64 >/dev/null 2>got &
    sleep 0.0$i
    truncate -s 200 shrinking.npy 2>/dev/null || : >shrinking.npy
    wait $!
    status=$?
    ends "an input that becomes shorter ($i)" $status
    [ $status -eq 1 ] && is 'and is named' "$(grep -c 'shrinking.npy' got)" 1
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
