/** Checkpoints of models from N files to M files: what each rank held, in files of what each rank is to hold.
 *
 *      char const *from[] = {"llama-tp4"};
 *      tsr_reshard_options o = {from, 1, "llama-tp8", tsr_reshard_spec_read("vllm tp:4", &error),
 *                               tsr_reshard_spec_read("vllm tp:8", &error)};
 *      tsr_reshard *r = tsr_reshard_open(&o, &error);
 *      if (r && tsr_reshard_report_of(r).problems == 0 && tsr_reshard_run(r, NULL, NULL, &error))
 *          ...
 *      tsr_reshard_close(r);
 *
 *  A checkpoint is .safetensors or .npy files and a spec, which says what of each tensor each rank holds.
 *  docs/reshard.md has the grammar of specs, and examples.
 *
 *  Law     Element i of a tensor of the target is element i of the tensor of the same name of the source, cast where a
 *          cast is asked for. Rows that padding adds are 0. The bytes written are those of the target's spec, and the
 *          bytes read are the elements that a plan of the mesh needs: each once, from one rank that has it.
 *  Files   Each file appears whole, or not at all, and an index last. A run that was ended goes on: files that are
 *          whole stay, if nothing that the plan depends on has changed. A plan file beside them, tessera-reshard.plan,
 *          tells.
 *  Memory  at most `memory` bytes of buffers and mapped files, about; at least a buffer of 64 kB a thread.
 *  Errors  NULL or false, and a message that names the tensor, the file and the numbers.
 */
#ifndef TSR_RESHARD_H
#define TSR_RESHARD_H

#include "tessera/io.h"

TSR_HEADER_BEGIN

/* Specs */

/** What each rank of a checkpoint holds, and in which files. */
typedef struct tsr_reshard_spec tsr_reshard_spec;

/** Reads a spec: a text of lines; the name of a preset or of a file, and behind it sizes of the mesh: "vllm tp:8". A
 *  text with a line break is a text of lines. A failure names the line. */
TSR_TRY tsr_reshard_spec *tsr_reshard_spec_read(char const *text, tsr_message *error);
TSR_API void tsr_reshard_spec_free(tsr_reshard_spec *spec);

/** The text of a preset, to be printed and edited; NULL: no preset has that name. */
TSR_API char const *tsr_reshard_preset(char const *name);

/** The name of preset i; NULL: there are no more. */
TSR_API char const *tsr_reshard_preset_name(int i);

/* Plans */

/** A cast of the tensors that a pattern of names matches ("*": all). Integers and quantised tensors stay. */
typedef struct tsr_reshard_cast {
    char const *pattern;
    tsr_dtype type;
} tsr_reshard_cast;

/** Which copies that ranks hold of one tensor are compared: those of at most 1 MB, all, or none. */
typedef enum tsr_reshard_replicas { TSR_RESHARD_SMALL, TSR_RESHARD_ALL, TSR_RESHARD_NONE } tsr_reshard_replicas;

/** What is asked for. Zeros are defaults. */
typedef struct tsr_reshard_options {
    char const *const *from; /* folders, or files */
    int count;
    char const *to; /* a folder; or, where the target is one file, a name that ends in .safetensors */
    tsr_reshard_spec const *from_spec, *to_spec;
    tsr_reshard_cast const *cast; /* the first one that matches */
    int casts;
    int64_t memory;     /* bytes; 0: 512 MB */
    int64_t shard_size; /* most bytes of tensors of a file, where the target's names have {part}; 0: 5 GB */
    tsr_reshard_replicas replicas;
} tsr_reshard_options;

/** Open sources, and the plan from them to the target. */
typedef struct tsr_reshard tsr_reshard;

/** Opens the sources, matches names and plans. Nothing is written. What is wrong with the checkpoint does not fail
 *  here: it is listed as problems. The options are copied; the specs must stay until the close. NULL: a file cannot be
 *  read, or a spec does not fit. */
TSR_TRY tsr_reshard *tsr_reshard_open(tsr_reshard_options const *options, tsr_message *error);
TSR_API void tsr_reshard_close(tsr_reshard *r);

/** What a plan does. Bytes are those of tensors, without the headers of files. */
typedef struct tsr_reshard_report {
    int64_t tensors;        /* of the checkpoint, whole */
    int64_t sources, files; /* that are read, and written */
    int64_t parts[2];       /* tensors in these files */
    int64_t bytes_there, bytes_read, bytes_written;
    int64_t bytes_compared; /* of replicas */
    int64_t kept;           /* files that an ended run has left, whole */
    int64_t ranks[2];
    int64_t problems;
} tsr_reshard_report;

TSR_API tsr_reshard_report tsr_reshard_report_of(tsr_reshard const *r);

/* clang-format off */
/** X(id, word): what can be wrong with a checkpoint. */
#define TSR_RESHARD_PROBLEM_LIST(X)    \
  X(MISSING, "missing")                \
  X(TWICE, "twice")                    \
  X(UNEQUAL, "unequal")                \
  X(SHAPE, "another shape")            \
  X(UNMATCHED, "no rule")              \
  X(BLOCKS, "cut inside of a block")   \
  X(TYPE, "another type")
/* clang-format on */

typedef enum tsr_reshard_problem_kind {
#define TSR_X_(id, word) TSR_RESHARD_##id,
    TSR_RESHARD_PROBLEM_LIST(TSR_X_)
#undef TSR_X_
        TSR_RESHARD_PROBLEMS
} tsr_reshard_problem_kind;

typedef struct tsr_reshard_problem {
    tsr_reshard_problem_kind kind;
    char const *tensor; /* its name in the source */
    char const *text;   /* one sentence */
} tsr_reshard_problem;

/** Problem i of the report. A plan with problems does not run. */
TSR_API tsr_reshard_problem tsr_reshard_problem_at(tsr_reshard const *r, int64_t i);

/** The mapped bytes of source i; NULL: there are no more. A program that other programs shorten files under watches
 *  these. */
TSR_API tsr_bytes const *tsr_reshard_source(tsr_reshard const *r, int64_t i);

/** The path of file i of the target, and its bytes; NULL: there are no more. */
TSR_API char const *tsr_reshard_file(tsr_reshard const *r, int64_t i, int64_t *bytes);

/** Writes the files, in threads. `told(context, bytes, done, all)` (NULL: nobody) is called by one thread at a time, of
 *  bytes that were written; false ends the run, which a later run goes on with.
 *  Errors  a problem; what reading and writing of files says; a run that `told` has ended. */
TSR_TRY bool tsr_reshard_run(tsr_reshard *r, tsr_progress told, void *context, tsr_message *error);

/** Reads what was written, and compares each element with its source. Where an element is comes from its index (as
 *  tsr_dist_at has it), and not from the plan. `told` is as that of the run. */
TSR_TRY bool tsr_reshard_verify(tsr_reshard *r, tsr_progress told, void *context, tsr_message *error);

TSR_HEADER_END

#endif
