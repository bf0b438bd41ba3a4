/** Tags of blocked memory, as oneDNN and cuTENSOR's users write them: aBcd16b, nChw16c, ABcd4a16b4a.
 *
 *      letters    the dimensions, the outermost in memory first; a capital one has blocks further in
 *      16b        a block of 16 of dimension b; the blocks come last, the innermost one behind all
 */
#include "convert/convert.h"

/** The letters of a tag's family, one for each dimension in the order of the shape. */
static char const *letters_of(char const *tag, int rank)
{
    static char const *const activations[] = {"", "n", "nc", "ncw", "nchw", "ncdhw"};
    static char const *const weights[] = {"", "o", "oi", "oiw", "oihw", "oidhw"};
    static char const *const grouped[] = {"", "", "", "goi", "goiw", "goihw", "goidhw"};
    bool const abc = strchr("ab", tag[0] | 32) || strspn(tag, "abcdefABCDEF0123456789") == strlen(tag);
    if (abc && !strpbrk(tag, "nNoOiIwWhH"))
        return rank <= 12 ? "abcdefghijkl" : NULL;
    if (strpbrk(tag, "nN"))
        return rank <= 5 ? activations[rank] : NULL;
    if (strpbrk(tag, "gG"))
        return rank <= 6 ? grouped[rank] : NULL;
    return rank <= 5 ? weights[rank] : NULL;
}

/** Where a letter is among those of a family of `rank` dimensions; -1: nowhere. */
static int dim_of(char const *letters, int rank, char letter)
{
    char const *const at = letter ? strchr(letters, letter | 32) : NULL;
    return at && at - letters < rank ? (int)(at - letters) : -1;
}

void tsr_read_tag_(scan *s, tsr_tuple shape, tsr_layout *r)
{
    int const rank = tsr_is_unit(&shape) ? 0 : shape.leaves;
    if (rank == 0 || rank > 12) {
        scan_fail(s, "the shape of the tensor is needed: --shape \"(8,64,7,7)\", with 1 to 12 extents");
        return;
    }
    char const *const letters = letters_of(s->p, rank);
    int outer[12], outers = 0, block_of[TSR_MAX_LEAVES], blocks = 0;
    int64_t block[TSR_MAX_LEAVES], rest[12], stride = 1;
    bool blocked[12] = {false};
    for (int i = 0; i < rank; ++i)
        rest[i] = shape.leaf[i].value;
    for (char c; letters && (c = scan_char(s, 0)) != 0 && !s->failed && !scan_is_digit(s); ++s->p) {
        int const d = dim_of(letters, rank, c);
        for (int i = 0; i < outers && d >= 0; ++i)
            if (outer[i] == d)
                scan_fail(s, "this dimension is there twice");
        if (d < 0 || outers == rank)
            scan_fail(s, "no dimension of the shape has this letter");
        else
            outer[outers++] = d;
        if (d >= 0)
            blocked[d] = c >= 'A' && c <= 'Z';
    }
    while (letters && s->p < s->end && !s->failed) {
        int64_t const n = scan_integer(s);
        int const d = dim_of(letters, rank, scan_char(s, 0));
        if (s->failed || d < 0 || blocks == TSR_MAX_LEAVES - rank || !blocked[d] || n < 1 || rest[d] % n != 0) {
            scan_fail(s, "a block is a number and the letter of a capital one in front; it divides the extent");
            return;
        }
        ++s->p;
        rest[d] /= n;
        block[blocks] = n;
        block_of[blocks++] = d;
    }
    if (!letters || outers != rank)
        scan_fail(s, "a tag has a letter for each dimension of the shape");
    tsr_tuple extents[12], strides[12];
    memset(extents, 0, sizeof extents);
    memset(strides, 0, sizeof strides);
    for (int i = rank + blocks - 1; i >= 0 && !s->failed; --i) { /* the innermost first */
        int const d = i >= rank ? block_of[i - rank] : outer[i];
        int64_t const n = i >= rank ? block[i - rank] : rest[d];
        tsr_tuple_push_leaf(&extents[d], tsr_leaf_static(n));
        tsr_tuple_push_leaf(&strides[d], tsr_leaf_static(stride));
        if (!tsr_mul64(stride, n, &stride))
            scan_refuse(s, tsr_because(TSR_OVERFLOW, 0, n, 0, 0));
    }
    tsr_tuple all = TSR_ZERO, steps = TSR_ZERO;
    for (int d = 0; d < rank && !s->failed; ++d)
        tsr_layout_push_(&all, &steps, extents[d], strides[d]);
    if (!s->failed)
        *r = tsr_layout_close_(all, steps);
}

/** A leaf of a layout: a dimension or a block of it. */
typedef struct part {
    int dim;
    bool outer; /* the last one of its dimension */
    int64_t extent, stride;
} part;

/** Sorts by strides, the greatest first; extents of 1 stay where they are named. */
static void sort(part *p, int n)
{
    for (int i = 1; i < n; ++i)
        for (int k = i; k > 0 && p[k].stride > p[k - 1].stride; --k) {
            part const t = p[k];
            p[k] = p[k - 1];
            p[k - 1] = t;
        }
}

void tsr_write_tag_(writer *w, tsr_layout const *l, scan *s)
{
    part p[TSR_MAX_LEAVES];
    int const modes = (int)tsr_layout_rank(*l);
    bool blocked[12] = {false};
    int n = 0;
    if (l->composed || tsr_has_basis(&l->stride) || modes < 1 || modes > 12)
        scan_fail(s, "a tag has 1 to 12 dimensions, and neither a swizzle nor coordinates");
    for (int d = 0; d < modes && !s->failed; ++d) {
        tsr_layout const m = tsr_coalesce(tsr_static_all(tsr_mode(*l, d)));
        for (int i = 0; i < m.shape.leaves && n < TSR_MAX_LEAVES; ++i) {
            bool const last = i + 1 == m.shape.leaves;
            p[n++] = (part){d, last, m.shape.leaf[i].value, m.stride.leaf[i].value};
            blocked[d] = blocked[d] || !last;
            if (i > 0 && m.stride.leaf[i].value < m.stride.leaf[i - 1].value)
                scan_fail(s, "the blocks of a dimension must ascend in memory");
        }
    }
    int64_t next = 1;
    for (int i = 0; i < n; ++i) /* an extent of 1 goes outside of what is named behind it */
        p[i].stride = p[i].extent == 1 ? TSR_INT_MAX - i : p[i].stride;
    sort(p, n);
    for (int i = n - 1; i >= 0 && !s->failed; --i) {
        if (p[i].extent > 1 && p[i].stride != next)
            scan_fail(s, "the layout has gaps, or elements share memory: a tag is of compact memory");
        if (i > 0 && p[i].outer && !p[i - 1].outer)
            scan_fail(s, "a block lies outside of a whole dimension: the blocks of a tag are innermost");
        next *= p[i].extent;
    }
    for (int i = 0; i < n && !s->failed; ++i) {
        char const letter = (char)('a' + p[i].dim);
        if (p[i].outer)
            put(w, "%c", blocked[p[i].dim] ? letter - 32 : letter);
        else
            put(w, "%lld%c", (long long)p[i].extent, letter);
    }
}
