/** Pictures of layouts, tensors, atoms, operations, swizzles, tensor maps and tiles.
 *
 *  A picture is panels, and a panel is a grid of cells. A cell says what it is (its coordinate, its index, its
 *  offset, the thread and value that own it), its text, its colour and its marks. A picture knows rows and columns
 *  only; the function that draws it knows pixels or characters. The same picture always gives the same bytes.
 *
 *      value -> tsr_make_layout_picture, .. -> tsr_picture -> tsr_draw_picture -> text, SVG, TikZ, HTML, JSON, pixels
 *      expression -> tsr_evaluate -> tsr_make_picture -> tsr_picture
 *
 *  A picture owns memory: tsr_picture_free gives it back. One that could not be made says why in `refused`.
 */
#ifndef TSR_PICTURE_H
#define TSR_PICTURE_H

#include "tessera/atom/banks.h"
#include "tessera/atom/tiled_copy.h"
#include "tessera/mesh/exchange.h"
#include "tessera/text.h"
#include "tessera/tile/tile_window.h"

TSR_HEADER_BEGIN

/** The most cells of a picture, all panels together. */
#define TSR_PICTURE_CELLS TSR_TABLE_CELLS

#define TSR_PICTURE_PANELS 256
#define TSR_PICTURE_LEVELS 8
#define TSR_PICTURE_LEGENDS 24
#define TSR_PICTURE_NOTES 8

/** Colours, by what they mean; src/picture/palette.c has a light and a dark value of each. */
typedef enum tsr_colour {
    TSR_COLOUR_NONE = 0,
    TSR_COLOUR_HUE = 1,   /* 32 to tell apart: threads, tiles, banks; the first 16 are the most distinct */
    TSR_COLOUR_RAMP = 33, /* 16 from low to high: offsets */
    TSR_COLOUR_GREY = 49, /* 8: the greys of print_latex, by offset modulo 8 */
    TSR_COLOUR_CUTE = 57, /* 8: the colours of print_latex and print_svg, by thread modulo 8 */
    TSR_COLOURS = 65
} tsr_colour;

enum { TSR_HUES = 32, TSR_CLASSES = 16, TSR_RAMP = 16 };

/** Marks of a cell. */
enum {
    TSR_MARK_CHOSEN = 1,   /* what the picture is about: framed */
    TSR_MARK_FADED = 2,    /* what it is not about */
    TSR_MARK_OUTSIDE = 4,  /* not in memory: out of bounds, padding */
    TSR_MARK_CONFLICT = 8, /* shares its bank with another word of the same access */
    TSR_MARK_EMPTY = 16    /* no cell at all */
};

typedef struct tsr_cell {
    int64_t link;          /* cells of one link correspond; -1: none */
    int64_t index;         /* 1-D coordinate; -1: none */
    int64_t offset;        /* in elements; TSR_BAD_OFFSET: none */
    int32_t thread, value; /* the first owner; -1: none */
    uint32_t label;        /* a text of the picture, up to two lines; 0: nothing */
    uint8_t colour, mark;
} tsr_cell;

/** The lines of a grid in one direction. The extents of a nested mode, fastest first, give the nested borders. */
typedef struct tsr_axis {
    int32_t count, levels;
    int32_t extent[TSR_PICTURE_LEVELS];
    uint32_t name;  /* what is counted; 0: nothing */
    uint32_t lines; /* first of `count` entries of `line` */
} tsr_axis;

typedef struct tsr_axis_line {
    uint32_t label, coord; /* the label beside the line, and its coordinate in the mode */
} tsr_axis_line;

typedef struct tsr_panel {
    tsr_axis row, column;
    size_t first; /* its first cell; cells lie row by row */
    uint32_t name, title;
    uint32_t rest;             /* the coordinate of the further modes, ",1,(0,2)"; 0: none */
    uint32_t joint;            /* between the panel on the left and this one: an arrow or a sign */
    bool one_mode;             /* the coordinate is that of the rows alone, of a single row that of the columns */
    int16_t at_row, at_column; /* its place among the panels; -1: to the right of the last one, or below */
} tsr_panel;

/** One more owner of a cell: a thread and value that hold the element, too. */
typedef struct tsr_owner {
    uint32_t cell;
    int32_t thread, value;
} tsr_owner;

typedef struct tsr_legend {
    uint32_t text;
    uint8_t colour, mark;
    uint8_t until; /* for a ramp: its last colour; else 0 */
} tsr_legend;

typedef struct tsr_picture {
    tsr_cell *cell;
    tsr_panel *panel;
    tsr_axis_line *line;
    tsr_owner *owner;
    char *text; /* texts end with 0; the first is "" */
    size_t cells, lines, owners, texts;
    size_t cell_capacity, line_capacity, owner_capacity, text_capacity;
    int panels, legends, notes;
    int64_t visited; /* elements, at most TSR_WORK_BUDGET */
    uint32_t title, description, note[TSR_PICTURE_NOTES];
    tsr_legend legend[TSR_PICTURE_LEGENDS];
    unsigned flags;                  /* text.h: how titles and notes write numbers */
    int element_bits;                /* of an element in memory, for banks */
    int access_rows, access_columns; /* banks are shown: threads that go together, values of one vector; else 0 */
    tsr_bank_phase phase;            /* the banks, and the order of the threads; 0 threads: 32 banks, in order */
    int label_width;                 /* text: the least characters of a label */
    bool plain;                      /* nothing but a layout: the text is print_layout's */
    bool ranks;                      /* owners are ranks and offsets, not threads and values */
    bool worded;                     /* refused, because the value is its own picture: its text says all */
    char refused[512];               /* why there is no picture; empty when there is one */
} tsr_picture;

/* clang-format off */
/** X(id, name, help): the text in the cells. */
#define TSR_LABEL_LIST(X)                            \
  X(OWN, "own", "what the picture is about")         \
  X(COORD, "coord", "coordinates")                   \
  X(INDEX, "index", "1-D coordinates")               \
  X(OFFSET, "offset", "offsets, in elements")        \
  X(BANK, "bank", "banks of shared memory")
/* clang-format on */

typedef enum tsr_label {
#define TSR_X_(id, name, help) TSR_LABEL_##id,
    TSR_LABEL_LIST(TSR_X_)
#undef TSR_X_
} tsr_label;

typedef struct tsr_picture_options {
    unsigned flags; /* of text.h */
    tsr_label label;
    tsr_dtype type;    /* of the elements, for banks; 0: what the expression says, else 32 bits */
    int64_t thread;    /* framed, all others faded; -1: none */
    char const *panel; /* names or numbers of panels, with commas; NULL: all */
    bool cute;         /* the colours that print_latex and print_svg use */
    bool alone;        /* the result only, not what it was made from */
} tsr_picture_options;

/** The options of a plain picture. */
TSR_API tsr_picture_options tsr_plain_picture(void);

/* clang-format off */
/** X(name, type, ..): what has a picture as a value. tsr_make_NAME_picture(&value, &options) makes it. */
#define TSR_PICTURE_LIST(X)                         \
    X(layout, tsr_layout, layout)                   \
    X(tensor, tsr_tensor, tensor)                   \
    X(swizzle, tsr_swizzle, swizzle)                \
    X(tiled_mma, tsr_tiled_mma, mma)                \
    X(copy_atom, tsr_copy_atom, copy_atom)          \
    X(tiled_copy, tsr_tiled_copy, tiled_copy)       \
    X(tma, tsr_tma_desc, tma)                       \
    X(descriptor, tsr_descriptor, descriptor)       \
    X(distribution, tsr_encoding, distribution)     \
    X(tile_window, tsr_tile_window, window)         \
    X(distributed, tsr_dist_layout, distributed)    \
    X(exchange, tsr_dist_exchange, exchange)
/* clang-format on */

#define TSR_X_(name, type, maker) \
  TSR_API tsr_picture tsr_make_##name##_picture(type const *x, tsr_picture_options const *options);
TSR_PICTURE_LIST(TSR_X_)
#undef TSR_X_

/** The picture of what differs between two layouts. */
TSR_API tsr_picture tsr_make_diff_picture(tsr_layout const *a, tsr_layout const *b,
                                          tsr_picture_options const *options);

/** The picture of an expression: of the operation and its arguments, where the operation has one, else of its value. */
TSR_API tsr_picture tsr_make_picture(tsr_evaluation const *e, tsr_picture_options const *options);

/** Is there something to draw? */
TSR_API bool tsr_picture_ok(tsr_picture const *p);
/** Gives the memory of a picture back. */
TSR_API void tsr_picture_free(tsr_picture *p);

/** X(id, name, ending of a file, help): what draws a picture. */
#define TSR_FORMAT_LIST(X)                                                \
  X(CUTE, "cute", ".txt", "the characters of CuTe's print_layout")        \
  X(ASCII, "ascii", ".asc", "text in ASCII, as wide as asked for")        \
  X(UNICODE, "unicode", ".utf8", "text in Unicode, colours as asked for") \
  X(SVG, "svg", ".svg", "a drawing, light and dark")                      \
  X(LATEX, "tex", ".tex", "a standalone TikZ drawing")                    \
  X(HTML, "html", ".html", "one page: hover, isolate, step")              \
  X(JSON, "json", ".json", "the cells for other tools")                   \
  X(PPM, "ppm", ".ppm", "pixels; the calculator makes .png of them where libpng was found")

typedef enum tsr_format {
#define TSR_X_(id, name, ending, help) TSR_FORMAT_##id,
    TSR_FORMAT_LIST(TSR_X_)
#undef TSR_X_
        TSR_FORMATS
} tsr_format;

/** The format of a name or of the ending of a file; TSR_FORMATS for none. */
TSR_API tsr_format tsr_format_named(char const *name);
TSR_API tsr_format tsr_format_of_file(char const *path);

/** Takes n bytes of a drawing; false stops it. */
typedef bool (*tsr_sink)(void *context, char const *bytes, size_t n);

typedef struct tsr_drawing {
    tsr_format format;
    int width;   /* text: the most columns; 0: any number */
    int colours; /* text: 0, 16, 256 or 1 << 24 */
    int labels;  /* drawings: with more cells than this, colours stand for labels; 0: 4096 */
} tsr_drawing;

/** Draws. False when the sink stopped, or memory ran out. */
TSR_TRY bool tsr_draw_picture(tsr_picture const *p, tsr_drawing how, tsr_sink sink, void *context);

/** A colour as 0xRRGGBB, on a light or a dark ground, and that of the text on it. */
TSR_API uint32_t tsr_colour_rgb(uint8_t colour, bool dark);
TSR_API uint32_t tsr_ink_rgb(bool dark);

TSR_HEADER_END

#endif
