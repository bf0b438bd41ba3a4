/** Fragments of tile programs: what callers ask for, and the text. */
#include <stdlib.h>
#include <string.h>

#include "infer/infer.h"
#include "text/write.h"

tsr_inference *tsr_infer(char const *text, tsr_message *error)
{
    tsr_inference *const p = (tsr_inference *)calloc(1, sizeof *p);
    bool ok = p != NULL;
    error->at = 0;
    error->text[0] = 0;
    if (!p)
        snprintf(error->text, sizeof error->text, "out of memory");
    ok = ok && tsr_infer_read_(p, text, error);
    for (int v = 0; ok && v < p->values; ++v) {
        p->value[v].choice = (choice *)calloc(INFER_CHOICES, sizeof(choice));
        if (!p->value[v].choice) {
            snprintf(error->text, sizeof error->text, "out of memory");
            ok = false;
        }
    }
    if (ok) {
        tsr_infer_propose_(p);
        tsr_infer_search_(p);
        return p;
    }
    tsr_inference_free(p);
    return NULL;
}

void tsr_inference_free(tsr_inference *p)
{
    for (int v = 0; p && v < INFER_VALUES; ++v)
        free(p->value[v].choice);
    free(p);
}

int tsr_inference_values(tsr_inference const *p) { return p->values; }

char const *tsr_inference_name(tsr_inference const *p, int value)
{
    return value >= 0 && value < p->values ? p->value[value].name : "";
}

tsr_linear tsr_inference_fragment(tsr_inference const *p, int value)
{
    if (value < 0 || value >= p->values)
        return tsr_bad_linear(tsr_because(TSR_INDEX, 0, value, p->values, 0));
    value_of const *const v = &p->value[value];
    fragment const *const f = is_computed(v) ? &v->choice[v->chosen].need[v->operands]
                              : v->given     ? &v->fixed
                                             : &v->pool[v->home];
    return tsr_infer_map_(f, v, p->warps);
}

int tsr_inference_moves(tsr_inference const *p) { return p->moves; }

tsr_inferred_move tsr_inference_move(tsr_inference const *p, int i)
{
    tsr_inferred_move none;
    memset(&none, 0, sizeof none);
    none.value = none.user = -1;
    return i >= 0 && i < p->moves ? p->move[i] : none;
}

int64_t tsr_inference_cost(tsr_inference const *p) { return p->cost; }

bool tsr_inference_is_least(tsr_inference const *p) { return p->proved; }

static void write_move(writer *w, tsr_inference const *p, tsr_inferred_move const *m)
{
    char const *const name = p->value[m->value].name, *const user = p->value[m->user].name;
    if (m->user == m->value)
        put(w, "move %s to its given fragment", name);
    else
        put(w, "move %s for %s", name, user);
    put(w, ": %lld by shuffles, %lld through shared memory\n    ", (long long)m->count.shuffled,
        (long long)m->count.shared);
    tsr_write_linear_(w, &m->to);
    put(w, "\n");
}

size_t tsr_inference_format(char *out, size_t size, tsr_inference const *p)
{
    writer w;
    writer_open(&w, out, size);
    for (int v = 0; v < p->values; ++v) {
        tsr_linear const map = tsr_inference_fragment(p, v);
        put(&w, "%s: ", p->value[v].name);
        tsr_write_linear_(&w, &map);
        put(&w, "\n");
    }
    for (int i = 0; i < p->moves; ++i)
        write_move(&w, p, &p->move[i]);
    put(&w, "cost %lld%s", (long long)p->cost, p->proved ? "" : ", the least that was found");
    return w.used;
}
