#!/bin/sh
# Stored drawings: each file of the folder `golden` is what `tessera show` prints with the arguments of its line below.
# usage: golden.sh TESSERA FOLDER [write]
export LC_ALL=C
tessera=$1
folder=$2/golden
failed=0

golden() { # golden FILE ARGUMENTS...
    file=$folder/$1
    shift
    if [ "$write" ]; then
        "$tessera" "$@" >"$file"
    elif ! "$tessera" "$@" | cmp -s - "$file"; then
        echo "tessera $* does not print $file"
        failed=$((failed + 1))
    fi
}
write=$3

golden nested.txt show --as ascii '((2,4),(2,2)):((1,4),(2,16))'
golden nested_coord.txt show --as ascii --coord '((2,4),(2,2)):((1,4),(2,16))'
golden rank_3.txt show --as unicode --width 80 '(3,4,2):(1,3,12)'
golden composition.txt show --as ascii --width 80 'composition((6,2):(8,2), (4,3):(3,1))'
golden mma.txt show --as ascii --width 200 SM80_8x8x4_F64F64F64F64_TN
golden thread.txt show --as ascii --width 80 --thread 9 SM80_8x8x4_F64F64F64F64_TN
golden slice.txt show --as ascii --width 200 'call(((3,2),((2,3),2)):((4,1),((2,15),100)), 2, ((0,_),_))'
golden banks.txt show --as ascii --width 80 --bank 'Sw<2,0,5> o _0 o (4,4):(32,1)'
golden diff.txt diff --as ascii --width 80 '(4,4):(4,1)' 'Sw<2,0,2> o _0 o (4,4):(4,1)'
golden large.txt show --as unicode --width 80 --colors 256 '(64,64):(64,1)'
golden colours_16.txt show --as unicode --width 80 --colors 16 '(4,4):(1,4)'
golden colours_24.txt show --as unicode --width 80 --colors 16777216 'Sw<2,0,2>'
golden composition.svg show --as svg 'composition((6,2):(8,2), (4,3):(3,1))'
golden mma_cute.svg show --as svg --cute SM80_8x8x4_F64F64F64F64_TN
golden composition.tex show --as tex 'composition((6,2):(8,2), (4,3):(3,1))'
golden window.tex show --as tex 'load packed((4,5)) | rpad(4,1):0>0 + pass(5):1>1 @@ dist{R=();H=((2,2),(2,2));P=((1.0,2.0));Y=(1.1,2.1)} origin=(1,1) p=(0)'
golden ranks.txt show --as ascii --width 80 'dtensor((5,6),(2,2),[S(0),R])'
golden rank.txt show --as ascii --width 80 --thread 2 'dtensor((5,6),(2,2),[S(0),R])'
golden exchange.json show --as json 'redistribute(hpf((2,2),(BLOCK,*),(2)), hpf((2,2),(*,BLOCK),(2)))'
golden layout.json show --as json '(2,3):(3,1)'
golden page.html show --as html '(2,3):(3,1)'

[ "$failed" -eq 0 ]
