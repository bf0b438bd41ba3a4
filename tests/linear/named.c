/** Named encodings of Triton: random ones of every kind are read, written by name and read again, which is the same
 *  map; and what was written is written again as it is. Accesses of one to another have bank conflicts.
 *  named SEED CASES */
#include "../sanitizer.h"
#include "random_map.h"

#include "tessera/convert.h"

static char text[1024], written[1 << 14], again[1 << 14];

/** Powers of two of `bits` bits together, as a list. */
static void put_list(char *out, int rank, int bits)
{
    int n[3] = {0}, at = 0;
    for (int i = 0; i < bits; ++i)
        ++n[noise(rank)];
    for (int d = 0; d < rank; ++d)
        at += sprintf(out + at, "%s%d", d ? ", " : "[", 1 << n[d]);
    sprintf(out + at, "]");
}

/** Bases of the blocks of a cluster, or none. */
static void put_cluster(char *out, int rank)
{
    int const bits = noise(4) ? 0 : 1 + (int)noise(2);
    int64_t each[3] = {0};
    out[0] = 0;
    for (int b = 0; b < bits; ++b) {
        int64_t const along = noise(rank), zero = noise(4) == 0;
        out += sprintf(out, "%s", b ? ", [" : ", CGALayout = [[");
        for (int d = 0; d < rank; ++d)
            out += sprintf(out, "%s%d", d ? ", " : "", d == along && !zero ? 1 << each[d] : 0);
        each[along] += !zero;
        out += sprintf(out, b + 1 == bits ? "]]" : "]");
    }
}

/** Of registers, kinds 0 to 3, or of memory, 4 to 6. */
static void random_encoding(int rank, char *out, int kind)
{
    static char const *const orders[2][2] = {{"[1, 0]", "[0, 1]"}, {"[2, 1, 0]", "[0, 2, 1]"}};
    static char const *const shapes[] = {"[32, 32, 8]", "[16, 16, 16]", "[4, 64, 4]", "[64, 4, 4]"};
    char warps[64], lanes[64], size[64], cluster[128], columns[64] = "[1, 16, 8]", tiles[96] = "";
    int const shape = (int)noise(4);
    char const *const truth = noise(2) || shape == 3 ? "true" : "false", *const order = orders[rank - 2][noise(2)];
    put_list(warps, rank, (int)noise(4));
    put_list(lanes, rank, kind == 0 ? 5 + (int)noise(2) : 0);
    put_list(size, rank, (int)noise(4));
    put_cluster(cluster, rank);
    bool const group = kind == 1 && rank == 2 && noise(2);
    if (group)
        sprintf(columns, "[16, %d, 16]", 8 << noise(6));
    else if (rank == 2)
        sprintf(columns, "[16, 8]");
    if (noise(3) == 0)
        sprintf(tiles, ", tilesPerWarp = [%s%d, %d]", rank == 2 ? "" : "1, ", 1 << noise(4), 1 << noise(4));
    if (kind == 0)
        sprintf(out, "#ttg.blocked<{sizePerThread = %s, threadsPerWarp = %s, warpsPerCTA = %s, order = %s%s}>", size,
                lanes, warps, order, cluster);
    else if (kind == 1)
        sprintf(out, "#ttg.nvidia_mma<{versionMajor = %d, versionMinor = 0, warpsPerCTA = %s%s, instrShape = %s}>",
                group ? 3 : 2, warps, cluster, columns);
    else if (kind == 2)
        sprintf(out, "#ttg.amd_mfma<{version = 3, warpsPerCTA = %s%s, instrShape = %s, isTransposed = %s%s}>", warps,
                tiles, shapes[shape], truth, cluster);
    else if (kind == 3)
        sprintf(out, "#ttg.amd_wmma<{version = %d, isTransposed = %s, warpsPerCTA = %s%s}>", 1 + (int)noise(2), truth,
                warps, cluster);
    else if (kind == 4)
        sprintf(out, "#ttg.swizzled_shared<{vec = %d, perPhase = %d, maxPhase = %d, order = %s%s}>", 1 << noise(6),
                1 << noise(4), 1 << noise(5), order, cluster);
    else
        sprintf(out, "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d%s}>",
                (int[]){0, 32, 64, 128}[shape], truth, 4 << noise(5), cluster);
}

/** An operand of another encoding. */
static void wrap(char *out)
{
    char inner[600];
    memcpy(inner, out, sizeof inner);
    sprintf(out, "#ttg.dot_op<{opIdx = %d, parent = %s, kWidth = %d}>", (int)noise(2), inner, 1 << noise(6));
}

static int64_t kinds;

static void try_one(void)
{
    int const rank = noise(4) ? 2 : 3, extent = 1 << (2 + noise(5)), other = 1 << (2 + noise(5));
    bool const operand = noise(4) == 0;
    tsr_tuple const shape = rank == 2 ? tsr_t(extent, other) : tsr_t(1 << noise(3), extent, other);
    tsr_converted v = TSR_ZERO, back = TSR_ZERO;
    tsr_message error;
    random_encoding(rank, text, (int)noise(operand ? 4 : 7));
    if (operand)
        wrap(text);
    if (!tsr_convert_read(TSR_SYSTEM_TTG, text, shape, 2, &v, &error))
        return;
    ++kinds;
    bool const some = tsr_convert_write(written, sizeof written, TSR_SYSTEM_TTG_NAMED, &v, 2, &error);
    if (!check(text, some, &v.map)) {
        printf("%s\n", error.text);
        return;
    }
    check(written, tsr_convert_read(TSR_SYSTEM_TTG, written, shape, 2, &back, &error), NULL);
    check(written, tsr_linear_same_function(v.map, back.map).answer == TSR_YES, &v.map);
    check(
        written,
        tsr_convert_write(again, sizeof again, TSR_SYSTEM_TTG_NAMED, &back, 2, &error) && strcmp(again, written) == 0,
        NULL);
}

static int64_t accesses;

/** An access of the threads of one encoding to the memory of another, as convert prints both: the blocks of a cluster
 *  change nothing within one, and only they may be refused. */
static void try_access(void)
{
    int const rank = noise(4) ? 2 : 3, extent = 1 << noise(7), other = 1 << noise(7);
    tsr_tuple const shape = rank == 2 ? tsr_t(extent, other) : tsr_t(1 << noise(2), extent, other);
    tsr_converted memory = TSR_ZERO, threads = TSR_ZERO;
    tsr_message error;
    random_encoding(rank, text, 4 + (int)noise(3));
    random_encoding(rank, written, (int)noise(4));
    if (!tsr_convert_read(TSR_SYSTEM_TTG, text, shape, 2, &memory, &error)
        || !tsr_convert_read(TSR_SYSTEM_TTG, written, shape, 2, &threads, &error))
        return;
    if (tsr_linear_left_inverse(memory.map).why.status) /* blocks that hold copies */
        return;
    tsr_linear const f = tsr_linear_composition(tsr_linear_left_inverse(memory.map), threads.map);
    tsr_tuple const all = tsr_linear_bank_conflicts(f, TSR_F16);
    tsr_linear const one = tsr_linear_select_outs(tsr_linear_select_ins(f, tsr_t(0, 1, 2)), tsr_t(0));
    tsr_tuple const in_one = tsr_linear_bank_conflicts(one, TSR_F16);
    ++accesses;
    check(text, all.status == TSR_OK || all.status == TSR_ACCESS_BLOCKS, &f);
    check(written, all.status || (in_one.status == TSR_OK && all.leaf[0].value == in_one.leaf[0].value), &f);
    bool const split = f.out.count > 1 && f.out.bits[1] > 0;
    check("one block is all", split || all.status == TSR_OK, &f);
}

int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 1000);
    random_begin(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (int64_t i = 0; i < cases; ++i)
        try_one(), try_access();
    check("most are read", kinds > cases / 3 && accesses > cases / 3, NULL);
    return report();
}
