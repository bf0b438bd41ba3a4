/** Texts of other systems: which system a text is of, and the way in and out. */
#include "convert/convert.h"

static char const *const names[] = {
#define X(id, name) #name,
    TSR_SYSTEM_LIST(X)
#undef X
};

tsr_system tsr_system_named(char const *name)
{
    int i = 0;
    while (i < TSR_SYSTEMS && strcmp(names[i], name) != 0)
        ++i;
    return (tsr_system)i;
}

char const *tsr_system_name(tsr_system system) { return system < TSR_SYSTEMS ? names[system] : ""; }

/** Is a text nothing but letters and numbers, in an order of letters: aBcd16b, nhwc, a? */
static bool is_tag(char const *text)
{
    static char const *const families[] = {"abcdefghijkl", "ncdhw", "goidhw"};
    size_t const n = strlen(text), letters = strspn(text, "abcdefghijklnowABCDEFGHIJKLNOW0123456789");
    if (n < 1 || letters != n || (text[0] >= '0' && text[0] <= '9'))
        return false;
    for (int f = 0; f < 3; ++f) {
        bool ok = true;
        for (char const *p = text; *p; ++p)
            ok = ok && ((*p >= '0' && *p <= '9') || strchr(families[f], *p | 32));
        if (ok)
            return true;
    }
    return false;
}

tsr_system tsr_system_of(char const *text)
{
    text += strspn(text, " \t\r\n");
    if (text[0] == '#' && (strstr(text, "#ttg.") || strstr(text, "#triton_gpu.")))
        return TSR_SYSTEM_TTG;
    if (tsr_is_cute_(text))
        return strncmp(text, "cute.", 5) == 0 ? TSR_SYSTEM_CUTEDSL : TSR_SYSTEM_CUTE;
    if (strncmp(text, "std::", 5) == 0 || strncmp(text, "layout_", 7) == 0)
        return TSR_SYSTEM_MDSPAN;
    if (strncmp(text, "rearrange(", 10) == 0 || strncmp(text, "repeat(", 7) == 0)
        return TSR_SYSTEM_EINOPS;
    if (strncmp(text, "MPI_", 4) == 0)
        return TSR_SYSTEM_MPI;
    if (tsr_is_tilelang_(text))
        return TSR_SYSTEM_TILELANG;
    if (text[0] == '{')
        return TSR_SYSTEM_ISL;
    if (tsr_is_gluon_(text))
        return TSR_SYSTEM_GLUON;
    if (strncmp(text, "shape=", 6) == 0 || strncmp(text, "shape =", 7) == 0)
        return TSR_SYSTEM_NUMPY;
    if (strncmp(text, "ne=", 3) == 0 || strncmp(text, "ne =", 4) == 0)
        return TSR_SYSTEM_GGML;
    if (text[0] == '-' && text[1] == ' ')
        return TSR_SYSTEM_TRITON;
    return is_tag(text) ? TSR_SYSTEM_ONEDNN : TSR_SYSTEMS;
}

bool tsr_convert_end_(writer *w, scan *s)
{
    if (w->used >= w->size)
        scan_fail(s, "the text is longer than its room");
    if (s->failed)
        writer_open(w, w->out, w->size);
    return !s->failed;
}

void tsr_layout_push_(tsr_tuple *shape, tsr_tuple *stride, tsr_tuple extents, tsr_tuple steps)
{
    if (extents.leaves == 0) {
        tsr_tuple_push_leaf(&extents, tsr_leaf_static(1));
        tsr_tuple_push_leaf(&steps, tsr_leaf_static(0));
    }
    bool const several = extents.leaves > 1;
    extents = several ? tsr_tuple_close(extents) : extents;
    steps = several ? tsr_tuple_close(steps) : steps;
    tsr_tuple_push(shape, &extents);
    tsr_tuple_push(stride, &steps);
}

tsr_layout tsr_layout_close_(tsr_tuple shape, tsr_tuple stride)
{
    return tsr_layout_checked(tsr_layout_unchecked(tsr_tuple_close(shape), tsr_tuple_close(stride)));
}

tsr_layout tsr_layout_of_(integers const *extent, integers const *step)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    for (int i = 0; i < extent->count; ++i) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(extent->at[i]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(step->at[i]));
    }
    return tsr_layout_close_(shape, stride);
}

bool tsr_layout_take_(tsr_layout const *l, integers *extent, integers *step, scan *s)
{
    extent->count = step->count = (int)tsr_layout_rank(*l);
    if (l->composed || tsr_has_basis(&l->stride))
        scan_fail(s, "a swizzled layout, or one of coordinates, has no strides of its modes");
    for (int i = 0; i < extent->count && !s->failed; ++i) {
        tsr_layout const mode = tsr_coalesce(tsr_static_all(tsr_mode(*l, i)));
        extent->at[i] = mode.shape.leaf[0].value;
        step->at[i] = mode.stride.leaf[0].value;
        if (mode.shape.leaves != 1)
            scan_fail(s, "mode %d has %d strides, but a dimension has one", i, mode.shape.leaves);
    }
    return !s->failed;
}

bool tsr_convert_read(tsr_system from, char const *text, tsr_tuple shape, int64_t bytes, tsr_converted *r,
                      tsr_message *error)
{
    scan s = tsr_scan_open_(text, strlen(text), error);
    tsr_converted const none = TSR_ZERO;
    *r = none;
    if (shape.status)
        scan_refuse(&s, tsr_tuple_why(shape));
    else if (from == TSR_SYSTEM_TRITON)
        tsr_read_dump_(&s, &r->map);
    else if (from == TSR_SYSTEM_TTG || from == TSR_SYSTEM_TTG_NAMED || from == TSR_SYSTEM_GLUON)
        tsr_read_ttg_(&s, shape, r);
    else if (from == TSR_SYSTEM_NUMPY || from == TSR_SYSTEM_GGML)
        tsr_read_strides_(&s, from, bytes, &r->layout);
    else if (from == TSR_SYSTEM_CUTE || from == TSR_SYSTEM_CUTEDSL)
        tsr_read_cute_(&s, &r->layout);
    else if (from == TSR_SYSTEM_MDSPAN)
        tsr_read_mdspan_(&s, &r->layout);
    else if (from == TSR_SYSTEM_EINOPS)
        tsr_read_einops_(&s, shape, &r->layout);
    else if (from == TSR_SYSTEM_ISL)
        tsr_read_isl_(&s, &r->layout);
    else if (from == TSR_SYSTEM_TILELANG)
        tsr_read_tilelang_(&s, shape, bytes, r);
    else if (from == TSR_SYSTEM_MPI)
        tsr_read_mpi_(&s, bytes, &r->layout);
    else if (from == TSR_SYSTEM_CK)
        scan_fail(&s, "encodings and descriptors are expressions: dist{..}, naive(..)");
    else if (from == TSR_SYSTEM_ONEDNN)
        tsr_read_tag_(&s, shape, &r->layout);
    else
        scan_fail(&s, "there is no such system");
    r->is_map = r->is_map || from == TSR_SYSTEM_TRITON;
    scan_end(&s);
    tsr_reason const why = r->is_map ? r->map.why : tsr_layout_why(r->layout);
    if (!s.failed && why.status)
        scan_refuse(&s, why);
    return !s.failed;
}

/** Shared memory of Triton, from offsets to coordinates, is to others the layout of its coordinates: the inverse. */
static tsr_linear memory_of(tsr_linear const *f)
{
    bool const shared = f->in.count > 0 && strcmp(f->in.name[0], "offset") == 0
                        && tsr_linear_bits(&f->in) == f->in.bits[0] && strcmp(f->out.name[0], "dim0") == 0;
    tsr_linear const inverse = shared ? tsr_linear_left_inverse(tsr_linear_select_ins(*f, tsr_s(0))) : *f;
    return inverse.why.status ? *f : inverse;
}

bool tsr_convert_write(char *out, size_t size, tsr_system to, tsr_converted const *v, int64_t bytes,
                       tsr_message *error)
{
    writer w;
    scan s = tsr_scan_open_("", 0, error);
    bool const distributed = to == TSR_SYSTEM_TTG || to == TSR_SYSTEM_TTG_NAMED || to == TSR_SYSTEM_GLUON;
    bool const map = to == TSR_SYSTEM_TRITON || distributed;
    tsr_linear f = v->map;
    tsr_layout l = v->layout;
    writer_open(&w, out, size);
    bool const either = to == TSR_SYSTEM_CK || to == TSR_SYSTEM_TILELANG;
    if (map && !v->is_map)
        f = distributed && tsr_has_basis(&l.stride) ? tsr_fragment_map_(&l) : tsr_linear_of_layout(l);
    if (distributed && !f.why.status && tsr_is_fragment_(&f))
        f = tsr_distributed_of_(&f, &s);
    if (!map && !either && v->is_map)
        l = tsr_linear_to_layout(memory_of(&f));
    tsr_reason const why = map || (either && v->is_map) ? f.why : tsr_layout_why(l);
    if (why.status && !s.failed)
        scan_refuse(&s, why);
    if (s.failed)
        return false;
    if (to == TSR_SYSTEM_TRITON)
        tsr_write_dump_(&w, &f);
    else if (to == TSR_SYSTEM_TTG)
        tsr_write_ttg_(&w, &f, &s);
    else if (to == TSR_SYSTEM_TTG_NAMED)
        tsr_write_ttg_named_(&w, &f, &s);
    else if (to == TSR_SYSTEM_GLUON)
        tsr_write_gluon_(&w, &f, &s);
    else if (to == TSR_SYSTEM_CUTE)
        tsr_write_cute_(&w, &l, &s);
    else if (to == TSR_SYSTEM_CUTEDSL)
        tsr_write_cutedsl_(&w, &l, &s);
    else if (to == TSR_SYSTEM_MDSPAN)
        tsr_write_mdspan_(&w, &l, &s);
    else if (to == TSR_SYSTEM_CK)
        tsr_write_ck_(&w, v, &s);
    else if (to == TSR_SYSTEM_NUMPY || to == TSR_SYSTEM_GGML)
        tsr_write_strides_(&w, to, &l, bytes, &s);
    else if (to == TSR_SYSTEM_ONEDNN)
        tsr_write_tag_(&w, &l, &s);
    else if (to == TSR_SYSTEM_ISL)
        tsr_write_isl_(&w, &l, &s);
    else if (to == TSR_SYSTEM_TILELANG)
        tsr_write_tilelang_(&w, v, &s);
    else if (to == TSR_SYSTEM_MPI)
        tsr_write_mpi_(&w, &l, bytes, &s);
    else if (to == TSR_SYSTEM_EINOPS)
        scan_fail(&s, "patterns of einops are read only");
    else
        scan_fail(&s, "there is no such system");
    return tsr_convert_end_(&w, &s);
}
