/** einsum of any number of tensors: its text, the extents of its letters, and the steps of an order. */
#include "exec/gemm/einsum_plan.h"

#include <stdio.h>
#include <string.h>

#include "text/write.h"

/* The text */

/** A text as it is read. */
typedef struct reader {
    tsr_planned_einsum *p;
    char const *text;
    int at;                                             /* the next character */
    int count[TSR_EINSUM_OPERANDS + 1];                 /* letters of a tensor, and at last of the result */
    int dots[TSR_EINSUM_OPERANDS + 1];                  /* the character of its `...`, -1: there is none; */
    int before[TSR_EINSUM_OPERANDS + 1];                /* the letters before it */
    int place[TSR_EINSUM_OPERANDS + 1][TSR_MAX_LEAVES]; /* the character of each letter */
    int under, most;                                    /* modes under the `...` of a tensor, and the most of them */
    char dot_letter[TSR_MAX_LEAVES];                    /* of those modes, the first mode first */
} reader;

static void refuse(reader *r, tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    if (!r->p->why.status)
        r->p->why = tsr_einsum_quote_(tsr_because(status, mode, a, b, c), r->text);
}

/** A syntax error at a character. */
static void refuse_text(reader *r, int at, char const *words)
{
    if (!r->p->why.status)
        r->p->why = tsr_tuple_why(tsr_syntax_reason_((size_t)at, words));
}

/** Whether the text goes on with a word, which is read then. */
static bool reads(reader *r, char const *word)
{
    while (r->text[r->at] == ' ')
        ++r->at;
    int const n = (int)strlen(word);
    bool const is = strncmp(r->text + r->at, word, (size_t)n) == 0;
    r->at += is ? n : 0;
    return is;
}

/** Reads the next letter of tensor i, or its `...`; false: something else comes. */
static bool read_letter(reader *r, int i)
{
    bool const dots = reads(r, "...");
    char const c = r->text[r->at];
    int const n = r->count[i];
    if (dots && r->dots[i] >= 0)
        refuse_text(r, r->at - 3, "einsum: this `...` is the second of its tensor");
    if (dots) {
        r->dots[i] = r->at - 3;
        r->before[i] = n;
    } else if (tsr_letter_(c) >= 0) {
        if (n < TSR_MAX_LEAVES) {
            r->p->given[i][n] = c;
            r->place[i][n] = r->at;
        }
        ++r->count[i];
        ++r->at;
    } else {
        return false;
    }
    return true;
}

static void read_letters(reader *r, int i)
{
    r->count[i] = 0;
    r->dots[i] = -1;
    while (read_letter(r, i))
        ;
}

/** Reads the tensors and a result, if there is one. Returns whether there is. */
static bool read_text(reader *r)
{
    int tensors = 0;
    do /* those behind the last one that there can be are counted */
        read_letters(r, tensors < TSR_EINSUM_OPERANDS ? tensors : TSR_EINSUM_OPERANDS);
    while (++tensors, reads(r, ","));
    bool const arrow = reads(r, "->");
    int const given = r->p->operands;
    if (given < 1 || given > TSR_EINSUM_OPERANDS || (tensors != given && (arrow || r->text[r->at] == 0))) {
        char words[64];
        snprintf(words, sizeof words, "einsum names %d tensors, %d are given (1 to %d)", tensors, given,
                 TSR_EINSUM_OPERANDS);
        refuse_text(r, r->at, words);
    }
    if (!r->p->why.status && arrow)
        read_letters(r, given);
    if (r->text[r->at] != 0)
        refuse(r, TSR_EINSUM_TEXT, 0, r->at, 0, 0);
    return arrow;
}

/** Letters for the modes under `...`, which the text does not have. */
static void name_dots(reader *r)
{
    int found = 0;
    for (char c = 'z'; found < r->most && c >= 'A'; --c)
        if (tsr_letter_(c) >= 0 && !strchr(r->text, c))
            r->dot_letter[found++] = c;
    if (found < r->most)
        refuse_text(r, r->at, "einsum: modes under `...` need letters beyond 52");
}

/** Puts letters in the place of the `...` of a tensor, for the last `n` of its modes. */
static void spread_dots(reader *r, int i, int n)
{
    int const behind = r->count[i] - r->before[i];
    char *const given = &r->p->given[i][r->before[i]];
    int *const place = &r->place[i][r->before[i]];
    memmove(given + n, given, (size_t)behind);
    memmove(place + n, place, (size_t)behind * sizeof *place);
    memcpy(given, r->dot_letter + r->most - n, (size_t)n);
    for (int k = 0; k < n; ++k)
        place[k] = r->dots[i];
    r->count[i] += n;
}

/** The modes of a tensor, of which one of one element may have none. */
static int modes_of(tsr_tensor const *t, int letters)
{
    int const rank = (int)tsr_layout_rank(t->layout);
    return letters == 0 && rank == 1 && tsr_layout_size(t->layout) == 1 ? 0 : rank;
}

/** Whether each mode has a letter, or is under `...`, which becomes letters. */
static void match_ranks(reader *r, tsr_tensor const *const *x)
{
    int more[TSR_EINSUM_OPERANDS] = {0};
    for (int i = 0; i < r->p->operands && !r->p->why.status; ++i) {
        r->p->why = tsr_tensor_why(*x[i]);
        int const rank = r->p->why.status ? 0 : modes_of(x[i], r->count[i]);
        more[i] = rank - r->count[i];
        if (!r->p->why.status && (more[i] < 0 || (more[i] > 0 && r->dots[i] < 0)))
            refuse(r, TSR_EINSUM_RANK, i, rank, r->count[i], 0);
        r->most = more[i] > r->most ? more[i] : r->most;
    }
    if (!r->p->why.status)
        name_dots(r);
    for (int i = 0; i < r->p->operands && !r->p->why.status; ++i)
        if (r->dots[i] >= 0)
            spread_dots(r, i, more[i]);
}

/* The result */

/** How often a letter is in the tensors. */
static int count_of(tsr_planned_einsum const *p, char c)
{
    int n = 0;
    for (int i = 0; i < p->operands; ++i)
        for (char const *g = p->given[i]; *g; ++g)
            n += *g == c;
    return n;
}

/** The result that a text without one has. */
static void imply_result(reader *r)
{
    int const i = r->p->operands;
    int n = r->most;
    memcpy(r->p->given[i], r->dot_letter, (size_t)n);
    for (char c = 'A'; c <= 'z'; ++c) {
        if (tsr_letter_(c) < 0 || memchr(r->dot_letter, c, (size_t)r->most) || count_of(r->p, c) != 1)
            continue;
        if (n < TSR_MAX_LEAVES)
            r->p->given[i][n] = c;
        ++n;
    }
    if (n > TSR_MAX_LEAVES)
        refuse(r, TSR_CAPACITY, 0, n, TSR_MAX_LEAVES, 0);
}

/** The result that the text has: each letter is there once, and in a tensor. */
static void check_result(reader *r)
{
    int const i = r->p->operands;
    char *const given = r->p->given[i];
    int const n = r->count[i] + (r->dots[i] >= 0 ? r->most : 0);
    for (int k = 0; k < r->count[i] && k < TSR_MAX_LEAVES; ++k) {
        char const *const same = (char const *)memchr(given, given[k], (size_t)k);
        if (same)
            refuse(r, TSR_EINSUM_REPEATED, 0, r->place[i][k], r->place[i][same - given], 0);
        if (count_of(r->p, given[k]) == 0)
            refuse(r, TSR_EINSUM_UNKNOWN, 0, r->place[i][k], 0, 0);
    }
    if (n > TSR_MAX_LEAVES)
        refuse(r, TSR_CAPACITY, 0, n, TSR_MAX_LEAVES, 0);
    if (r->most > 0 && r->dots[i] < 0)
        refuse_text(r, r->at, "einsum: the result leaves out modes under `...`");
    if (!r->p->why.status && r->dots[i] >= 0)
        spread_dots(r, i, r->most);
}

/* Extents */

static int64_t extent_of(tsr_layout const *inner, int mode) { return tsr_layout_size(tsr_mode(*inner, mode)); }

/** The extents of the letters, and of each tensor the letters of more than one element. */
static void find_extents(reader *r, tsr_tensor const *const *x)
{
    tsr_planned_einsum *const p = r->p;
    for (int i = 0; i < TSR_EINSUM_LETTERS; ++i)
        p->extent[i] = 1;
    for (int i = 0; i < p->operands; ++i) {
        tsr_layout const inner = tsr_layout_inner(x[i]->layout);
        char const *const given = p->given[i];
        for (int k = 0, n = 0; given[k]; ++k) {
            int64_t *const all = &p->extent[tsr_letter_(given[k])], own = extent_of(&inner, k);
            char const *const first = strchr(given, given[k]);
            int64_t const before = first < given + k ? extent_of(&inner, (int)(first - given)) : own;
            if (own != before || (own != 1 && *all != 1 && *all != own))
                refuse(r, TSR_EINSUM_SIZE, 0, r->place[i][k], own, own != before ? before : *all);
            *all = own > *all ? own : *all;
            if (own > 1 && first == given + k)
                p->value[i][n++] = given[k];
        }
    }
}

/* Steps */

static uint64_t letters_of(char const *letters)
{
    uint64_t r = 0;
    for (; *letters; ++letters)
        r |= (uint64_t)1 << tsr_letter_(*letters);
    return r;
}

/** Puts those of some letters that are in a set, and fit, behind the others of a value, none twice. */
static void put_letters(char *value, char const *letters, uint64_t set)
{
    size_t n = strlen(value);
    for (; *letters && n < TSR_MAX_LEAVES; ++letters)
        if (set >> tsr_letter_(*letters) & 1 && !memchr(value, *letters, n))
            value[n++] = *letters;
}

/** The letters of the result of more than one element. */
static void put_result(tsr_planned_einsum const *p, char *value)
{
    char const *const given = p->given[p->operands];
    uint64_t set = letters_of(given);
    for (int x = 0; x < TSR_EINSUM_LETTERS; ++x)
        set &= ~((uint64_t)(p->extent[x] == 1) << x);
    put_letters(value, given, set);
}

/** Adds a step, whose letters are put. Returns the number of its value. */
static int add_step(tsr_planned_einsum *p, int left, int right, double products, bool last)
{
    int const v = p->operands + p->steps;
    tsr_einsum_step *const s = &p->step[p->steps++];
    s->left = left;
    s->right = right;
    s->products = products;
    s->elements = 1;
    for (char const *c = p->value[v]; *c && !p->why.status; ++c)
        if (!tsr_mul64(s->elements, p->extent[tsr_letter_(*c)], &s->elements))
            p->why = tsr_because(TSR_OVERFLOW, 0, p->extent[tsr_letter_(*c)], 0, 0);
    p->products += right >= 0 ? products : 0;
    if (!last && s->elements > p->largest)
        p->largest = s->elements;
    return v;
}

/** The value of a tensor, summed over the letters that nothing else has. */
static int summed(tsr_planned_einsum *p, tsr_einsum_sets_ const *s, int i)
{
    uint64_t const keep = tsr_einsum_letters_of_(s, 1u << i);
    if (keep == s->letters[i])
        return i;
    put_letters(p->value[p->operands + p->steps], p->value[i], keep);
    return add_step(p, i, -1, tsr_einsum_cost_(s, s->letters[i]), false);
}

/** Lists the steps of an order. */
static void list_steps(tsr_planned_einsum *p, tsr_einsum_sets_ const *s, tsr_einsum_order_ const *o)
{
    int value[TSR_EINSUM_VALUES];
    uint32_t of[TSR_EINSUM_VALUES];
    for (int i = 0; i < p->operands - 1; ++i) {
        bool const last = i == p->operands - 2;
        int now[2];
        for (int k = 0; k < 2; ++k) {
            int const x = k ? o->pair[i].right : o->pair[i].left;
            now[k] = x < p->operands ? summed(p, s, x) : value[x];
            of[x] = x < p->operands ? 1u << x : of[x];
        }
        int const made = p->operands + i;
        char const *const a = p->value[now[0]], *const b = p->value[now[1]];
        char *const letters = p->value[p->operands + p->steps];
        of[made] = of[o->pair[i].left] | of[o->pair[i].right];
        uint64_t const keep = tsr_einsum_letters_of_(s, of[made]);
        if (tsr_einsum_modes_(keep) > TSR_MAX_LEAVES && !p->why.status)
            p->why = tsr_because(TSR_CAPACITY, 0, tsr_einsum_modes_(keep), TSR_MAX_LEAVES, 0);
        if (last)
            put_result(p, letters);
        else
            put_letters(letters, a, keep), put_letters(letters, b, keep);
        value[made] = add_step(p, now[0], now[1], tsr_einsum_cost_(s, letters_of(a) | letters_of(b)), last);
    }
    if (p->operands == 1) {
        put_result(p, p->value[1]);
        add_step(p, 0, -1, tsr_einsum_cost_(s, s->letters[0]), true);
    }
}

/** Whether a value that is there already is in no pair before; it is in one then. */
static bool takes(bool *taken, int values, int x)
{
    bool const good = x >= 0 && x < values && !taken[x];
    if (good)
        taken[x] = true;
    return good;
}

/** Reads an order of the caller's. */
static tsr_reason read_order(int operands, tsr_einsum_pair const *pair, int pairs, tsr_einsum_order_ *o)
{
    bool taken[2 * TSR_EINSUM_OPERANDS] = {false};
    int i = 0;
    while (i < pairs && i < operands - 1 && takes(taken, operands + i, pair[i].left)
           && takes(taken, operands + i, pair[i].right)) {
        o->pair[i] = pair[i];
        ++i;
    }
    if (i == pairs && i == operands - 1)
        return tsr_no_reason();
    tsr_reason why = tsr_because(TSR_EINSUM_ORDER, i, operands, pairs, i < pairs ? pair[i].left : -1);
    why.number[3] = i < pairs ? pair[i].right : -1;
    return why;
}

static tsr_planned_einsum make(char const *text, tsr_tensor const *const *x, int operands,
                               tsr_einsum_pair const *pair, int pairs)
{
    tsr_planned_einsum p;
    tsr_einsum_order_ order;
    reader r = {.p = &p, .text = text};
    memset(&p, 0, sizeof p);
    p.operands = operands;
    bool const arrow = read_text(&r);
    if (!p.why.status)
        match_ranks(&r, x);
    if (!p.why.status)
        (arrow ? check_result : imply_result)(&r);
    if (!p.why.status)
        find_extents(&r, x);
    if (!p.why.status && pair)
        p.why = read_order(operands, pair, pairs, &order);
    if (p.why.status)
        return p;
    tsr_einsum_sets_ s = {.count = operands, .result = letters_of(p.given[operands]), .extent = p.extent};
    for (int i = 0; i < operands; ++i)
        s.letters[i] = letters_of(p.value[i]);
    if (!pair)
        order = tsr_einsum_best_(&s);
    list_steps(&p, &s, &order);
    return p;
}

tsr_planned_einsum tsr_einsum_plan(char const *text, tsr_tensor const *const *x, int operands)
{
    return make(text, x, operands, NULL, 0);
}

tsr_planned_einsum tsr_einsum_plan_along(char const *text, tsr_tensor const *const *x, int operands,
                                         tsr_einsum_pair const *pair, int pairs)
{
    return make(text, x, operands, pair, pairs);
}
