/** Deflate (RFC 1951): blocks that are stored, or of Huffman codes for bytes and for copies of earlier bytes.
 *
 *  Law     nothing is read beyond the `packed` bytes, nothing written beyond the `size` bytes, and a copy begins inside
 *          of what is written already. A table of codes that is not complete, but for one code of one bit, is refused.
 *  Source  RFC 1951; CRC-32: RFC 1952, section 8.
 */
#include "io/inflate.h"

enum { BUFFER = 1 << 14, MOST_BITS = 15, LENGTHS = 288, DISTANCES = 32, FAST = 9 };

/** A Huffman code: symbols in the order of their codes, and how many have each length; the first bits of a code lead to
 *  (symbol << 4 | length) where it is no longer than they are, else to 0. */
typedef struct huffman {
    uint16_t count[MOST_BITS + 1], symbol[LENGTHS], fast[1 << FAST];
} huffman;

typedef struct inflater {
    io_source const *source;
    uint64_t at, left; /* the next packed bytes */
    unsigned char *out;
    uint64_t size, made;
    uint64_t bits; /* that were read, the next one lowest */
    int held;
    int absent;       /* zeros among them that stand for bytes behind the last */
    int used, filled; /* of the buffer */
    bool unreadable;
    huffman lengths, distances;
    unsigned char buffer[BUFFER];
} inflater;

/** The next packed byte; 0 behind the last one, which counts. */
static unsigned next_byte(inflater *z)
{
    if (z->used == z->filled && z->left > 0) {
        int const n = z->left < BUFFER ? (int)z->left : BUFFER;
        z->unreadable = z->unreadable || !tsr_io_peek_(z->source, z->at, z->buffer, (size_t)n);
        z->at += (uint64_t)n;
        z->left -= (uint64_t)n;
        z->used = 0;
        z->filled = z->unreadable ? 0 : n;
    }
    if (z->used == z->filled)
        return ++z->absent, 0;
    return z->buffer[z->used++];
}

static void need(inflater *z, int n)
{
    while (z->held < n) {
        z->bits |= (uint64_t)next_byte(z) << z->held;
        z->held += 8;
    }
}

static unsigned take_bits(inflater *z, int n)
{
    need(z, n);
    unsigned const x = (unsigned)(z->bits & ((1u << n) - 1));
    z->bits >>= n;
    z->held -= n;
    return x;
}

/** Whether bits were taken that are not there. */
static bool beyond(inflater const *z) { return 8 * z->absent > z->held; }

/** The code of these lengths. False: more codes than fit, or fewer. */
static bool make_code(huffman *h, unsigned char const *length, int n)
{
    uint16_t first[MOST_BITS + 2] = {0};
    int left = 1;
    memset(h, 0, sizeof *h);
    for (int i = 0; i < n; ++i)
        ++h->count[length[i]];
    h->count[0] = 0;
    for (int b = 1; b <= MOST_BITS; ++b) {
        left = 2 * left - h->count[b];
        if (left < 0)
            return false;
        first[b + 1] = (uint16_t)(first[b] + h->count[b]);
    }
    for (int i = 0; i < n; ++i)
        if (length[i])
            h->symbol[first[length[i]]++] = (uint16_t)i;
    int const codes = first[MOST_BITS];
    unsigned code = 0;
    for (int b = 1, i = 0; b <= FAST; ++b, code <<= 1)
        for (int k = 0; k < h->count[b]; ++k, ++i, ++code) {
            unsigned turned = 0;
            for (int bit = 0; bit < b; ++bit)
                turned |= (code >> bit & 1u) << (b - 1 - bit);
            for (; turned < 1u << FAST; turned += 1u << b)
                h->fast[turned] = (uint16_t)(h->symbol[i] << 4 | b);
        }
    return left == 0 || codes == 0 || (codes == 1 && h->count[1] == 1);
}

/** The next symbol; -1: no code begins so. */
static int take_symbol(inflater *z, huffman const *h)
{
    need(z, MOST_BITS);
    unsigned const fast = h->fast[z->bits & ((1u << FAST) - 1)];
    if (fast) {
        z->bits >>= fast & 15;
        z->held -= (int)(fast & 15);
        return (int)(fast >> 4);
    }
    int code = 0, first = 0, index = 0;
    for (int b = 1; b <= MOST_BITS; ++b) {
        code |= (int)(z->bits >> (b - 1) & 1);
        int const count = h->count[b];
        if (code - count < first) {
            z->bits >>= b;
            z->held -= b;
            return h->symbol[index + code - first];
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
    }
    return -1;
}

static char const *stored_block(inflater *z)
{
    (void)take_bits(z, z->held % 8);
    unsigned const n = take_bits(z, 16), inverse = take_bits(z, 16);
    if (beyond(z) || n != (~inverse & 0xffff))
        return "a stored block has two lengths that differ";
    if (n > z->size - z->made)
        return "the bytes make more than is announced";
    for (unsigned i = 0; i < n; ++i)
        z->out[z->made++] = (unsigned char)take_bits(z, 8);
    return NULL;
}

/** The codes of a block, as the format fixes them or as the block lists them. */
static char const *fixed_codes(inflater *z)
{
    unsigned char length[LENGTHS + DISTANCES];
    for (int i = 0; i < LENGTHS; ++i)
        length[i] = (unsigned char)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    memset(length + LENGTHS, 5, DISTANCES);
    (void)make_code(&z->lengths, length, LENGTHS);
    (void)make_code(&z->distances, length + LENGTHS, DISTANCES);
    return NULL;
}

static char const *listed_codes(inflater *z)
{
    static unsigned char const order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char length[LENGTHS + DISTANCES] = {0};
    int const lengths = (int)take_bits(z, 5) + 257, distances = (int)take_bits(z, 5) + 1;
    int const listed = (int)take_bits(z, 4) + 4;
    if (lengths > 286 || distances > 30)
        return "a block lists more codes than there are";
    for (int i = 0; i < listed; ++i)
        length[order[i]] = (unsigned char)take_bits(z, 3);
    if (!make_code(&z->lengths, length, 19))
        return "the code of the lengths of a block is no code";
    memset(length, 0, sizeof length);
    for (int i = 0; i < lengths + distances;) {
        int const symbol = take_symbol(z, &z->lengths);
        if (symbol < 0 || (symbol == 16 && i == 0) || beyond(z))
            return "the lengths of a block are damaged";
        unsigned char const again = symbol == 16 ? length[i - 1] : (unsigned char)(symbol < 16 ? symbol : 0);
        int const times = symbol < 16    ? 1
                          : symbol == 16 ? 3 + (int)take_bits(z, 2)
                          : symbol == 17 ? 3 + (int)take_bits(z, 3)
                                         : 11 + (int)take_bits(z, 7);
        if (times > lengths + distances - i)
            return "a block lists more lengths than codes";
        memset(length + i, again, (size_t)times);
        i += times;
    }
    if (length[256] == 0)
        return "a block has no end";
    if (!make_code(&z->lengths, length, lengths) || !make_code(&z->distances, length + lengths, distances))
        return "the codes of a block are no codes";
    return NULL;
}

/** The symbols of a block: bytes, and copies of a length from a distance. */
static char const *coded_block(inflater *z)
{
    static uint16_t const base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                      31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static unsigned char const more[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static uint16_t const far[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
        int const symbol = take_symbol(z, &z->lengths);
        if (symbol < 0 || beyond(z))
            return "the bytes end in the middle, or no code begins so";
        if (symbol == 256)
            return NULL;
        if (symbol < 256) {
            if (z->made == z->size)
                return "the bytes make more than is announced";
            z->out[z->made++] = (unsigned char)symbol;
            continue;
        }
        if (symbol > 285)
            return "a length has no meaning";
        unsigned const n = base[symbol - 257] + take_bits(z, more[symbol - 257]);
        int const code = take_symbol(z, &z->distances);
        if (code < 0 || code > 29)
            return "a distance has no meaning";
        unsigned const distance = far[code] + take_bits(z, code < 2 ? 0 : code / 2 - 1);
        if (beyond(z) || distance > z->made)
            return "a copy begins before the first byte";
        if (n > z->size - z->made)
            return "the bytes make more than is announced";
        for (unsigned i = 0; i < n; ++i, ++z->made)
            z->out[z->made] = z->out[z->made - distance];
    }
}

/** NULL, or what is wrong. */
static char const *run_blocks(inflater *z)
{
    for (bool last = false; !last;) {
        last = take_bits(z, 1) == 1;
        unsigned const kind = take_bits(z, 2);
        char const *const wrong = kind == 0   ? stored_block(z)
                                  : kind == 3 ? "a block is of no kind"
                                              : (kind == 1 ? fixed_codes(z) : listed_codes(z));
        char const *const failed = wrong || kind == 0 ? wrong : coded_block(z);
        if (failed)
            return failed;
        if (beyond(z))
            return "the bytes end in the middle";
    }
    if (z->made < z->size)
        return "the bytes make fewer than are announced";
    return z->left > 0 || z->filled - z->used > 0 || (z->held - 8 * z->absent) >= 8 ? "bytes follow the last block"
                                                                                    : NULL;
}

bool tsr_io_inflate_(io_source const *source, uint64_t at, uint64_t packed, unsigned char *out, uint64_t size,
                     tsr_message *error)
{
    inflater z;
    memset(&z, 0, sizeof z - sizeof z.buffer);
    z.source = source;
    z.at = at;
    z.left = packed;
    z.out = out;
    z.size = size;
    char const *const wrong = run_blocks(&z);
    if (z.unreadable)
        return tsr_io_fail_(error, "%llu bytes at byte %llu cannot be read", (unsigned long long)packed,
                            (unsigned long long)at);
    return !wrong ? true
                  : tsr_io_fail_(error, "the deflated bytes are damaged after %llu of %llu bytes: %s",
                                 (unsigned long long)z.made, (unsigned long long)size, wrong);
}

void tsr_io_crc_begin_(crc_table *table)
{
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t x = i;
        for (int bit = 0; bit < 8; ++bit)
            x = x >> 1 ^ (x & 1 ? 0xedb88320u : 0);
        table->of[0][i] = x;
    }
    for (int k = 1; k < 8; ++k)
        for (int i = 0; i < 256; ++i)
            table->of[k][i] = table->of[k - 1][i] >> 8 ^ table->of[0][table->of[k - 1][i] & 255];
}

uint32_t tsr_io_crc_(crc_table const *table, uint32_t crc, void const *bytes, size_t n)
{
    unsigned char const *p = (unsigned char const *)bytes;
    uint32_t const(*const t)[256] = table->of;
    crc = ~crc;
    for (; n >= 8; p += 8, n -= 8) {
        crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        crc = t[7][crc & 255] ^ t[6][crc >> 8 & 255] ^ t[5][crc >> 16 & 255] ^ t[4][crc >> 24] ^ t[3][p[4]]
              ^ t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]];
    }
    for (; n > 0; ++p, --n)
        crc = crc >> 8 ^ t[0][(crc ^ *p) & 255];
    return ~crc;
}
