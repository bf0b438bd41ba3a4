/** A file of the target: .safetensors, or the .npy of one tensor. */
#ifndef TSR_SRC_RESHARD_OUTPUT_H
#define TSR_SRC_RESHARD_OUTPUT_H

#include "reshard/reshard.h"

typedef struct reshard_output {
    bool npy;
    tsr_model_writer named;
    tsr_npy_writer array;
} reshard_output;

/** Begins a file, whose folders are made. */
bool tsr_reshard_output_open_(tsr_reshard const *r, reshard_file const *f, reshard_output *out, tsr_message *error);

/** The bytes that are written, and where those of a tensor begin. */
tsr_image const *tsr_reshard_output_image_(reshard_output const *out);
uint64_t tsr_reshard_output_at_(reshard_output const *out, char const *name);

/** Puts the file in its place; leaves it as it was. */
bool tsr_reshard_output_commit_(reshard_output *out, tsr_message *error);
void tsr_reshard_output_discard_(reshard_output *out);

/** Opens a file that was written. */
bool tsr_reshard_output_read_(tsr_reshard const *r, reshard_file const *f, tsr_model *m, tsr_message *error);

/** The folders of a path. */
bool tsr_reshard_folders_(char const *path, tsr_message *error);

#endif
