/** A plan of files: sources and what they hold, tensors by name, and the files of the target. */
#ifndef TSR_SRC_RESHARD_RESHARD_H
#define TSR_SRC_RESHARD_RESHARD_H

#include "reshard/layout.h"

typedef struct reshard_source {
    char *path;
    int64_t rank;
    tsr_model model;
} reshard_source;

/** A tensor, or one of those that are joined, in a file of the source. */
typedef struct reshard_entry {
    char *name; /* of the whole tensor */
    int rule, which;
    int64_t rank, slot; /* slot: which one of a stack */
    int source, index;  /* of the file, and of the tensor in it */
} reshard_entry;

/** One side of a tensor: how its rule places it. `which` of the `joined` tensors of a file it is, and which one of
 *  those that the file stacks. */
typedef struct reshard_side {
    int rule, which;
    int64_t slot, slots; /* slots: 0, no stack */
    int64_t pin[RESHARD_AXES];
    reshard_view view;
    int64_t rows[RESHARD_JOINED]; /* of all tensors that are joined with it */
} reshard_side;

typedef struct reshard_tensor {
    char const *name;
    int first, count; /* entries, by ranks */
    tsr_dtype type, to;
    bool valid; /* no problem */
    reshard_side side[2];
} reshard_tensor;

/** A tensor of the target's files, of `members` tensors of the checkpoint: the joined ones, of a stack slot by slot. */
typedef struct reshard_target {
    char *name;
    int first, members; /* in the list of members */
} reshard_target;

/** A file of the target: `count` of the listed targets from `first` on. */
typedef struct reshard_file {
    char *path;
    int64_t rank, bytes;
    int first, count;
    bool kept; /* whole, from an earlier run */
} reshard_file;

enum { RESHARD_UNSEEN, RESHARD_SEEN, RESHARD_NOTED };

struct tsr_reshard {
    tsr_reshard_spec const *spec[2];
    tsr_reshard_cast *cast;
    int casts;
    char *to;
    int64_t memory, shard_size;
    tsr_reshard_replicas replicas;

    reshard_source *source;
    int64_t sources, source_capacity;
    reshard_entry *entry;
    int64_t entries, entry_capacity;
    reshard_tensor *tensor; /* by names */
    int64_t tensors, tensor_capacity;
    reshard_target *target; /* by names */
    int64_t targets, target_capacity;
    int *member; /* tensors, by targets */
    reshard_file *file;
    int64_t files, file_capacity;
    int *listed;
    int64_t listed_count, listed_capacity;

    char *seen; /* by ranks of the source: RESHARD_SEEN, where it has a file */
    tsr_reshard_problem *problem;
    int64_t problem_capacity;
    tsr_reshard_report report;
    uint64_t hash; /* of all that the files depend on */
};

/** Where a part of a tensor lies: its extents and strides, its first element in the tensor of the file, and the extents
 *  of that tensor. */
typedef struct reshard_place {
    tsr_dist_layout layout;
    tsr_dist_part part;
    int64_t base, extent[TSR_DIST_MODES], elements;
    int modes;
} reshard_place;

/** Notes a problem, of which the first 1000 are kept. False. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool tsr_reshard_note_(tsr_reshard *r, tsr_reshard_problem_kind kind, char const *tensor, char const *format, ...);

/** Room for one more of a list, all 0; NULL: out of memory, which the message says. */
void *tsr_reshard_more_(void **list, int64_t *count, int64_t *capacity, size_t size, tsr_message *error);

/** Opens the files of the source. */
bool tsr_reshard_sources_(tsr_reshard *r, tsr_reshard_options const *o, tsr_message *error);

/** Which file of a folder has each tensor, as model.safetensors.index.json says: calls `see` for each. */
bool tsr_reshard_index_read_(char const *path, bool (*see)(void *context, char const *tensor, char const *file),
                             void *context, tsr_message *error);

/** Matches names with rules, and finds tensors and their extents. */
bool tsr_reshard_tensors_(tsr_reshard *r, tsr_message *error);

/** Names tensors of the target, whose only member is a tensor each; joins those of one name. */
bool tsr_reshard_targets_(tsr_reshard *r, tsr_message *error);
bool tsr_reshard_join_(tsr_reshard *r, tsr_message *error);

/** Member k of a target. */
reshard_tensor *tsr_reshard_member_(tsr_reshard const *r, reshard_target const *g, int k);

/** Which tensor has that name; -1: none. */
int64_t tsr_reshard_find_(tsr_reshard const *r, char const *name);

/** What a rank of the placing axes holds, of side 0 or 1, in files. */
bool tsr_reshard_place_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t sub, reshard_place *place,
                        tsr_message *error);

/** The elements of the part of a rank of the source; NULL: no file has it. */
void const *tsr_reshard_memory_(tsr_reshard const *r, reshard_tensor const *t, int64_t sub,
                                reshard_place const *place);

/** Have the ranks along an axis copies of the tensor? */
bool tsr_reshard_copies_(tsr_reshard const *r, reshard_tensor const *t, int side, int axis);

/** The rank of the whole mesh that is the first one with the same elements. */
int64_t tsr_reshard_original_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t rank);

/** The part of a rank of the source, or a copy where the rule needs only one; NULL: no file has it. */
reshard_entry const *tsr_reshard_entry_(tsr_reshard const *r, reshard_tensor const *t, int64_t rank);

/** The rank of the placing axes of a rank of the target; false: the rank has nothing of the tensor. */
bool tsr_reshard_holds_(tsr_reshard const *r, reshard_tensor const *t, int side, int64_t rank, int64_t *sub);

/** Compares copies, and blocks of quantised tensors with their scales. */
void tsr_reshard_replicas_(tsr_reshard *r);
void tsr_reshard_blocks_(tsr_reshard *r);

/** The name of the plan file, which a folder has that is not complete. */
extern char const tsr_reshard_plan_name_[];

/** Reads the plan file of an earlier run, and notes which files are whole; begins one; notes a file; ends. */
void tsr_reshard_resume_(tsr_reshard *r);
bool tsr_reshard_begin_(tsr_reshard const *r, tsr_message *error);
bool tsr_reshard_done_(tsr_reshard const *r, reshard_file const *file, tsr_message *error);
bool tsr_reshard_end_(tsr_reshard const *r, tsr_message *error);

#endif
