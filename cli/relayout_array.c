/** tessera relayout into an .npy file. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "relayout_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"

/** Copies into a new file. Opens it again, unless it is a stream, whose `file` stays empty. */
static bool write_array(relayout_job *j, relayout const *r, tsr_tensor in, tsr_file *file)
{
    static tsr_npy_writer w;
    double const bytes = (double)tsr_layout_size(in.layout) * tsr_dtype_bits(in.engine.type) / 8;
    memset(file, 0, sizeof *file);
    if (!tsr_npy_create(j->out, r->type, r->shape, TSR_C_ORDER, &w, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    j->to = &w.image;
    j->meter = meter_begin(j->progress, bytes);
    bool const copied = relayout_may_go_on(j) && (bytes == 0 || relayout_elements(j, r, in, w.tensor));
    if (!copied || !relayout_may_go_on(j)) {
        tsr_npy_discard(&w);
        return false;
    }
    bool const stream = !w.image.output.temporary;
    double const copied_in = meter_seconds(&j->meter);
    char *const target = stream ? NULL : strdup(w.image.output.target); /* the path may mean another file by then */
    if (stream && bytes == 0)
        w.tensor.layout = tsr_layout_unchecked(r->shape, r->shape);
    if (stream)
        relayout_describe(j, "", j->out, w.tensor);
    bool ok = tsr_npy_commit(&w, &j->error);
    j->to = NULL;
    if (ok)
        meter_end(&j->meter, copied_in);
    if (ok && !stream)
        ok = tsr_npy_open_as(target ? target : j->out, r->type, file, &j->error);
    free(target);
    return ok ? true : (complain(j->o, "%s", j->error.text), false);
}

/** Says what the output is, and compares it when that is asked for. */
static bool check_array(relayout_job *j, relayout const *r, tsr_tensor in, tsr_file const *file)
{
    int64_t const size = tsr_layout_size(in.layout), padded = file->npy.elements - size;
    relayout_describe(j, "", j->out, array_of_file(file));
    if (padded > 0)
        fprintf(j->words, "%lld elements are 0, no element of the array goes there\n", (long long)padded);
    j->written = &file->bytes;
    if (j->verify && size > 0 && !relayout_compare(j, r, in, file->tensor))
        return false;
    if (j->verify)
        fprintf(j->words, "verified: %lld elements\n", (long long)size);
    return true;
}

bool relayout_array(relayout_job *j, tsr_tensor in)
{
    static relayout r;
    static tsr_file file;
    relayout_describe(j, "", j->in, in);
    if (option_of(j->o, "--dist"))
        return relayout_parts(j, in);
    if (!relayout_take(j->o, &in, &r))
        return false;
    if (option_of(j->o, "--slice"))
        relayout_describe(j, "", "part", in);
    if (!write_array(j, &r, in, &file))
        return false;
    interrupt_waits(false);
    bool const ok = !file.bytes.data || check_array(j, &r, in, &file);
    tsr_file_close(&file);
    return ok;
}
