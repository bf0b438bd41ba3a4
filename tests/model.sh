# Read by the tests that write .safetensors files.
export LC_ALL=C

# model FILE BYTES NAME TYPE SHAPE SIZE..: a file of tensors whose bytes are random, or those of the file BYTES
model() {
    file=$1 bytes=$2
    shift 2
    header= at=0
    while [ $# -gt 0 ]; do
        header="$header${header:+,}\"$1\":{\"dtype\":\"$2\",\"shape\":[$3],\"data_offsets\":[$at,$((at + $4))]}"
        at=$((at + $4))
        shift 4
    done
    header="{$header}"
    while [ $((${#header} % 8)) -ne 0 ]; do header="$header "; done
    n=${#header}
    mkdir -p "$(dirname "$file")"
    {
        printf "\\$(printf %o $((n & 255)))\\$(printf %o $((n >> 8 & 255)))\\0\\0\\0\\0\\0\\0%s" "$header"
        head -c $at "$bytes"
    } >"$file"
}
