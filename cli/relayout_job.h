/** The work of tessera relayout on files that are open. */
#ifndef TSR_CLI_RELAYOUT_JOB_H
#define TSR_CLI_RELAYOUT_JOB_H

#include "relayout.h"
#include "relayout_meter.h"

typedef struct relayout_job {
    options const *o;
    char const *tensors; /* patterns of the tensors that are meant; NULL: all */
    bool one;            /* it is the name of a tensor */
    bool only, plan, verify, progress;
    int64_t memory; /* bytes of the files that may be in memory at a time, about */
    char const *in, *out;
    FILE *words; /* standard output, unless the result goes there */
    meter meter;
    int64_t touched;                 /* bytes, since the files were forgotten */
    tsr_bytes const *from, *written; /* the input; the output, when it is read again */
    tsr_image const *to;             /* the output, while it is written */
    tsr_message error;               /* one for all of 4 kB each: the loops need the stack */
} relayout_job;

/** "path: type layout" of an array, or "  name: .." of a tensor. */
void relayout_describe(relayout_job const *j, char const *indent, char const *name, tsr_tensor t);

/** The elements of `in` into `out`, which is all 0. False: complains. */
bool relayout_elements(relayout_job *j, relayout const *r, tsr_tensor in, tsr_tensor out);

/** As many bytes as they are. */
bool relayout_bytes(relayout_job *j, void *to, void const *from, uint64_t bytes);

/** Compares what was written. False: complains. */
bool relayout_compare(relayout_job *j, relayout const *r, tsr_tensor in, tsr_tensor out);
bool relayout_compare_bytes(relayout_job *j, char const *name, void const *a, void const *b, uint64_t bytes);

/** Whether the output, which is open for writing, can be verified afterwards and was not interrupted. */
bool relayout_may_go_on(relayout_job const *j);

/** From one array, of a file of its own or of tensors, to an .npy file. */
bool relayout_array(relayout_job *j, tsr_tensor in);

/** From one array to .npy files of the parts that ranks have: of all, or of the one that runs. */
bool relayout_parts(relayout_job *j, tsr_tensor in);

/** From the .npy files of parts, as --from says, to one array, or to parts. */
bool relayout_from_parts(relayout_job *j, tsr_dtype type);

/** From tensors to a .safetensors file: those that are meant are changed, the others copied. */
bool relayout_model(relayout_job *j, tsr_model const *model);

/** Lists the names of the tensors on standard error. */
void relayout_list_tensors(tsr_model const *model);

/** Complains that --tensor names none of the tensors, which may be meant, and what there is. */
void relayout_unknown_tensor(relayout_job const *j, tsr_model const *model);

/** Whether the name is the one that is meant, or a pattern of the list "a,b.*" matches it. */
bool relayout_means(relayout_job const *j, char const *name);

#endif
