/** Distributed layouts: which rank holds an element, and where in the rank's memory.
 *
 *  A distributed tensor is a layout into (rank, offset). Its strides on _1@0 count ranks, those on _1@1 elements of a
 *  rank's memory. tsr_dist_layout keeps the modes apart and cuts each one by splits. They describe uneven extents, too.
 *
 *  Law     Split s of mode m gives element i the digit x = (i mod period) / block. The rank is
 *              first + sum over the splits of stride * ((x + turn) mod extent).
 *          A split that copies, or one that sums, adds stride * x for every x < extent: the element is on all these
 *          ranks, whole or as an addend. A split by chunks cuts the indices that its ranks have from the splits before
 *          it: into parts of ceil(n / parts), and each part into chunks of ceil(part / extent), one a digit. A split by
 *          a table says of each interval of a mode which digit has it. Along a mode the local index of an element is
 *          the number of smaller indices that its rank holds. The offset is the sum of local index times stride of the
 *          part (tsr_dist_part_of).
 *  Units   ranks, and elements of the tensor; never bytes.
 *  Errors  false and a message with the numbers and a counterexample.
 *  Source  ScaLAPACK's array descriptors; DTensor's placements; XLA's HloSharding; HPF 2.0, DISTRIBUTE.
 */
#ifndef TSR_MESH_LAYOUT_H
#define TSR_MESH_LAYOUT_H

#include "tessera/text.h"

TSR_HEADER_BEGIN

#define TSR_DIST_MODES 8
#define TSR_DIST_SPLITS 16

/** The most ranks, and the most elements of all ranks together. Bytes of these are counted by 64 bits. */
#define TSR_DIST_RANKS ((int64_t)1 << 24)
#define TSR_DIST_ELEMENTS ((int64_t)1 << 58)

/** What the ranks along a split have: parts of a mode, by a rule; copies of all, or addends of all; chunks of what the
 *  splits before leave them, or intervals of a mode. */
typedef enum tsr_dist_role {
    TSR_DIST_SHARD,
    TSR_DIST_COPY,
    TSR_DIST_SUM,
    TSR_DIST_CHUNK,
    TSR_DIST_TABLE
} tsr_dist_role;

typedef struct tsr_dist_split {
    tsr_dist_role role;
    int mode;               /* of a shard, of chunks and of a table */
    int64_t extent, stride; /* how many ranks, and how far one is from the next */
    int64_t block, period; /* of a shard: elements, block <= period <= block * extent. Of chunks: parts, and the place
                               among the chunks of the mode, from 1 on */
    int64_t turn;          /* of a shard: the place of digit 0, as RSRC and CSRC of ScaLAPACK */
} tsr_dist_split;

/** `length` neighbours that digit `owner` of a split has. */
typedef struct tsr_dist_interval {
    int64_t owner, length;
} tsr_dist_interval;

/** Intervals that cover a mode. A handle: equal tables are one, which stays until the program ends. */
typedef struct tsr_dist_table tsr_dist_table;

typedef struct tsr_dist_layout {
    int modes, splits;
    int64_t extent[TSR_DIST_MODES];
    int order[TSR_DIST_MODES];     /* the modes of a rank's memory, the contiguous one first */
    int64_t pitch[TSR_DIST_MODES]; /* elements that memory has along a mode; 0: those that the rank holds */
    int64_t first;                 /* the rank of digits 0 */
    tsr_dist_split split[TSR_DIST_SPLITS];
    tsr_dist_table const *table[TSR_DIST_MODES]; /* of the modes that a table splits */
} tsr_dist_layout;

/** A rank's part: its own extents, their strides in its memory, and how many elements it holds and spans. */
typedef struct tsr_dist_part {
    int64_t extent[TSR_DIST_MODES], stride[TSR_DIST_MODES];
    int64_t elements, span;
} tsr_dist_part;

/** One tensor on one rank, without splits; the last mode is contiguous if `last`, else the first one. */
TSR_API tsr_dist_layout tsr_dist_whole(int modes, int64_t const *extent, bool last);

/** Splits a mode that has no split yet by n intervals, in order, for `ranks` ranks at steps of `stride`. Lengths may be
 *  0, and ranks may have nothing. Intervals that follow a rule, blocks dealt in turn, are split by the rule.
 *  Errors  an owner out of range, lengths whose sum is not the extent, more than 2^24 intervals, no memory. */
TSR_TRY bool tsr_dist_split_by(tsr_dist_layout *d, int mode, int64_t ranks, int64_t stride, int64_t n,
                               tsr_dist_interval const *interval, tsr_message *error);

/** Checks the law: every element is somewhere, two coordinates of the mesh are two ranks, blocks nest, and memory holds
 *  the part of each rank. */
TSR_TRY bool tsr_dist_check(tsr_dist_layout const *d, tsr_message *error);

/** One more than the largest rank. */
TSR_API int64_t tsr_dist_ranks(tsr_dist_layout const *d);

/** How many copies each element has, and how many addends. */
TSR_API int64_t tsr_dist_copies(tsr_dist_layout const *d);
TSR_API int64_t tsr_dist_sums(tsr_dist_layout const *d);

/** The part of a rank. False: the mesh does not have the rank, and the part is empty. */
TSR_API bool tsr_dist_part_of(tsr_dist_layout const *d, int64_t rank, tsr_dist_part *part);

/** Where the first copy of the element at `index` is. False: memory has run out, or the index is outside. */
TSR_API bool tsr_dist_at(tsr_dist_layout const *d, int64_t const *index, int64_t *rank, int64_t *offset);

/** The element that a rank holds at `local`. False: it holds none there. */
TSR_API bool tsr_dist_index_at(tsr_dist_layout const *d, int64_t rank, int64_t const *local, int64_t *index);

/* As one layout, and back */

/** The layout from padded coordinates to (rank, offset), where all parts lie alike.
 *  Errors  no layout are turned splits, blocks that do not fill their period, compact parts of different extents. */
TSR_TRY bool tsr_dist_as_layout(tsr_dist_layout const *d, tsr_layout *layout, tsr_message *error);

/** The distributed layout of a tensor of `modes` extents whose elements lie as a layout into (rank, offset) says. */
TSR_TRY bool tsr_dist_from_layout(tsr_layout layout, int modes, int64_t const *extent, tsr_dist_layout *d,
                                  tsr_message *error);

/** Extents, splits and memory in words, as snprintf writes them. */
TSR_API size_t tsr_dist_format(char *out, size_t size, tsr_dist_layout const *d);

/** The same in one line. */
TSR_API size_t tsr_dist_format_line(char *out, size_t size, tsr_dist_layout const *d);

TSR_HEADER_END

#endif
