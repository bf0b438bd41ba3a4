#!/bin/sh
# The command line: what it prints, where, and with which exit status.
# usage: cli.sh TESSERA SOURCE_FOLDER
tessera=$1
source=$2
. "$source/tests/check.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

feed() { # feed TEXT ARGUMENTS...
    text=$1
    shift
    output=$(printf '%s' "$text" | "$tessera" "$@" 2>/dev/null)
    status=$?
}

run eval --static 'composition((20,2):(16,4), (4,5):(1,4))'
check 'static integers in and out' 0 '(4,5):(16,64)'
run eval 'size((2,3):(1,2))' 'size((2,'
check 'one line an expression, errors in their place' 1 "6
error: the expression ends too early (at character 8)"
feed '# comment

size((2,3):(1,2))
size((2,3))' eval -
check 'standard input: comments and blank lines pass as empty lines' 0 "

6
6"
feed 'size(' eval -
check 'a last line without a newline' 1 'error: the expression ends too early (at character 5)'
run eval
check 'eval without an expression is misuse' 2 ''
run nonsense
check 'an unknown command is misuse' 2 ''
run eval --nonsense 1
check 'an unknown option is misuse' 2 ''
feed '# offsets of a swizzled row
0, 1, 3 2' fit -
check 'the layout behind a swizzle that has the offsets of a file' 0 'Sw<1,0,1> o _0 o 4:1'
feed '0 4 1 5' fit --static - '(2,2)'
check 'the layout of a shape that has the offsets of a file' 0 '(2,2):(4,1)'
feed '0 1 3 3 7' fit -
check 'offsets of no layout' 1 'error: nothing explains these samples
not a layout: sample 2 -> 3, but it gives 2
not a swizzled layout: sample 2 -> 3, but it gives 2
not a linear map: extent 5 of dimension 0 is not a power of two, so no bits of an index count it
not a sum of layouts: sample 2 -> 3, but it gives 2
not a descriptor: no mode has two values that an exclusive or could change'
feed '(0,0) -> 0
(3,1) -> 13
(1,0) -> 4' fit -
check 'the layout of a few samples' 0 '(4,2):(4,1)'
run fit '((j%8)^(i%8))*24 + i*200' i=0..7 j=0..7
check 'the descriptor of a formula' 0 'naive((8,8),(200,24)) | xor(8,8):0,1>0,1'
run fit 'i*8 + (j^i%8)' i=0..7 j=0..7 --to '(8,8):(8,1)'
check 'the move from a formula into a layout' 0 "tessera relayout in.npy out.npy --layout 'Sw<3,0,3> o 0 o 64:1'"
run fit 'i*8 + (j^i%8)' i=0..7 j=0..7 --to triton
check 'the words of a formula in a system' 0 "tessera convert --to triton 'Sw<3,0,3> o _0 o (8,8):(8,1)'"
# says WORDS ARGUMENTS..: what fit says on standard error
says() {
    words=$1
    shift
    is "fit $*" "$("$tessera" fit "$@" 2>&1 </dev/null)" "$words"
}
says "error: 64 samples at 120 places, of which 8 follow each other: a move needs memory without gaps" \
    'i*16 + j' i=0..7 j=0..7 --to '(8,8):(8,1)'
says 'error: the samples are 8, but --to has 64' i i=0..7 --to '(8,8):(8,1)'
says 'error: --to needs a layout, not a descriptor: naive((8,8),(200,24)) | xor(8,8):0,1>0,1' \
    '((j%8)^(i%8))*24 + i*200' i=0..7 j=0..7 --to triton
says 'error: a division by 0, at i=0 j=1 (at character 7)' 'i/(j-1)' i=0..7 j=0..7
says 'Sw<1,0,1> o _0 o (2,2):(2,1)
not a layout: sample (1,1) -> 2, but it gives 4' 'i*2+(j^i)' i=0..1 j=0..1
for text in '' '0 x' '0 99999999999999999999' '0 1234567890123456789012345678901234567890'; do
    feed "$text" fit -
    check "offsets that are none: $text" 1 ''
done
output=$(printf '0\0007 1 2' | "$tessera" fit - 2>&1)
is 'a zero character in an integer' "$output" 'error: standard input: `0?7` in line 1 is not an integer of 62 bits'
output=$(echo 0 1 2 3 | "$tessera" fit - '(2,_)' 2>&1)
is 'offsets over a shape with _' "$output" 'error: standard input: an integer is needed here, not `_` or an empty tuple'
output=$(echo 0 1 2 3 | "$tessera" fit - '(-2,-2)' 2>&1)
is 'offsets over a shape below 0' "$output" 'error: standard input: extent -2 of mode 0 is not a positive integer'
run fit "$scratch/missing"
check 'offsets of a file that is not there' 1 ''
for joined in 'append(4611686018427387903:1, 4:0)' 'prepend(4611686018427387903:0, 4:1)' \
    'replace<0>((4,4):(1,4), 4611686018427387903:1)' 'append<4>(4:1, 4294967296:0)' 'zip(4611686018427387903:0, 4:1)' \
    'append(gmem<float>(64) o 4:1, 4611686018427387903:0)'; do
    run eval "$joined"
    is "a size beyond 64 bits: $joined" "${output##*mode [0-2]}" ': the size or the offsets of the layout leave 64 bits'
done
escape=$(printf '\033[31m')
printed='Sw<1,4,3> o smem_ptr[16b](unset) o (_8,_16):(_16,_1)'
run eval "call($printed,(4,0))" "size($printed)" "composition($printed, (_4,_4))" "coalesce(slice((4,_), $printed))" "$printed"
check 'a printed layout of shared memory is a layout of elements' 0 "72
_128
Sw<1,3,3> o _0 o (_4,_4):(_16,_1)
(_8,_2):(_1,-8)
$printed"
run convert --to cute "$printed"
check 'and is converted' 0 'composition(Swizzle<1,3,3>{}, Int<0>{}, make_layout(make_shape(Int<8>{}, Int<16>{}), make_stride(Int<16>{}, Int<1>{})))'
run eval 'slice_and_offset((1,_,_), tile_to_shape(composition(Sw<3,7,3>,(_8,_128):(_128,_1)),(_8,_128,_3)))'
check 'a slice of three stages keeps the swizzle' 0 '(Sw<3,7,3> o 128 o ((_128,_1),(_1,_3)):((_1,_0),(_0,_1024)),_0)'
for name in SM80_16x8x16 SM70_8x8x4_F32F16F16F32_XX SM100_MMA_F16BF16_SS SM90_TMA_LOADS SM80_CP_ASYNC; do
    is "no atom: $name" "$("$tessera" show "$name" 2>&1 | grep -c 'tessera ops SM80. lists them')" 1
done
# Tiles that hang over are said of every division, of one tile of a tensor, and of one thread of each.
hangs() {
    is "hangs over: $1" "$("$tessera" explain "$1" 2>&1 | grep -c "$2 coordinates, the layout 24 elements, so $3 lie outside")" 1
}
for divide in logical zipped tiled flat; do
    hangs "${divide}_divide((6,4):(4,1), (4,2))" 32 8
    hangs "${divide}_divide(counting_iter(0) o (6,4):(4,1), (4,3))" 48 24
done
for taken in local_tile inner_partition outer_partition; do
    hangs "$taken(counting_iter(0) o (6,4):(4,1), (4,2), (1,1))" 32 8
done
hangs 'local_tile(counting_iter(0) o (24):(1), 7, 1)' 28 4
hangs 'local_partition(counting_iter(0) o (6,4):(4,1), (4,2):(2,1), 0)' 32 8
run explain 'local_tile(counting_iter(0) o (6,4):(4,1), (3,2), (1,1))'
is 'tiles that fit' "$(printf '%s\n' "$output" | grep -c 'hang over')" 0
run swizzle --banks gfx942 --access row128,mfma16 --padding '(_64,_64)'
check 'the swizzle and the padding of a tile in the LDS' 0 'tile        (_64,_64):(_64,_1) of f16, as rows by contiguous elements
swizzle     Sw<2,4,2> of the offset in elements
access      before  after
row128           1      1  a phase is 8 threads of 16 bytes
mfma16           4      1  a phase is threads 0 to 3, 20 to 23 of 16 bytes
every phase goes in one round; it is the smallest of 133 candidates
padding     16 elements behind every 64: 1 round, 1008 elements more'
run swizzle --banks gfx942 --access ldmatrix '(64,64)'
check "NVIDIA's instructions have no banks of AMD" 1 ''
run swizzle --banks gfx942_write '(64,64)'
check 'banks are those of an architecture' 2 ''
for command in run eval ops help fit swizzle 'relayout --only'; do
    output=$("$tessera" $command "$escape.npy" 2>&1)
    is "what would command a terminal is not printed: $command" "$(printf '%s' "$output" | tr -cd '\033')" ''
done
run fit
check 'fit without a file is misuse' 2 ''
run dist --plan 'dtensor((8,8),(2,2),[S(0),S(1)])' 'dtensor((8,8),(2,2),[S(1),S(0)])' --type f64 --verify --latency 1 --bandwidth 1
check 'a plan' 0 'from (8,8) on ranks 0 to 3, ((4,2),(4,2)):((4@1,2@0),(1@1,1@0))
  mode 0: blocks of 4, period 8, 2 ranks at steps of 2
  mode 1: blocks of 4, period 8, 2 ranks at steps of 1
to   (8,8) on ranks 0 to 3, ((4,2),(4,2)):((4@1,1@0),(1@1,2@0))
  mode 1: blocks of 4, period 8, 2 ranks at steps of 2
  mode 0: blocks of 4, period 8, 2 ranks at steps of 1
plans of 4 ranks, 40 intersections of shares
  rank 1 -> 2  128 bytes, round 1
  rank 2 -> 1  128 bytes, round 3
256 bytes in 2 messages, lower bound 256; 256 bytes stay
at most 128 bytes sent and 128 received by a rank, in 2 rounds
1.128 us by the model; the busiest rank alone 1.128 us
64 elements were followed: each arrives once'
run dist --plan --rank 1 'hpf((6),(BLOCK),(2))' 'hpf((6),(CYCLIC),(2))'
check 'the plan of a rank' 0 'from (6) on ranks 0 to 1, ((3,2)):((1@1,1@0))
  mode 0: blocks of 3, period 6, 2 ranks at steps of 1
to   (6) on ranks 0 to 1, ((2,3)):((1@0,1@1))
  mode 0: blocks of 1, period 2, 2 ranks at steps of 1
  rank 1 -> 0  4 bytes, round 1
  rank 0 -> 1  4 bytes, round 1
rank 1 sends 4 bytes, receives 4, at least 4, and keeps 8'
run dist '((2,3),4):((_1@1,_1@0),_2@1)'
check 'a layout into (rank, offset)' 0 '(6,4) on ranks 0 to 2, ((2,3),4):((1@1,1@0),2@1)
  mode 0: blocks of 2, period 6, 3 ranks at steps of 1
  rank 0 holds (2,4), 8 elements in memory of 8
  rank 1 holds (2,4), 8 elements in memory of 8
  rank 2 holds (2,4), 8 elements in memory of 8'
for text in 'dtensor((8),(2),[S(1)])' '8:1' 'nonsense' 'hpf((8),(BLOCK(2)),(3))'; do
    run dist "$text"
    check "no distribution: $text" 1 ''
done
for words in '--plan dtensor((8),(2),[R])' '--plan --rank x 2:1 2:1' '--plan --bandwidth 0 2:1 2:1' '--type i4 8:1' ''; do
    run dist $words
    check "misuse: dist $words" 2 ''
done
printf '0 1 2 3\n' >"$scratch/--static"
output=$(cd "$scratch" && "$tessera" fit -- --static)
is 'a file whose name is that of an option' "$output" '4:1'
run eval 'logical_divide((8,6):(1,8), 3)'
check 'what static numbers would give' 1 "error: logical_divide: tiles that begin 3 elements apart do not fit extent 8 of the\
 layout: neither divides the other; the result at 9 would be 8, but the law wants 9; the nearest legal distance is 4;\
 with static numbers it is (3,16):(1,3)"
run eval --color=always '('
check 'colour on request' 1 "$(printf '\033[31merror:\033[0m the expression ends too early (at character 1)')"
run run "$scratch/missing"
check 'a script that is not there' 2 ''
run ops nonsense
check 'an operation that is not there' 1 ''
run --version
case $output in tessera\ [0-9]*) output=tessera ;; esac
check 'the version' 0 tessera
run ops wrap
check 'an operation with its example' 0 'wrap(T) -> T                       an integer as a tuple of one mode
    wrap(4)  =  (4)'
run ops insert
check 'an operation with a number in brackets, and one of the same name' 0 \
'insert<N>(T, T) -> T               a mode put in at position N
    insert<1>((8,4), _2)  =  (8,_2,4)
insert(T) -> t                     a dimension that is not in memory
    insert(4)  =  insert(4)'
for command in help man ops reference; do
    run $command
    [ -n "$output" ] && output=text
    check "$command prints" 0 text
done

# What may have been meant, and what there is.
error() { # the first line on standard error
    output=$("$tessera" "$@" 2>&1 >/dev/null)
    status=$?
    output=$(printf '%s\n' "$output" | head -n 1)
}
swapped() { # a word whose second and third letter have changed places
    printf '%s' "$1" | sed 's/^\(.\)\(.\)\(.\)/\1\3\2/'
}
commands=$("$tessera" help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do
    run "$command" --help
    output=$(printf '%s\n' "$output" | head -n 1 | cut -d' ' -f1-3)
    check "$command --help" 0 "usage: tessera $command"
    "$tessera" help "$command" >"$scratch/one"
    output=$("$tessera" --help "$command" | cmp - "$scratch/one")
    status=$?
    check "help $command" 0 ''
    error "$(swapped "$command")" x
    check "a mistyped $command" 2 "error: unknown command $(swapped "$command"), did you mean $command? (see tessera help)"
    for option in $("$tessera" help "$command" | sed '/^$/,$d' | grep -o -e '--[a-z-]*'); do
        error "$command" "${option}x" 8:1
        check "a mistyped $option" 2 \
            "error: unknown option ${option}x, did you mean $option? (see tessera $command --help)"
    done
    error "$command" --frobnicate 8:1
    check "an option that $command has not" 2 "error: unknown option --frobnicate (see tessera $command --help)"
done
error show 8:1 --as
check 'an option without its value' 2 \
    'error: --as needs a value: cute ascii unicode svg tex html json ppm png (see tessera show --help)'
error --color=blue eval 1
check 'a wrong value of a general option' 2 \
    'error: --color takes auto, always or never, not blue (see tessera eval --help)'
error ops compositon
check 'a mistyped operation' 1 'error: unknown operation compositon, did you mean composition?'
"$tessera" ops | sed -n 's/^\([a-zA-Z]\)\(.\)\([a-z_0-9A-Z]\)\([a-z_0-9A-Z]*\)[<(].*->.*/\1\3\2\4(8)/p' | "$tessera" eval - >"$scratch/ops"
output=$(grep -c '^error: unknown operation' "$scratch/ops")
[ "$output" -gt 200 ] && output=$(grep '^error: unknown operation' "$scratch/ops" | grep -vc 'did you mean')
status=0
check 'every mistyped operation, where it is none' 0 0

# The place of an error: under the character that the message names.
for text in 'size((2,' ' size( 8' 'compositon(8:1,2:1)' '4:1:1' '(1,2))' 'Sw<1,2>' 'Sw<1,0,1> o 4' '(8,x)' '@' 'é' \
    "size($(printf '%0200d' 0),y)"; do
    for command in eval show explain; do
        output=$("$tessera" $command "$text" 2>"$scratch/caret")
        status=$?
        at=$(printf '%s\n' "$output" | sed -n 's/.*(at character \([0-9]*\)).*/\1/p')
        place=$(sed -n '$s/\( *\)^$/\1/p' "$scratch/caret" | wc -c)
        [ "$at" -gt 60 ] && at=60
        output=$((place - at))
        check "the place in $text of $command" 1 3
    done
done
feed '(' eval -
output=$(printf '(' | "$tessera" eval - 2>&1)
check 'one line for a line of standard input' 1 'error: the expression ends too early (at character 1)'

# Types by both of their names.
for pair in half_t:f16 float:f32 bfloat16_t:bf16 int8_t:i8 float_e4m3_t:f8_e4m3fn; do
    run eval "bank_conflicts<${pair%:*}>((32,2):(2,1))"
    wanted=$output
    run eval "bank_conflicts<${pair#*:}>((32,2):(2,1))"
    check "${pair} in an expression" 0 "$wanted"
    run swizzle --type "${pair%:*}" '(8,64)'
    wanted=$output
    run swizzle --type "${pair#*:}" '(8,64)'
    check "${pair} as an option" 0 "$wanted"
done
run eval 'Copy_Atom<UniversalCopy<uint128_t>,half_t>' 'Copy_Atom<UniversalCopy<u128>,f16>'
check 'types of atoms' 0 'Copy_Atom<UniversalCopy<uint128_t>,half_t>
Copy_Atom<UniversalCopy<uint128_t>,half_t>'

# CuTe's own words, and blanks.
run eval '(4, 8) : (8, 1)' 'Swizzle<2,0,2>' '_2{}' 'Int<8>{}' 'make_layout(make_shape(_4{},8), make_stride(C<8>{},_1{}))'
check 'what CuTe writes is read' 0 '(4,8):(8,1)
Sw<2,0,2>
_2
_8
(_4,8):(_8,_1)'

# What static numbers give more, beside the result; one line an expression from standard input.
both() { # both streams
    output=$("$tessera" "$@" 2>&1)
    status=$?
}
both eval 'right_inverse((4,8):(8,1))' 'size(8:1)'
check 'what static numbers give' 0 '_1:_0
with static numbers: (8,4):(4,1)
8'
both eval 'max_common_vector((4,8):(1,4), (4,8):(1,4))'
check 'a wider vector' 0 '_1
with static numbers: 32'
both eval --static 'right_inverse((4,8):(8,1))'
check 'static numbers need no note' 0 '(8,4):(4,1)'
output=$(printf 'right_inverse((4,8):(8,1))' | "$tessera" eval - 2>&1)
check 'nor does standard input get one' 0 '_1:_0'
both show 'coalesce((2,3):(1,2))'
output=$(printf '%s\n' "$output" | tail -n 1)
check 'under a picture' 0 'with static numbers: 6:1'
both show 'make_layout_tv((2):(1),(2):(1))'
output=$(printf '%s\n' "$output" | tail -n 1)
check 'behind a picture that is refused' 1 'with static numbers: ((4),(2,2):(2,1))'

# Unknown names, and what may be meant.
both eval 'foo'
check 'a name that is none' 1 'error: unknown name `foo` (at character 0)
  foo
  ^'
both eval 'coalesce'
check 'an operation without arguments' 1 'error: `coalesce` needs arguments: coalesce(layout) (at character 0)
  coalesce
  ^'
for pair in 'inverse:`right_inverse`, `left_inverse` or `pseudo_inverse`' 'compositon:`composition`' 'compl:`complement` or `complement_admissible`' \
    'permute:`select` or `transpose`' 'coalesc:`coalesce`' 'numel:`size`' 'zipped_div:`zipped_divide`'; do
    error eval "${pair%%:*}(8:1)"
    output=$("$tessera" eval "${pair%%:*}(8:1)" 2>/dev/null)
    check "what ${pair%%:*} may mean" 1 "error: unknown operation \`${pair%%:*}\`, did you mean ${pair#*:}? (at character 0)"
done
error ops inverze
check 'a mistyped operation without a part of a name' 1 'error: unknown operation inverze'
run ops compl
output=$(printf '%s\n' "$output" | sed -n 's/^\([a-z_]*\)(.*/\1/p' | tr '\n' ' ')
check 'a search for operations' 0 'complement complement complement complement_admissible '
run ops 'side by side'
[ "$status" -eq 0 ] || output=$("$tessera" ops | head -n 3)
[ "$status" -eq 0 ] && output=found
check 'a search in descriptions' 0 found
for type in float16 half fp16 f16; do
    output=$("$tessera" swizzle --type $type '(8,64)' 2>&1 | head -n 1)
    case $type in
    fp16) wanted='error: --type: unknown element type fp16, did you mean f16?' ;;
    *) wanted='tile        (8,64):(64,_1) of f16, as rows by contiguous elements' ;;
    esac
    status=0
    check "the type $type" 0 "$wanted"
done

run eval 'is_injective(2:2305843009213693952)' 'is_injective((2,3):(1,2305843009213693952))'
check 'injective steps near the end of 64 bits' 0 'yes
yes'

run eval 'left_inverse(((4,5),2):((_16,_1),_5))' 'left_inverse(((_4,_5),_2):((_16,_1),_5))'
check 'one inverse, of static numbers or not' 0 '(_16,4):(4,_1)
(_16,_4):(_4,_1)'

run show '(2,2):(1@0+1@1,1@1)'
check 'the picture of a sum' 0 '(2,2):(1@0+1@1,1@1)
          0       1 
    +-------+-------+
 0  | (0,0) | (0,1) |
    +-------+-------+
 1  | (1,1) | (1,2) |
    +-------+-------+'

# The help of every command says what each option does.
for command in $commands; do
    "$tessera" help "$command" >"$scratch/help"
    for option in $(sed '/^$/,$d' "$scratch/help" | grep -o -e '--[a-z-]*'); do
        output=$(grep -c -E -e "^  $option [A-Z,.]* *[a-z]" "$scratch/help")
        status=0
        check "$command --help explains $option" 0 1
    done
done
for command in eval explain show diff relayout reshard tma swizzle fit dist run ops gallery completion; do
    output=$("$tessera" help $command | grep -c '^      .*tessera')
    [ "$output" -gt 0 ] && output=some
    check "examples of $command" 0 some
done
run help relayout
printf '%s\n' "$output" | sed -n "s/^      \(tessera relayout in.npy .*\)/\1/p" >"$scratch/calls"
mkdir "$scratch/here"
cp "$source/examples/data/waves.npy" "$scratch/here/in.npy"
mkdir "$scratch/bin"
ln -s "$tessera" "$scratch/bin/tessera"
sed 's/(8,8):(8,1)/(20,30):(30,1)/' "$scratch/calls" >"$scratch/calls_here"
while read -r call; do
    (cd "$scratch/here" && PATH=$scratch/bin:$PATH && export PATH && eval "$call" >/dev/null 2>&1)
    output=$?
    check "an example of relayout: $call" 0 0
done <"$scratch/calls_here"

# The parts of ranks: all of them, that of one rank, and that of the rank that a launcher started.
waves=$source/examples/data/waves.npy
rows='dtensor((20,30),(2),[S(0)])'
mkdir "$scratch/parts"
"$tessera" relayout "$waves" "$scratch/half.npy" --slice 10:20 >/dev/null
"$tessera" relayout "$waves" "$scratch/parts/all.npy" --dist "$rows" >/dev/null
"$tessera" relayout "$waves" "$scratch/parts/one.npy" --dist "$rows" --rank 1 >/dev/null
OMPI_COMM_WORLD_RANK=1 "$tessera" relayout "$waves" "$scratch/parts/own.npy" --dist "$rows" >/dev/null
output=$(cd "$scratch/parts" && echo *)
check 'the parts of ranks' 0 'all.0.npy all.1.npy one.1.npy own.1.npy'
for part in all one own; do
    output=$(cmp "$scratch/half.npy" "$scratch/parts/$part.1.npy" 2>&1)
    check "the part of rank 1: $part" 0 ''
done
few='dtensor((20,30),(8),[S(0)])'  # rank 7 has none
mkdir "$scratch/empty" "$scratch/empty/dir.5.npy"
output=$("$tessera" relayout "$waves" "$scratch/empty/out.npy" --dist "$few" 2>&1 | tail -1 | sed 's/.*: //')
check 'a part without elements' 0 'f32 (0,30), no elements'
output=$(dd if="$scratch/empty/out.7.npy" bs=1 skip=10 count=60 2>/dev/null | sed 's/ *$//')
check 'its header' 0 "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 30), }"
error relayout "$waves" "$scratch/empty/dir.npy" --dist "$few"
output=$(cd "$scratch/empty" && echo dir.*)
check 'all parts or none' 1 'dir.5.npy'
# Parts to other parts and to a whole array, empty ones among them, and of maps that nest.
nested='((2,10),30):((_1@1,_1@0),_2@1)'
"$tessera" relayout "$waves" "$scratch/parts/nested.npy" --dist "$nested" >/dev/null
from=$scratch/parts/nested.npy before=$nested
for dist in 'dtensor((20,30),(3,3),[S(0),S(0)])' 'intervals((20,30),((3:4,1:16),(0:9,1:0,2:21)),(4,3))' \
    'distributed(((2,2,5),30):((_1@1,_1@0,_2@1),_10@1))' 'scalapack(20,30,3,4,2,3)'; do
    "$tessera" relayout "$from" "$scratch/parts/to.npy" --from "$before" --dist "$dist" >/dev/null
    "$tessera" relayout "$scratch/parts/to.npy" "$scratch/parts/whole.npy" --from "$dist" >/dev/null
    output=$(cmp "$scratch/parts/whole.npy" "$waves" 2>&1)
    status=$?
    check "parts to parts: $dist" 0 ''
    "$tessera" relayout "$waves" "$scratch/parts/from.npy" --dist "$dist" >/dev/null
    from=$scratch/parts/from.npy before=$dist
done
error relayout "$from" "$scratch/parts/x.npy" --from 'dtensor((20,30),(2),[S(0)])'
check 'parts of other extents' 1 "error: $scratch/parts/from.0.npy is not the part of (10,30) that --from says"
error relayout "$scratch/parts/none.npy" "$scratch/parts/x.npy" --from "$rows"
check 'parts that are not there' 1 "error: $scratch/parts/none.0.npy: cannot be opened: No such file or directory"
error relayout "$from" "$scratch/parts/x.npy" --from "$before" --tile 4,5
check 'tiles of parts' 1 'error: --from and --tile exclude each other'
error relayout "$waves" "$scratch/parts/x.npy" --dist 'dtensor((20,31),(2),[S(0)])'
check 'another array' 1 'error: mode 1 has extent 30 here and 31 there'
error relayout "$waves" "$scratch/parts/x.npy" --dist "$rows" --tile 4,5
check 'parts of tiles' 1 'error: --dist and --tile exclude each other'
error relayout "$waves" "$scratch/parts/x.npy" --dist "$rows" --rank x
check 'no rank' 1 'error: --rank is x, not a rank from 0 on'
error relayout "$waves" "$scratch/parts/x.npy" --rank 1
check 'a rank of nothing' 2 \
    'error: --rank needs --dist, which says what each rank holds (see tessera relayout --help)'
output=$(cd "$scratch/parts" && echo x.*)
check 'no part is written' 2 'x.*'

# Plans state their size, and end at a bound: 2,048 shards to as many are half of it.
error dist --plan 'dtensor((4096),(4096),[S(0)])' 'dtensor((4096),(4096),[S(0)])'
check 'too many intersections' 1 'error: the plans of all 4096 ranks look at 33562624 intersections of shares, at most 16777216 are made: --rank N plans one rank'
error dist --plan 'dtensor((65536),(65536),[S(0)])' 'dtensor((65536),(65536),[R])'
check 'a gather of too many' 1 'error: the plans of all 65536 ranks look at 8590065664 intersections of shares, at most 16777216 are made: --rank N plans one rank'

error relayout "$source/examples/data/waves.npy" "$scratch/y.txt"
check 'an ending that names no format' 2 \
    "error: $scratch/y.txt: which format? Name the output .npy, or .safetensors, .gguf or .npz for tensors (see tessera relayout --help)"
[ -e "$scratch/y.txt" ] && output=written
check 'is not written' 2 "$output"

# Threads of a layout, and the tile of make_layout_tv.
both show --thread 3 --as ascii '(4,2):(2,1)'
case $output in *T3*) output=rows ;; esac
check 'a thread of a layout (thread,value)' 0 rows
both show 'make_layout_tv((_2,_3):(_3,_1), (_2,_2):(_2,_1))'
case $output in *T0*V1*T5*V3*) output=tile ;; esac
check 'the tile of make_layout_tv' 0 tile

# Completion.
for shell in bash zsh fish; do
    "$tessera" completion $shell >"$scratch/completion.$shell"
    if command -v $shell >/dev/null; then
        output=$($shell -n "$scratch/completion.$shell" 2>&1)
        status=$?
        check "the completion is a script of $shell" 0 ''
    fi
done
error completion tcsh
check 'the completion of another shell' 2 \
    'error: completion knows bash, zsh and fish, not tcsh (see tessera completion --help)'
mkdir "$scratch/files"
: >"$scratch/files/array.npy"
complete_bash() { # complete_bash WORD...: what the last word may become
    output=$(cd "$scratch/files" && bash -c 'source "$0"
        COMP_WORDS=(tessera "$@") COMP_CWORD=$#
        _tessera
        echo ${COMPREPLY[*]}' "$scratch/completion.bash" "$@")
    status=$?
}
complete_fish() {
    output=$(cd "$scratch/files" && fish -c "source $scratch/completion.fish; complete -C 'tessera $*'" | cut -f1 | tr '\n' ' ')
    status=$?
    output=${output% }
}
for shell in bash fish; do
    command -v $shell >/dev/null || continue
    complete_$shell swi
    check "$shell: a command" 0 swizzle
    complete_$shell eval logical_d
    check "$shell: an operation" 0 logical_divide
    complete_$shell show --ban
    check "$shell: an option of a command" 0 --bank
    complete_$shell eval --ban
    check "$shell: an option that the command has not" 0 ''
    complete_$shell show --as sv
    check "$shell: a value" 0 svg
    complete_$shell swizzle --access ldmatrix_
    check "$shell: an access" 0 ldmatrix_t
    complete_$shell relayout --cast bf
    check "$shell: a type" 0 bf16
    complete_$shell relayout arr
    check "$shell: a file" 0 array.npy
    complete_$shell completion fi
    check "$shell: a shell" 0 fish
    complete_$shell help rel
    check "$shell: a command as an argument" 0 relayout
done

# An interrupt is one to the shell, too.
output=$(sleep 5 | timeout --preserve-status -s INT 0.2 "$tessera" eval - 2>&1)
status=$?
check 'an interrupt while reading' 130 ''

# The first program of the README and its demonstration.
run run "$source/examples/layouts.tsr"
[ "$status" -eq 0 ] && output=all
check 'every line of the demonstration does what it should' 0 all

run run "$source/examples/tma.tsr"
[ "$status" -eq 0 ] && output=all
check 'every line of the TMA examples does what it should' 0 all
run tma 'tma_tiled<half_t,3,0,2,0,1032>((64,8), (88), (64,300), (1,1))'
check 'a plan names every rule that it breaks' 1 'format     FLOAT16
dimension      extent       bytes     box  step
        0          64           2      64     1
        1           8          88     300     1
swizzle    128B, Sw<3,4,3> of the byte address
modes      interleave none, L2 promotion 128B, filled with zero
box        38400 bytes a transaction, 38400 of shared memory at a multiple of 1024
rules      address 1032 is not a multiple of 16: move the tensor by 8 bytes, to 1040
rules      stride 88 of dimension 1 is not a multiple of 16 bytes: pad it to 96 bytes, from 44 to 48 elements
rules      extent 300 of dimension 1 of the box is outside 1 to 256: move it in 2 boxes of 150'
run tma 8:1
check 'a plan of something else' 1 'error: this is neither a TMA copy nor a tensor map (at character 0)'
run tma
check 'no plan' 2 ''

# Swizzles of tiles of shared memory.
run swizzle '(8,64)'
check 'the swizzle of rows of 128 bytes' 0 'tile        (8,64):(64,_1) of f16, as rows by contiguous elements
swizzle     Sw<3,3,3> of the offset in elements
access      before  after
ldmatrix         8      1  a phase is 8 threads of 16 bytes
every phase goes in one round; it is the smallest of 115 candidates'
swizzle_line() {
    run swizzle "$@"
    output=$(printf '%s\n' "$output" | grep '^swizzle')
}
swizzle_error() { # the first line on standard error
    output=$("$tessera" swizzle "$@" 2>&1)
    status=$?
    output=$(printf '%s\n' "$output" | head -n 1)
}
swizzle_line --access tma,stmatrix '(8,32)'
check 'a swizzle of TMA' 0 'swizzle     Sw<2,3,3> of the offset in elements'
swizzle_line --type f32 '(8,4):(1,8)' --access row128
check 'a tile of contiguous columns' 0 'swizzle     Sw<0,0,0> of the offset in elements'
swizzle_line --type f32 --static --access column '(32,32)'
check 'the swizzle of a transposed read' 0 'swizzle     Sw<5,0,5> of the offset in elements'
swizzle_line --access tma,column '(64,64)'
check 'the least swizzle where none serves' 1 'swizzle     Sw<3,3,3> of the offset in elements'
swizzle_error '(8,60)'
check 'a tile of broken rows' 1 'error: ldmatrix: the tile is not suitable: the tile has no whole matrices of 8 rows of 16 bytes'
swizzle_error --access tma '(8,64):(72,1)'
check 'rows that TMA does not lay out' 1 'error: tma: the tile is not suitable: its rows are neither packed nor a span of a swizzle apart'
swizzle_error --type f17 '(8,64)'
check 'a swizzle of an unknown type' 2 'error: --type: unknown element type f17, did you mean f16?'
swizzle_error --access ldmatrix,lds '(8,64)'
check 'an unknown access' 2 'error: --access: unknown access lds'
run swizzle
check 'no tile' 2 ''

# print_layout, byte for byte.
grep -v '^#' "$source/tests/conformance/prints/INDEX.tsv" | while IFS='	' read -r file call; do
    expression=${call#print_layout(}
    "$tessera" show "${expression%)}" | cmp - "$source/tests/conformance/prints/$file" || echo "$file"
done >"$scratch/prints"
output=$(cat "$scratch/prints")
status=0
check 'every recorded table' 0 ''

# Pictures: what is refused, and with which status.
show_error() { # the status and the error, on either stream
    output=$("$tessera" show "$@" 2>&1)
    status=$?
}
show_error '(1000,1000):(1,1000)'
check 'a million cells' 1 'error: 1000000 elements do not make a readable picture (at most 65536); slice the layout first'
show_error -o "$scratch/x.gif" 8:1
check 'a file of no format' 2 "error: $scratch/x.gif: the ending names no format. Use --as or one of the endings .txt .asc .utf8 .svg .tex .html .json .ppm .png"
show_error --as gif 8:1
check 'no format' 2 'error: --as: unknown format gif; there are cute ascii unicode svg tex html json ppm png'
show_error --coord --bank 8:1
check 'two labels' 2 'error: --coord, --index, --offset and --bank exclude each other; 2 were given'
show_error --thread x 8:1
check 'a thread that is no number' 2 'error: --thread takes a number from 0 to 1073741824, not x'
show_error --thread 32 SM80_8x8x4_F64F64F64F64_TN
check 'a thread that is not there' 1 'error: thread 32 owns nothing here: the threads of this picture are 0 to 31'
show_error --panel 4 SM80_8x8x4_F64F64F64F64_TN
check 'a panel that is not there' 1 'error: there is no panel 4; there are 3: 1 or A, 2 or B, 3 or C'
show_error -o "$scratch/no/x.svg" 8:1
check 'a folder that is not there' 1 "error: $scratch/no/x.svg: no file can be made beside it: No such file or directory"
show_error -o "$scratch/x.svg" 8:1 9:1
check 'two expressions in one file' 2 'error: -o takes one expression, not 2 (see tessera show --help)'
run show 'is_injective((4,2):(1,2))'
check 'what has no picture shows as text' 0 'no: the coordinates 2 and 4 both give 2'
run diff 8:1 '(4,2):(1,4)'
output=$(printf '%s\n' "$output" | tail -n 1)
check 'a comparison' 0 'The same function: all 8 offsets agree.'
run diff 8:1
check 'a comparison with nothing' 2 ''
run show -o "$scratch/x.svg" '(8,8)'
run show --as svg '(8,8)'
output=$(printf '%s\n' "$output" | cmp - "$scratch/x.svg" && echo same)
check 'the same drawing in a file' 0 same

# Hostile text.
head -c 1000000 /dev/zero | tr '\0' '(' >"$scratch/open"
output=$("$tessera" eval - <"$scratch/open")
status=$?
check 'a million parentheses' 1 'error: the expression nests more than 64 levels deep (at character 64)'
run eval '99999999999999999999' '_9223372036854775807' '-9223372036854775808'
check 'numbers beyond 64 bits' 1 "error: 99999999999999999999 does not fit in 64 bits (at character 0)
_9223372036854775807
error: -9223372036854775808 does not fit in 64 bits (at character 0)"
run eval 'logical_divide(7:_1, 9223372036854775807)'
check 'a tile of all numbers' 0 '(9223372036854775807,1):(_1,9223372036854775807)'
run eval 'slice((_3,_), Sw<1,0,1> o 9223372036854775807 o (_4,_8):(_1,_4))'
check 'an offset at the end of 64 bits' 1 'error: arithmetic on 9223372036854775807 leaves the range of 64-bit integers'
run eval '4:1:1' '(4,0):(1,4)' '(4,-2):(1,4)' '(4,2):(1)' '_:1'
check 'extents and profiles' 1 "error: nothing may follow the expression (at character 3)
error: extent 0 of mode 1 is not a positive integer
error: extent -2 of mode 1 is not a positive integer
error: shape and stride are not congruent at leaf 0: the shape has 2 leaves, the stride 1
error: an integer is needed here, not \`_\` or an empty tuple"
run eval 'complement((4,4):(1,3), 64)' 'complement((1,8?,3?,2?):(3,0,2,3), 64)' 'complement((1?,2,4):(9,-1,4))' \
    'left_inverse((1,12,3):(24,-2,12))' 'logical_divide(64:1, (2,4):(8,4))' '(2,4):(1,4611686018427387904)'
check 'a refusal names the mode that has its numbers' 1 "error: complement: stride 3 of mode 1 is less than 4, the span of the smaller strides, so the modes overlap or interleave
error: complement: stride 3 of mode 3 is less than 6, the span of the smaller strides, so the modes overlap or interleave
error: complement: stride -1 of mode 1 is negative
error: left_inverse: stride -2 of mode 1 is negative
error: complement: stride 8 of mode 0 is less than 16, the span of the smaller strides, so the modes overlap or interleave
error: extent 4 and stride 4611686018427387904 of mode 1: the size or the offsets of the layout leave 64 bits"
run eval '(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)' 'size((4294967296,4294967296))' 'get<7>((1,2))'
check 'limits' 1 "error: the result needs 17 leaves, at most 16 fit (TSR_MAX_LEAVES)
error: arithmetic on 4294967296 leaves the range of 64-bit integers
error: mode 7 does not exist: the rank is 2"

# a step of explain is written whole: what is as long as it was written, at both sides of round lengths
for n in 4070 4100 8160 8200 16350 16400; do
    long="naive((4,8),(8,1$(printf "%${n}s" '')))"
    is "explain of $n blanks" "$("$tessera" explain "size($long)" | grep -c "^  size($long)\$")" 1
done

all_passed
