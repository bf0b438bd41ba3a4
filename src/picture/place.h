/** Where everything of a picture stands, in pixels: what SVG, PNG, TikZ and HTML share. */
#ifndef TSR_SRC_PICTURE_PLACE_H
#define TSR_SRC_PICTURE_PLACE_H

#include "picture/build.h"

/** Sizes of letters, in pixels; all letters are 0.6 of that wide. */
enum { SIZE_TITLE = 13, SIZE_AXIS = 10, SIZE_NOTE = 12, MOST_LEGENDS = TSR_PICTURE_LEGENDS };

/** The width of n letters, rounded up. */
int tsr_letters_width_(size_t n, int size);

typedef struct placed_panel {
    int x, y;          /* of the first cell */
    int left, top;     /* of the panel with its title and axes */
    int width, height; /* of all that */
    int title_lines, title_columns;
    int row_tracks, column_tracks; /* levels shown beside the numbers, 0 for a flat mode */
    int row_margin, column_margin; /* pixels of the numbers */
    int every_row, every_column;   /* the distance of lines that have a number */
    int joint;                     /* pixels before the panel */
} placed_panel;

typedef struct placing {
    placed_panel panel[TSR_PICTURE_PANELS];
    int cell_width, cell_height, label_size;
    bool labels; /* whether cells are large enough for them */
    int width, height;
    int legend_y, legend_x[MOST_LEGENDS], legend_line[MOST_LEGENDS], notes_y, note_columns;
} placing;

void tsr_place_picture_(tsr_picture const *p, tsr_drawing const *how, placing *at);

/** The swatches of a legend: eight of a ramp, and their colours. */
int tsr_legend_steps_(tsr_legend const *l);
uint8_t tsr_legend_colour_(tsr_legend const *l, int step);

/** How many levels of a nested mode begin at a line: 0 inside a block, and at the ends. */
int tsr_axis_border_(tsr_axis const *a, int64_t at);

enum { TRACK = 15, SWATCH = 14 };

#endif
