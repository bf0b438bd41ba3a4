/** Bytes on their way to a sink, in blocks. */
#ifndef TSR_SRC_PICTURE_STREAM_H
#define TSR_SRC_PICTURE_STREAM_H

#include "picture/build.h"

typedef struct stream {
    tsr_sink sink;
    void *context;
    size_t used;
    bool stopped;
    char block[8192];
} stream;

void tsr_stream_bytes_(stream *s, char const *bytes, size_t n);
void tsr_stream_text_(stream *s, char const *text);
void tsr_stream_put_(stream *s, char const *format, ...) PICTURE_PRINTF(2);

/** An integer, faster than stream_put. */
void tsr_stream_number_(stream *s, int64_t n);

/** A text in which the characters of XML, of JSON or of TeX are written as they must be. */
void tsr_stream_xml_(stream *s, char const *text, size_t n);
void tsr_stream_json_(stream *s, char const *text);
void tsr_stream_tex_(stream *s, char const *text, size_t n);

/** A code point in UTF-8. */
void tsr_stream_utf8_(stream *s, uint32_t c);

/** Sends what is still in the block. False if the sink stopped. */
bool tsr_stream_end_(stream *s);

/** How many of the characters of a text make its first line of at most `width`. Lines break between words, and inside
 *  an expression only where it alone is too long, at its outermost brackets. */
size_t tsr_picture_line_(char const *text, size_t width);

/** The longest piece of a text that has no break between words: an expression is one. */
size_t tsr_picture_piece_(char const *text);

/* The formats. */

bool tsr_draw_text_(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool tsr_draw_svg_(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool tsr_draw_latex_(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool tsr_draw_html_(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool tsr_draw_json_(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool tsr_draw_pixmap_(tsr_picture const *p, tsr_drawing const *how, stream *s);

#endif
