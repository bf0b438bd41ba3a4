/** Deflated bytes, and the sums of checks that zip archives keep. */
#ifndef TSR_SRC_IO_INFLATE_H
#define TSR_SRC_IO_INFLATE_H

#include "io/file.h"

/** Most bytes that one deflated byte can make: a symbol of two bits makes 258 bytes. */
#define INFLATE_MOST 1032u

/** Inflates `packed` bytes of a source, from byte `at` on, into exactly `size` bytes.
 *  Errors  false and a message: the bytes are damaged, or make more or fewer. */
bool tsr_io_inflate_(io_source const *source, uint64_t at, uint64_t packed, unsigned char *out, uint64_t size,
                     tsr_message *error);

/** The tables of CRC-32, for eight bytes at a time. */
typedef struct crc_table {
    uint32_t of[8][256];
} crc_table;

void tsr_io_crc_begin_(crc_table *table);

/** The sum of bytes behind others, whose sum is `crc`; 0 before the first. */
uint32_t tsr_io_crc_(crc_table const *table, uint32_t crc, void const *bytes, size_t n);

#endif
