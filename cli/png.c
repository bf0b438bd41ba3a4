/** PNG: the library draws pixels, libpng compresses them. */
#include "png.h"

#ifndef TSR_HAVE_PNG

bool png_is_there(void) { return false; }

bool png_draw(tsr_picture const *p, tsr_drawing how, FILE *file)
{
    (void)p, (void)how, (void)file;
    return false;
}

#else

#  include <png.h>
#  include <setjmp.h>
#  include <stdlib.h>
#  include <string.h>

bool png_is_there(void) { return true; }

/** A pixmap on its way: first the text "P6 WIDTH HEIGHT 255", then a row of pixels after the other. */
typedef struct png_pixels {
    png_structp png;
    png_infop info;
    char head[64];
    size_t header, row, bytes; /* characters of the head; pixels of a row that are there, and of a whole one */
    unsigned char *pixel;
} png_pixels;

/** The head is whole when its third line ends; then the image begins. */
static bool begin_image(png_pixels *to)
{
    unsigned width = 0, height = 0;
    to->head[to->header] = 0;
    if (sscanf(to->head, "P6 %u %u 255", &width, &height) != 2)
        return false;
    to->bytes = 3 * (size_t)width;
    to->pixel = (unsigned char *)malloc(to->bytes);
    png_set_IHDR(to->png, to->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(to->png, to->info);
    return to->pixel != NULL;
}

static bool take_pixels(void *context, char const *bytes, size_t n)
{
    png_pixels *const to = (png_pixels *)context;
    while (n > 0 && !to->pixel) {
        if (to->header + 1 == sizeof to->head)
            return false;
        to->head[to->header++] = *bytes++;
        --n;
        if (to->header > 4 && memcmp(to->head + to->header - 4, "255\n", 4) == 0 && !begin_image(to))
            return false;
    }
    while (n > 0) {
        size_t const rest = to->bytes - to->row, part = n < rest ? n : rest;
        memcpy(to->pixel + to->row, bytes, part);
        to->row += part;
        bytes += part;
        n -= part;
        if (to->row == to->bytes) {
            png_write_row(to->png, to->pixel);
            to->row = 0;
        }
    }
    return true;
}

bool png_draw(tsr_picture const *p, tsr_drawing how, FILE *file)
{
    png_pixels *const to = (png_pixels *)calloc(1, sizeof *to); /* its values outlast the jump out of libpng */
    if (!to)
        return false;
    to->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    to->info = to->png ? png_create_info_struct(to->png) : NULL;
    volatile bool ok = false;
    if (to->info && !setjmp(png_jmpbuf(to->png))) { /* libpng comes back here from an error */
        png_init_io(to->png, file);
        bool const drawn = tsr_draw_picture(p, how, take_pixels, to);
        if (drawn)
            png_write_end(to->png, to->info);
        ok = drawn;
    }
    png_destroy_write_struct(&to->png, &to->info);
    free(to->pixel);
    free(to);
    return ok;
}

#endif
