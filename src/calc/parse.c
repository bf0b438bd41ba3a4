/** Expressions: a parser that evaluates as it reads, by recursive descent. Values stand on a stack in allocated memory,
 *  so that a level of nesting takes a few small frames of the caller's stack.
 *
 *      text        =  expression | name expression { [ "@" | ";" | "*" | "->" ] [ label "=" ] expression }
 *      expression  =  whole { "[" names "]" }
 *      whole       =  term | swizzle " o " [ term " o " ] expression | engine " o " expression | view window
 *      term        =  atom [ ":" atom ] | descriptor "|" link { "+" link } | descriptor window
 *      window      =  "@@" term [ "origin=" term ]
 *      atom        =  integer | "_" | "(" list ")" | "<" list ">" | "Sw<B,M,S>" | "Swizzle<B,M,S>" | "LayoutLeft"
 *                   |  "LayoutRight" | cute | "M_s|(d&f)=v" | "dist{" .. "}" | "linear{" .. "}" | link | other
 *                   |  name [ "<" brackets ">" ] "(" list ")"
 *      link        =  transform ":" dims ">" dims
 *      integer     =  [ "_" ] ( [ "-" ] digits | "0x" digits ) { "@" digits } [ "?" ]
 *      other       =  "scalapack(" .. ")" | "dtensor(" .. ")" | "xla(" .. ")" | "hpf(" .. ")" | "darray(" .. ")"
 *                   |  "intervals(" .. ")", each [ "@" digits ]
 *      cute        =  "make_shape(" list ")" | "Shape<" list ">{}" | "Layout<" list ">{}" | "Layout(" list ")"
 *                   |  "Swizzle<B,M,S>{}" | "_8{}" | "Int<8>{}" | "int{8}" | [ integer " * " ] "E<0>{}"
 *                   |  "LayoutLeft{}" | "print_layout(" expression ")"
 *      pointer     =  [ "Sw<B,M,S>_" ] [ "gmem_" | "smem_" ] [ "sub" ] "ptr[" bits "b](0x" digits [ "." bit ] ")"
 *                   |  "tmem_[" bits "b](0x" digits "." digits ")"
 *
 *  The modes of a tuple or a tiler may have names, (m=4,n=8): all or none (names.c). `L[m=1]` is call(L, (1,_)).
 *  In the list of a call, label=word or label=expression may stand for an expression. Blanks may stand in front of its
 *  bracket, as in C++. A text name expression .. is the same as name(expression, ..); one that is just `name (list)` is
 *  that call, or where no operation takes the arguments, name((list)). `D | link + link` is
 *  transform_tensor_descriptor(D, link, link), `D @@ e` make_tile_window(D, e).
 */
#include <stdlib.h>
#include <string.h>

#include "calc/parser.h"

/** A tuple, a tiler or a layout in the words of CuTe's C++, or a call that prints its argument; false: another value
 *  begins here. */
OWN_FRAME static bool read_cute(parser *s)
{
    static struct {
        char const *word, *open, *close;
        list_kind kind;
    } const groups[] = {{"make_shape", "(", ")", LIST_TUPLE}, {"make_stride", "(", ")", LIST_TUPLE},
                        {"make_coord", "(", ")", LIST_TUPLE}, {"make_tuple", "(", ")", LIST_TUPLE},
                        {"make_step", "(", ")", LIST_TUPLE},  {"make_tile", "(", ")", LIST_TILER},
                        {"Shape", "<", ">", LIST_TUPLE},      {"Stride", "<", ">", LIST_TUPLE},
                        {"Coord", "<", ">", LIST_TUPLE},      {"Step", "<", ">", LIST_TUPLE},
                        {"Tile", "<", ">", LIST_TILER},       {"Layout", "<", ">", LIST_LAYOUT},
                        {"Layout", "(", ")", LIST_LAYOUT},    {"print_layout", "(", ")", LIST_PRINTED},
                        {"print", "(", ")", LIST_PRINTED}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        if (!tsr_token_take_open_(s, groups[i].word, groups[i].open))
            continue;
        if (groups[i].kind == LIST_LAYOUT)
            tsr_read_layout_call_(s, groups[i].close);
        else if (groups[i].kind == LIST_PRINTED)
            tsr_read_printed_(s);
        else
            tsr_read_group_(s, groups[i].kind, groups[i].close);
        tsr_token_take_open_(s, "", "{}");
        return true;
    }
    return false;
}

/** A distributed layout in the words of another system. */
OWN_FRAME static void read_distributed(parser *s)
{
    char const *const from = s->in.p;
    size_t used = 0;
    s->r->kind = VALUE_DISTRIBUTED;
    if (!tsr_value_begin_(s->r, &s->e->kept)) {
        scan_fail(&s->in, "out of memory");
    } else if (!tsr_dist_parse_front(from, s->r->as.distributed, &used, s->in.error)) {
        scan_fail_as_is(&s->in, from + s->in.error->at);
    } else {
        s->in.p += used;
        s->r->text = tsr_parser_keep_(s, from);
    }
}

static void read_atom(parser *s)
{
    scan_take_here(&s->in, "cute::");
    char const c = *s->in.p;
    bool const word = s->word;
    memset(s->r, 0, sizeof *s->r);
    s->r->kind = VALUE_TUPLE;
    s->word = false;
    if (scan_take_here(&s->in, "("))
        tsr_read_group_(s, LIST_TUPLE, ")");
    else if (scan_take_here(&s->in, "<"))
        tsr_read_group_(s, LIST_TILER, ">");
    else if (read_cute(s))
        return;
    else if (tsr_dist_begins(s->in.p))
        read_distributed(s);
    else if ((word && tsr_token_word_(&s->in, s->r)) || tsr_token_value_(s, s->r))
        return;
    else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        tsr_read_call_(s);
    else
        scan_fail(&s->in, "%s",
                  c == '[' ? "a tuple is written in parentheses: (4,8)"
                  : c      ? "unexpected character"
                           : "the expression ends too early");
}

/** The layout just read, and what its strides have behind +, as a sum. */
OWN_FRAME static void end_sum(parser *s, char const *start)
{
    further const *const f = &s->further;
    tsr_layout const whole = s->r->as.layout;
    tsr_layout l[TSR_SUM_TERMS + 1];
    int terms = 1;
    l[0] = whole;
    for (int i = 0, of_leaf = 0; i < f->count && tsr_ok(whole); ++i) {
        of_leaf = i > 0 && f->leaf[i] == f->leaf[i - 1] ? of_leaf + 1 : 1;
        if (f->leaves != whole.stride.leaves || of_leaf > TSR_SUM_TERMS) {
            scan_fail_at(&s->in, start, "a sum of basis elements is a stride: (4,8):(_1@0+_1@1,_1@1)");
            return;
        }
        for (; terms <= of_leaf; ++terms) {
            l[terms] = whole;
            for (int k = 0; k < whole.stride.leaves; ++k) {
                l[terms].stride.leaf[k].kind = TSR_STATIC;
                l[terms].stride.leaf[k].value = 0;
                l[terms].stride.leaf[k].aux = 0;
            }
        }
        tsr_leaf *const d = &l[of_leaf].stride.leaf[f->leaf[i]];
        d->kind = f->stride[i].kind;
        d->value = f->stride[i].value;
        d->aux = f->stride[i].aux;
    }
    s->r->kind = VALUE_SUM;
    if (tsr_value_begin_(s->r, &s->e->kept))
        *s->r->as.sum = tsr_sum_of_layouts(l, terms);
    else
        scan_fail(&s->in, "out of memory");
}

/** The tuple just read becomes the layout of which it is the stride. */
OWN_FRAME static void end_stride(parser *s, char const *start)
{
    value const *const shape = &s->e->stack[--s->e->used];
    if (s->r->names)
        scan_fail_at(&s->in, start, "the names of modes stand in the shape: (m=4,n=8):(8,1)");
    else if (shape->kind == VALUE_TUPLE && s->r->kind == VALUE_TUPLE)
        s->r->as.layout = tsr_layout_checked(tsr_make_layout_from(shape->as.tuple, s->r->as.tuple));
    else
        scan_fail_at(&s->in, start, "shape and stride of S:D must be integers or tuples");
    s->r->kind = VALUE_LAYOUT;
    s->r->names = shape->names;
    if (s->further.count > 0 && !s->in.failed)
        end_sum(s, start);
}

/** No transform was read where one is expected: its reason, if it is an invalid value. */
OWN_FRAME static void fail_stage(parser *s, char const *element)
{
    char words[TSR_TEXT_SIZE];
    tsr_tuple const why = tsr_value_reason_(s->r);
    tsr_format_tuple(words, sizeof words, why, 0);
    scan_fail_at(&s->in, element, "%s",
                 why.status ? words : "a transform with its dimensions is expected here: pass(4):0>0");
}

static void read_term(parser *s, bool behind_engine);

/** Stages and windows behind the value just read, which begins at `start`. */
static void read_infix(parser *s, char const *start, bool behind_engine)
{
    while (!s->in.failed) {
        char const *p = s->in.p + strspn(s->in.p, " \t");
        bool const descriptor = s->r->kind == VALUE_DESCRIPTOR, stage = descriptor && *p == '|';
        bool const window = (s->r->kind == VALUE_VIEW || (descriptor && !behind_engine)) && strncmp(p, "@@", 2) == 0;
        if (!stage && !window)
            return;
        tsr_parser_push_(s);
        s->in.p = p + (stage ? 1 : 2);
        scan_blanks(&s->in);
        list l = tsr_list_open_(s, stage ? LIST_STAGE : LIST_WINDOW, start, 1);
        tsr_parser_enter_(s);
        for (bool more = true; more && !s->in.failed;) {
            read_term(s, false);
            if (stage && s->r->kind != VALUE_LINK)
                fail_stage(s, l.element);
            if (s->in.failed)
                return;
            tsr_list_put_(s, &l);
            p = s->in.p + strspn(s->in.p, " \t");
            more = stage ? *p == '+' : strncmp(p, "origin=", 7) == 0;
            if (more) {
                s->in.p = p + stage;
                tsr_list_begin_(s, &l);
            }
        }
        tsr_list_finish_(s, &l);
    }
}

/** An atom or shape:stride, and what stands behind it; a descriptor behind an engine is no view yet. */
static void read_term(parser *s, bool behind_engine)
{
    char const *const start = s->in.p;
    read_atom(s);
    bool const colon = !s->in.failed && s->in.p[strspn(s->in.p, " \t\r\n")] == ':';
    if (colon)
        scan_blanks(&s->in);
    if (colon && s->r->kind == VALUE_TRANSFORM && scan_take_here(&s->in, ":")) {
        tsr_token_link_(s, s->r);
        s->r->text = tsr_parser_keep_(s, start);
    } else if (colon && scan_take_here(&s->in, ":")) {
        scan_blanks(&s->in);
        tsr_parser_push_(s);
        if (s->in.failed) /* out of memory: there is no shape on the stack */
            return;
        bool const inside = s->further.open; /* of a stride: then that one has no + */
        if (inside && s->further.count > 0)
            scan_fail(&s->in, "a stride that is a sum of basis elements stands alone: (4,8):(_1@0+_1@1,_1@1)");
        s->further.open = !inside;
        s->further.leaves = s->further.count = 0;
        if (!s->in.failed)
            read_atom(s);
        end_stride(s, start);
        s->further.open = false;
        s->further.count = 0;
    }
    read_infix(s, start, behind_engine);
}

/** Sw o smem_ptr[Nb](unset) o layout, from the bracket on. */
OWN_FRAME static void begin_smem(parser *s)
{
    int64_t const bits = scan_integer_here(&s->in);
    if (!scan_take_here(&s->in, "b](unset) o "))
        scan_fail(&s->in, "`b](unset) o ` is expected here: Sw o smem_ptr[16b](unset) o layout");
    tsr_swizzle const sw = s->r->as.swizzle;
    s->r->kind = VALUE_SMEM;
    s->r->as.smem.swizzle = sw;
    s->r->as.smem.type = (tsr_dtype)(bits < 1 || bits > 128 ? 0 : bits);
}

/** The layout just read, behind what stands on the stack. */
OWN_FRAME static void compose_layout(parser *s, value const *left, bool offset)
{
    if (left->kind == VALUE_ENGINE) {
        s->r->as.tensor = tsr_make_tensor_of(left->as.engine, s->r->as.layout);
        s->r->kind = VALUE_TENSOR;
    } else if (left->kind == VALUE_SMEM) {
        s->r->as.smem = tsr_make_smem_layout(left->as.smem.swizzle, left->as.smem.type, s->r->as.layout);
        s->r->kind = VALUE_SMEM;
    } else if (offset) {
        s->r->as.layout = tsr_make_composed_layout(left->as.swizzle, left[1].as.tuple, s->r->as.layout);
    } else {
        s->r->as.layout = tsr_swizzled(left->as.swizzle, s->r->as.layout);
    }
}

/** The descriptor just read, behind an engine. */
OWN_FRAME static void compose_view(parser *s, value const *left, char const *start)
{
    tsr_descriptor const *const d = s->r->as.descriptor;
    s->r->kind = VALUE_VIEW;
    if (tsr_value_begin_(s->r, &s->e->kept))
        *s->r->as.view = TSR_RUN(tile_view)(left->as.engine, d);
    else
        scan_fail(&s->in, "out of memory");
    s->r->text = tsr_parser_keep_(s, start);
}

/** The right side of " o " becomes the whole. Its left side stays on the stack from `base` on. */
static void end_right(parser *s, char const *start, int base)
{
    value const *const left = &s->e->stack[base];
    bool const layout = s->r->kind == VALUE_LAYOUT;
    if (left->kind == VALUE_ENGINE && s->r->kind == VALUE_DESCRIPTOR)
        compose_view(s, left, start);
    else if (left->kind == VALUE_ENGINE && !layout)
        scan_fail_at(&s->in, start, "behind an engine comes a layout or a tensor descriptor");
    else if (left->kind == VALUE_SMEM && (!layout || left->as.smem.type == 0))
        scan_fail_at(&s->in, start,
                     "Sw o smem_ptr[Nb](unset) o layout: 1 to 128 bits, and the last part must be a layout");
    else if (!layout)
        scan_fail_at(&s->in, start, "Sw o offset o layout: the last part must be a layout");
    else
        compose_layout(s, left, s->e->used - base > 1);
}

/** What stands to the right of " o ", and the whole. */
static void read_right(parser *s, char const *start)
{
    value_kind const kind = s->r->kind;
    int const base = s->e->used;
    bool const smem = kind == VALUE_SWIZZLE && scan_take_here(&s->in, "smem_ptr[");
    bool nests = smem || kind == VALUE_ENGINE;
    if (smem)
        begin_smem(s);
    else if (kind != VALUE_SWIZZLE && kind != VALUE_ENGINE)
        scan_fail_at(&s->in, start, "` o ` joins a swizzle or an engine to a layout; for layouts write composition");
    tsr_parser_push_(s);
    if (!s->in.failed && !nests) {
        read_term(s, false);
        nests = s->r->kind == VALUE_TUPLE && scan_take_here(&s->in, " o ");
        if (nests) /* an offset */
            tsr_parser_push_(s);
    }
    if (!s->in.failed && nests) {
        tsr_parser_enter_(s);
        tsr_read_expression_(s, kind == VALUE_ENGINE);
        --s->in.depth;
    }
    if (!s->in.failed)
        end_right(s, start, base);
    s->e->used = base;
}

void tsr_read_expression_(parser *s, bool behind_engine)
{
    char const *const start = s->in.p;
    if (s->in.failed)
        return;
    read_term(s, behind_engine);
    if (scan_take_here(&s->in, " o ")) {
        read_right(s, start);
        read_infix(s, start, behind_engine);
    }
    while (!s->in.failed && s->r->kind == VALUE_LAYOUT && scan_take_here(&s->in, "["))
        tsr_read_at_(s, start);
    if (scan_take_here(&s->in, " o "))
        scan_fail_at(&s->in, start, "` o ` joins a swizzle or an engine to a layout; for layouts write composition");
}

/** Does the text begin with the name of an operation and a blank? */
static bool is_command(parser const *s)
{
    char name[64];
    size_t const n = scan_letters(&s->in);
    if (n == 0 || n >= sizeof name || (s->in.p[n] != ' ' && s->in.p[n] != '\t'))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)n, s->in.p);
    return tsr_is_operation_(name);
}

/** Are name, blanks and one pair of parentheses the whole text? */
static bool is_call(parser const *s)
{
    char const *p = s->in.p + strcspn(s->in.p, " \t");
    int open = 0;
    p += strspn(p, " \t");
    if (*p != '(')
        return false;
    do
        open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    while (*p && (++p, open > 0));
    return open == 0 && p[strspn(p, " \t\r\n")] == 0;
}

/** Reads the whole text. */
static void read_text(parser *s, bool command)
{
    if (command)
        tsr_read_command_(s);
    else
        tsr_read_expression_(s, false);
    scan_blanks(&s->in);
    if (!s->in.failed && s->in.p < s->in.end)
        scan_fail(&s->in, "%s",
                  *s->in.p == ','   ? "a tuple is written in parentheses: (4,8)"
                  : *s->in.p == '(' ? "nothing may follow the expression; L(c) is written call(L, c)"
                                    : "nothing may follow the expression");
    s->e->ok = !s->in.failed;
}

static void begin(parser *s, evaluation *e, char const *expression, unsigned flags)
{
    memset(s, 0, sizeof *s);
    memset(e, 0, sizeof *e);
    s->in = tsr_scan_open_(expression, strlen(expression), &e->error);
    s->flags = flags;
    s->e = e;
    s->r = &e->result;
    e->flags = flags;
    e->outer.place = e->place;
    e->outer.kept = &e->kept;
    e->outer.answer = &e->answer;
    e->outer.shapes = (flags & TSR_TEXT_SHAPES) != 0;
    scan_blanks(&s->in);
}

static void release(evaluation *e)
{
    tsr_memory_free_(&e->kept);
    free(e->stack);
}

tsr_evaluation *tsr_evaluate(char const *expression, unsigned flags, tsr_trace trace, void *context)
{
    parser *const s = (parser *)malloc(sizeof *s);
    evaluation *const e = (evaluation *)malloc(sizeof *e);
    if (s && e) {
        begin(s, e, expression, flags);
        bool command = is_command(s);
        if (command && is_call(s)) { /* tried without the trace, which is of the form that counts */
            read_text(s, false);
            command = s->unfit;
            release(e);
            begin(s, e, expression, flags);
        }
        s->trace = trace;
        s->context = context;
        read_text(s, command);
    }
    free(s);
    if (s && e)
        return e;
    free(e);
    return NULL;
}

void tsr_evaluation_free(tsr_evaluation *e)
{
    if (!e)
        return;
    release(e);
    free(e);
}
