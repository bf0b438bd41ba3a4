/** tessera relayout --dist: the parts of a distributed array, a file for each rank. Under mpirun each rank writes its
 *  own one. The array is in the file that all ranks read, a copy on each, so the plan of a rank sends nothing. */
#include "relayout_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "tessera/mesh.h"
#include "escape.h"

/** Where launchers tell a rank its number: Open MPI, MPICH and others by PMI, PMIx, Slurm. */
static char const *const ranks_of[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};

/** The rank that --rank or the launcher names; -1: none does, and -2: it is no number, which was said. */
static int64_t own_rank(options const *o)
{
    char const *text = option_of(o, "--rank"), *from = "--rank";
    for (size_t i = 0; !text && i < sizeof ranks_of / sizeof ranks_of[0]; ++i) {
        text = getenv(ranks_of[i]);
        from = ranks_of[i];
    }
    char *end = NULL;
    long long const rank = text ? strtoll(text, &end, 10) : -1;
    if (!text || (end != text && *end == 0 && rank >= 0 && rank < TSR_DIST_RANKS))
        return rank;
    complain(o, "%s is %s, not a rank from 0 on", from, text);
    return -2;
}

/** "out.npy" of rank 3 is "out.3.npy". NULL: no memory. */
static char *name_of(char const *out, int64_t rank)
{
    size_t const n = strlen(out), size = n + 24, stem = n - strlen(".npy");
    char *const name = (char *)malloc(size);
    if (name)
        snprintf(name, size, "%.*s.%lld.npy", (int)stem, out, (long long)rank);
    return name;
}

/** The array as it lies in its file, a copy on each rank. False: complains. */
static bool whole_on(relayout_job const *j, tsr_tensor const *in, int64_t ranks, tsr_dist_layout *whole)
{
    tsr_dist_split const copies = {TSR_DIST_COPY, 0, ranks, 1, 0, 0, 0};
    int64_t extent[TSR_DIST_MODES] = {0};
    int const modes = tsr_mode_count(&in->layout.shape);
    if (modes > TSR_DIST_MODES)
        return complain(j->o, "%s has %d axes, a distribution at most %d", j->in, modes, TSR_DIST_MODES), false;
    for (int m = 0; m < modes; ++m)
        extent[m] = in->layout.shape.leaf[m].value;
    for (int last = 1; last >= 0; --last) {
        tsr_dist_part part;
        *whole = tsr_dist_whole(modes, extent, last == 1);
        whole->split[whole->splits++] = copies;
        bool same = tsr_dist_part_of(whole, 0, &part);
        for (int m = 0; m < modes; ++m)
            same = same && (extent[m] <= 1 || part.stride[m] == in->layout.stride.leaf[m].value);
        if (same || part.elements == 0)
            return true;
    }
    return complain(j->o, "%s does not lie in C or Fortran order", j->in), false;
}

static void *memory_of(tsr_tensor const *t) { return (void *)(uintptr_t)t->engine.address; }

/** Says what a part is. Layouts have no extent of 0, an empty part has one. */
static void describe(relayout_job *j, char const *name, tsr_dtype type, tsr_dist_part const *part, int modes,
                     tsr_tensor tensor)
{
    if (part->elements > 0) {
        relayout_describe(j, "", name, tensor);
        return;
    }
    print_escaped(j->words, name);
    fprintf(j->words, ": %s (", tsr_dtype_name(type));
    for (int m = 0; m < modes; ++m)
        fprintf(j->words, "%s%lld", m ? "," : "", (long long)part->extent[m]);
    fprintf(j->words, "), no elements\n");
}

/** Removes the parts before a rank: all ranks' files are written, or none is left. */
static void remove_parts(relayout_job const *j, tsr_dist_layout const *to, int64_t rank)
{
    tsr_dist_part part;
    for (int64_t r = 0; r < rank; ++r) {
        char *const name = tsr_dist_part_of(to, r, &part) ? name_of(j->out, r) : NULL;
        if (name)
            (void)remove(name);
        free(name);
    }
}

/** Writes the part of one rank. */
static bool write_part(relayout_job *j, tsr_tensor const *in, tsr_dist_layout const *to, tsr_dtype type, int64_t rank)
{
    tsr_dist_layout from;
    tsr_dist_plan p;
    tsr_npy_writer w;
    tsr_message error = {0, "no memory, or interrupted: nothing is written"};
    tsr_tuple shape = TSR_ZERO;
    if (!whole_on(j, in, tsr_dist_ranks(to), &from))
        return false;
    if (!tsr_dist_plan_make(&from, to, rank, 1, &p, &error))
        return complain(j->o, "%s", error.text), false;
    for (int m = 0; m < to->modes; ++m)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(p.part[1].extent[m]));
    char *const name = name_of(j->out, rank);
    tsr_dist_loopback *const alone = tsr_dist_loopback_make(p.ranks);
    tsr_order const order = to->order[0] == 0 && to->modes > 1 ? TSR_F_ORDER : TSR_C_ORDER;
    tsr_dist_terms terms = tsr_dist_terms_of(in->engine.type);
    terms.to = type;
    bool ok = name && alone && tsr_npy_create(name, type, tsr_tuple_close(shape), order, &w, &error);
    if (ok) {
        tsr_dist_transport t = tsr_dist_loopback_at(alone, rank);
        t.window = NULL; /* nobody else comes */
        ok = tsr_dist_axpby(&p, &t, &terms, memory_of(in), memory_of(&w.tensor), 0, &error) && !interrupted();
        if (ok) {
            describe(j, name, type, &p.part[1], to->modes, w.tensor);
            ok = tsr_npy_commit(&w, &error);
        } else {
            tsr_npy_discard(&w);
        }
    }
    if (!ok)
        complain(j->o, "%s", error.text);
    tsr_dist_plan_free(&p);
    tsr_dist_loopback_free(alone);
    free(name);
    return ok;
}

/** Options that say where elements go in another way. */
static bool no_others(options const *o)
{
    static char const *const names[] = {"--slice", "--permute", "--tile", "--layout", "--verify", "--plan"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (option_of(o, names[i]))
            return complain(o, "--dist and %s exclude each other", names[i]), false;
    return true;
}

bool relayout_parts(relayout_job *j, tsr_tensor in)
{
    options const *const o = j->o;
    tsr_dist_layout to;
    tsr_dist_part part;
    tsr_message error;
    tsr_dtype type = 0;
    int64_t const own = own_rank(o);
    if (own < -1 || !no_others(o) || !type_of_option(o, "--cast", in.engine.type, &type))
        return false;
    if (!has_ending(j->out, ".npy"))
        return complain(o, "%s: the part of a rank is an .npy file", j->out), false;
    if (!tsr_dist_parse(option_of(o, "--dist"), &to, &error))
        return complain(o, "%s", error.text), false;
    memset(to.pitch, 0, sizeof to.pitch); /* files have no gaps */
    int64_t const ranks = tsr_dist_ranks(&to);
    if (own >= ranks)
        fprintf(j->words, "rank %lld holds nothing, the distribution ends at rank %lld\n", (long long)own,
                (long long)ranks - 1);
    for (int64_t r = own < 0 ? 0 : own; r < ranks && (own < 0 || r == own); ++r)
        if (tsr_dist_part_of(&to, r, &part) && !write_part(j, &in, &to, type, r)) {
            if (own < 0)
                remove_parts(j, &to, r);
            return false;
        }
    return true;
}
