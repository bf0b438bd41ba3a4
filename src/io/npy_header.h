/** The dictionary of an .npy header. */
#ifndef TSR_SRC_IO_NPY_HEADER_H
#define TSR_SRC_IO_NPY_HEADER_H

#include "io/model.h"
#include "io/scan.h"

/** The most dimensions of a file that are read: NumPy's own limit is 64. */
#define NPY_DIMENSIONS 64

/** A field of structures, as its header says where it lies. */
typedef struct npy_field {
    char const *name; /* the wanted one; NULL: none */
    bool found;
    int64_t offset; /* of its first byte in a structure */
    int rank;       /* of its own, inside of a structure, with steps in bytes */
    int64_t extent[TSR_MAX_LEAVES], step[TSR_MAX_LEAVES];
    char names[400]; /* of all fields, for messages */
} npy_field;

typedef struct npy_header {
    scan s; /* text, size and error are given; the rest is read */
    bool has_descr, has_order, has_shape;
    bool fortran;
    bool python2;    /* in: a writer of Python 2 may have written an L after an extent */
    char descr[24];  /* of the field that is wanted; "structure" where it is not there */
    bool structured; /* the elements are structures, of `record` bytes */
    int64_t record;
    npy_field field;
    int rank;
    int64_t extent[NPY_DIMENSIONS];
} npy_header;

bool tsr_npy_read_header_(npy_header *h);

/** Opens a file as a model of one tensor of that name. An extent may be 0.
 *  Errors  Fortran's order, and elements whose bytes are not in the order of little-endian machines. */
bool tsr_npy_open_model_(char const *path, char const *name, tsr_model *m, tsr_message *error);

/** Room for a header that is written. */
enum { NPY_HEADER = 1024 };

/** Writes a header that lies `at` bytes behind the begin of its file: magic, version, length and dictionary, padded so
 *  that the elements begin at a multiple of 64 bytes. Returns its length. */
size_t tsr_npy_write_header_(char *out, char const *descr, tsr_tuple const *shape, tsr_order order, uint64_t at);

/** The list of fields of a 'descr'. */
bool tsr_npy_read_fields_(npy_header *h);

/** A string without escapes, in either kind of quotes. */
bool tsr_npy_read_string_(npy_header *h, char *out, size_t capacity, char const *what);

/** Where the elements of an array lie, from its first byte on. */
typedef struct npy_place {
    char const *field; /* in: the one that is wanted; NULL: the elements are no structures */
    uint64_t offset;
    bool apart;                   /* in no multiples of an element: they must be copied together, */
    int64_t step[TSR_MAX_LEAVES]; /* from these steps in bytes */
} npy_place;

/** Reads the header of a source and judges it; the tensor has no address yet. Where only the type is none of ours, `r`
 *  has the name of the type, and its tensor no type. */
bool tsr_npy_judge_(io_source *source, tsr_dtype type, npy_place *place, tsr_npy *r, tsr_message *error);

/** The array of a source, which stays open; of structures the field of that name. */
bool tsr_npy_read_(io_source *source, char const *field, tsr_dtype type, tsr_file *file, tsr_message *error);

#endif
