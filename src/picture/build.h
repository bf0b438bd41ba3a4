/** Building a picture: panels, texts, axes. The first refusal stays, and what is built after it is thrown away. */
#ifndef TSR_SRC_PICTURE_BUILD_H
#define TSR_SRC_PICTURE_BUILD_H

#include "ops/ops.h"
#include "tessera/picture.h"

#include "text/coordinates.h"
#include "calc/value.h"

#if defined(__GNUC__)
#  define PICTURE_PRINTF(at) __attribute__((format(printf, at, at + 1)))
#else
#  define PICTURE_PRINTF(at)
#endif

/** Counts elements that are visited beside the cells; false, and a refusal, beyond TSR_WORK_BUDGET. */
bool tsr_picture_visits_(tsr_picture *p, int64_t elements);

void tsr_picture_refuse_(tsr_picture *p, char const *format, ...) PICTURE_PRINTF(2);

/** Whether a value is invalid, which its sentence then refuses. */
bool tsr_picture_invalid_(tsr_picture *p, tsr_tuple why);

/** A number in decimal, faster than printf; at the end of these characters. */
enum { DIGITS = 24 };
char const *tsr_decimal_(char digits[DIGITS], int64_t n);

/** A text of the picture. */
uint32_t tsr_picture_text_(tsr_picture *p, char const *format, ...) PICTURE_PRINTF(2);
uint32_t tsr_picture_number_(tsr_picture *p, int64_t n);
uint32_t tsr_picture_tuple_(tsr_picture *p, tsr_tuple t);
uint32_t tsr_picture_coordinate_(tsr_picture *p, coordinates const *c, int64_t index);

/** A layout's text as a text of the picture. */
uint32_t tsr_picture_layout_text_(tsr_picture *p, tsr_layout const *l);
uint32_t tsr_picture_tensor_text_(tsr_picture *p, tsr_tensor const *t);
uint32_t tsr_picture_mma_text_(tsr_picture *p, tsr_mma_atom const *x);
uint32_t tsr_picture_copy_text_(tsr_picture *p, tsr_copy_atom const *x);

char const *tsr_picture_string_(tsr_picture const *p, uint32_t text);

/** The number beside a line of an axis, and its coordinate. */
char const *tsr_line_label_(tsr_picture const *p, tsr_axis const *a, int64_t i);
char const *tsr_line_coord_(tsr_picture const *p, tsr_axis const *a, int64_t i);

/** A new panel of empty cells on the right of the last one; its number, or -1. */
int tsr_picture_panel_(tsr_picture *p, int64_t rows, int64_t columns, uint32_t title);

/** The same with a name, numbered axes, and a title. */
int tsr_picture_named_panel_(tsr_picture *p, int64_t rows, int64_t columns, char const *name, char const *title, ...)
    PICTURE_PRINTF(5);

/** Where a panel stands; without it, panels stand side by side. */
void tsr_picture_place_(tsr_picture *p, int panel, int row, int column);

/** The cell in a row and column; of a refused picture some cell. */
tsr_cell *tsr_picture_cell_(tsr_picture *p, int panel, int64_t row, int64_t column);

/** Numbers from 0 on beside the lines; their coordinates and nested borders by the shape of the mode. */
void tsr_picture_axis_(tsr_picture *p, tsr_axis *axis, tsr_tuple shape);

/** The same with a letter in front of the numbers: T0, T1. */
void tsr_picture_axis_named_(tsr_picture *p, tsr_axis *axis, char const *name, char const *letter);

/** Panels of a layout, rows mode 0, columns mode 1, one for each coordinate of the other modes, their cells labelled
 *  with the offsets; the first panel. */
int tsr_picture_grid_(tsr_picture *p, tsr_layout const *l, char const *name);

/** The same of a tensor. Law  element c is cell.offset elements behind the pointer, through the swizzle of the
 *  pointer. */
int tsr_picture_tensor_grid_(tsr_picture *p, tsr_tensor const *t, char const *name);

/** The cell of a 1-D coordinate in the panels of a grid. */
tsr_cell *tsr_picture_at_(tsr_picture *p, int panel, int64_t index);

/** "T3\nV5", or of ranks "R3\n+5". */
uint32_t tsr_picture_owner_text_(tsr_picture *p, int64_t owner, int64_t value);

/** A cell of a thread and value, in the colour of the thread. */
void tsr_picture_hold_(tsr_cell *c, int64_t thread, int64_t value, tsr_picture_options const *o);

/** The same; the first owner gives the label, too, and later ones are kept beside. */
void tsr_picture_own_(tsr_picture *p, tsr_cell *c, int64_t thread, int64_t value, tsr_picture_options const *o);

void tsr_picture_legend_(tsr_picture *p, int colour, int until, int mark, char const *format, ...) PICTURE_PRINTF(5);
void tsr_picture_note_(tsr_picture *p, char const *format, ...) PICTURE_PRINTF(2);

/** Colours cells by their offsets: a ramp, or the greys of CuTe; writes the legend. */
void tsr_picture_colour_offsets_(tsr_picture *p, tsr_picture_options const *o, int first_panel);

/** The colour of owner n. */
uint8_t tsr_picture_hue_(tsr_picture_options const *o, int64_t n);

/** Applies what all pictures share: labels asked for, banks, panels, the isolated thread. */
void tsr_picture_finish_(tsr_picture *p, tsr_picture_options const *o);

/* What pictures are of. Each adds its panels. */

void tsr_picture_layout_(tsr_picture *p, tsr_layout const *l, tsr_picture_options const *o);
void tsr_picture_sum_(tsr_picture *p, tsr_layout_sum const *s, tsr_picture_options const *o);
void tsr_picture_diff_(tsr_picture *p, tsr_layout const *a, tsr_layout const *b, tsr_picture_options const *o);
void tsr_picture_tensor_(tsr_picture *p, tsr_tensor const *t, tsr_picture_options const *o);
void tsr_picture_swizzle_(tsr_picture *p, tsr_swizzle const *sw, tsr_picture_options const *o);
void tsr_picture_banks_(tsr_picture *p, tsr_layout const *l, tsr_picture_options const *o);
void tsr_picture_mma_(tsr_picture *p, tsr_tiled_mma const *x, tsr_picture_options const *o);
void tsr_picture_copy_atom_(tsr_picture *p, tsr_copy_atom const *x, tsr_picture_options const *o);
void tsr_picture_tiled_copy_(tsr_picture *p, tsr_tiled_copy const *x, tsr_picture_options const *o);
void tsr_picture_tma_(tsr_picture *p, tsr_tma_desc const *d, tsr_picture_options const *o);
void tsr_picture_distribution_(tsr_picture *p, tsr_encoding const *e, tsr_picture_options const *o);
void tsr_picture_descriptor_(tsr_picture *p, tsr_descriptor const *d, tsr_picture_options const *o);
void tsr_picture_window_(tsr_picture *p, tsr_tile_window const *w, tsr_picture_options const *o);

void tsr_picture_distributed_(tsr_picture *p, tsr_dist_layout const *d, tsr_picture_options const *o);
void tsr_picture_exchange_(tsr_picture *p, tsr_dist_exchange const *x, tsr_picture_options const *o);

/** A descriptor, a view, a window or CK's distribution, under its text; false: the value is none. */
bool tsr_picture_tile_value_(tsr_picture *p, value const *v, char const *text, tsr_picture_options const *o);

/** The tile of a thread-value layout, the value of the picture's title: who owns what, and its inverse. */
void tsr_picture_tv_(tsr_picture *p, tsr_layout const *tv, tsr_tuple tile, tsr_picture_options const *o);

/** Only the tile; `across` turns it over. */
int tsr_picture_tv_panel_(tsr_picture *p, tsr_layout const *tv, tsr_tuple tile, char const *name, bool across,
                          tsr_picture_options const *o);

/** The operation that an expression ends in; false: there is no picture of it. */
bool tsr_picture_operation_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o);

#endif
