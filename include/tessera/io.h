/** Files of real data as tensors: NumPy's .npy and .npz, safetensors and GGUF, in and out.
 *
 *      tsr_file file;
 *      tsr_message error;
 *      if (!tsr_npy_open("weights.npy", &file, &error))
 *          puts(error.text);
 *      ... file.tensor ...
 *      tsr_file_close(&file);
 *
 *  A file is mapped into memory, read where it cannot be mapped, and never changed: its tensor is constant and valid
 *  until the file is closed. Each number of a header is checked against the file; a wrong one is refused, with the
 *  numbers. The header is checked first. A pipe or a device has no known end: tessera reads exactly the bytes that the
 *  header announces, and leaves the rest.
 *
 *  Law  A header is copied once, each byte once, and judged from the copy, against the size that the file had when it
 *       was opened. Names, shapes and offsets come from the copy: whoever changes the file, or the memory of a view,
 *       changes elements and nothing else.
 *
 *  Byte order: '<' is little-endian, '>' big-endian, '=' the machine's; '|' and safetensors are little-endian. Elements
 *  in another order than the machine's are read into memory and converted once, when the file is opened. Arrays are
 *  written in the machine's order, and their header says so.
 *
 *  If a program shortens a file while it is mapped, touching an element beyond the new end raises SIGBUS. Replacing a
 *  file is harmless. Opening a file touches no mapped byte, and refuses a file that becomes shorter meanwhile.
 *
 *  Elements begin where the file puts them, which need not be a multiple of their size: tsr_aligned() tells. All
 *  functions but those that open, create and close files are pure; none keeps state.
 *
 *  Source  NumPy, numpy/lib/format.py (versions 1.0 to 3.0); safetensors, README.md, "Format"; ggml, gguf.md.
 */
#ifndef TSR_IO_H
#define TSR_IO_H

#include <stddef.h>

#include "tessera/exec/run.h"
#include "tessera/text.h"

TSR_HEADER_BEGIN

/** Which index of an array runs through neighbouring elements: the last one (C) or the first one (Fortran). */
typedef enum tsr_order { TSR_C_ORDER, TSR_F_ORDER } tsr_order;

/** An array: what its header says, and the tensor of its elements. An array without dimensions has the layout ():().
 *  An array of 0 elements has extents and no layout: its tensor is invalid, which every operation reports. */
typedef struct tsr_npy {
    tsr_tensor tensor;
    tsr_order order;
    bool big_endian;       /* the bytes of the elements, in the file */
    bool swapped;          /* that is not the machine's order: they must be swapped before the tensor is read */
    int major, minor;      /* version of the format */
    uint64_t begin, bytes; /* where the elements are in the file */
    char descr[24];        /* NumPy's name of the type */
    int rank;
    int64_t extent[TSR_MAX_LEAVES]; /* one may be 0 */
    int64_t elements;
    int dimensions; /* of the header; of more than TSR_MAX_LEAVES those of 1 are left out, then the last ones joined */
} tsr_npy;

/** The bytes of a file, mapped or read. */
typedef struct tsr_bytes {
    void const *data;
    uint64_t size;
    void *owned; /* what is to be freed; NULL when the bytes are mapped */
} tsr_bytes;

/** An open .npy file. */
typedef struct tsr_file {
    tsr_tensor tensor;
    tsr_npy npy;
    tsr_bytes bytes;
} tsr_file;

/* NumPy in */

/** The array in `size` bytes that begin like an .npy file. The type may be 0: that of the header; or any type of the
 *  same number of bits, which is needed where NumPy knows only the size (`|V1`). */
TSR_TRY bool tsr_npy_view(void const *data, uint64_t size, tsr_dtype type, tsr_npy *array, tsr_message *error);

/** Opens an .npy file: its array is mapped where it can be, else read. */
TSR_TRY bool tsr_npy_open(char const *path, tsr_file *file, tsr_message *error);

/** The same, its elements read as another type of the same number of bits. */
TSR_TRY bool tsr_npy_open_as(char const *path, tsr_dtype type, tsr_file *file, tsr_message *error);

/** The same of an array of structures: the field of this name, z.u of a structure in a field z. The tensor has the
 *  array's modes, then the field's own, and steps over the other fields. Where its steps are no multiples of an
 *  element, or the bytes are in the other order, the elements are copied together into memory. The type may be 0.
 *  Errors  no field of that name; of other functions that open arrays of structures: the names of the fields. */
TSR_TRY bool tsr_npy_open_field(char const *path, char const *field, tsr_dtype type, tsr_file *file,
                                tsr_message *error);

/** Gives the memory of an open file back; its tensor is no more. */
TSR_API void tsr_file_close(tsr_file *file);

/* Files out. A file is written beside its target as TARGET.NUMBER.tmp, and takes the target's name in one step when it
 * is whole and on the disk; a target that is a link stays one, and one that is replaced keeps its permissions. Whatever
 * ends the program before that, the target is what it was. A temporary file is locked by its writer: what an end by
 * force leaves is removed by the next writer to the same target. What exists and is no regular file (a device, a pipe)
 * is written to as it comes, and never removed.
 *
 * A limit on the size of files ends a program (SIGXFSZ) unless it ignores that signal; then it is an error here. */

/** A file that is being written. */
typedef struct tsr_output {
    char *target;    /* behind the link if the path is one */
    char *temporary; /* NULL: the target is no regular file */
    int handle;
} tsr_output;

/** Begins a file that is written from its first byte to its last. */
TSR_TRY bool tsr_output_open(char const *path, tsr_output *output, tsr_message *error);

/** Appends n bytes. */
TSR_TRY bool tsr_output_write(tsr_output *output, void const *bytes, uint64_t n, tsr_message *error);

/** Puts the file in the place of the target. Ends the output, whether it succeeds or not. */
TSR_TRY bool tsr_output_commit(tsr_output *output, tsr_message *error);

/** Ends the output and leaves the target as it was. */
TSR_API void tsr_output_discard(tsr_output *output);

/** A file of a known size that is being written, as memory, all 0 at first: written in any order. */
typedef struct tsr_image {
    tsr_output output;
    void *map;
    uint64_t size;
    bool mapped; /* else the bytes are written by the commit: the target is no regular file */
} tsr_image;

/** Begins a file of `size` bytes, whose blocks are reserved: a full disk is an error here. */
TSR_TRY bool tsr_image_create(char const *path, uint64_t size, tsr_image *image, tsr_message *error);

/** Puts the file in the place of the target. Ends the image, whether it succeeds or not. */
TSR_TRY bool tsr_image_commit(tsr_image *image, tsr_message *error);

/** Ends the image and leaves the target as it was. */
TSR_API void tsr_image_discard(tsr_image *image);

/** Writes bytes to a place of the file, by one call of the system where the file is mapped. Threads may write to
 *  different places.
 *  Errors  false and a message: the disk failed, or the place is not in the file. */
TSR_TRY bool tsr_image_put(tsr_image const *image, uint64_t at, void const *bytes, uint64_t n, tsr_message *error);

/** Begins to bring bytes of the file to the disk, and does not wait for them. Bytes that are written later are brought
 *  again. It only saves time: the commit brings every byte, and waits. */
TSR_API void tsr_image_flush(tsr_image const *image, uint64_t at, uint64_t n);

/** tsr_copy into the memory of an image, or with `where` tsr_copy_if: in pieces of the file, in their order. The disk
 *  begins with earlier pieces while later ones are made. Each thread has a buffer of 1 MB, or of 32 MB where the source
 *  is not in long runs, as of a transpose.
 *  Law     The elements of `to` in the image are those that tsr_copy gives.
 *  Errors  false and a message: what tsr_copy refuses, and what tsr_image_put says. Where `told` (NULL: nobody) ends
 *          the work, the rest is not copied, and that is no error. One thread at a time calls it. */
TSR_TRY bool tsr_image_copy(tsr_image const *image, tsr_tensor const *where, tsr_tensor from, tsr_tensor to,
                            tsr_progress told, void *context, tsr_message *error);

/** Gives back the memory of a mapped file; touching the bytes reads the file again. So work on a file larger than the
 *  memory needs only the memory that it touches between two calls. */
TSR_API void tsr_image_forget(tsr_image const *image);
TSR_API void tsr_bytes_forget(tsr_bytes const *bytes);

/* NumPy out */

/** An array that is being written: its elements, all 0 at first, are written through the tensor. */
typedef struct tsr_npy_writer {
    tsr_tensor tensor;
    tsr_image image;
} tsr_npy_writer;

/** The shape is a tuple of integers, an integer, or () for an array without dimensions. A type that NumPy has no name
 *  for is written as raw bytes (`|V1`); elements that are no whole bytes are refused. An extent may be 0: the file is
 *  a header, and the tensor is invalid. */
TSR_TRY bool tsr_npy_create(char const *path, tsr_dtype type, tsr_tuple shape, tsr_order order,
                            tsr_npy_writer *writer, tsr_message *error);

/** Puts the file in the place of the target. Ends the writer, whether it succeeds or not. */
TSR_TRY bool tsr_npy_commit(tsr_npy_writer *writer, tsr_message *error);

/** Ends the writer and leaves the target as it was. */
TSR_API void tsr_npy_discard(tsr_npy_writer *writer);

/** Writes a tensor: each mode becomes a dimension. */
TSR_TRY bool tsr_npy_write(char const *path, tsr_tensor tensor, tsr_order order, tsr_message *error);

/** NumPy's name for a type, little-endian: "|V1" and the like where it has none, NULL where it has no elements of that
 *  size. */
TSR_API char const *tsr_npy_descr(tsr_dtype type);

/* Files of named tensors: safetensors, GGUF and .npz */

/** One tensor of a file. Its name is UTF-8; begin and end count from the first byte of the data. */
typedef struct tsr_model_tensor {
    char const *name;
    tsr_dtype type;     /* 0: blocks of quantised numbers, which have no element type */
    char const *format; /* the file's name of the type: "BF16", "Q4_K", "<f4"; of an unknown one "type 41" */
    int rank;
    int64_t extent[TSR_MAX_LEAVES]; /* in C order; the first ones, when the rank is larger */
    int64_t elements;
    uint64_t begin, end;
} tsr_model_tensor;

/** Is the type unknown, which GGUF names by a number and NumPy by a text? In GGUF its bytes end where the next tensor
 *  begins. */
TSR_API bool tsr_model_is_opaque(tsr_model_tensor const *t);

/** One line of what a file says beside its tensors. */
typedef struct tsr_model_note {
    char const *key, *value;
} tsr_model_note;

/** A name, and which tensor has it. */
typedef struct tsr_model_name {
    char const *name;
    int index;
} tsr_model_name;

typedef struct tsr_model {
    tsr_model_tensor *tensor; /* in the order of their data */
    tsr_model_name *name;     /* in the order of the names */
    int count;
    tsr_model_note *note; /* in the order of the file; of GGUF its strings and numbers, without the arrays */
    int notes;
    unsigned char const *data;
    char *names;
    unsigned char *keys; /* of GGUF: all keys as they are in the file, arrays and types too, for a writer */
    uint64_t key_bytes, key_count;
    tsr_bytes bytes;
} tsr_model;

/** The tensors in `size` bytes that begin like a .safetensors file; tsr_model_close frees the lists. */
TSR_TRY bool tsr_safetensors_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error);
TSR_TRY bool tsr_safetensors_open(char const *path, tsr_model *model, tsr_message *error);

/** The same of GGUF, versions 2 and 3, little-endian. The first dimension of GGUF runs through neighbouring elements:
 *  extents are given in the opposite order.
 *  Source  ggml, its page on GGUF, and its reader (gguf.cpp). */
TSR_TRY bool tsr_gguf_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error);
TSR_TRY bool tsr_gguf_open(char const *path, tsr_model *model, tsr_message *error);

/** The same of NumPy's .npz: a zip archive of stored or deflated .npy files. A tensor has the name of its file without
 *  the ending. Stored arrays in C order and in the byte order of the machine are mapped, unless the archive has others:
 *  then all are read into memory, in C order. Opening reads every byte: each sum (CRC-32) is checked.
 *  Errors  false and a message: the directory is damaged or beyond the file, members overlap, a sum is wrong, a member
 *          is encrypted or packed by another method; a stream. */
TSR_TRY bool tsr_npz_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error);
TSR_TRY bool tsr_npz_open(char const *path, tsr_model *model, tsr_message *error);

/** Opens a file of tensors by the ending of its name: .safetensors, .gguf, .npz. */
TSR_TRY bool tsr_model_open(char const *path, tsr_model *model, tsr_message *error);

/** Does a path end like a file of tensors? */
TSR_API bool tsr_model_is_path(char const *path);

TSR_API void tsr_model_close(tsr_model *model);

/** Which tensor has that name; -1: none. */
TSR_API int tsr_model_find(tsr_model const *model, char const *name);

/** The tensor of that name, in C order. */
TSR_TRY bool tsr_model_get(tsr_model const *model, char const *name, tsr_tensor *tensor, tsr_message *error);

/** A file of tensors that is being written: their bytes, all 0 at first. */
typedef struct tsr_model_writer {
    tsr_model model; /* as it will be read again; of its tensors these are the bytes: */
    unsigned char *data;
    tsr_image image;
    bool archive; /* an .npz: the commit finds its sums, and reads all bytes */
} tsr_model_writer;

/** Creates a file for tensors of at most TSR_MAX_LEAVES dimensions. Of each tensor the call reads the name, the type,
 *  the rank and the extents. The file holds the largest element types first, and tensors of one size by name, as the
 *  format's own writer does; so each tensor is aligned to its elements.
 *  Errors  a name that occurs twice, is "__metadata__" or is not UTF-8; a type that safetensors does not have; elements
 *          that do not fill whole bytes. */
TSR_TRY bool tsr_safetensors_create(char const *path, tsr_model_tensor const *tensor, int count,
                                    tsr_model_note const *note, int notes, tsr_model_writer *writer,
                                    tsr_message *error);

/** The same as GGUF, version 3: f32, f16, bf16, f64, i8 to i64, in the order given, at multiples of the alignment.
 *  Tensors of blocks and of unknown types, as a GGUF file lists them, keep their format and take end - begin bytes: the
 *  caller copies these. `metadata` (NULL: none) is a model: the keys of a GGUF file are written as they are, the notes
 *  of another one as strings.
 *  Errors  a name that occurs twice, has more than 63 bytes or is not UTF-8; a type that GGUF does not have; more than
 *          4 dimensions; a general.alignment that is no power of two. */
TSR_TRY bool tsr_gguf_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                             tsr_model_writer *writer, tsr_message *error);

/** The same as .npz, in the order given: stored members, whose elements begin at multiples of 64 bytes.
 *  Errors  a name that occurs twice, is empty or is not UTF-8; a type that NumPy has no name for, as bf16. */
TSR_TRY bool tsr_npz_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model_writer *writer,
                            tsr_message *error);

/** Creates a file by the ending of its name, .safetensors, .gguf or .npz. Of `metadata`, as above, safetensors has the
 *  notes, and .npz nothing. */
TSR_TRY bool tsr_model_create(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                              tsr_model_writer *writer, tsr_message *error);

/** The elements of the tensor of that name, to be written through. */
TSR_TRY bool tsr_model_at(tsr_model_writer const *writer, char const *name, tsr_tensor *tensor, tsr_message *error);

/** Puts the file in the place of the target. Ends the writer, whether it succeeds or not. */
TSR_TRY bool tsr_model_commit(tsr_model_writer *writer, tsr_message *error);

/** Ends the writer and leaves the target as it was. */
TSR_API void tsr_model_discard(tsr_model_writer *writer);

TSR_HEADER_END

#endif
