/** The dictionary of an .npy header. */
#ifndef TSR_SRC_IO_NPY_HEADER_H
#define TSR_SRC_IO_NPY_HEADER_H

#include "io/scan.h"

typedef struct npy_header {
    scan s; /* text, size and error are given; the rest is read */
    bool has_descr, has_order, has_shape;
    bool fortran;
    bool python2; /* in: a writer of Python 2 may have written an L after an extent */
    char descr[24];
    int rank;
    int64_t extent[TSR_MAX_LEAVES];
} npy_header;

bool tsr_npy_read_header_(npy_header *h);

/** Reads the header of a source and judges it; the tensor has no address yet. Where only the type is none of ours, `r`
 *  has the name of the type, and its tensor no type. */
bool tsr_npy_judge_(io_source *source, tsr_dtype type, tsr_npy *r, tsr_message *error);

/** The array of a source, which stays open. */
bool tsr_npy_read_(io_source *source, tsr_dtype type, tsr_file *file, tsr_message *error);

#endif
