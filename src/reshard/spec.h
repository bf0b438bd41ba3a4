/** Specs as they are read: a mesh, names of files, and rules for names of tensors. */
#ifndef TSR_SRC_RESHARD_SPEC_H
#define TSR_SRC_RESHARD_SPEC_H

#include "reshard/pattern.h"
#include "tessera/mesh/make.h"
#include "tessera/reshard.h"

enum { RESHARD_AXES = 6, RESHARD_JOINED = 8, RESHARD_SIZES = 64 };

typedef struct reshard_axis {
    char name[RESHARD_WORD];
    int64_t size;
} reshard_axis;

/** How a rule uses an axis of the mesh: elements are placed on it, or the whole tensor is on one coordinate: a given
 *  one (-1: the last one), or the one that owns a number of the name. */
typedef enum reshard_use { RESHARD_PLACED, RESHARD_PINNED, RESHARD_OWNED } reshard_use;

/** Sizes that a rule lists; none: chunks. */
typedef struct reshard_sizes {
    int count;
    int64_t size[RESHARD_SIZES];
} reshard_sizes;

typedef struct reshard_axis_rule {
    reshard_use use;
    tsr_placement placement;
    int64_t at;
    char word[RESHARD_WORD]; /* whose number is owned .. */
    reshard_sizes owned;     /* .. so many by each coordinate */
} reshard_axis_rule;

typedef struct reshard_rule {
    int line;
    char *name;               /* a pattern of names in files */
    char *as[RESHARD_JOINED]; /* of names of tensors, which the file joins along mode 0 */
    int joined;               /* at least 1 */
    char stack[RESHARD_WORD]; /* the word of `as` whose numbers are mode 0 of the file's tensor; "": none */
    bool skip, once;          /* once: of copies one is in the files */
    reshard_axis_rule axis[RESHARD_AXES];
    reshard_sizes parts; /* each is sharded by itself; size 0: of `count` equal ones */
    reshard_sizes sizes; /* of the shards of the only axis that has some */
    int64_t rows;        /* of the whole, of which files have more; 0: as many as the files */
    int64_t pad;         /* rows of the files; 0: those of the whole */
    bool multiple;       /* pad is what rows are a multiple of */
    int64_t groups;      /* joined tensors take turns in so many groups; 0: one after the other */
    reshard_sizes heads; /* of each joined tensor: ranks have whole ones, and copies where they are more than heads */
} reshard_rule;

/** A word that owns an axis in some rule. */
typedef struct reshard_owner {
    char word[RESHARD_WORD];
    int axis;
} reshard_owner;

struct tsr_reshard_spec {
    char *text, *files, *index; /* files: NULL, as Hugging Face names them */
    reshard_axis axis[RESHARD_AXES];
    int axes;
    reshard_rule *rule;
    int rules;
    reshard_owner owner[RESHARD_HOLES];
    int owners;
};

/** Is what a rule asks for possible together? Where it stacks tensors, its modes are those of the whole then. */
bool tsr_reshard_rule_check_(tsr_reshard_spec *spec, reshard_rule *rule, tsr_message *error);

/** Are the files arrays of NumPy, one for each tensor, whose name is the star? */
bool tsr_reshard_is_npy_(tsr_reshard_spec const *spec);

/** The ranks of the mesh, row-major: neighbours differ in the last axis. */
int64_t tsr_reshard_ranks_(tsr_reshard_spec const *spec);

/** Puts the rank, or one coordinate of a rank, of each word of the mesh into captures. */
void tsr_reshard_rank_words_(tsr_reshard_spec const *spec, int64_t rank, reshard_captures *c);

/** The rank that a file's captures name; -1: none of the mesh. */
int64_t tsr_reshard_rank_named_(tsr_reshard_spec const *spec, reshard_captures *c);

#endif
