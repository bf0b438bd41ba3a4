/** Reads the notation of CK Tile's values: descriptors, distributions, indices.
 *
 *      descriptor    base { " | " stage }
 *      base          naive(LENS,STRIDES[,v=V][,s=S]) | packed(LENS[,v=V]) | aligned(LENS,A)
 *                    | naive_off(LENS,STRIDES,OFF[,v=V][,s=S])
 *      stage         transform ":" dims ">" dims { " + " transform ":" dims ">" dims }
 *      transform     name(...) of tile/transform.h; embed((LENS),(COEFFS)), indexing((TABLE)), else integers
 *
 *      distribution  dist{R=(..);H=((..),(..),..);P=((1.0,2.0),..);Y=(1.1,..)}
 *
 *  `5?` is a number known at run time only. A reader that has failed stays where it is and keeps its first message.
 */
#ifndef TSR_SRC_TILE_READER_H
#define TSR_SRC_TILE_READER_H

#include "tessera/text.h"
#include "tessera/tile/distribution.h"

#include "text/writer.h"

/** Tables of gathers, all of one expression. */
enum { TILE_TABLE = 256 };

/** The most elements of memory or of a buffer that a query works on. */
enum { TILE_ELEMENTS = TSR_WORK_BUDGET / 4 };

typedef struct tile_reader {
    char const *text, *p;
    bool failed;
    char message[256];
    int64_t table[TILE_TABLE];
    int tabled;
} tile_reader;

/** The first message stays. */
void tile_fail(tile_reader *r, char const *text);
void tile_refuse(tile_reader *r, tsr_reason why);

/** Passes blanks, then the token; false when something else stands there. */
bool tile_take(tile_reader *r, char const *token);
void tile_expect(tile_reader *r, char const *token);

int64_t tile_integer(tile_reader *r);

/** (1,2,3), or () */
tsr_index tile_index(tile_reader *r);

/** The same of a known rank. */
tsr_index tile_index_of(tile_reader *r, int rank);

tsr_coord_transform tile_transform(tile_reader *r);
tsr_descriptor tile_descriptor(tile_reader *r);

tsr_encoding tile_encoding(tile_reader *r);

/** dims=(0,1): X dimensions of an encoding, as a set. */
uint32_t tile_dims(tile_reader *r, tsr_encoding const *e);

/** name=(..), an index inside the lengths. */
tsr_index tile_inside(tile_reader *r, char const *name, tsr_index length);

/** A coordinate of a descriptor; refused where an index far outside would overflow. */
tsr_coordinate tile_coordinate(tile_reader *r, tsr_descriptor const *d, tsr_index at);

void tile_put_index(writer *w, int n, int64_t const *at);
void tile_put_encoding(writer *w, tsr_encoding const *e);

/** Does the text still have room? Answers of many numbers stop where it ends. */
bool tile_room(tile_reader const *r, writer const *w);

#endif
