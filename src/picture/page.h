/** What every page of a picture has: page.css, page_controls.html and page.js as texts (cmake/page.cmake). */
#ifndef TSR_SRC_PICTURE_PAGE_H
#define TSR_SRC_PICTURE_PAGE_H

extern char const page_style[], page_controls[], page_script[];

#endif
