/** What helps who types: how an operation is called, and which name a mistyped one means. */
#include <string.h>

#include "text/write.h"

op_label tsr_op_label_next_(char const **labels)
{
    op_label r = {*labels, (int)strcspn(*labels, " "), false};
    *labels += r.length + (r.word[r.length] == ' ');
    if (r.length > 0 && r.word[r.length - 1] == ':')
        --r.length;
    else
        r.in_front = r.length > 0 && *r.word != '-';
    r.length = *r.word == '-' ? 0 : r.length;
    return r;
}

bool tsr_op_is_filled_(char parameter) { return !strchr("(), oc", parameter); }

size_t tsr_format_op(char *out, size_t size, tsr_op const *op)
{
    char brackets[32] = "", arguments[64] = "";
    char const *label = op->labels;
    writer w, in_brackets, in_arguments;
    writer_open(&w, out, size);
    writer_open(&in_brackets, brackets, sizeof brackets);
    writer_open(&in_arguments, arguments, sizeof arguments);
    for (char const *p = op->signature; *p; ++p) {
        if (!tsr_op_is_filled_(*p))
            continue;
        bool const bracket = strchr("NPB", *p) != NULL;
        writer *const to = bracket ? &in_brackets : &in_arguments;
        op_label const at = tsr_op_label_next_(&label);
        put(to, "%s%.*s%s%c",
            to->used == 0 ? ""
            : bracket     ? ","
                          : ", ",
            at.in_front ? at.length : 0, at.word, at.in_front ? "=" : "", *p);
    }
    put(&w, in_brackets.used > 0 ? "%s<%s>(%s)" : "%s%s(%s)", op->name, brackets, arguments);
    return w.used;
}

enum { LETTERS = 63 };

static int fewer(int a, int b) { return a < b ? a : b; }

/** How many characters put in, left out, exchanged or swapped with their neighbour make one word of the other: row i of
 *  the table holds the distances of the first i characters of a from the beginnings of b, and three rows are kept. */
static int edit_distance(char const *a, int n, char const *b, int m)
{
    int rows[3][LETTERS + 1];
    for (int i = 0; i <= n; ++i) {
        int *const now = rows[i % 3], *const last = rows[(i + 2) % 3], *const before = rows[(i + 1) % 3];
        now[0] = i;
        for (int k = 1; k <= m; ++k) {
            if (i == 0) {
                now[k] = k;
                continue;
            }
            now[k] = fewer(last[k - 1] + (a[i - 1] != b[k - 1]), fewer(last[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = fewer(now[k], before[k - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void tsr_nearest_try(tsr_nearest *nearest, char const *name)
{
    size_t const n = strlen(nearest->word), m = strlen(name);
    if (n > LETTERS || m > LETTERS)
        return;
    int const distance = edit_distance(nearest->word, (int)n, name, (int)m);
    int const limit = nearest->name ? nearest->distance - 1 : 1 + (int)n / 5;
    if (distance <= limit && distance < (int)n) {
        nearest->name = name;
        nearest->distance = distance;
    }
}
