#!/bin/sh
# What one command prints as a layout, a tensor or a linear map is read by every command that takes one: the values of
# the examples of all operations, one of each form, and what the other commands print.
# usage: printed.sh TESSERA SOURCE_FOLDER
tessera=$1
source=$2
. "$source/tests/check.sh"

# Values of one form differ in their numbers only.
values=$("$tessera" reference | awk -F'`' '/^\| `/ && NF > 6 {
    value = form = NF == 7 ? $6 : $(NF - 3)
    gsub(/[0-9]+/, "1", form)
    if (!seen[form]++)
        print value
}')

# takes COMMAND..: it ends well, or refuses what the value is and not how it is written
takes() {
    output=$("$tessera" "$@" 2>&1)
    status=$?
    case $status:$output in
    0:* | 1:tile*) output=taken ;; # a tile with conflicts is drawn, too
    *'make a readable picture'* | *'is not linear over F2'* | *'is not a power of two'*) output=taken ;;
    *': a tile has '* | *'no mode of the tile is contiguous'* | *'the tile is not suitable'*) output=taken ;;
    *'this tensor does not begin at 0: layout(..) is its layout alone'*) output=taken ;;
    esac
    is "$*" "$output" taken
}

# A layout or a tensor.
layout_is_read() {
    is "$1" "$("$tessera" eval "$1")" "$1"
    for command in 'eval' explain show convert 'convert --to cute' 'emit c' swizzle; do
        # shellcheck disable=SC2086
        takes $command "$1"
    done
    takes diff "$1" "$1"
    takes eval "size($1)"
    takes diff "layout($1)" "layout($1)"
}

# A linear map.
map_is_read() {
    is "$1" "$("$tessera" eval "$1")" "$1"
    for command in explain show convert 'convert --to triton' 'emit c'; do
        # shellcheck disable=SC2086
        takes $command "$1"
    done
}

layouts=0
maps=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '%s\n' "$values" >"$scratch/values"
while IFS= read -r value; do
    case $value in
    linear*) map_is_read "$value"; maps=$((maps + 1)) ;;
    *:* | *' o '*) "$tessera" eval "layout($value)" >"$scratch/layout" 2>&1 || continue
        layout_is_read "$value"; layouts=$((layouts + 1)) ;;
    esac
done <"$scratch/values"
is 'there are examples of both' "$((layouts > 60)) $((maps > 8))" '1 1'

# A tensor is its layout, behind the swizzle of its pointer where that repeats at the address.
is 'a tensor in shared memory' "$("$tessera" convert 'Sw<2,4,3>_smem_ptr[16b](0x400) o (_8,_32):(_32,_1)')" \
    'Sw<2,3,3> o _0 o (_8,_32):(_32,_1)'
is 'at another address' "$("$tessera" convert 'Sw<2,4,3>_smem_ptr[16b](0x410) o (_8,_32):(_32,_1)' 2>&1)" \
    'error: the swizzle of the pointer repeats every 2^9 bytes, and the address is no multiple'
is 'no layout' "$("$tessera" convert 'Sw<3,4,3>' 2>&1)" 'error: this is a swizzle, not a layout'
# The pointer says the bits of an element.
for bits in 8 16 32 64 128; do
    tile="Sw<3,4,3> o smem_ptr[${bits}b](unset) o (_8,_$((1024 / bits))):(_$((1024 / bits)),_1)"
    is "$tile" "$("$tessera" swizzle "$tile" | awk '/^ldmatrix/ { print $2, $3 }')" '1 1'
done
is 'a type of other bits' "$("$tessera" swizzle --type f32 'smem_ptr[16b](0x0) o (8,64):(64,1)' 2>&1)" \
    'error: --type: f32 has 32 bits, but the elements of smem_ptr[16b](0x0) o (8,64):(64,1) have 16'

# What other commands print.
"$tessera" convert --shape '(64,64)' '#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>' >"$scratch/map"
{
    echo 'warps 4'
    echo "x: (64,64) @ $(cat "$scratch/map")"
    echo 'm = reduce<1>(x)'
    echo 'y = elementwise(x, m)'
} | "$tessera" infer - | sed -n 's/^[a-z]*: //p' >"$scratch/maps"
is 'fragments' "$(wc -l <"$scratch/maps" | tr -d ' ')" 3
while IFS= read -r value; do
    map_is_read "$value"
done <"$scratch/maps"
for formula in 'i*8 + j' 'i*8 + (j^i)' 'j*8 + i'; do
    layout_is_read "$("$tessera" fit "$formula" i=0..7 j=0..7 2>/dev/null)"
done
map_is_read "$("$tessera" fit '(i ^ i>>1) ^ j*9' i=0..7 j=0..7 2>/dev/null)"
for layout in 'dtensor((8,8),(2,2),[S(0),S(1)])' 'scalapack(8,8,2,2,2,2)'; do
    text=$("$tessera" dist "$layout" | sed -n '1s/.*[0-9], //p')
    is "$layout: $text" "$("$tessera" dist "$text" | sed -n '2,$p')" "$("$tessera" dist "$layout" | sed -n '2,$p')"
done
for line in result 'with static numbers'; do
    layout_is_read "$("$tessera" explain 'composition(Sw<3,3,3> o 0 o (8,64):(64,1), 4:1)' | sed -n "s/^  $line: //p")"
done
layout_is_read "$("$tessera" swizzle '(8,64)' | sed -n 's/^tile *//; s/ of f16.*//p')"
all_passed
