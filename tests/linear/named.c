/** Named encodings of Triton: random ones of every kind are read, written by name and read again, which is the same
 *  map; and what was written is written again as it is. named SEED CASES */
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

static void random_encoding(int rank, char *out, bool parent)
{
    static char const *const orders[2][2] = {{"[1, 0]", "[0, 1]"}, {"[2, 1, 0]", "[0, 2, 1]"}};
    static char const *const shapes[] = {"[32, 32, 8]", "[16, 16, 16]", "[4, 64, 4]", "[64, 4, 4]"};
    char warps[64], lanes[64], size[64];
    int const kind = (int)noise(parent ? 4 : 7), shape = (int)noise(4);
    char const *const truth = noise(2) || shape == 3 ? "true" : "false", *const order = orders[rank - 2][noise(2)];
    put_list(warps, rank, (int)noise(4));
    put_list(lanes, rank, kind == 0 ? 5 + (int)noise(2) : 0);
    put_list(size, rank, (int)noise(4));
    if (kind == 0)
        sprintf(out, "#ttg.blocked<{sizePerThread = %s, threadsPerWarp = %s, warpsPerCTA = %s, order = %s}>", size,
                lanes, warps, order);
    else if (kind == 1)
        sprintf(out, "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = %s, instrShape = %s}>",
                warps, rank == 2 ? "[16, 8]" : "[1, 16, 8]");
    else if (kind == 2)
        sprintf(out, "#ttg.amd_mfma<{version = 3, warpsPerCTA = %s, instrShape = %s, isTransposed = %s}>", warps,
                shapes[shape], truth);
    else if (kind == 3)
        sprintf(out, "#ttg.amd_wmma<{version = %d, isTransposed = %s, warpsPerCTA = %s}>", 1 + (int)noise(2), truth,
                warps);
    else if (kind == 4)
        sprintf(out, "#ttg.swizzled_shared<{vec = %d, perPhase = %d, maxPhase = %d, order = %s}>", 1 << noise(4),
                1 << noise(3), 1 << noise(4), order);
    else
        sprintf(out, "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d}>",
                (int[]){0, 32, 64, 128}[shape], truth, 8 << noise(3));
}

/** An operand of another encoding. */
static void wrap(char *out)
{
    char inner[600];
    memcpy(inner, out, sizeof inner);
    sprintf(out, "#ttg.dot_op<{opIdx = %d, parent = %s, kWidth = %d}>", (int)noise(2), inner, 1 << noise(4));
}

static int64_t kinds;

static void try_one(void)
{
    int const rank = noise(4) ? 2 : 3, extent = 1 << (2 + noise(5)), other = 1 << (2 + noise(5));
    bool const operand = noise(4) == 0;
    tsr_tuple const shape = rank == 2 ? tsr_t(extent, other) : tsr_t(1 << noise(3), extent, other);
    tsr_converted v = TSR_ZERO, back = TSR_ZERO;
    tsr_message error;
    random_encoding(rank, text, operand);
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

int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 1000);
    random_begin(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (int64_t i = 0; i < cases; ++i)
        try_one();
    check("most are read", kinds > cases / 3, NULL);
    return report();
}
