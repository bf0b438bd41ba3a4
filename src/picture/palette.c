/** The colours. Sixteen hues are told apart with deficient colour vision as well: the first eight are after Paul Tol's
 *  "light" scheme, the others as far from them and from each other as contrast allows. The ramp goes in lightness only.
 *  Text on every colour has a contrast of at least 4.5 (tests/picture.c). */
#include "picture/build.h"

static uint32_t const ink[2] = {0x16181d, 0xf4f6fa};

static uint32_t const hues[TSR_CLASSES][2] = {
    /* light ground, dark ground */
    {0x8db8e8, 0x2f6097}, {0xf0a07c, 0x8f4b25}, {0x7fd1b5, 0x1a6d50}, {0xf3dc8c, 0x695413},
    {0xf7b6c6, 0x813461}, {0xa9e2f7, 0x1d6277}, {0xcdd86b, 0x54700a}, {0xc9b6e8, 0x59408a},
    {0xc29a38, 0x7a1027}, {0x69a248, 0x032a5f}, {0xa48ae7, 0xbb1847}, {0x079ffa, 0x1f4300},
    {0x0ea4af, 0x521f2b}, {0xed6c7f, 0x0a5bc6}, {0x859998, 0x540053}, {0x7bfbb9, 0x201a7c}};

static uint32_t const ramp[2][2] = {{0xf3f7fc, 0x1d2530}, {0x6ea6dd, 0x2f6ea8}};

static uint32_t const cute[8] = {0xafafff, 0xafffaf, 0xffffaf, 0xffafaf, 0xd2d2ff, 0xd2ffd2, 0xffffd2, 0xffd2d2};

/** How much black: black!00, black!40, .. of print_latex. */
static uint8_t const greys[8] = {0, 40, 20, 60, 10, 50, 30, 70};

/** Between two colours, n of m parts of the way. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t n, uint32_t m)
{
    uint32_t r = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t const x = a >> shift & 255, y = b >> shift & 255;
        r |= ((x * (m - n) + y * n + m / 2) / m) << shift;
    }
    return r;
}

uint32_t tsr_colour_rgb(uint8_t colour, bool dark)
{
    uint32_t const ground = dark ? 0x12151b : 0xffffff;
    if (colour >= TSR_COLOUR_CUTE)
        return cute[(colour - TSR_COLOUR_CUTE) % 8];
    if (colour >= TSR_COLOUR_GREY)
        return mix(0xffffff, 0, greys[colour - TSR_COLOUR_GREY], 100);
    if (colour >= TSR_COLOUR_RAMP)
        return mix(ramp[0][dark], ramp[1][dark], colour - TSR_COLOUR_RAMP, TSR_RAMP - 1);
    if (colour >= TSR_COLOUR_HUE) /* the further sixteen are nearer to the ground */
        return mix(hues[(colour - TSR_COLOUR_HUE) % TSR_CLASSES][dark], ground,
                   (uint32_t)(colour - TSR_COLOUR_HUE) / TSR_CLASSES * 45, 100);
    return ground;
}

uint32_t tsr_ink_rgb(bool dark) { return ink[dark]; }

uint8_t tsr_picture_hue_(tsr_picture_options const *o, int64_t n)
{
    return (uint8_t)(o->cute ? TSR_COLOUR_CUTE + n % 8 : TSR_COLOUR_HUE + n % TSR_HUES);
}

void tsr_picture_colour_offsets_(tsr_picture *p, tsr_picture_options const *o, int first_panel)
{
    int64_t least = TSR_INT_MAX, most = -TSR_INT_MAX;
    size_t const first = p->refused[0] ? p->cells : p->panel[first_panel].first;
    for (size_t i = first; i < p->cells; ++i) {
        int64_t const x = p->cell[i].offset;
        if (x != TSR_BAD_OFFSET) {
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
    }
    for (size_t i = first; i < p->cells; ++i) {
        int64_t const x = p->cell[i].offset;
        if (x == TSR_BAD_OFFSET)
            continue;
        double const part = most > least ? ((double)x - (double)least) / ((double)most - (double)least) : 0;
        p->cell[i].colour = (uint8_t)(o->cute ? TSR_COLOUR_GREY + (x % 8 + 8) % 8
                                              : TSR_COLOUR_RAMP + (int)(part * (TSR_RAMP - 1) + 0.5));
    }
    if (!o->cute && most > least)
        tsr_picture_legend_(p, TSR_COLOUR_RAMP, TSR_COLOUR_RAMP + TSR_RAMP - 1, 0, "offset %lld to %lld",
                            (long long)least, (long long)most);
}
