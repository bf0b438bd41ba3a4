#!/bin/sh
# tessera reshard from outside: what is wrong with checkpoints and specs, blocks of quantised tensors, an end by force.
# usage: reshard.sh TESSERA SOURCE_FOLDER
export LC_ALL=C
tessera=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/check.sh"
. "$source/tests/model.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2

# says NAME STATUS WORDS ARGUMENT..: a call, its status, and a part of what it prints
says() {
    name=$1 status=$2 words=$3
    shift 3
    output=$("$tessera" reshard "$@" 2>&1)
    is "$name: status" "$?" "$status"
    case $output in *"$words"*) is "$name" yes yes ;; *) is "$name" "$output" "$words" ;; esac
}

# spec FILE LINE..
spec() {
    file=$1
    shift
    printf '%s\n' "$@" >"$file"
}

model whole/model.safetensors /dev/urandom a.weight F32 6,4 96 b.weight F32 4,6 96 norm F32 5 20
spec two 'mesh tp:2' 'files m{rank}.safetensors' 'a.* S(0)' 'b.* S(1)' '* R'
says 'a whole model for two ranks' 0 'verified' whole two_ranks --to two --verify
says 'and back' 0 'verified' two_ranks back --from two --verify
is 'the whole is what it was' "$("$tessera" show back/model.safetensors)" "$("$tessera" show whole/model.safetensors | sed s/whole/back/)"

# What is wrong with a checkpoint.
fresh() { rm -rf bad && cp -r two_ranks bad; }
bad() { says "$1" 1 "$2" bad out --from two; }
fresh && rm bad/m1.safetensors
bad 'a lost file' 'missing: no file has the parts of rank 1'
fresh && model bad/m1.safetensors /dev/zero a.weight F32 3,4 48 norm F32 5 20
bad 'a lost tensor' 'missing: tensor b.weight: no file has the part of rank 1'
fresh && model bad/m1.safetensors /dev/zero a.weight F32 3,4 48 b.weight F32 4,3 48 norm F32 5 20
bad 'copies differ' 'unequal: tensor norm of ranks 0 and 1, which hold copies, differs from element'
fresh && model bad/m1.safetensors /dev/zero a.weight F32 1,4 16 b.weight F32 4,3 48 norm F32 5 20
bad 'a part of other rows' 'tensor a.weight is (3,4), and the spec says (2,4)'
fresh && model bad/m1.safetensors /dev/zero a.weight F16 3,4 24 b.weight F32 4,3 48 norm F32 5 20
bad 'a part of another type' 'another type: tensor a.weight has the type F32 in bad/m0.safetensors, and F16 in bad/m1.safetensors'
fresh && cp bad/m1.safetensors bad/m2.safetensors
bad 'a rank that the mesh has not' 'error: m2.safetensors is the file of a rank that the mesh of --from does not have'
fresh && spec pinned 'mesh tp:2' 'files m{rank}.safetensors' 'norm tp:0' 'a.* S(0)' 'b.* S(1)'
says 'a tensor on another rank, too' 1 'twice: bad/m1.safetensors has tensor norm, which the spec puts on coordinate 0 of axis tp alone' \
    bad out --from pinned
spec few 'mesh tp:2' 'files m{rank}.safetensors' 'a.* S(0)'
says 'no rule of the target' 1 'no rule: no rule of --to names tensor b.weight' whole out --to few
says 'no rule of the source' 1 'no rule of --from names tensor b.weight' two_ranks out --from few
is 'nothing is written' "$(ls out 2>/dev/null)" ''
mkdir indexed && cp whole/model.safetensors indexed/x.safetensors
printf '{"weight_map": {"a.weight": "x.safetensors", "gone": "x.safetensors"}}' >indexed/model.safetensors.index.json
says 'an index names what is not there' 1 'missing: the index says that indexed/x.safetensors has tensor gone' indexed out
says 'a source that is the target' 1 'is a source, and would be written' whole whole
says 'no such folder' 1 'error: nowhere is neither a folder nor a .safetensors file, and does not exist' nowhere out

# Specs that are refused, with their line.
refused() { # refused WORDS LINE..
    words=$1
    shift
    spec wrong 'mesh tp:2 pp:2' 'files m{rank}.safetensors' "$@"
    says "spec $*" 1 "$words" whole out --to wrong
}
refused 'line 3 of the spec: a placement is S(mode)' '* Q'
refused "line 3 of the spec: on which of the mesh's 2 axes? Write it in front, as tp:S(0)" '* S(0)'
refused 'line 3 of the spec: the mesh has no axis ep' '* ep:S(0)'
refused 'line 3 of the spec: axis pp has coordinates 0 to 1, not 2' '* pp:2'
refused 'line 3 of the spec: the name has no {layer}, which owns axis pp' '* pp:{layer}'
refused 'line 3 of the spec: a checkpoint has whole elements' '* tp:P'
refused 'line 3 of the spec: a{b: braces hold a word' 'a{b R'
refused 'have other stars or words' '*.x as *.*.y R'
refused 'exclude each other' '* tp:S(0) parts(2) pad 8'
refused 'has 6 rows, and --to pads to 3' 'a.* tp:S(0) pad 3' '* R'
refused 'mode 0 has 6 elements, and its parts have 5 together' 'a.* tp:S(0) parts(2,3)' '* R'
refused 'shards mode 3: the tensor has 2 modes' 'a.* tp:S(3)' '* R'
refused 'c joins 2 tensors, of which 1 are there' 'c as a.weight + x tp:S(0)' '* R'
words() { for n in $(seq 1 $1); do echo "x$n.{a$n} tp:{a$n}"; done; echo '* R'; }
words 12 >many_words && sed -i '1i mesh tp:2\nfiles m{rank}.safetensors' many_words
says 'the most words that own axes' 0 'tensors, from' whole out --to many_words --dry-run
words 13 >many_words && sed -i '1i mesh tp:2\nfiles m{rank}.safetensors' many_words
says 'one word more' 1 'line 15 of the spec: {a13} is one word too many: at most 12 own axes. Write one word, as {layer}' \
    whole out --to many_words
spec same 'mesh tp:2' 'files m.safetensors' '* R'
rules() { awk -v n="$1" 'BEGIN { print "mesh tp:2\nfiles m{rank}.safetensors"; for (i = 1; i < n; ++i) print "x" i " R"; print "* R" }'; }
rules 65536 >many && says 'the most rules' 0 'tensors, from' whole out --to many --dry-run
rules 65537 >many && says 'one rule more' 1 'a spec has at most 65536 rules' whole out --to many
says 'one file for two ranks' 1 'its name needs {rank}' whole out --to same
says 'an axis that is not there' 1 'the mesh has no axis xx' whole out --to 'tp xx:2'
says 'a preset by a near name' 2 'did you mean vllm' --print-preset vlm
spec fused 'mesh tp:2' 'files m{rank}.safetensors' 'ab as a.weight + c S(0)' '* R'
model two_of/m0.safetensors /dev/zero ab F32 4,2 32 && cp two_of/m0.safetensors two_of/m1.safetensors
says 'joined tensors of unknown rows' 1 'joins 2 tensors in 8 rows: say how many each has' two_of out --from fused

# Blocks of quantised tensors stay whole, and are not cast.
model quantised/model.safetensors /dev/urandom w.weight F8_E4M3 300,128 38400 w.weight_scale_inv F32 3,1 12 \
    e_blocks U8 4,2,16 128 e_scales U8 4,2 8 g.qweight I32 32,16 2048 g.scales F16 4,16 128
blocks() { # blocks STATUS WORDS LINE..
    status=$1 words=$2
    shift 2
    spec cut 'mesh tp:3' 'files m{rank}.safetensors' "$@" '* R'
    says "blocks: $*" "$status" "$words" quantised out --to cut --cast bf16
}
blocks 1 'tensor w.weight: the target cuts mode 0 at 100, inside of a block of 128, whose scale is in w.weight_scale_inv' 'w.* S(0)'
blocks 1 'tensor e_blocks: the target cuts mode 2, the bytes of a block, whose scale is in e_scales' 'e_blocks S(2)'
blocks 1 'tensor g.qweight: the target cuts mode 0 at 11, inside of a block of 8, whose scale is in g.scales' 'g.* S(0)'
blocks 0 'out: 3 files' 'w.weight_scale_inv S(0)' 'w.* S(0) sizes(128,128,44)' 'e_* S(0)' 'g.* S(1)'
is 'blocks are not cast' "$("$tessera" show out/m0.safetensors | grep -c bf16)" 0

# Layers by stage, numbered from 0 on each, and experts by rank in unequal numbers.
model moe/model.safetensors /dev/urandom layers.0.experts.0.w F32 2 8 layers.0.experts.1.w F32 2 8 layers.0.experts.2.w F32 2 8 \
    layers.1.experts.0.w F32 2 8 layers.1.experts.1.w F32 2 8 layers.1.experts.2.w F32 2 8 layers.2.experts.0.w F32 2 8 \
    layers.2.experts.1.w F32 2 8 layers.2.experts.2.w F32 2 8 z F32 2 8
spec stages 'mesh pp:2 ep:2' 'files s{pp}e{ep}.safetensors' \
    'blocks.{layer-local}.experts.{expert-local}.w as layers.{layer}.experts.{expert}.w pp:{layer} ep:{expert}(1,2)' 'z pp:last'
spec alone 'mesh pp:3' 'files s{pp}.safetensors' 'blocks.{layer-local}.{expert}.w as layers.{layer}.experts.{expert}.w pp:{layer}' '* pp:0'
says 'stages' 0 'verified' moe alone_of --to alone --verify
rm alone_of/s1.safetensors
says 'a lost stage' 1 'missing: rank 1 has no file, and numbers own axis pp' alone_of out --from alone
says 'layers and experts' 0 'verified' moe stages_of --to stages --verify
is 'the numbers are local' "$("$tessera" show stages_of/s1e1.safetensors | sed -n 's/^  \([a-z0-9.]*\) .*/\1/p' | sort | tr '\n' ' ')" \
    'blocks.0.experts.0.w blocks.0.experts.1.w z '
spec four 'mesh ep:3 pp:3' 'files {rank}.safetensors' 'layers.{layer}.experts.{expert}.w pp:{layer} ep:{expert}' '* R'
says 'to another mesh' 0 'verified' stages_of other --from stages --to four --verify
says 'and back' 0 'verified' other moe2 --from four --verify
is 'the experts are what they were' "$(tail -c 80 moe2/model.safetensors | cksum)" "$(tail -c 80 moe/model.safetensors | cksum)"

# One copy of what ranks have in common, in any file; ranks that count from 1.
spec dcp 'mesh fsdp:2 tp:2' 'files shard-{rank+1:05}.safetensors' 'a.* fsdp:S(0) tp:R once' 'b.* fsdp:S(0) tp:S(1)' '* R once'
says 'one copy' 0 'verified' whole shards_of --to dcp --verify
is 'ranks count from 1' "$(ls shards_of | tr '\n' ' ')" \
    'shard-00001.safetensors shard-00002.safetensors shard-00003.safetensors shard-00004.safetensors '
is 'the first one of the copies' "$("$tessera" show shards_of/shard-00002.safetensors | grep -c -e norm -e a.weight)" 0
says 'a copy is enough' 0 'verified' shards_of back --from dcp --verify
is 'as it was' "$(cksum <back/model.safetensors)" "$(cksum <whole/model.safetensors)"
mkdir dealt && model dealt/shard-00001.safetensors /dev/zero b.weight F32 2,3 24
model dealt/shard-00002.safetensors /dev/zero a.weight F32 3,4 48 b.weight F32 2,3 24
model dealt/shard-00003.safetensors /dev/zero a.weight F32 3,4 48 b.weight F32 2,3 24 norm F32 5 20
model dealt/shard-00004.safetensors /dev/zero b.weight F32 2,3 24
says 'a copy in another file' 0 'verified' dealt back --from dcp --verify
model dealt/shard-00004.safetensors /dev/urandom b.weight F32 2,3 24 norm F32 5 20
says 'two copies differ' 1 'unequal: tensor norm of ranks' dealt back --from dcp
model dealt/shard-00003.safetensors /dev/zero b.weight F32 2,3 24
says 'no copy' 1 'missing: tensor a.weight: no file has the part of rank 2' dealt back --from dcp
refused 'braces hold a word' 'a{rank+x} R'
refused 'braces hold a word' 'a{rank+99999999999999999999} R'
spec zero 'mesh tp:2' 'files m{rank+1}.safetensors' '* S(0)'
mkdir low && cp two_ranks/m0.safetensors low
says 'a rank that is below the first one' 1 'low has no file of the name m{rank+1}.safetensors' low out --from zero

# Experts one by one, and stacked with gate and up in one.
model each/model.safetensors /dev/urandom e.0.gate F32 3,4 48 e.0.up F32 3,4 48 e.1.gate F32 3,4 48 e.1.up F32 3,4 48 \
    e.2.gate F32 3,4 48 e.2.up F32 3,4 48
spec stack 'files {rank}.safetensors' 'gate_up as e.{n}.gate + e.{n}.up parts(2)'
says 'stacked' 0 'verified' each stacked --to stack --verify
is 'one tensor' "$("$tessera" show stacked/0.safetensors | sed -n 's/.*\(gate_up\) *f32 *\(([0-9,]*)\).*/\1 \2/p')" 'gate_up (3,6,4)'
spec stack2 'mesh ep:2 tp:2' 'files {rank}.safetensors' 'gate_up as e.{n}.gate + e.{n}.up ep:S(0) tp:S(1) parts(2)'
says 'stacked to ranks' 0 'verified' stacked ranks_of --from stack --to stack2 --verify
says 'one by one again' 0 'verified' ranks_of each2 --from stack2 --verify
is 'the experts are what they were, one by one' "$(cksum <each2/model.safetensors)" "$(cksum <each/model.safetensors)"
says 'ranks without experts' 0 'verified' each2 few_of --to 'stack2 ep:5' --verify
says 'and from those' 0 'verified' few_of each2 --from 'stack2 ep:5' --verify
is 'as they were' "$(cksum <each2/model.safetensors)" "$(cksum <each/model.safetensors)"
model lost/model.safetensors /dev/urandom e.0.gate F32 3,4 48 e.0.up F32 3,4 48 e.2.gate F32 3,4 48 e.2.up F32 3,4 48
says 'a lost expert' 1 'gate_up stacks the tensors of all numbers {n}: the one behind e.0.up is not there' lost out --to stack
model lost/model.safetensors /dev/urandom e.0.gate F32 3,4 48 e.0.up F32 3,4 48 e.1.gate F32 3,4 48
says 'a lost half' 1 'the one behind e.1.gate is not there' lost out --to stack
model lost/model.safetensors /dev/urandom e.0.gate F32 3,4 48 e.0.up F32 3,4 48 e.1.gate F32 2,4 32 e.1.up F32 3,4 48
says 'an expert of another shape' 1 'gate_up stacks e.0.gate and e.1.gate, which differ in type or in shape' lost out --to stack
model flat/model.safetensors /dev/zero gate_up F32 '' 4
says 'a stack without modes' 1 'stacks {n} along mode 0 of tensor gate_up, which has no modes' flat out --from stack
spec stack3 'mesh tp:2' 'files {rank}.safetensors' 'gate_up as e.{n}.gate + e.{n}.up S(0) sizes(1,1)'
says 'sizes that are not enough' 1 'line 3 of --to: the sizes of axis tp are 2 together, and {n} is 2: let one be larger' each out --to stack3
refused '{n} is stacked along mode 0, which one axis cuts, not two' 'x as y.{n} tp:S(0) pp:S(0)'
refused '{n} is stacked along mode 0, which S(0) cuts' 'x as y.{n} tp:SS(0,2)'
refused 'stacked tensors have no padding and no groups' 'x as y.{n} pad 4'
refused 'One word more, and the same one in all names' 'x as y.{n} + y.{m}'
refused 'have other stars or words' 'x as y.{n}.{m}'
refused 'have other stars or words' 'x.{k} as y.{n}'
refused 'sizes have together at most' 'x tp:S(0) sizes(900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000,900000000000000000)'

# Heads that several ranks have, and cuts inside of groups.
model made/model.safetensors /dev/urandom q F32 8,2 64 k F32 4,2 32 v F32 4,2 32
"$tessera" reshard made grouped >/dev/null
spec heads 'mesh tp:4' 'files {rank}.safetensors' 'qkv as q + k + v S(0) heads(4,2,2) parts(8,4,4)'
says 'copies of heads' 0 'verified' grouped copies --to heads --verify
says 'copies of heads are compared' 0 'compares 128 B of copies' copies out --from heads
model copies/1.safetensors /dev/zero qkv F32 6,2 48
says 'copies of heads differ' 1 'tensor k of ranks 0 and 1, which hold copies, differs from element 0 on' copies out --from heads
spec one 'mesh tp:4' 'files {rank}.safetensors' 'k S(0) heads(2)' 'v S(0) heads(4)' '* R'
says 'one tensor of heads' 0 'verified' grouped one_of --to one --verify
says 'and back' 0 'verified' one_of out --from one --verify
is 'the heads are what they were' "$(cksum <out/model.safetensors)" "$(cksum <grouped/model.safetensors)"
spec turns 'mesh tp:8' 'files {rank}.safetensors' 'qkv as q + k + v S(0) groups 2 parts(8,4,4)'
says 'inside of groups' 0 'verified' grouped turns_of --to turns --verify
says 'inside of groups, and back' 0 'verified' turns_of out --from turns --verify
is 'the groups are what they were' "$(cksum <out/model.safetensors)" "$(cksum <grouped/model.safetensors)"
says 'not equal parts of groups' 1 '6 ranks cut 2 groups of 8 rows: where they are more than groups' grouped out --to 'turns tp:6'
says 'heads and ranks that do not fit' 1 '8 rows are 4 heads of the same size, and one of 4 heads and 3 ranks is a multiple' \
    grouped out --to 'heads tp:3'
model little/model.safetensors /dev/urandom q F32 1,2 8 k F32 1,2 8 v F32 1,2 8
spec turns 'mesh tp:1' 'files {rank}.safetensors' 'qkv as q + k + v S(0) groups 1 parts(1,1,1)'
spec rows 'mesh tp:2' 'files {rank}.safetensors' '* S(0)'
says 'a row for two ranks, of groups' 0 'verified' little little_of --to turns --verify
says 'a row for two ranks' 0 'verified' little_of rows_of --from turns --to rows --verify
is 'a part without rows has its columns' "$(tr ',' '\n' <rows_of/1.safetensors | grep -c '"shape":.0$')" 3
says 'and groups again' 0 'verified' rows_of out10 --from rows --to turns --verify
is 'the row is what it was' "$(cksum <out10/0.safetensors)" "$(cksum <little_of/0.safetensors)"
refused '2 numbers of heads are given, for 3 joined tensors' 'x as q + k + v tp:S(0) heads(2,2)'
refused 'a tensor has 1 head or more' 'x tp:S(0) heads(0)'
refused 'tensors of heads have no groups' 'x tp:S(0) heads(2) groups 2'
refused 'tensors of heads have no groups' 'x tp:S(0) heads(2) once'
refused 'heads are cut by one axis into chunks' 'a.weight tp:S(0) pp:S(0) heads(2)' '* R'
refused 'groups are cut by one axis into chunks' 'a.weight tp:SS(0,2) groups 2' '* R'

# Arrays of NumPy: one file for each tensor, or for each tensor and rank, as relayout writes parts.
says 'arrays' 0 'verified' whole arrays --to npy --verify
is 'their names' "$(ls arrays | tr '\n' ' ')" 'a.weight.npy b.weight.npy norm.npy '
spec parts 'mesh tp:8' 'files *.{rank}.npy' 'a.* S(0)' 'b.* S(1)' '* R'
says 'parts' 0 'to 24 files of 8' arrays parts_of --from npy --to parts --verify
says 'parts joined' 0 'verified' parts_of back --from parts --verify
is 'the arrays are what they were' "$(cksum <back/model.safetensors)" "$(cksum <whole/model.safetensors)"
mkdir of_relayout
"$tessera" relayout arrays/a.weight.npy of_relayout/a.weight.npy --dist 'dtensor((6,4),(8),[S(0)])' >/dev/null
for rank in 0 1 2 3 4 5 6 7; do
    is "part $rank is that of relayout" "$(cksum <parts_of/a.weight.$rank.npy)" "$(cksum <of_relayout/a.weight.$rank.npy)"
done
says 'parts of relayout' 0 'verified' of_relayout out4 --from parts --to npy --verify
is 'an array again' "$(cksum <out4/a.weight.npy)" "$(cksum <arrays/a.weight.npy)"
cp -r parts_of bad_parts && rm bad_parts/b.weight.3.npy
says 'a lost part' 1 'missing: tensor b.weight: no file has the part of rank 3' bad_parts out --from parts
printf 'x' >>bad_parts/a.weight.0.npy
says 'bytes behind an array' 1 'bad_parts/a.weight.0.npy: 1 bytes follow the 16 bytes of elements' bad_parts out --from parts
mkdir fortran
printf "\223NUMPY\001\0\166\0%-117s\n" "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }" >fortran/w.npy && head -c 16 /dev/zero >>fortran/w.npy
says "Fortran's order" 1 "fortran/w.npy: the array is in Fortran's order" fortran out --from npy
printf "\223NUMPY\001\0\166\0%-117s\n" "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 2), }" >fortran/w.npy && head -c 16 /dev/zero >>fortran/w.npy
says 'big-endian elements' 1 'fortran/w.npy: the elements are big-endian' fortran out --from npy
says 'no folder' 1 'is no folder: arrays of --from are the .npy files of one' arrays/norm.npy out --from npy
says 'a type that NumPy has not' 1 'has a type that arrays of NumPy do not: cast it' whole out --to npy --cast bf16
printf "\223NUMPY\001\0\166\0%-117s\n" "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }" >fortran/w.npy && head -c 16 /dev/zero >>fortran/w.npy
says 'a type that safetensors has not' 1 'tensor w has a type that files of safetensors do not: write .npy' fortran out --from npy
refused_files() { # refused_files WORDS FILES
    spec wrong "files $2" '* R'
    says "files $2" 1 "$1" whole out --to wrong
}
refused_files 'files of arrays have one star for the name of the tensor' x.npy
refused_files 'files of arrays have one star for the name of the tensor' '*.*.npy'
model slash/model.safetensors /dev/zero a/b F32 1 4
says 'a name that is none of a file' 1 'tensor a/b of the target: a name that is none of a file' slash out --to npy
says 'a source among many' 1 'is a source, and would be written' arrays arrays --from npy --to npy

# Zeros in front of numbers stay; shards that are lost, and a folder that is not complete.
model zeros/model.safetensors /dev/urandom e.00.w F32 2 8 e.01.w F32 2 8 e.02.w F32 2 8 e.10.w F32 2 8
spec by 'mesh ep:2' 'files {rank}.safetensors' '*.{n-local}.w as *.{n}.w ep:{n}'
says 'numbers with a gap' 1 'coordinate 0 of axis ep has numbers of {n} to 5, and no tensor of the last one' zeros zeros_of --to by
spec by 'mesh ep:2' 'files {rank}.safetensors' '*.{n-local}.w as *.{n}.w ep:{n}(9,9)'
says 'zeros' 0 'verified' zeros zeros_of --to by --verify
says 'zeros, and back' 0 'verified' zeros_of out7 --from by --verify
is 'names are what they were' "$("$tessera" show out7/model.safetensors | sed -n 's/^  \([a-z0-9.]*\) .*/\1/p' | tr '\n' ' ')" 'e.00.w e.01.w e.02.w e.10.w '
rm zeros/model.safetensors && model zeros/model.safetensors /dev/urandom e.00.w F32 2 8 e.01.w F32 2 8
spec by 'files {rank}.safetensors' 'w as e.{n}.w'
says 'a stack without zeros' 1 'a stack would lose the zeros of its number: write {n:02} behind `as` in line 2' zeros out --to by
spec by 'files {rank}.safetensors' 'w as e.{n:02}.w'
says 'a stack with zeros' 0 'verified' zeros zeros8 --to by --verify
says 'zeros again' 0 'verified' zeros8 out8 --from by --verify
is 'names of a stack are what they were' "$("$tessera" show out8/model.safetensors | grep -c 'e.0[01].w')" 2
says 'two shards' 0 'to 2 files' whole shards9 --shard-size 128
rm shards9/model.safetensors.index.json
says 'shards without an index' 0 'from 2 files' shards9 out9
rm shards9/model-00001-of-00002.safetensors
says 'a lost shard' 1 'missing: shards9 has 1 of 2 files of the name model-{part:05}-of-{parts:05}.safetensors' shards9 out
echo 'tessera reshard 0' >shards9/tessera-reshard.plan
says 'a folder that is not complete' 1 'error: shards9 is not complete: the run that writes it has left tessera-reshard.plan' shards9 out

# One rank whose files have names of their own, in folders, or any.
spec single 'mesh tp:1 pp:1' 'files rank_{tp:02}_{pp}/model.safetensors' '* R'
says 'one rank' 0 'verified' whole single_of --to single --verify
says 'one rank, and back' 0 'verified' single_of back --from single --verify
is 'as the whole is' "$(cksum <back/model.safetensors)" "$(cksum <whole/model.safetensors)"
mkdir named && cp whole/model.safetensors named/some.safetensors
says 'a whole model of another name' 0 '3 tensors, from 1 file' named out5
says 'and with a spec' 0 '3 tensors, from 1 file' named out5 --from single

# Shards and their index.
says 'shards' 0 'to 2 files' whole shards --shard-size 128
is 'an index' "$(grep -c model-0000 shards/model.safetensors.index.json)" 3
says 'shards are read by their index' 0 'verified' shards out2 --to two --verify
is 'as the one file is' "$(cat out2/m1.safetensors | cksum)" "$(cat two_ranks/m1.safetensors | cksum)"

# Killed at some moments: a file is whole or not there, and the same run goes on.
model large/model.safetensors /dev/urandom a.weight F32 4096,1024 16777216 b.weight F32 1024,4096 16777216
spec eight 'mesh tp:8' 'files m{rank}.safetensors' 'a.* S(0)' 'b.* S(1)'
"$tessera" reshard large right --to eight >/dev/null
half=0
for delay in 0.005 0.01 0.02 0.03 0.04 0.06; do
    rm -rf killed
    "$tessera" reshard large killed --to eight >/dev/null 2>&1 &
    sleep $delay
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    for file in killed/*.safetensors; do
        [ ! -e "$file" ] || cmp -s "$file" "right/${file#killed/}" || half=$((half + 1))
    done
    "$tessera" reshard large killed --to eight >/dev/null
    for rank in 0 1 2 3 4 5 6 7; do
        cmp -s killed/m$rank.safetensors right/m$rank.safetensors || half=$((half + 1))
    done
    is "a run that was killed after $delay s leaves nothing behind" "$(ls -A killed | grep -cv '^m[0-7].safetensors$')" 0
done
is 'no file is half-written' $half 0
all_passed
