/** tessera relayout: what is asked for, and where each element of the output comes from.
 *
 *  A part of the array is taken, then it is reshaped, then permuted: axis i of the view is axis permute[i] of it. Then
 *  the element at coordinate v of the view goes, in the output, to
 *
 *      RELAYOUT_PLAIN    v
 *      RELAYOUT_TILED    (v / tile, v % tile), of shape (ceil(shape / tile), tile); what no element goes to is 0
 *      RELAYOUT_LAID_OUT layout(v); what no element goes to is 0
 */
#ifndef TSR_CLI_RELAYOUT_H
#define TSR_CLI_RELAYOUT_H

#include "files.h"

typedef enum relayout_kind { RELAYOUT_PLAIN, RELAYOUT_TILED, RELAYOUT_LAID_OUT } relayout_kind;

typedef struct relayout {
    relayout_kind kind;
    tsr_dtype type; /* of the output */
    int rank;
    int permute[TSR_MAX_LEAVES];
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES]; /* of the view */
    int64_t tile[TSR_MAX_LEAVES];
    tsr_layout layout;
    tsr_tuple shape; /* of the output */
} relayout;

/** The part of an array that a slice of NumPy's means: of each axis an index, which drops it, or FROM:TO:STEP, of which
 *  each may be left out; negative ones count from the end. False: complains. */
bool relayout_slice(options const *o, char const *slice, tsr_tensor *in);

/** The integers of "a,b,..", "(a,b,..)" or an expression for such a tuple: *count of them, or any number where that is
 *  -1. False: complains. */
bool relayout_axes(options const *o, char const *option, char const *text, int *count, int64_t *out);

/** The array with other extents, in C order; one may be -1, what is left. `view` tells whether strides have them; else
 *  `in` stays, and only its copy in C order has this shape. False: complains. */
bool relayout_reshape(options const *o, char const *reshape, tsr_tensor *in, tsr_tuple *shape, bool *view);

/** What the options --slice, --reshape, --permute, --tile, --layout and --cast ask for, of this array, of which `in`
 *  becomes the part. False: complains. */
bool relayout_take(options const *o, tsr_tensor *in, relayout *r);

/** How it is done: from here to there, of tiles with edges the elements that there are. In boxes, one after the other:
 *  a number of indices of each leaf. */
typedef struct relayout_move {
    tsr_tensor from, to, there;
    tsr_tuple extents; /* of the view; what `there` compares with */
    bool ragged;
    int64_t box[TSR_MAX_LEAVES];
    tsr_tensor part[3];     /* from, to and there of the box at work */
    tsr_planned_copy plan;  /* of all, or of the box at work */
    tsr_image const *image; /* where `to` lies; NULL: in memory */
} relayout_move;

/** The move of the elements of `in` into `out`, which is all 0; one box. */
void relayout_make_move(relayout const *r, tsr_tensor const *in, tsr_tensor const *out, relayout_move *m);

/** Cuts it into boxes that touch at most about `bytes` bytes of both sides, in runs as long as both sides allow. */
void relayout_cut(relayout_move *m, int64_t bytes);

/** Told after each part how many elements it had, and whether it was the last one of its box; false ends the work. */
typedef bool (*relayout_progress)(void *context, int64_t elements, bool box_ends);

/** Runs a move whose plan is valid. Returns the number of elements. If the file of the output cannot be written, it
 *  ends, and the message has a text (else none). */
int64_t relayout_run(relayout_move *m, relayout_progress progress, void *context, tsr_message *error);

/** Whether every element of the output is what it should be, found from the output's side where the way back has a
 *  form: the coordinate of each element of the output, then the element of the input there. Complains of the first
 *  that is not. */
bool relayout_verify(options const *o, relayout const *r, tsr_tensor in, tsr_tensor out, relayout_progress progress,
                     void *context);

#endif
