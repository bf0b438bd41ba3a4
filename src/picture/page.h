/** What every page of a picture has: page.css, page_controls.html and page.js as texts (cmake/page.cmake). */
#ifndef TSR_SRC_PICTURE_PAGE_H
#define TSR_SRC_PICTURE_PAGE_H

extern char const tsr_page_style_[], tsr_page_controls_[], tsr_page_script_[];

#endif
