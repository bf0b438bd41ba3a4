/** Pictures as one page: the SVG, the JSON, and a script that joins them (page.js). Nothing is loaded from
 *  elsewhere. */
#include "picture/page.h"
#include "picture/stream.h"

#include <string.h>

bool draw_html(tsr_picture const *p, tsr_drawing const *how, stream *s)
{
    char const *const title = picture_string(p, p->title);
    stream_text(s,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    stream_xml(s, title, strlen(title));
    stream_text(s, "</title>\n<style>\n");
    stream_text(s, page_style);
    stream_text(s, "</style>\n</head>\n<body>\n<main>\n<figure>\n");
    bool ok = draw_svg(p, how, s);
    stream_text(s, "</figure>\n");
    stream_text(s, page_controls);
    stream_text(s, "</main>\n<script type=\"application/json\" id=\"picture\">\n");
    ok = draw_json(p, how, s) && ok;
    stream_text(s, "</script>\n<script>\n");
    stream_text(s, page_script);
    stream_text(s, "explorer.open(document.querySelector('figure svg'), JSON.parse(byId('picture').textContent));\n"
                   "</script>\n</body>\n</html>\n");
    return ok;
}
