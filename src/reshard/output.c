/** Files of the target, as they are written and read again. */
#define _GNU_SOURCE /* strdup */
#define _FILE_OFFSET_BITS 64
#include "reshard/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/npy_header.h"
#include "tessera/core/layout.h"

/** The folders of a path. */
bool tsr_reshard_folders_(char const *path, tsr_message *error)
{
    char *const folder = strdup(path);
    bool ok = folder != NULL;
    for (char *p = folder ? strchr(folder + 1, '/') : NULL; ok && p; p = strchr(p + 1, '/')) {
        *p = 0;
        ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
        if (!ok)
            (void)(tsr_io_fail_(error, "cannot be made: %s", strerror(errno)) || tsr_io_fail_at_(error, folder));
        *p = '/';
    }
    free(folder);
    return ok;
}

/** The place of the tensor that a target has in a file. */
static bool place_in_file(tsr_reshard const *r, reshard_file const *f, reshard_target const *g, reshard_place *place,
                          tsr_message *error)
{
    reshard_tensor const *const t = tsr_reshard_member_(r, g, 0);
    int64_t sub = 0;
    return tsr_reshard_holds_(r, t, 1, f->rank, &sub) && tsr_reshard_place_(r, t, 1, sub, place, error);
}

static bool begin_array(tsr_reshard const *r, reshard_file const *f, tsr_npy_writer *w, tsr_message *error)
{
    reshard_target const *const g = &r->target[r->listed[f->first]];
    reshard_place place;
    tsr_tuple shape = TSR_ZERO;
    if (!place_in_file(r, f, g, &place, error))
        return false;
    for (int m = 0; m < place.modes; ++m)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(place.extent[m]));
    return tsr_npy_create(f->path, tsr_reshard_member_(r, g, 0)->to, tsr_tuple_close(shape), TSR_C_ORDER, w, error);
}

/** The tensors of a file, as its header lists them. */
static bool begin_named(tsr_reshard const *r, reshard_file const *f, tsr_model_writer *w, tsr_message *error)
{
    tsr_model_tensor *const list = (tsr_model_tensor *)calloc((size_t)f->count + 1, sizeof *list);
    tsr_model const *const notes = r->sources > 0 ? &r->source[0].model : NULL;
    bool ok = list || tsr_io_fail_(error, "out of memory for %d tensors", f->count);
    for (int i = 0; ok && i < f->count; ++i) {
        reshard_target const *const g = &r->target[r->listed[f->first + i]];
        reshard_place place;
        ok = place_in_file(r, f, g, &place, error);
        list[i].name = g->name;
        list[i].type = tsr_reshard_member_(r, g, 0)->to;
        list[i].rank = place.modes;
        memcpy(list[i].extent, place.extent, sizeof place.extent);
    }
    ok = ok
         && tsr_safetensors_create(f->path, list, f->count, notes ? notes->note : NULL, notes ? notes->notes : 0, w,
                                   error);
    free(list);
    return ok;
}

bool tsr_reshard_output_open_(tsr_reshard const *r, reshard_file const *f, reshard_output *out, tsr_message *error)
{
    out->npy = tsr_reshard_is_npy_(r->spec[1]);
    return tsr_reshard_folders_(f->path, error)
           && (out->npy ? begin_array(r, f, &out->array, error) : begin_named(r, f, &out->named, error));
}

tsr_image const *tsr_reshard_output_image_(reshard_output const *out)
{
    return out->npy ? &out->array.image : &out->named.image;
}

uint64_t tsr_reshard_output_at_(reshard_output const *out, char const *name)
{
    tsr_image const *const image = tsr_reshard_output_image_(out);
    if (out->npy) /* an array without elements is a header alone */
        return out->array.tensor.engine.address ? out->array.tensor.engine.address - (uint64_t)(uintptr_t)image->map
                                                : image->size;
    int const index = tsr_model_find(&out->named.model, name);
    return (uint64_t)(out->named.data - (unsigned char *)image->map) + out->named.model.tensor[index].begin;
}

bool tsr_reshard_output_commit_(reshard_output *out, tsr_message *error)
{
    return out->npy ? tsr_npy_commit(&out->array, error) : tsr_model_commit(&out->named, error);
}

void tsr_reshard_output_discard_(reshard_output *out)
{
    if (out->npy)
        tsr_npy_discard(&out->array);
    else
        tsr_model_discard(&out->named);
}

bool tsr_reshard_output_read_(tsr_reshard const *r, reshard_file const *f, tsr_model *m, tsr_message *error)
{
    return tsr_reshard_is_npy_(r->spec[1])
               ? tsr_npy_open_model_(f->path, r->target[r->listed[f->first]].name, m, error)
               : tsr_safetensors_open(f->path, m, error);
}
