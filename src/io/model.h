/** Files of named tensors: what safetensors and GGUF have in common. */
#ifndef TSR_SRC_IO_MODEL_H
#define TSR_SRC_IO_MODEL_H

#include "io/file.h"

/** The longest header that safetensors allows. */
#define SAFETENSORS_LONGEST_HEADER 100000000u

/** Room for one more tensor, all 0; NULL without memory. */
tsr_model_tensor *tsr_model_add_tensor_(tsr_model *m);

/** One more note; false without memory. */
bool tsr_model_add_note_(tsr_model *m, tsr_model_note note);

/** Each key stands once. Drops the keys that have no value. */
bool tsr_model_notes_once_(tsr_model *m, tsr_message *error);

/** Each name stands once; lists the names in their order. The tensors must stay where they are then. */
bool tsr_model_names_once_(tsr_model *m, tsr_message *error);

/** Each name stands once, and the tensors cover the `there` bytes of data, each at most once and at a multiple of the
 *  alignment, with no more between and behind them than brings to the next multiple. Leaves them in the order of their
 *  data, and lists the names. */
bool tsr_model_check_(tsr_model *m, uint64_t there, uint64_t alignment, tsr_message *error);

/** Turns their elements from the order of the machine to little-endian ones, or back. */
void tsr_model_swap_(tsr_model const *m, unsigned char *data);

/** Reads and judges a header: lists the tensors in an empty model, says at which byte the data begin and how many bytes
 *  they have. */
typedef bool (*model_judge)(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error);

bool tsr_safetensors_judge_(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error);
bool tsr_gguf_judge_(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error);

/** The tensors in memory of the caller's; of a source, which stays open; of a file, which failures name. */
bool tsr_model_view_(void const *data, uint64_t size, model_judge judge, tsr_model *m, tsr_message *error);
bool tsr_model_read_(io_source *source, model_judge judge, tsr_model *m, tsr_message *error);
bool tsr_model_open_(char const *path, model_judge judge, tsr_model *m, tsr_message *error);

/** How files of tensors end, who opens and who writes them. */
typedef struct model_format {
    char const *ending;
    bool (*open)(char const *path, tsr_model *model, tsr_message *error);
    bool (*create)(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                   tsr_model_writer *writer, tsr_message *error);
} model_format;

/** The format that a path ends like; NULL: there is none. */
model_format const *tsr_model_format_of_(char const *path);

bool tsr_safetensors_create_(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                             tsr_model_writer *writer, tsr_message *error);

bool tsr_npz_create_(char const *path, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_model_writer *writer, tsr_message *error);

/** The sums of an archive whose elements are all there, and its directory. */
void tsr_npz_finish_(tsr_model_writer *writer);

/** The tensor of that name, whose data are there. */
bool tsr_model_get_(tsr_model const *m, char const *name, unsigned char const *data, bool constant,
                    tsr_tensor *tensor, tsr_message *error);

/** Copies into an empty writer what is to be written, names and texts in memory of its own. */
bool tsr_model_keep_(tsr_model_writer *writer, tsr_model_tensor const *tensor, int count, tsr_model const *metadata,
                     tsr_message *error);

/** The elements of the shape; false: an extent is negative, or they are too many. */
bool tsr_model_count_(tsr_model_tensor *t, tsr_message *error);

/** Sorts tensors: by decreasing sizes of elements, then by names. */
void tsr_model_sort_for_writing_(tsr_model *m);

#endif
