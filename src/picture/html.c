/** Pictures as one page: the SVG, the JSON, and a script that joins them (page.js). Nothing is loaded from
 *  elsewhere. */
#include "picture/page.h"
#include "picture/stream.h"

#include <string.h>

bool tsr_draw_html_(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    char const *const title = tsr_picture_string_(p, p->title);
    tsr_stream_text_(s, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    tsr_stream_xml_(s, title, strlen(title));
    tsr_stream_text_(s, "</title>\n<style>\n");
    tsr_stream_text_(s, tsr_page_style_);
    tsr_stream_text_(s, "</style>\n</head>\n<body>\n<main>\n<figure>\n");
    bool ok = tsr_draw_svg_(p, how, s);
    tsr_stream_text_(s, "</figure>\n");
    tsr_stream_text_(s, tsr_page_controls_);
    tsr_stream_text_(s, "</main>\n<script type=\"application/json\" id=\"picture\">\n");
    ok = tsr_draw_json_(p, how, s) && ok;
    tsr_stream_text_(s, "</script>\n<script>\n");
    tsr_stream_text_(s, tsr_page_script_);
    tsr_stream_text_(s,
                     "explorer.open(document.querySelector('figure svg'), JSON.parse(byId('picture').textContent));\n"
                     "</script>\n</body>\n</html>\n");
    return ok;
}
