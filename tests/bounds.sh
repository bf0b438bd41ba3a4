#!/bin/sh
# Both sides of every number of docs/limits.md: the largest that works, and the first that is refused, with the sentence.
# usage: bounds.sh TESSERA SOURCE_FOLDER
#
# Laws   the rows of the page's tables are the rows of tests/bounds.tsv, name and number, each once;
#        a bound stands in a table: no other line of the page says "at most", "beyond" or "up to" with a number.
#
# A row of bounds.tsv: name, number, a call that works, what its answer has, the next call, what its sentence has. A call is
# the arguments of tessera; `in FILE` says instead which test has the text beside it.
tessera=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
. "$source/tests/check.sh"
. "$source/tests/model.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
tab=$(printf '\t')

# many N TEXT [BETWEEN]: the text N times, # in it the number of the time, counted from 0
many() {
    awk -v n="$1" -v text="$2" -v between="${3-,}" 'BEGIN {
        for (i = 0; i < n; ++i) {
            part = text
            gsub(/#/, i, part)
            printf "%s%s", i ? between : "", part
        }
    }'
}

# pair FILE N TEXT [END]: FILE has the text N times, FILE_more once more, a line each
pair() {
    { many "$2" "$3" '\n' && printf '\n%s' "${4-}"; } >"$1"
    { many $(($2 + 1)) "$3" '\n' && printf '\n%s' "${4-}"; } >"$1_more"
}

# number4 N: a little-endian integer of four bytes
number4() { printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24)))"; }

# npy FILE SHAPE BYTES: an array of one element behind a header of so many bytes
npy() {
    header="{'descr': '|u1', 'fortran_order': False, 'shape': ($2,), }"
    { printf '\223NUMPY\002\000' && number4 "$3" && printf "%s%$(($3 - ${#header}))s" "$header" '
' && printf 1; } >"$1"
}

# nested FILE N: an array of a byte inside of N structures
nested() {
    header="{'descr': $(many "$2" "[('a', " '')'|u1'$(many "$2" ')]' ''), 'fortran_order': False, 'shape': (), }"
    { printf '\223NUMPY\002\000' && number4 310 && printf "%s%$((310 - ${#header}))s" "$header" '
' && printf 1; } >"$1"
}

# safetensors FILE BYTES: one element behind a header of so many bytes
safetensors() {
    { number4 "$2" && printf '\0\0\0\0%-'"$2"'s1' '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'; } >"$1"
}

# gguf FILE DIMENSIONS: one element of so many dimensions
gguf() {
    {
        printf 'GGUF\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0t' && number4 "$2"
        for i in $(seq "$2"); do printf '\1\0\0\0\0\0\0\0'; done
        head -c $((63 - 8 * $2)) /dev/zero
    } >"$1"
}

# Texts that calls have more than once.
shards() { echo "dtensor(($1),($1),[S(0)])"; }
devices() { awk -v n="$1" 'BEGIN { for (i = n - 1; i >= 0; --i) printf "%d%s", i * 5 % n, i ? "," : "" }'; }
window='@@ dist{R=();H=((4));P=();Y=(1.0)} origin=(0) p=()'
# hidden N: a graph with 53 + N hidden dimensions
hidden() {
    all=$(many 16 \#) && twos=$(many 16 2)
    echo "packed((65536)) $(many 3 "| unmerge($twos):0>$all | merge($twos):$all>0" ' ')" \
        "| unmerge($((65536 >> ($1 - 1)))$(many $(($1 - 1)) ,2 '')):0>$(many "$1" \#)"
}
plan() { echo "plan packed((8192)) @@ dist{R=();H=(($(many "$1" 2)));P=((1.0,1.1));Y=($(many "$1" 1.# | cut -c9-))} origin=(0)"; }
isl() { echo "{ A[$(many "$1" i#)] -> B[i0] : $(many "$1" '0 <= i# < 2' ' and ') }"; }
# blocked N [PARTS]: an encoding of N dimensions
blocked() {
    ones=$(many $(($1 - 1)) ',1' '')
    echo "#ttg.blocked<{sizePerThread = [1$ones], threadsPerWarp = [32$ones], warpsPerCTA = [1$ones]," \
        "order = [$(many "$1" \# | tr , '\n' | sort -rn | paste -sd,)]${2-}}>"
}
sliced() {
    text=$(blocked $(($1 + 1)))
    for dim in $(seq "$1" -1 1); do text="#ttg.slice<{dim = $dim, parent = $text}>"; done
    echo "$text"
}
padded() { echo "#ttg.padded_shared<[$(many "$1" 512:+4)] {order = [1, 0], shape = [4, 128]}>"; }
pattern() { echo "rearrange(\"($(many "$1" a# ' ')) -> ($(many "$1" a# ' '))\", $(many "$1" a#=1))"; }

# The files that calls read.
pair numbers 65536 '#'
echo "($(many 16 0)) -> 1" >coordinate && echo "($(many 17 0)) -> 1" >coordinate_more
printf '1%1048575s' '' >line && printf '1%1048576s' '' >line_more
pair triton 10 '- i#=1 -> (0)' 'where out dims are: [o (size 2)]'
pair values 48 'x#: (4,4)'
echo "a: ($(many 6 2))" >extents && echo "a: ($(many 7 2))" >extents_more
echo 'a: (1,262144)' >elements && echo 'a: (1,524288)' >elements_more
echo 'abcdefghijklmnopqrstuvw: (4,4)' >letters && echo 'abcdefghijklmnopqrstuvwx: (4,4)' >letters_more
printf 'a: (4,4)\nb = elementwise(a,a,a,a)\n' >operands && printf 'a: (4,4)\nb = elementwise(a,a,a,a,a)\n' >operands_more
printf 'warps 32\nb: (64,64)\n' >warps && printf 'warps 64\nb: (64,64)\n' >warps_more
for n in 127 128; do printf 'x: (4,4)\ny = reduce<%s>(x)\n' "$(many $n 0 '')" >argument$n; done
ones=$(many 15 ,1 '')
npy rank.npy "$(many 64 1)" 310 && npy rank_more.npy "$(many 65 1)" 310
for n in 8 9; do nested nested$n.npy "$n"; done
for n in 8 9; do npy axes$n.npy "$(many $n 1)" 118; done
npy header.npy 1 1048576 && npy header_more.npy 1 1048577
safetensors header.safetensors 100000000 && safetensors header_more.safetensors 100000001
gguf rank.gguf 4 && gguf rank_more.gguf 5
for n in 4 5 7 8; do model "rank$n/model.safetensors" /dev/zero a F32 "$(many $n 1)" 4; done
model model/model.safetensors /dev/zero $(for i in 0 1 2 3 4 5 6 7 8; do echo "a$i F32 1 4"; done)
model rows/model.safetensors /dev/zero a F32 64 256
for n in 63 64; do model "name$n.safetensors" /dev/zero "$(many $n a '')" F32 1 4; done
# The directory of an archive, of 2^28 + 1 bytes: only the refusal is tried.
truncate -s 268435457 directory.npz && printf 'PK\5\6\0\0\0\0\0\0\0\0\1\0\0\020\0\0\0\0\0\0' >>directory.npz
spec() { printf '%s\n' "$2" 'files m{rank}.safetensors' "$3" >"$1"; }
spec one 'mesh tp:1' '* R'
spec axes "mesh $(many 6 a#:1 ' ')" '* R' && spec axes_more "mesh $(many 7 a#:1 ' ')" '* R'
spec ranks 'mesh tp:1048576' '* R' && spec ranks_more 'mesh tp:1048577' '* R'
for n in 64 65; do spec "sizes$n" 'mesh tp:64' "a S(0) sizes($(many $n 1))
* R"; done
for n in 12 13; do spec "stars$n" 'mesh tp:1' "a$(many $n '*' '') R
* R"; done
for word in abcdefghijklmno abcdefghijklmnop; do spec $word 'mesh tp:1' "{$word} R
* R"; done
for n in 8 9; do spec "joins$n" 'mesh tp:1' "joined as $(many $n a# ' + ') R
* R"; done

# tries NAME CALL WANTED: a call says that
tries() {
    case $2 in
    'in '*) is "$1: ${2#in } has it" "$(grep -cF -e "$3" "$source/${2#in }" | sed 's/^[1-9].*/yes/')" yes ;;
    *)
        output=$(eval "\"\$tessera\" $2" 2>&1)
        status=$?
        case $output in *"$3"*) is "$1" yes yes ;; *) is "$1" "$(printf %s "$output" | head -c 300)" "$3" ;; esac
        ;;
    esac
}

while IFS="$tab" read -r name most works answer next sentence <&3; do
    status=0
    tries "$name, $most" "$works" "$answer"
    is "$name, $most: status" "$status" 0
    tries "$name, beyond $most" "$next" "$sentence"
done 3<"$source/tests/bounds.tsv"

tries 'the directory of an .npz file' 'show directory.npz' 'the directory has 268435457 bytes, at most 268435456 are read'

# The page's tables have these rows.
sed -n 's/^| \(.*\) | \([0-9^ -]*\) |$/\1|\2/p' "$source/docs/limits.md" | sort >of_page
cut -f1,2 "$source/tests/bounds.tsv" | tr "$tab" '|' | sort >of_rows
is 'the rows of docs/limits.md and of tests/bounds.tsv' "$(diff of_page of_rows)" ''
is 'rows that are there twice' "$(uniq -d of_rows)" ''
is 'bounds of docs/limits.md outside of its tables' \
    "$(grep -v '^|' "$source/docs/limits.md" | grep -E '(at most|beyond|up to) [0-9]')" ''

all_passed
