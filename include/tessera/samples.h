/** Samples of an index function, and what explains them: a layout, a layout behind a swizzle, a linear map, a sum of
 *  two layouts, or a descriptor of CK Tile.
 *
 *      int64_t value[TSR_LAW_BUDGET], work[2 * TSR_LAW_BUDGET];
 *      tsr_samples s = tsr_make_samples(value, TSR_LAW_BUDGET, work, 2 * TSR_LAW_BUDGET);
 *      if (tsr_samples_formula(&s, "(i/8)*64 + ((j%8)^(i%8))*8", "i=0..7,j=0..7", &error))
 *          form = tsr_samples_explain(&s, 0, found);        found[form].text is the expression
 *
 *  Law      the value of what is found is the value of every sample. A form that does not explain the samples names the
 *           first sample that breaks it.
 *  Refused  samples that are not those of their shape, or of no coordinate, or that their memory has no room for:
 *           nothing outside of it is touched.
 *  Partial  coordinates may have no sample. A layout and a linear map are then found if the samples determine them. A
 *           sum and a descriptor need every coordinate.
 */
#ifndef TSR_SAMPLES_H
#define TSR_SAMPLES_H

#include "tessera/text.h"

TSR_HEADER_BEGIN

/** Samples over the coordinates of a shape, in memory of the caller's. Samples that are read are at most
 *  TSR_LAW_BUDGET, those that the caller writes may be more: then a layout and a linear map are found, and a swizzle
 *  that is one. */
typedef struct tsr_samples {
    tsr_tuple shape;  /* () until it is known */
    int64_t count;    /* the size of the shape */
    int64_t *value;   /* of each coordinate, the first mode fastest; TSR_BAD_OFFSET: no sample */
    int64_t *work;    /* of a fit: two numbers for each sample */
    int64_t capacity; /* how many samples fit into both */
    char name[TSR_LINEAR_DIMS][TSR_LINEAR_NAME]; /* of the modes, "" where they have none */
} tsr_samples;

/** No samples, in memory of `values` and of `works` numbers: of n samples n and 2 n. */
TSR_API tsr_samples tsr_make_samples(int64_t *value, int64_t values, int64_t *work, int64_t works);

/** Reads samples: either one value for each coordinate of the shape, the first mode fastest, between blanks and commas;
 *  or lines `(3,1) -> 17`. Without a shape, () in `shape`, the values are those of one mode, and lines have the
 *  smallest shape that holds their coordinates. The rest of a line after # is a comment. */
TSR_TRY bool tsr_samples_read(tsr_samples *s, char const *text, tsr_tuple shape, tsr_message *error);

/** Samples a formula of C over all values of its variables: "(i/16)*512 + (j^i%8)*4" over "i=0..63,j=0..7". It may have
 *  + - * / % & | ^ ~ ! << >> comparisons && || ?: and parentheses; arithmetic is that of int64_t, and undefined results
 *  are refused. The variables are the modes, the first one fastest. */
TSR_TRY bool tsr_samples_formula(tsr_samples *s, char const *formula, char const *ranges, tsr_message *error);

/* clang-format off */
/** X(id, name): what may explain samples, the simplest first. */
#define TSR_FORM_LIST(X)              \
  X(LAYOUT, "a layout")               \
  X(SWIZZLED, "a swizzled layout")    \
  X(LINEAR, "a linear map")           \
  X(SUM, "a sum of layouts")          \
  X(DESCRIPTOR, "a descriptor")
/* clang-format on */

typedef enum tsr_form {
#define TSR_X_(id, name) TSR_FORM_##id,
    TSR_FORM_LIST(TSR_X_)
#undef TSR_X_
        TSR_FORMS
} tsr_form;

/** "a layout", .. */
TSR_API char const *tsr_form_name(tsr_form form);

/** What explains samples, or which sample it does not explain. */
typedef struct tsr_found {
    tsr_form form;
    bool tried, ok;
    tsr_layout layout, second; /* LAYOUT, SWIZZLED; SUM: both */
    tsr_linear map;            /* LINEAR */
    tsr_descriptor descriptor; /* DESCRIPTOR */
    char text[TSR_TEXT_SIZE]; /* the expression, the layouts of a sum with + between; or why not: "sample (3,1) -> 17,
                                  but .. gives 19" */
} tsr_found;

/** Tries one form; returns r->ok. `flags` are those of text.h. */
TSR_API bool tsr_samples_fit(tsr_samples const *s, tsr_form form, unsigned flags, tsr_found *r);

/** Tries the forms until one explains the samples: a layout, then a swizzled one, then the shortest text of the others.
 *  `found` has TSR_FORMS places, those of forms before the result hold why not. TSR_FORMS: none explains them. */
TSR_API tsr_form tsr_samples_explain(tsr_samples const *s, unsigned flags, tsr_found *found);

TSR_HEADER_END

#endif
