/** PNG, where libpng was found. */
#ifndef TSR_CLI_PNG_H
#define TSR_CLI_PNG_H

#include <stdio.h>

#include "tessera/picture.h"

bool png_is_there(void);

/** Writes a picture as PNG. */
bool png_draw(tsr_picture const *p, tsr_drawing how, FILE *file);

#endif
