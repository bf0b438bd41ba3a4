/** The members of a zip archive, as its central directory lists them. */
#ifndef TSR_SRC_IO_ZIP_H
#define TSR_SRC_IO_ZIP_H

#include "io/inflate.h"

typedef struct zip_member {
    char const *name;                    /* UTF-8, ended by a zero */
    bool deflated;                       /* else stored */
    uint64_t local, begin, packed, size; /* its header, its bytes, and how many they make */
    uint32_t crc;
} zip_member;

typedef struct zip_archive {
    zip_member *member; /* in the order of their bytes */
    int count;
    char *names; /* memory of theirs, */
    char *rest;  /* and what is left of it, 40 bytes for each member */
} zip_archive;

/** Reads the directory of a source of a known size, and each member's own header.
 *  Law     members lie one behind the other before the directory, and none shares a byte with another.
 *  Errors  false and a message: what is damaged, encrypted, on several disks, or packed by another method. */
bool tsr_io_zip_open_(io_source const *source, zip_archive *archive, tsr_message *error);
void tsr_io_zip_close_(zip_archive *archive);

/** The bytes of a member into `out` (NULL: nowhere, which is for a stored one), and whether they have its sum. */
bool tsr_io_zip_read_(io_source const *source, zip_member const *member, crc_table const *table, unsigned char *out,
                      tsr_message *error);

#endif
