/** Letters as strokes: lines and parabolas with round ends, drawn by counting which of the sixteen points of a pixel
 *  they cover. All of it in integers, so that pixels are the same everywhere.
 *
 *  A letter is a text. Its points are a column, '0' for 0 and on to '<' for 12, the width of a letter, and a height,
 *  'a' for -4 and on to 't' for 15, where 'e' is the line and 's' the height of a capital; 20 of them are the size. A
 *  height as a capital letter is that of a control point, as in TrueType: two in a row have a point between them. A
 *  blank begins another stroke; one of a single point is a dot.
 */
#include "picture/letters.h"

#include <string.h>

static char const *const strokes[LETTER_LAST - LETTER_FIRST + 1] = {
    /*   ! " # $ % & ' */
    "", "6s6j 6e", "4s4o 8s8o", "5r3f 9r7f 2n:n 2j:j", "9q8S6s3S3p3M6l9K9h9E6e4E3g 6t6c",
    "4s6S6q6O4o2O2q2S4s 8i:I:g:E8e6E6g6I8i :s2e", ":e4n3S6s9S8p8N4k2J2h2E5e8E:k", "6s6o",
    /* ( ) * + , - . / */
    "8t5P5k5F8b", "4t7P7k7F4b", "6q6i 3o9k 9o3k", "6o6g 2k:k", "6f5b", "3k9k", "6e", "9t3b",
    /* 0 to 9 */
    "6s:S:n:j:E6e2E2j2n2S6s 6l", "3p6s6e 3e9e", "2p3S6s:S:p:M7j2e:e", "2q3S6s:S:p:L6l5l 6l:L:h:E6e3E2g", "8e8s2i:i",
    "9s3s2l4N6n:N:j:i:E6e3E2g", "9q8S6s2S2k2i2E6e:E:i:j:N6n2N2j", "2s:s5e", "6m9M9p9S6s3S3p3M6m:M:i:E6e2E2i2M6m",
    "3g4E6e:E:m:o:S6s2S2o2n2J6j:J:n",
    /* : ; < = > ? @ */
    "6n 6f", "6n 6f5b", ":p2k:f", "2m:m 2i:i", "2p:k2f", "2q3S6s:S:p:N7l6K6i 6e",
    "9c8B6b1B1k1R6r;R;k;h:G9h9l 9k9N7n5N5k5H7h9H9k",
    /* A to Z */
    "2e6s:e 3i9i", "2e2s6s9S9p9L6l2l 6l:L:h:E6e2e", ":p9S6s2S2n2j2E6e9E:h", "2e2s5s:S:n:j:E5e2e", ":e2e2s:s 2l8l",
    "2e2s:s 2l8l", ":p9S6s2S2n2j2E6e:E:h:k7k", "2e2s :e:s 2l:l", "3s9s 6s6e 3e9e", "5s9s9h9E5e3E2g", "2e2s 2j:s 5m:e",
    "2s2e:e", "2e2s6k:s:e", "2e2s:e:s", "6s:S:n:j:E6e2E2j2n2S6s", "2e2s6s:S:o:K6k2k", "6s:S:n:j:E6e2E2j2n2S6s 7h:c",
    "2e2s6s:S:o:K6k2k 6k:e", ":q9S6s2S2p2M6l:K:h:E6e3E2g", "2s:s 6s6e", "2s2j2E6e:E:j:s", "2s6e:s", "1s3e6o9e;s",
    "2s:e :s2e", "2s6l:s 6l6e", "2s:s2e:e",
    /* [ \ ] ^ _ ` */
    "8t5t5b8b", "3t9b", "4t7t7b4b", "2n6s:n", "1b;b", "4t7q",
    /* a to z */
    "3n4O6o9O9l9e 9k5k2K2h2E5e8E9h", "2t2e 2k2O6o:O:k:i:E6e2E2i", "9n8O6o2O2k2i2E6e8E9g", ":t:e :k:O6o2O2k2i2E6e:E:i",
    "2j:j:k:O6o2O2k2i2E6e9E:g", "5e5q5T8t9t 2o9o", ":o:e:A6a3A2b :k:O6o2O2k2i2E6e:E:i", "2t2e 2k2O6o:O:k:e",
    "3o6o6e 3e9e 6s", "4o7o7d7A4a3a 7s", "2t2e 2i9o 5l:e", "3t6t6h6E8e9e", "1o1e 1k1O4o6O6k6e 6k6O9o;O;k;e",
    "2o2e 2k2O6o:O:k:e", "6o:O:k:i:E6e2E2i2k2O6o", "2o2a 2k2O6o:O:k:i:E6e2E2i", ":o:a :k:O6o2O2k2i2E6e:E:i",
    "3o3e 3k3O7o9O:n", "9n8O6o3O3m3K6j9I9g9E6e4E3f", "5s5h5E8e9e 2o9o", "2o2i2E6e:E:i :o:e", "2o6e:o", "1o3e6m9e;o",
    "2o:e :o2e", "2o6e :o5c4A2a", "2o:o2e:e",
    /* { | } ~ */
    "9t6T6q6n6K4k6K6h6e6B9b", "6t6a", "3t6T6q6n6K8k6K6h6e6B3b", "2k4O6l8I:m"};

/** A place in sixteenths of a pixel. */
typedef struct place {
    int64_t x, y;
} place;

typedef struct pen {
    letter *to;
    uint16_t points[LETTER_HEIGHT][LETTER_WIDTH]; /* the sixteen points of each pixel */
    int size;
    int64_t radius;
    place at;
} pen;

enum { PART = 16, SIZE = 20, TOP = 18, CURVE = 8 };

/** Whether a point is at most a radius away from a line. */
static bool covers(place a, place b, int64_t radius, place p)
{
    int64_t const bx = b.x - a.x, by = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    int64_t const along = px * bx + py * by, length = bx * bx + by * by;
    if (along <= 0)
        return px * px + py * py <= radius * radius;
    if (along >= length)
        return (p.x - b.x) * (p.x - b.x) + (p.y - b.y) * (p.y - b.y) <= radius * radius;
    int64_t const across = px * by - py * bx;
    return across * across <= radius * radius * length;
}

static int64_t clamp(int64_t x, int64_t most) { return x < 0 ? 0 : x > most ? most : x; }

/** A line from where the pen is; only the pixels around it are looked at. */
static void pen_line(pen *n, place b, int64_t radius)
{
    place const a = n->at;
    int64_t const left = clamp(((a.x < b.x ? a.x : b.x) - radius) / PART, LETTER_WIDTH),
                  right = clamp(((a.x > b.x ? a.x : b.x) + radius) / PART + 1, LETTER_WIDTH),
                  top = clamp(((a.y < b.y ? a.y : b.y) - radius) / PART, LETTER_HEIGHT),
                  bottom = clamp(((a.y > b.y ? a.y : b.y) + radius) / PART + 1, LETTER_HEIGHT);
    for (int64_t y = top; y < bottom; ++y)
        for (int64_t x = left; x < right; ++x)
            for (int i = 0; i < 16; ++i) {
                place const p = {x * PART + i % 4 * 4 + 2, y * PART + i / 4 * 4 + 2};
                if (covers(a, b, radius, p))
                    n->points[y][x] |= (uint16_t)(1 << i);
            }
    n->at = b;
}

/** A parabola from where the pen is. */
static void pen_curve(pen *n, place control, place b)
{
    place const a = n->at;
    for (int64_t i = 1; i <= CURVE; ++i) {
        int64_t const j = CURVE - i;
        place const p = {(a.x * j * j + 2 * control.x * i * j + b.x * i * i) / (CURVE * CURVE),
                         (a.y * j * j + 2 * control.y * i * j + b.y * i * i) / (CURVE * CURVE)};
        pen_line(n, p, n->radius);
    }
}

static bool is_control(char height) { return height >= 'A' && height <= 'Z'; }

static place place_of(pen const *n, char const *point)
{
    int64_t const column = point[0] - '0', height = (is_control(point[1]) ? point[1] - 'A' : point[1] - 'a') - 4;
    place const p = {LETTER_MARGIN * PART + column * n->size * PART / SIZE, (TOP - height) * n->size * PART / SIZE};
    return p;
}

/** One stroke; returns where it ends. */
static char const *pen_stroke(pen *n, char const *p)
{
    n->at = place_of(n, p);
    p += 2;
    if (*p == 0 || *p == ' ') /* a dot is thicker */
        pen_line(n, n->at, n->radius * 3 / 2);
    for (; *p && *p != ' '; p += 2) {
        place const at = place_of(n, p);
        if (!is_control(p[1])) {
            pen_line(n, at, n->radius);
            continue;
        }
        place end = place_of(n, p + 2);
        if (is_control(p[3])) {
            end.x = (at.x + end.x) / 2;
            end.y = (at.y + end.y) / 2;
        } else {
            p += 2;
        }
        pen_curve(n, at, end);
    }
    return p;
}

void tsr_letter_draw_(letter *to, char which, int size, bool bold)
{
    pen n;
    memset(&n, 0, sizeof n);
    n.size = size;
    n.radius = (int64_t)size * PART * (bold ? 13 : 9) / 200; /* half of 0.09 or 0.13 of the size */
    to->line = TOP * size / SIZE;
    for (char const *p = strokes[which - LETTER_FIRST]; *p; p += *p == ' ')
        p = pen_stroke(&n, p);
    for (int y = 0; y < LETTER_HEIGHT; ++y)
        for (int x = 0; x < LETTER_WIDTH; ++x) {
            int count = 0;
            for (unsigned bits = n.points[y][x]; bits; bits &= bits - 1)
                ++count;
            to->covered[y][x] = (uint8_t)count;
        }
}
