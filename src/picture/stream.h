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

void stream_bytes(stream *s, char const *bytes, size_t n);
void stream_text(stream *s, char const *text);
void stream_put(stream *s, char const *format, ...) PICTURE_PRINTF(2);

/** An integer, faster than stream_put. */
void stream_number(stream *s, int64_t n);

/** A text in which the characters of XML, of JSON or of TeX are written as they must be. */
void stream_xml(stream *s, char const *text, size_t n);
void stream_json(stream *s, char const *text);
void stream_tex(stream *s, char const *text, size_t n);

/** A code point in UTF-8. */
void stream_utf8(stream *s, uint32_t c);

/** Sends what is still in the block. False if the sink stopped. */
bool stream_end(stream *s);

/** How many of the characters of a text make its first line of at most `width`. Lines break between words, and inside
 *  an expression only where it alone is too long, at its outermost brackets. */
size_t picture_line(char const *text, size_t width);

/** The longest piece of a text that has no break between words: an expression is one. */
size_t picture_piece(char const *text);

/* The formats. */

bool draw_text(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool draw_svg(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool draw_latex(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool draw_html(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool draw_json(tsr_picture const *p, tsr_drawing const *how, stream *s);
bool draw_pixmap(tsr_picture const *p, tsr_drawing const *how, stream *s);

#endif
