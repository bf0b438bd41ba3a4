/** Loops: the parts of a plan, and the operations on them.
 *
 *      element  from.begin + sum of digit * from  ->  to.begin + sum of digit * to        in bits, before the swizzles
 *      where    first <= sum of digit * edge < last                                       for every edge
 *
 *  The modes of both sides are cut where one of either ends, and joined where both go on. The steps of the destination
 *  are positive, the smallest first; an edge that one loop alone has is cut off from it.
 *
 *  Law     pushing, joining and clipping change no pair of places, and lose none that the edges let through.
 */
#ifndef TSR_EXEC_LOOPS_H
#define TSR_EXEC_LOOPS_H

#include "tessera/base/number.h"
#include "tessera/base/reason.h"
#include "tessera/core/swizzle.h"

TSR_HEADER_BEGIN

#define TSR_PLAN_LOOPS 20
#define TSR_PLAN_EDGES 8

/** The bytes of a cache line, and of a page. */
#define TSR_LINE_BYTES 64
#define TSR_PAGE_BYTES 4096

/** No distance in bits is greater. */
#define TSR_PLAN_FAR ((uint64_t)1 << 61)

/* clang-format off */
/** X(id, words): how blocks move. */
#define TSR_WAY_LIST(X)                                         \
    X(BYTES, "items are copied")                                \
    X(CONVERT, "blocks are gathered, converted and scattered")  \
    X(PARTS, "elements begin inside of bytes: one by one")      \
    X(SWIZZLED, "every item has a place of its own: one by one") \
    X(ELEMENTS, "element by element")
/* clang-format on */

/* clang-format off */
/** X(id, words): the form of a block. The items of rows are adjacent on both sides. Those of tiles are adjacent along
 *  the first loop in the destination and along the second in the source. Tiles are skewed where lines of the
 *  destination begin inside cache lines. */
#define TSR_BLOCK_LIST(X)                                      \
    X(ITEMS, "items")                                          \
    X(ROWS, "rows")                                            \
    X(TILES, "tiles")                                          \
    X(SKEWED, "skewed tiles")
/* clang-format on */

/** The elements of a unit of a plan without loops. */
#define TSR_ELEMENTS_A_UNIT 4096

/* clang-format off */
/** X(id, words): why a plan has no loops; PLACES: of a product alone. */
#define TSR_SLOW_LIST(X)                                                \
    X(NOT_SLOW, "")                                                     \
    X(COMPUTED, "the source is computed when it is read")               \
    X(SHAPES, "the modes do not end at multiples of each other")        \
    X(TWICE, "two swizzles are in front of a layout or a pointer")    \
    X(ODD_BITS, "swizzled elements end, or begin, inside of bytes")     \
    X(PREDICATE, "the predicate is not a box of coordinates")              \
    X(CAPACITY, "there are more loops or edges than a plan holds")      \
    X(FAR, "distances in bits leave 64 bits")                           \
    X(PLACES, "numbers begin anywhere, or are no whole bytes")
/* clang-format on */

typedef enum tsr_way {
#define TSR_X_(id, words) TSR_WAY_##id,
    TSR_WAY_LIST(TSR_X_)
#undef TSR_X_
} tsr_way;

typedef enum tsr_block_kind {
#define TSR_X_(id, words) TSR_BLOCK_##id,
    TSR_BLOCK_LIST(TSR_X_)
#undef TSR_X_
} tsr_block_kind;

typedef enum tsr_slow {
#define TSR_X_(id, words) TSR_SLOW_##id,
    TSR_SLOW_LIST(TSR_X_)
#undef TSR_X_
} tsr_slow;

/** Steps in bits, and how far one step goes toward each edge. */
typedef struct tsr_loop {
    int64_t count, from, to, edge[TSR_PLAN_EDGES];
} tsr_loop;

typedef struct tsr_edge {
    int64_t first, last; /* the sum is in [first, last) */
} tsr_edge;

/** One of the two tensors: the bits at which it begins, counted from its pointer, or from address 0. */
typedef struct tsr_side {
    tsr_dtype type;
    bool absolute;
    uint8_t byte;             /* of a cache line, at which the pointer stood when the plan was made */
    tsr_swizzle swizzle;      /* of bits */
    int64_t begin, low, high; /* what lies outside of [low, high) is not touched; before the swizzle */
} tsr_side;

/** What becomes of the elements of a plan that computes (exec/functions.h): alpha * f(x) + beta * y. */
typedef struct tsr_update {
    bool computes;
    uint8_t function;
    tsr_number alpha, beta;
} tsr_update;

/** Whether the elements of the destination are read, too. */
TSR_FN bool tsr_update_reads_(tsr_update const *u) { return u->computes && !tsr_number_is_zero(u->beta); }

typedef struct tsr_planned_copy {
    tsr_reason why;   /* why none may be moved */
    int64_t elements; /* those beyond the edges included */
    uint8_t way, slow, loops, box, edges;
    uint8_t kind, ahead;     /* what a block is; tiles, or lines of rows, that are prefetched */
    bool stream;             /* whole lines pass the caches */
    bool crowded, scattered; /* lines of the source that are moved together do not fit the first cache, nor memory */
    bool once;               /* the loops prove that no two elements land in one place */
    tsr_update update;
    tsr_side from, to;
    int64_t item, units; /* bits that move at once */
    tsr_edge edge[TSR_PLAN_EDGES];
    tsr_loop loop[TSR_PLAN_LOOPS]; /* the first `box` of them are a block, 0 to 2 */
    int64_t reserved[4];           /* 0: room for fields of a later version */
} tsr_planned_copy;

/** What the loops of a copy step through: its tensors, and edge k, TSR_IN_EDGE + k. */
enum { TSR_IN_SOURCE, TSR_IN_DESTINATION, TSR_IN_EDGE };

TSR_HEADER_END

#endif
