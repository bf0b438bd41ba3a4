/** Links by name: the transforms of a stage, their dimensions called by names instead of numbers.
 *
 *      tsr_links s = tsr_make_links("n h w c", "n r y s x c");        what is there, and what is made of it, in order
 *      tsr_add_link(&s, tsr_make_pass_through_transform(N), "n", "n");
 *      tsr_add_link(&s, tsr_make_embed_transform(2, window, step), "h", "r y");
 *      ..
 *      d = tsr_link_tensor_descriptor(d, &s);
 *
 *  Names are separated by blanks or commas; "" is no dimension.
 *
 *  Law     the same as tsr_transform_tensor_descriptor with the places of the names.
 *  Errors  NAME for a name that is not among those of its side, NAME_TWICE for one that stands there twice; CAPACITY;
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

/** The names of the dimensions below a stage, and of those that it makes. */
TSR_OP tsr_links tsr_make_links(char const *lower, char const *upper);

/** One more transform, from some of the lower names to some of the upper ones. */
TSR_OP void tsr_add_link(tsr_links *s, tsr_coord_transform transform, char const *lower, char const *upper);

/** The stage of these links on top of a descriptor, and of a view. */
TSR_OP tsr_descriptor tsr_link_tensor_descriptor(tsr_descriptor d, tsr_links const *s);

TSR_OP_MEMORY tsr_tensor_view tsr_link_tensor_view(tsr_tensor_view v, tsr_links const *s);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/links.h"
#endif

#endif
