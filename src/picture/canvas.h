/** What a picture is drawn on: few verbs, which SVG, PNG and TikZ have each in its own way. Units: pixels, y down. */
#ifndef TSR_SRC_PICTURE_CANVAS_H
#define TSR_SRC_PICTURE_CANVAS_H

#include "picture/place.h"

typedef struct rectangle {
    int x, y, width, height;
} rectangle;

/** A horizontal or vertical line of cells' edges. */
typedef struct segment {
    int x, y, length;
    bool down;
} segment;

/** How lines and letters look. */
typedef enum line_style { LINE_GRID, LINE_BLOCK, LINE_FRAME, LINE_CHOSEN, LINE_ARROW, LINE_STYLES } line_style;
typedef enum text_style { TEXT_LABEL, TEXT_FADED, TEXT_AXIS, TEXT_TITLE, TEXT_NOTE, TEXT_STYLES } text_style;
typedef enum text_anchor { ANCHOR_LEFT, ANCHOR_MIDDLE, ANCHOR_RIGHT } text_anchor;

typedef struct canvas canvas;
struct canvas {
    void (*fill)(canvas *c, uint8_t colour, rectangle const *r, size_t n);
    void (*mark)(canvas *c, int mark, rectangle const *r, size_t n); /* faded, outside or conflict */
    void (*line)(canvas *c, line_style style, segment const *s, size_t n);
    /** A text whose middle is at y; n characters. */
    void (*text)(canvas *c, text_style style, text_anchor anchor, int size, int x, int y, char const *text, size_t n);
    void (*arrow)(canvas *c, int x, int y, int length);
};

/** Draws all of a picture; false: out of memory. */
bool tsr_paint_picture_(tsr_picture const *p, placing const *at, canvas *c);

#endif
