/** A sheet of characters with colours, and its way to a terminal. */
#ifndef TSR_SRC_PICTURE_SHEET_H
#define TSR_SRC_PICTURE_SHEET_H

#include "picture/stream.h"

typedef struct glyph {
    uint16_t ch;
    uint8_t ground, ink, faint; /* colours; faint: not what the picture is about */
} glyph;

typedef struct sheet {
    glyph *at;
    int width, height;
    int left, wide; /* what is written stands in these columns; from there x is counted */
    int *used;      /* characters written in each line */
} sheet;

/** How a text is drawn. */
typedef struct manner {
    bool cute, unicode;
    int colours, width;
} manner;

/** False: out of memory; a sheet is closed in either case. */
bool tsr_sheet_open_(sheet *s, int64_t width, int64_t height);
void tsr_sheet_close_(sheet *s);

/** Characters outside of the sheet, or of its columns, are dropped. */
void tsr_sheet_set_(sheet *s, int x, int y, uint16_t ch, uint8_t ground, uint8_t ink, bool faint);
void tsr_sheet_write_(sheet *s, int x, int y, char const *text, size_t n);

/** The escape that changes to a glyph's colours. */
void tsr_put_style_(stream *s, manner const *m, glyph const *g);
void tsr_put_sheet_(stream *s, manner const *m, sheet const *from);

#endif
