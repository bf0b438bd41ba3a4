/** Links by name: the transforms of a stage, with names for its dimensions instead of numbers.
 *
 *      tsr_links s = tsr_make_links("n h w c", "n r y s x c");        the names below, and the names above, in order
 *      tsr_add_link(&s, tsr_make_pass_through_transform(N), "n", "n");
 *      tsr_add_link(&s, tsr_make_embed_transform(2, window, step), "h", "r y");
 *      ..
 *      d = tsr_link_tensor_descriptor(d, &s);
 *
 *  Names are separated by blanks or commas; "" is no dimension.
 *
 *  Law     the same as tsr_transform_tensor_descriptor with the places of the names.
 *  Errors  NAME for a name that its side does not have, NAME_TWICE for a name that it has twice; CAPACITY;
 *          those of tsr_adaptor_stage.
 */
#ifndef TSR_TILE_LINKS_H
#define TSR_TILE_LINKS_H

#include "tessera/tile/tensor_view.h"

TSR_HEADER_BEGIN

typedef struct tsr_links {
    tsr_reason why;
    int count;
    char const *lower, *upper; /* all names */
    tsr_link link[TSR_MAX_DIMS];
} tsr_links;

/** Starts a stage with the names of the dimensions below it, and of those that it makes. */
TSR_OP tsr_links tsr_make_links(char const *lower, char const *upper);

/** Adds a transform from some of the lower names to some of the upper ones. */
TSR_OP void tsr_add_link(tsr_links *s, tsr_coord_transform transform, char const *lower, char const *upper);

/** Puts the stage of these links on top of a descriptor, or of a view. */
TSR_OP tsr_descriptor tsr_link_tensor_descriptor(tsr_descriptor d, tsr_links const *s);

/** The same stage on top of a view. */
TSR_OP_MEMORY tsr_tensor_view tsr_link_tensor_view(tsr_tensor_view v, tsr_links const *s);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/links.h"
#endif

#endif
