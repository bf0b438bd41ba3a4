/** tessera relayout --dist and --from: the parts of a distributed array, a file for each rank, from an array or from
 *  other parts. Under mpirun each rank writes its own one. */
#include "relayout_source.h"

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

/** Removes the parts before a rank: all ranks' files are written, or none is left. */
static void remove_parts(relayout_job const *j, tsr_dist_layout const *to, int64_t rank)
{
    tsr_dist_part part;
    for (int64_t r = 0; r < rank; ++r) {
        char *const name = tsr_dist_part_of(to, r, &part) ? relayout_name_of(j->out, r) : NULL;
        if (name)
            (void)remove(name);
        free(name);
    }
}

/** Writes the part of one rank into a file. */
static bool write_part(relayout_job *j, relayout_source *s, tsr_dist_layout const *to, tsr_dtype type, int64_t rank,
                       char const *name)
{
    tsr_dist_plan p;
    tsr_npy_writer w;
    tsr_message error = {0, "no memory, or interrupted: nothing is written"};
    tsr_tuple shape = TSR_ZERO;
    tsr_order const order = to->order[0] == 0 && to->modes > 1 ? TSR_F_ORDER : TSR_C_ORDER;
    if (!tsr_dist_plan_make(&s->layout, to, rank, 1, &p, &error))
        return complain(j->o, "%s", error.text), false;
    for (int m = 0; m < to->modes; ++m)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(p.part[1].extent[m]));
    bool ok = name && tsr_npy_create(name, type, tsr_tuple_close(shape), order, &w, &error);
    if (ok) {
        ok =
            relayout_source_run(j, s, &p, type, (void *)(uintptr_t)w.tensor.engine.address, &error) && !interrupted();
        if (ok) {
            relayout_describe(j, "", name,
                              p.part[1].elements > 0 ? w.tensor : empty_array(type, to->modes, p.part[1].extent));
            ok = tsr_npy_commit(&w, &error);
        } else {
            tsr_npy_discard(&w);
        }
    }
    if (!ok)
        complain(j->o, "%s", error.text);
    tsr_dist_plan_free(&p);
    return ok;
}

/** Writes the parts of all ranks, or of one. */
static bool write_parts(relayout_job *j, relayout_source *s, tsr_dist_layout const *to, tsr_dtype type, int64_t own)
{
    int64_t const ranks = tsr_dist_ranks(to);
    tsr_dist_part part;
    if (own >= ranks)
        fprintf(j->words, "rank %lld holds nothing, the distribution ends at rank %lld\n", (long long)own,
                (long long)ranks - 1);
    for (int64_t r = own < 0 ? 0 : own; r < ranks && (own < 0 || r == own); ++r) {
        if (!tsr_dist_part_of(to, r, &part))
            continue;
        char *const name = relayout_name_of(j->out, r);
        bool const ok = write_part(j, s, to, type, r, name);
        free(name);
        if (!ok && own < 0)
            remove_parts(j, to, r);
        if (!ok)
            return false;
    }
    return true;
}

/** Options that say where elements go in another way. */
static bool no_others(options const *o)
{
    static char const *const names[] = {"--slice",  "--reshape", "--permute", "--tile",
                                        "--layout", "--verify",  "--plan"};
    char const *const own = option_of(o, "--dist") ? "--dist" : "--from";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (option_of(o, names[i]))
            return complain(o, "%s and %s exclude each other", own, names[i]), false;
    return true;
}

/** What --dist says. Files have no gaps, and lie in C or Fortran order. */
static bool read_dist(relayout_job *j, tsr_dist_layout *to)
{
    if (!has_ending(j->out, ".npy"))
        return complain(j->o, "%s: the part of a rank is an .npy file", j->out), false;
    if (!tsr_dist_read(option_of(j->o, "--dist"), j->o->flags, to, &j->error))
        return complain(j->o, "%s", j->error.text), false;
    memset(to->pitch, 0, sizeof to->pitch);
    bool up = true;
    for (int k = 0; k < to->modes; ++k)
        up = up && to->order[k] == k;
    for (int k = 0; k < to->modes && !up; ++k)
        to->order[k] = to->modes - 1 - k;
    return true;
}

bool relayout_parts(relayout_job *j, tsr_tensor in)
{
    static relayout_source s;
    tsr_dist_layout to;
    tsr_dtype type = 0;
    int64_t const own = own_rank(j->o);
    return own >= -1 && no_others(j->o) && type_of_option(j->o, "--cast", in.engine.type, &type) && read_dist(j, &to)
           && relayout_source_whole(j, &in, tsr_dist_ranks(&to), &s) && write_parts(j, &s, &to, type, own);
}

bool relayout_from_parts(relayout_job *j, tsr_dtype type)
{
    static relayout_source s;
    tsr_dist_layout to;
    tsr_dtype written = 0;
    int64_t const own = option_of(j->o, "--dist") ? own_rank(j->o) : -1;
    bool ok = own >= -1 && no_others(j->o) && relayout_source_parts(j, type, &s)
              && type_of_option(j->o, "--cast", s.type, &written);
    if (ok && option_of(j->o, "--dist")) {
        ok = read_dist(j, &to) && write_parts(j, &s, &to, written, own);
    } else if (ok && tsr_model_is_path(j->out)) {
        ok = (complain(j->o, "%s: the array of parts is an .npy file", j->out), false);
    } else if (ok) {
        to = tsr_dist_whole(s.layout.modes, s.layout.extent, true);
        ok = write_part(j, &s, &to, written, 0, j->out);
    }
    relayout_source_close(&s);
    return ok;
}
