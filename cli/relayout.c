/** tessera relayout: arrays permuted, tiled, laid out by a layout, or converted, from file to file. */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "output.h"
#include "relayout_job.h"
#include "usage.h"

/** An eighth of the machine's memory, at least 256 MB: files that are smaller are done at one go. */
static int64_t usual_memory(void)
{
    int64_t const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), least = (int64_t)1 << 28;
    return pages > 0 && page > 0 && pages / 8 * page > least ? pages / 8 * page : least;
}

/** Reads the options; false when they are misused, which was said. */
static bool read_options(relayout_job *j, int n, tsr_dtype *type)
{
    options const *const o = j->o;
    char const *const memory = option_of(o, "--memory");
    j->tensors = option_of(o, "--tensor");
    j->only = option_of(o, "--only") != NULL;
    j->verify = option_of(o, "--verify") != NULL;
    j->plan = option_of(o, "--plan") != NULL;
    j->progress = option_of(o, "--progress") != NULL;
    j->memory = memory ? size_of_text(memory) : usual_memory();
    if (!type_of_option(o, "--type", 0, type))
        return false;
    if (n != 2)
        return misuse(o, "relayout needs an input and an output file"), false;
    if (option_of(o, "--tile") && option_of(o, "--layout"))
        return misuse(o, "--tile and --layout exclude each other"), false;
    if (option_of(o, "--rank") && !option_of(o, "--dist"))
        return misuse(o, "--rank needs --dist, which says what each rank holds"), false;
    if (j->only && !j->tensors)
        return misuse(o, "--only needs --tensor, which says what stays"), false;
    if (j->memory <= 0)
        return misuse(o, "--memory %s: a size is a positive integer and K, M, G or nothing", memory), false;
    return true;
}

/** Does a path end in a dot and letters that name no format of the output? A device, a pipe or a name without an ending
 *  gets an .npy file. */
static bool names_no_format(char const *path)
{
    char const *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    char const *const dot = strrchr(name, '.');
    return dot && dot > name && !has_ending(name, ".npy") && !tsr_model_is_path(name);
}

/** The one tensor that is meant, as an array. */
static bool tensor_to_array(relayout_job *j, tsr_model const *model)
{
    tsr_tensor in;
    tsr_model_tensor const *t = NULL;
    int meant = 0;
    for (int i = 0; i < model->count; ++i)
        if (relayout_means(j, model->tensor[i].name)) {
            t = &model->tensor[i];
            ++meant;
        }
    if (meant == 0 && j->tensors)
        return relayout_unknown_tensor(j, model), false;
    if (meant != 1) {
        complain(j->o, "%s: an .npy file holds one array, but %d tensors are meant: choose one by --tensor NAME",
                 j->out, meant);
        return relayout_list_tensors(model), false;
    }
    if (!array_of_model(model, t, &in, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    return relayout_array(j, in);
}

static bool from_model(relayout_job *j)
{
    static tsr_model model;
    if (!tsr_model_open(j->in, &model, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    j->from = &model.bytes;
    j->one = j->tensors && tsr_model_find(&model, j->tensors) >= 0;
    bool const model_out = tsr_model_is_path(j->out) && !option_of(j->o, "--dist");
    bool const ok = model_out ? relayout_model(j, &model) : tensor_to_array(j, &model);
    tsr_model_close(&model);
    return ok;
}

static bool from_array(relayout_job *j, tsr_dtype type)
{
    static tsr_file file;
    if (tsr_model_is_path(j->out) && !option_of(j->o, "--dist"))
        return complain(j->o,
                        "%s: an array cannot become a file of tensors, which takes the tensors of another one; "
                        "use .npy",
                        j->out),
               false;
    if (!tsr_npy_open_field(j->in, j->tensors, type, &file, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    j->from = &file.bytes;
    if (file.npy.dimensions > TSR_MAX_LEAVES)
        fprintf(j->words,
                "%d dimensions are read as %d: those of one index are left out, and of more than %d the last ones "
                "joined\n",
                file.npy.dimensions, file.npy.rank, TSR_MAX_LEAVES);
    bool const ok = relayout_array(j, array_of_file(&file));
    tsr_file_close(&file);
    return ok;
}

int command_relayout(options const *o, int n, char **argument)
{
    static relayout_job j; /* large values of the way to the loops, which need the stack, are static */
    tsr_dtype type = 0;
    memset(&j, 0, sizeof j);
    j.o = o;
    if (!read_options(&j, n, &type))
        return MISUSE;
    j.in = strcmp(argument[0], "-") == 0 ? "/dev/stdin" : argument[0];
    j.out = strcmp(argument[1], "-") == 0 ? "/dev/stdout" : argument[1];
    bool const model = tsr_model_is_path(j.in);
    if (names_no_format(j.out))
        return misuse(o, "%s: which format? Name the output .npy, or .safetensors, .gguf or .npz for tensors", j.out),
               MISUSE;
    if (j.only && !model)
        return misuse(o, "--only is for a file of tensors, and for one that is written"), MISUSE;
    if (j.tensors && option_of(o, "--from"))
        return misuse(o, "--tensor names a field of an array, or tensors of a file, and --from reads parts"), MISUSE;
    if (model && option_of(o, "--from"))
        return misuse(o, "--from reads the parts of ranks, which are .npy files"), MISUSE;
    if (model && type)
        return misuse(o, "--type is for the raw bytes of an .npy file"), MISUSE;
    j.words = is_standard_output(j.out) ? stderr : stdout;
    interrupt_waits(true);
    signal(SIGPIPE, SIG_IGN); /* who reads the meter, or the output, may go: an error, not an end in the middle */
    bool const ok = option_of(o, "--from") ? relayout_from_parts(&j, type)
                    : model                ? from_model(&j)
                                           : from_array(&j, type);
    interrupt_waits(false);
    return ok ? DONE : FAILED;
}
