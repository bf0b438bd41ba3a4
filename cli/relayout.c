/** tessera relayout: an array permuted, tiled, laid out by a layout, or converted, from one .npy file to another. */
#define _POSIX_C_SOURCE 200809L /* isatty, sigaction, clock_gettime */

#include "relayout.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tessera/text.h"

/* What is asked for. Each function complains and returns false when it cannot be done. */

/** The integers of "a,b,..", "(a,b,..)" or an expression for such a tuple: one an axis. */
static bool parse_axes(options const *o, char const *option, char const *text, int rank, int64_t *out)
{
    char wrapped[TSR_TEXT_SIZE];
    tsr_text_error error;
    tsr_tuple t = tsr_parse_tuple(text, 0, &error);
    if (t.status && strchr(text, ',') && strlen(text) + 3 < sizeof wrapped) {
        snprintf(wrapped, sizeof wrapped, "(%s)", text);
        t = tsr_parse_tuple(wrapped, 0, &error);
    }
    if (t.status)
        return complain(o, "%s: %s", option, error.text), false;
    bool flat = (tsr_is_unit(&t) ? 0 : t.leaves) == tsr_rank_of_(&t);
    for (int i = 0; flat && i < tsr_rank_of_(&t); ++i)
        flat = tsr_leaf_is_int(t.leaf[i]);
    if (!flat || tsr_rank_of_(&t) != rank)
        return complain(o, "%s needs one integer for each of the %d axes, not %s", option, rank, text), false;
    for (int i = 0; i < rank; ++i)
        out[i] = t.leaf[i].value;
    return true;
}

/** The view: the array with its axes permuted. */
static bool take_view(options const *o, char const *permute, tsr_tensor const *in, relayout *r)
{
    int64_t axis[TSR_MAX_LEAVES] = {0};
    bool seen[TSR_MAX_LEAVES] = {false};
    r->rank = tsr_rank_of_(&in->layout.shape);
    if (permute && !parse_axes(o, "--permute", permute, r->rank, axis))
        return false;
    for (int i = 0; i < r->rank; ++i) {
        int64_t const p = !permute ? i : axis[i] < 0 ? axis[i] + r->rank : axis[i];
        if (p < 0 || p >= r->rank || seen[p])
            return complain(o, "--permute %s: each of the axes 0 to %d must stand there once", permute, r->rank - 1),
                   false;
        seen[p] = true;
        r->permute[i] = (int)p;
        r->extent[i] = in->layout.shape.leaf[p].value;
        r->stride[i] = in->layout.stride.leaf[p].value;
        tsr_push_leaf_(&r->shape, tsr_leaf_dynamic(r->extent[i]));
    }
    r->shape = tsr_close_(r->shape);
    return true;
}

static bool take_tile(options const *o, char const *tile, relayout *r)
{
    tsr_tuple tiles = TSR_ZERO, inside = TSR_ZERO;
    if (!parse_axes(o, "--tile", tile, r->rank, r->tile))
        return false;
    for (int i = 0; i < r->rank; ++i) {
        if (r->tile[i] <= 0)
            return complain(o, "--tile: extent %lld of axis %d is not positive", (long long)r->tile[i], i), false;
        tsr_push_leaf_(&tiles, tsr_leaf_dynamic((r->extent[i] - 1) / r->tile[i] + 1));
        tsr_push_leaf_(&inside, tsr_leaf_dynamic(r->tile[i]));
    }
    if (2 * r->rank > TSR_MAX_LEAVES)
        return complain(o, "--tile: %d axes become %d, at most %d fit", r->rank, 2 * r->rank, TSR_MAX_LEAVES), false;
    tsr_push_(&tiles, &inside);
    r->kind = RELAYOUT_TILED;
    r->shape = tsr_close_(tiles);
    return true;
}

/** The greatest offset, exactly; negative when an offset is. */
static int64_t greatest_offset(tsr_layout l)
{
    int64_t const size = tsr_layout_size(l);
    tsr_walk w = tsr_walk_begin(l);
    int64_t greatest = w.offset;
    for (int64_t i = 0; i < size && greatest >= 0; ++i, tsr_walk_next(&w))
        greatest = w.offset < 0 ? w.offset : tsr_max64(greatest, w.offset);
    return greatest;
}

static bool take_layout(options const *o, char const *text, relayout *r)
{
    char reason[TSR_TEXT_SIZE];
    tsr_text_error error;
    tsr_layout const l = tsr_parse_layout(text, o->flags | TSR_TEXT_SHAPES, &error);
    if (l.shape.status)
        return complain(o, "--layout: %s", error.text), false;
    int const modes = tsr_rank_of_(&l.shape);
    if (modes != r->rank)
        return complain(o, "--layout: the layout has %d modes, the array %d axes", modes, r->rank), false;
    for (int i = 0; i < modes; ++i) {
        long long const size = tsr_size_tuple(tsr_tuple_get(l.shape, i));
        if (size != r->extent[i])
            return complain(o, "--layout: mode %d has %lld elements, axis %d of the array %lld", i, size, i,
                            (long long)r->extent[i]),
                   false;
    }
    if (tsr_has_basis_(&l.stride))
        return complain(o, "--layout: a layout of coordinates has no offsets"), false;
    tsr_verdict const once = tsr_is_injective(l);
    if (once.answer != TSR_YES) {
        tsr_format_reason(reason, sizeof reason, once.why);
        return complain(o, "--layout: two elements would have one place: %s", reason), false;
    }
    int64_t const greatest = greatest_offset(l);
    if (greatest < 0)
        return complain(o, "--layout: the offset %lld is negative", (long long)greatest), false;
    r->kind = RELAYOUT_LAID_OUT;
    r->layout = l;
    r->shape = tsr_tuple_1(tsr_int(greatest + 1));
    return true;
}

static bool take_cast(options const *o, char const *cast, tsr_dtype from, relayout *r)
{
    r->type = cast ? type_of_option(o, "--cast", cast) : from;
    if (r->type == 0)
        return false;
    bool const numbers = tsr_number_kind_of(from) != TSR_NO_NUMBER && tsr_number_kind_of(r->type) != TSR_NO_NUMBER;
    if (r->type != from && !numbers)
        return complain(o, "--cast: %s to %s: bits without arithmetic are not converted", tsr_dtype_name(from), cast),
               false;
    if (tsr_dtype_code(from) == 5 && tsr_dtype_code(r->type) != 5)
        return complain(o, "--cast: %s to %s would lose the imaginary parts", tsr_dtype_name(from), cast), false;
    return true;
}

/* The work */

/** Raised by a signal: the copy ends, and the target stays what it was. */
static volatile sig_atomic_t stopped;

static void stop(int number) { stopped = number; }

static void catch_signals(void)
{
    static int const numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        sigaction(numbers[i], &action, NULL);
}

typedef struct meter {
    bool shown, terminal;
    int64_t elements, element_bytes, done;
    double begin, last;
} meter;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool tick(void *context, int64_t elements)
{
    meter *const m = (meter *)context;
    double const t = m->shown ? now() : 0;
    m->done += elements;
    if (m->shown && t - m->last > 0.2) {
        fprintf(stderr, "%s%3d%%  %.0f MB/s%s", m->terminal ? "\r" : "",
                (int)(100 * (double)m->done / (double)m->elements),
                (double)m->done * (double)m->element_bytes / (t - m->begin) / 1e6, m->terminal ? "" : "\n");
        m->last = t;
    }
    return !stopped;
}

static void describe(options const *o, char const *path, tsr_tensor t)
{
    char layout[TSR_TEXT_SIZE];
    tsr_format_layout(layout, sizeof layout, t.layout, o->flags);
    printf("%s: %s %s\n", path, tsr_dtype_name(t.engine.type), layout);
}

/** Copies into a new file. */
static bool write_output(options const *o, relayout const *r, tsr_tensor in, char const *path, bool show)
{
    char reason[TSR_TEXT_SIZE];
    tsr_npy_writer w;
    tsr_io_error error;
    meter m = {show, isatty(2), tsr_layout_size(in.layout), tsr_dtype_bits(in.engine.type) / 8, 0, now(), now()};
    if (!tsr_npy_create(path, r->type, r->shape, TSR_C_ORDER, &w, &error))
        return complain(o, "%s", error.text), false;
    tsr_tuple const copied = relayout_copy(r, in, w.tensor, tick, &m);
    if (copied.status || stopped) {
        tsr_npy_discard(&w);
        tsr_format_reason(reason, sizeof reason, copied);
        return complain(o, "%s: %s", path, stopped ? "interrupted, nothing is written" : reason), false;
    }
    double const bytes = (double)m.elements * (double)m.element_bytes, copy = now() - m.begin;
    if (!tsr_npy_commit(&w, &error))
        return complain(o, "%s", error.text), false;
    if (show)
        fprintf(stderr, "%s%.1f MB copied in %.2f s, %.0f MB/s; on the disk after %.2f s\n", m.terminal ? "\r" : "",
                bytes / 1e6, copy, bytes / 1e6 / copy, now() - m.begin);
    return true;
}

/** Reads the output again, says what it is, and compares it when that is asked for. */
static bool check_output(options const *o, relayout const *r, tsr_tensor in, char const *path, bool verify)
{
    tsr_file out;
    tsr_io_error error;
    if (!tsr_npy_open_as(path, r->type, &out, &error))
        return complain(o, "%s", error.text), false;
    int64_t const padded = tsr_layout_size(out.tensor.layout) - tsr_layout_size(in.layout);
    describe(o, path, out.tensor);
    if (padded > 0)
        printf("%lld elements are 0, no element of the array goes there\n", (long long)padded);
    bool const ok = !verify || relayout_verify(o, r, in, out.tensor);
    if (verify && ok)
        printf("verified: %lld elements\n", (long long)tsr_layout_size(in.layout));
    tsr_file_close(&out);
    return ok;
}

int command_relayout(options const *o, int n, char **argument)
{
    char const *const permute = take_option(&n, argument, "--permute", true);
    char const *const tile = take_option(&n, argument, "--tile", true);
    char const *const layout = take_option(&n, argument, "--layout", true);
    char const *const cast = take_option(&n, argument, "--cast", true);
    char const *const name = take_option(&n, argument, "--type", true);
    bool const verify = take_option(&n, argument, "--verify", false) != NULL;
    bool const show = take_option(&n, argument, "--progress", false) != NULL || isatty(2);
    tsr_dtype const type = name ? type_of_option(o, "--type", name) : 0;
    relayout r = {0};
    tsr_file in;
    tsr_io_error error;
    if (n != 2 || (tile && layout) || (name && type == 0)) {
        if (n != 2)
            complain(o, "relayout needs an input and an output file, and a value for each option (see tessera help)");
        else if (tile && layout)
            complain(o, "--tile and --layout exclude each other");
        return MISUSE;
    }
    if (!tsr_npy_open_as(argument[0], type, &in, &error)) {
        complain(o, "%s", error.text);
        return FAILED;
    }
    catch_signals();
    bool ok = take_view(o, permute, &in.tensor, &r) && (!tile || take_tile(o, tile, &r))
              && (!layout || take_layout(o, layout, &r)) && take_cast(o, cast, in.tensor.engine.type, &r);
    if (ok) {
        describe(o, argument[0], in.tensor);
        ok = write_output(o, &r, in.tensor, argument[1], show) && check_output(o, &r, in.tensor, argument[1], verify);
    }
    tsr_file_close(&in);
    return ok ? DONE : FAILED;
}
