# Rows NAME<TAB>PARAMETERS<TAB>VALUE as expressions of the calculator: EXPRESSION<TAB>VALUE<TAB>NAME<TAB>PARAMETERS<TAB>WORDS,
# the value in the calculator's spelling. A row that no operation answers has the expression `-`.
#
# CuTe's values differ in spelling alone: swizzles of blocks count bytes there and elements here; a step between descriptors
# has a mode for the instruction, which is _1:_0; the word of SM103_.. has its bit K = 96 when it is issued, not in the traits.

BEGIN {
    FS = OFS = "\t"
    n = split("half_t 16 bfloat16_t 16 tfloat32_t 32 float 32 int32_t 32 int8_t 8 uint8_t 8 float_e4m3_t 8 float_e5m2_t 8 " \
              "float_ue8m0_t 8 float_ue4m3_t 8 float_e2m3_t 6 float_e3m2_t 6 float_e2m1_t 4 uint32_t 32", word, " ")
    for (i = 1; i < n; i += 2)
        bits[word[i]] = word[i + 1]
}

# The fields of "a=b;c=d" in `is`; what stands alone is is[1], is[2] ..
function take(text,    part, i, n, at) {
    split("", is)
    n = split(text, part, ";")
    for (i = 1; i <= n; ++i) {
        at = index(part[i], "=")
        if (at && part[i] !~ /^[A-Za-z0-9_]*</)
            is[substr(part[i], 1, at - 1)] = substr(part[i], at + 1)
        else
            is[i] = part[i]
    }
}

# Digits of base 16 as a number below 2^53.
function number(hex,    i, v) {
    v = 0
    for (i = 3; i <= length(hex); ++i)
        v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return v
}

function type_of(name) { return substr(name, index(name, "<") + 1, index(name, ">") - index(name, "<") - 1) }

# Argument i of the brackets of an atom.
function argument(atom, i,    part) { split(substr(atom, index(atom, "<") + 1), part, /[,>]/); return part[i] }

# How many elements a column holds: of C, of A, of metadata.
function per_column(name, atom,    b) {
    b = bits[argument(atom, name ~ /^tmem_c/ ? 3 : 1)]
    if (name ~ /^tmem_sf/)
        return 4
    if (name ~ /^tmem_e/)
        return b == 4 ? 64 : b == 32 ? 16 : 32
    return b < 8 ? 4 : 32 / b
}

# A swizzle of bytes as one of elements.
function in_elements(value, b,    at, sw) {
    if (value !~ /^Sw</)
        return value
    at = index(value, " o ")
    split(substr(value, 4, index(value, ">") - 4), sw, ",")
    if (sw[1] == 0)
        return substr(value, at + 3)
    return "Sw<" sw[1] "," sw[2] - (b == 32 ? 2 : b == 16 ? 1 : b == 4 ? -1 : 0) "," sw[3] "> o _0 o " substr(value, at + 3)
}

function family(a, wide) {
    return a == "tfloat32_t" ? "TF32" : bits[a] == 16 ? "F16BF16" : a ~ /int8/ ? "S8" : "F8F6F4"
}

# The atom that an instruction descriptor belongs to.
function atom_of(    f, ends, vector) {
    ends = (is["m"] == 256 ? "_2x1SM_SS" : "_SS") (is["sparse"] == 1 ? "_SPARSE" : "") "<" is["a"] "," is["b"] ","
    if (!("kind" in is))
        return "SM100_MMA_" family(is["a"]) ends is["d"] "," is["m"] "," is["n"] ",UMMA::Major::" is["major_a"] \
               ",UMMA::Major::" is["major_b"] ">"
    f = is["kind"] == "mxf8f6f4" ? "MXF8F6F4" : is["sparse"] == 1 ? "MXF4NVF4" : "MXF4"
    vector = (is["scale"] == "float_ue4m3_t" ? 16 : 32) * (is["sparse"] == 1 ? 2 : 1)
    return "SM100_MMA_" f ends "float," is["scale"] "," is["m"] "," is["n"] (f ~ /^MXF4/ ? "," vector : "") \
           ",UMMA::Major::K,UMMA::Major::K>"
}

function flags() { return 8192 * is["negate_a"] + 16384 * is["negate_b"] + 8 * is["saturate"] }

function block_of(    k) {
    k = is["k"]
    return is[1] ", (_" is["mn"] * is["tiles_mn"] ",_" k * is["tiles_k"] "), (_" is["mn"] ",_" k ")"
}

function cluster(    c) { return "tiled_divide(make_layout(" is["cluster"] "), (_" is["ctas"] "))" }

# The mask of rank's CTAs along N (a) or M (b); peer is its CTA of the pair, or `_`.
function mask(side, peer,    d, r, m) {
    gsub(/[(_)]/, "", is["cluster"])
    split(is["cluster"], d, ",")
    is["cluster"] = "(_" d[1] ",_" d[2] ",_" d[3] ")"
    r = is["rank"]
    m = int(r % d[1] / is["ctas"])
    return "create_tma_multicast_mask(" cluster() ", (" (peer == "_" ? "_" : r % is["ctas"]) "," \
           (side == "a" ? m ",_" : "_," int(r / d[1])) ",0))"
}

function tmem(name, atom, tiles,    op) {
    op = name
    sub(/_(2x2|stages2|k4|atom)$/, "", op)
    return "tmem_address<" per_column(name, atom) ">(" op "(" atom tiles "))"
}

# Offsets of tensor memory as coordinates (lane,element), of p elements a column.
function coordinates(layout, p,    at, out, n) {
    at = index(layout, ":")
    out = substr(layout, 1, at)
    layout = substr(layout, at + 1)
    while (match(layout, /_[0-9]+/)) {
        n = substr(layout, RSTART + 1, RLENGTH - 1) + 0
        out = out substr(layout, 1, RSTART - 1) (n >= 65536 * p ? "_" n / (65536 * p) "@0" : "_" n "@1")
        layout = substr(layout, RSTART + RLENGTH)
    }
    return out layout
}

# The tiled copy of a row, and a thread's part of it on the side of tensor memory or of registers.
function tmem_copy(name,    copy, load) {
    copy = "make_tmem_copy(Copy_Atom<" is[1] "," is["type"] ">, " is["tile"] ")"
    load = is[1] ~ /LOAD/
    if (name == "tmem_copy_layout_tv")
        return "tiled_layout_tv(" copy ")"
    if (name == "tmem_copy_tiler")
        return "tiler_mn(" copy ")"
    if (name == "tmem_copy_tmem")
        return "partition_" (load ? "S" : "D") "(" copy ", " is["thread"] ", make_tensor(tmem<" is["type"] ">(0), " is["tile"] "))"
    return "partition_" (load ? "D" : "S") "(" copy ", " is["thread"] ", make_identity_tensor(product_each(shape(" is["tile"] "))))"
}

function ask(name, value) {
    if (name ~ /^tmem_copy/)
        return tmem_copy(name)
    if (name == "tmem_ptr_add")
        return "domain_offset(" is["offset"] ", make_tensor(tmem<" is["type"] ">(" is["base"] "), 1:_1))"
    if (name ~ /^(mma|copy)_/)
        return name "(" $2 ")"
    if (name == "umma_idesc")
        return "umma_idesc(" $2 ")"
    if (name ~ /^idesc/)
        return "umma_idesc(" atom_of() ", " flags() ("sfa" in is ? ", (" is["sfa"] "," is["sfb"] ")" : "") ")"
    if (name ~ /^tmem_c_2x2$/)
        return tmem(name, $2, ", (_2,_2)")
    if (name == "tmem_c_stages2")
        return tmem(name, $2, ", (_1,_1,_2)")
    if (name ~ /^tmem_[ae]_k4$/)
        return tmem(name, $2, ", (_1,_4)")
    if (name ~ /^tmem_sf[ab]_atom$/)
        return tmem(name, $2, ", (_1,_" int(4 / scales($2)) ")")
    if (name == "tmem_c")
        return tmem(name, $2, "")
    if (name == "tmem_frg" && is["mode"] == "interleaved")
        return "tmem_address<" 32 / bits[is["value"]] ">(tmem_frg<" is["ctas"] "," is["value"] "," bits[is["storage"]] ">(" is["shape"] "))"
    if (name == "tmem_frg")
        return "tmem_address<" 32 / bits[is["value"]] ">(tmem_frg_ts<" is["ctas"] "," is["value"] "," bits[is["storage"]] ">(" is["shape"] "))"
    if (name == "tmem_frg_ws")
        return "tmem_address<" 32 / bits[is["value"]] ">(tmem_frg_ws<" is["value"] "," bits[is["storage"]] ">(" is["shape"] "))"
    if (name ~ /^tmem_e_frg/)
        return "tmem_address<" per_column(name, "<" is["value"] ">") ">(" name "<" is["value"] ">(" is["shape"] "))"
    if (name == "tmem_sf_frg")
        return "tmem_address<4>(tmem_sf_frg" (is["mode"] == "2x2" && is["operand"] == "B" ? "_2x2" : "") "(" is["shape"] "))"
    if (name == "umma_smem_atom")
        return $2
    if (name == "umma_smem_layout")
        return "tiled_divide(tile_to_shape(" substr(block_of(), 1, index(block_of(), "), (")) "), " \
               substr(block_of(), index(block_of(), "), (") + 3) ")"
    if (name == "umma_smem_desc")
        return "smem_desc(" block_of() ", " is["address"] ")"
    if (name == "umma_smem_desc_at")
        return "smem_desc(" block_of() ", " is["address"] ", (" substr(is["at"], index(is["at"], ",") + 1) ")"
    if (name == "umma_smem_desc_strides")
        return "smem_desc_steps(" block_of() ")"
    if (name ~ /^sf_atom/)
        return "scales_block" (name ~ /mn$/ ? "<128,1>" : "") "(" is["vector"] ")"
    if (name ~ /^sf_global/)
        return "scales_layout" (name ~ /mn$/ ? "<128,1>" : "") "(" is["vector"] ", (" is["mn"] "," is["k"] "," is["l"] "))"
    if (name ~ /^sf_smem/)
        return "scales_smem<" (name ~ /a$/ ? 0 : 1) ">(" is[1] ", " is["tile"] ")"
    if (name ~ /^sf_tmem/)
        return "tmem_address<4>(" scales_in_tmem(is[1], name ~ /b$/) ")"
    if (name ~ /^sf_cp_tv/)
        return "tiled_layout_tv(" scales_copy(is[1], scales_in_tmem(is[1], name ~ /b$/)) ")"
    if (name ~ /^sf_cp_tmem/)
        return scales_part(is[1], scales_in_tmem(is[1], name ~ /b$/))
    if (name == "sparse_e_atom")
        return "sparse_e_block<" is["type"] ">()"
    if (name == "sparse_global_e")
        return "sparse_e_layout<" is["type"] ">((" is["m"] "," is["k"] "," is["l"] "))"
    if (name == "sparse_global_a")
        return "sparse_a_layout<" (is["major"] == "K" ? 0 : 1) ">((" is["m"] "," is["k"] "," is["l"] "))"
    if (name == "cluster_layout_vmnk")
        return cluster()
    if (name == "cluster_coord_vmnk")
        return "get_flat_coord(" cluster() ", " is["rank"] ")"
    if (name ~ /^multicast_mask/)
        return mask(substr(name, length(name)), 0)
    if (name == "commit_mask")
        return "ior(" mask("a", "_") ", " mask("b", "_") ")"
    return "-"
}

# The scales of A or B of a tile (M,N,K) in tensor memory.
function scales_in_tmem(atom, b,    m, n, v, each, tile) {
    m = argument(atom, 5)
    n = argument(atom, 6)
    each = scales(atom)
    v = (atom ~ /MXF8F6F4/ ? 32 : argument(atom, 7)) * (atom ~ /MXF8F6F4.*SPARSE/ ? 2 : 1)
    gsub(/[(_)]/, "", is["tile"])
    split(is["tile"], tile, ",")
    return "tmem_sf_frg" (b && atom ~ /2x1SM/ && m == 128 ? "_2x2" : "") \
           "(((_" (b ? int((n + 127) / 128) * 128 : atom ~ /2x1SM/ ? m / 2 : m) ",(_" v ",_" each ")),_1,(_" 4 / each ",_" \
           tile[3] / (4 * v) ")))"
}

# The copy of scales to a layout of tensor memory, and a thread's part of it.
function scales_copy(atom, layout) {
    return "make_utccp_copy(Copy_Atom<SM100_UTCCP_4x32dp128bit_" (atom ~ /2x1SM/ ? 2 : 1) "cta," argument(atom, 4) \
           ">, filter_zeros(" layout "))"
}
function scales_part(atom, layout) {
    return "partition_D(" scales_copy(atom, layout) ", 0, make_tensor(tmem<" argument(atom, 4) \
           ">(0), filter_zeros(tmem_address<4>(" layout "))))"
}

# How many scales an instruction has along K.
function scales(atom,    k, v) {
    if (atom ~ /MXF8F6F4/)
        return 1
    v = argument(atom, 7) / (atom ~ /SPARSE/ ? 2 : 1)
    return (atom ~ /ULTRA/ ? 96 : 64) / v
}

# A pointer to tensor memory: 600000 is 0x0060.0000.
function pointer(digits) {
    digits = substr("0000000", length(digits)) digits
    return "tmem_[" bits[is["type"]] "b](0x" substr(digits, 1, 4) "." substr(digits, 5) ")"
}

function spell(name, value,    v) {
    if (name ~ /^umma_smem_(atom|layout)$/)
        return in_elements(value, bits[type_of($2)])
    if (name == "umma_smem_desc_strides") {
        sub(/^\(_1,/, "(", value)
        sub(/:\(_0,/, ":(", value)
    }
    if (name == "tmem_copy_coords")
        return "ArithTuple" value
    if (name == "copy_val_id")
        return coordinates(value, 32)
    if (name == "tmem_copy_tmem")
        return pointer(substr(value, 3, index(value, " ") - 3)) substr(value, index(value, " "))
    if (name ~ /^sf_cp_tmem/)
        return "tmem_[8b](0x0000.0000)" substr(value, 4)
    if (name == "tmem_ptr_add")
        return pointer(substr(value, 3)) " o 1:_1"
    if (name ~ /mask/)
        return number(value) ""
    if (name == "umma_idesc" && $2 ~ /^SM103/) {
        v = substr(value, 3)
        while (length(v) < 8)
            v = "0" v
        return "0x" substr("89abcdef", number("0x" substr(v, 1, 1)) + 1, 1) substr(v, 2)
    }
    return value
}

NF >= 3 { take($2); print ask($1, $3), spell($1, $3), $1, $2, $4 }
