/** DTensor's placements beside what torch 2.11 deals: rows of shape, mesh and placements, and of what each rank holds.
 *
 *  Law     SS(d, f) cuts mode d into f parts by torch.chunk, and each part into chunks by its own length. Rank r holds
 *          chunk r of each part.
 *  usage: dtensor [FILE [PAIRS]]. FILE has rows like those here, parted by tabs; a line that begins with # is skipped.
 *  Each row is equal, refused (its sentence is counted), or wrong. PAIRS times a tensor of one row goes from its
 *  placements to those of another one, in the loopback.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_pair.h"
#include "tessera/tessera.h"

enum { EQUAL, REFUSED, WRONG, VERDICTS };

/** Rows by the rule, worked by hand; the last column is the verdict that is wanted. */
static struct {
    char const *row;
    int verdict;
} const rows[] = {
    {"(9)\t(4)\t[S(0)]\t(3,):0,1,2 | (3,):3,4,5 | (3,):6,7,8 | (0,):", EQUAL},
    {"(5)\t(2)\t[SS(0,2)]\t(3,):0,1,3 | (2,):2,4", EQUAL}, /* parts of 3 and 2: chunks of 2 and 1 */
    {"(10)\t(4)\t[SS(0,2)]\t(4,):0,1,5,6 | (4,):2,3,7,8 | (2,):4,9 | (0,):", EQUAL},
    {"(7)\t(2)\t[SS(0,2)]\t(4,):0,1,4,5 | (3,):2,3,6", EQUAL}, /* parts of 4 and 3, both in chunks of 2 */
    {"(9)\t(4)\t[SS(0,3)]\t(3,):0,3,6 | (3,):1,4,7 | (3,):2,5,8 | (0,):", EQUAL},
    {"(4)\t(2)\t[SS(0,3)]\t(2,):0,2 | (2,):1,3", EQUAL}, /* two parts of 2, and none for the third */
    {"(3)\t(2)\t[SS(0,4)]\t(3,):0,1,2 | (0,):", EQUAL},  /* parts of one element */
    {"(5)\t(1)\t[SS(0,2)]\t(5,):0,1,2,3,4", EQUAL},      /* one rank has all, whatever the parts */
    {"(9)\t(2)\t[SS(0,3)]\t(6,):0,1,3,4,6,7 | (3,):2,5,8", EQUAL},
    {"(5)\t(2)\t[SS(0,1)]\t(3,):0,1,2 | (2,):3,4", EQUAL},
    {"(2,5)\t(2)\t[SS(1,2)]\t(2,3):0,1,3,5,6,8 | (2,2):2,4,7,9", EQUAL},
    {"(9)\t(4)\t[SS(0,2)]\t(3,):0,1,5 | (3,):2,3,6 | (2,):4,7 | (1,):8", EQUAL},
    {"(6)\t(2)\t[SS(0,4)]\t(3,):0,2,4 | (3,):1,3,5", EQUAL},          /* three parts of 2 */
    {"(10)\t(2)\t[SS(0,3)]\t(5,):0,1,4,5,8 | (5,):2,3,6,7,9", EQUAL}, /* parts of 4, 4 and 2: chunks of 2, 2 and 1 */
    {"(5)\t(2,2)\t[S(0),S(0)]\t(2,):0,1 | (1,):2 | (1,):3 | (1,):4", EQUAL},
    {"(4)\t(2,2)\t[S(0),_StridedShard(dim=0, sf=2)]\t(2,):0,1 | (0,): | (2,):2,3 | (0,):", EQUAL},
    {"(5)\t(2,2)\t[Shard(dim=0),Replicate()]\t(3,):0,1,2 | (3,):0,1,2 | (2,):3,4 | (2,):3,4", EQUAL},
    {"(5)\t(2)\t[_S(0, 2)]\t(3,):0,1,3 | (2,):2,4", EQUAL},
    {"(5)\t(2)\t[_StridedShard(dim=0, sf=2, x)]\t(3,):0,1,3 | (2,):2,4", REFUSED},
};

/** Goes on to the next local indices of a part, the last mode first; false behind the last. */
static bool next_row_major(int modes, tsr_dist_part const *part, int64_t *local)
{
    for (int m = modes - 1; m >= 0; --m) {
        if (++local[m] < part->extent[m])
            return true;
        local[m] = 0;
    }
    return false;
}

/** Reads an integer where there is one. */
static bool read_number(char const **at, int64_t *n)
{
    char *end = NULL;
    *n = strtoll(*at, &end, 10);
    bool const is = end != *at;
    *at = end;
    return is;
}

/** Reads a rank's shape, as torch writes it, and compares. */
static bool same_shape(char const **at, tsr_dist_layout const *d, tsr_dist_part const *part)
{
    *at += strspn(*at, " (");
    for (int m = 0; m < d->modes; ++m) {
        int64_t n = -1;
        if (!read_number(at, &n) || n != part->extent[m])
            return false;
        *at += strspn(*at, ", ");
    }
    *at += strspn(*at, "):");
    return true;
}

/** Reads a rank's part, and compares its shape, and its elements in the order of its memory. */
static bool same_part(char const **at, tsr_dist_layout const *d, int64_t rank)
{
    tsr_dist_part part;
    int64_t local[TSR_DIST_MODES] = {0}, index[TSR_DIST_MODES] = {0}, n = -1, offset = 0;
    if (!tsr_dist_part_of(d, rank, &part) || !same_shape(at, d, &part))
        return false;
    if (part.elements == 0)
        return true;
    do {
        int64_t place = 0;
        for (int m = 0; m < d->modes; ++m)
            place += local[m] * part.stride[m];
        if (!read_number(at, &n) || place != offset++ || !tsr_dist_index_at(d, rank, local, index)
            || number_of(d, index) != n + 1)
            return false;
        *at += **at == ',';
    } while (next_row_major(d->modes, &part, local));
    return true;
}

/** The ranks of a mesh such as (2,3). */
static int64_t ranks_of_mesh(char const *mesh)
{
    int64_t ranks = 1, n = 0;
    for (mesh += 1; read_number(&mesh, &n); mesh += 1)
        ranks *= n;
    return ranks;
}

/** The text of the tensor of one row with the mesh and the placements of another; returns what follows them there. */
static char const *text_of(char const *tensor, char const *row, char *text, size_t size)
{
    char const *const mesh = strchr(row, '\t') + 1, *const placements = strchr(mesh, '\t') + 1;
    char const *const parts = strchr(placements, '\t') + 1;
    (void)snprintf(text, size, "dtensor(%.*s,%.*s,%.*s)", (int)strcspn(tensor, "\t"), tensor,
                   (int)(placements - mesh - 1), mesh, (int)(parts - placements - 1), placements);
    return parts;
}

/** The verdict of a row; `text` becomes the placements' text. */
static int verdict_of(char const *row, char *text, size_t size, tsr_message *error)
{
    char const *at = text_of(row, row, text, size);
    tsr_dist_layout d;
    if (!tsr_dist_parse(text, &d, error))
        return REFUSED;
    int64_t const ranks = ranks_of_mesh(strchr(row, '\t') + 1);
    for (int64_t r = 0; r < ranks; ++r) {
        if (!same_part(&at, &d, r))
            return WRONG;
        at += strspn(at, " ");
        if (*at == '|')
            ++at;
    }
    return *at == 0 || *at == '\n' ? EQUAL : WRONG;
}

static void test_rows(void)
{
    static char const *const names[] = {"equal", "refused", "wrong"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[256];
        tsr_message error;
        int const verdict = verdict_of(rows[i].row, text, sizeof text, &error);
        check(text, verdict == rows[i].verdict);
        if (verdict != rows[i].verdict)
            printf("  is %s, not %s\n", names[verdict], names[rows[i].verdict]);
    }
}

/** Rows that were recorded. */
static void test_file(char const *path)
{
    static char row[1 << 20];
    int count[VERDICTS] = {0};
    FILE *const file = fopen(path, "r");
    check(path, file != NULL);
    while (file && fgets(row, sizeof row, file)) {
        char text[256];
        tsr_message error;
        if (row[0] == '#')
            continue;
        int const verdict = verdict_of(row, text, sizeof text, &error);
        ++count[verdict];
        if (verdict != EQUAL)
            printf("%s %s%s%s\n", verdict == WRONG ? "wrong" : "refused", text, verdict == REFUSED ? ": " : "",
                   verdict == REFUSED ? error.text : "");
    }
    printf("%d equal, %d refused, %d wrong\n", count[EQUAL], count[REFUSED], count[WRONG]);
    check("no row is wrong", file && count[EQUAL] > 0 && count[WRONG] == 0);
    if (file)
        (void)fclose(file);
}

/** A row of a file, which is read again. */
static bool random_row(FILE *file, long size, char *row, int most)
{
    do {
        if (fseek(file, (long)noise(size), SEEK_SET) != 0 || !fgets(row, most, file)) /* the rest of a line */
            return false;
    } while (!fgets(row, most, file) || row[0] == '#');
    return true;
}

/** Tensors of random rows go from the placements of one to those of another: each element arrives, by the least bytes.
 */
static void test_pairs(char const *path, int64_t pairs)
{
    static char rows_of[2][1 << 20];
    FILE *const file = fopen(path, "r");
    long const size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    int64_t done = 0;
    while (size > 0 && done < pairs && random_row(file, size, rows_of[0], sizeof rows_of[0])
           && random_row(file, size, rows_of[1], sizeof rows_of[1])) {
        char from[256], to[256];
        pair p = {.host = 1 + noise(4)};
        tsr_message error;
        int64_t sent = 0, least = 0;
        (void)text_of(rows_of[0], rows_of[0], from, sizeof from);
        (void)text_of(rows_of[0], rows_of[1], to, sizeof to);
        if (!tsr_dist_parse(from, &p.from, &error)
            || !tsr_dist_parse(to, &p.to, &error)) /* a mode that is not there */
            continue;
        p.ranks = tsr_max64(tsr_dist_ranks(&p.from), tsr_dist_ranks(&p.to));
        bool const ok = loopback_pair(&p, false, 0, &sent, &least) && sent == least;
        check(from, ok);
        if (!ok)
            printf("  to %s: %lld bytes, at least %lld\n", to, (long long)sent, (long long)least);
        ++done;
    }
    printf("%lld pairs, bytes are the lower bound\n", (long long)done);
    check("all pairs", done == pairs);
    if (file)
        (void)fclose(file);
}

int main(int argc, char **argv)
{
    random_begin(1);
    test_rows();
    if (argc > 1)
        test_file(argv[1]);
    if (argc > 2)
        test_pairs(argv[1], atoll(argv[2]));
    return report();
}
