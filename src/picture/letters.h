/** Letters as strokes, for the canvas of pixels. */
#ifndef TSR_SRC_PICTURE_LETTERS_H
#define TSR_SRC_PICTURE_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

/** A letter drawn once: how much of each pixel its strokes cover, from 0 to 16, row by row. The letter begins at
 *  column LETTER_MARGIN; its line is below row `line`. */
enum { LETTER_WIDTH = 24, LETTER_HEIGHT = 36, LETTER_MARGIN = 2, LETTER_FIRST = ' ', LETTER_LAST = '~' };

typedef struct letter {
    uint8_t covered[LETTER_HEIGHT][LETTER_WIDTH];
    int line;
} letter;

/** Draws a letter from ' ' to '~' of `size` pixels, at most 30. */
void tsr_letter_draw_(letter *to, char which, int size, bool bold);

#endif
