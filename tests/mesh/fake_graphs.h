/** Graphs of fake_gpus.c: what a stream is given while it is captured becomes a node, with the nodes that it follows.
 *  A launch does the nodes in any order that these allow. */
#ifndef TESTS_DIST_FAKE_GRAPHS_H
#define TESTS_DIST_FAKE_GRAPHS_H

#include <string.h>

#include "fake_streams.h"

typedef struct fake_node {
    fake_work *work;
    fake_set after;
    bool followed; /* another one comes after it */
} fake_node;

typedef struct fake_graph {
    fake_node *node;
    int nodes;
    bool ended;
    fake_stream *first;         /* on which it was begun */
    uint64_t launched, arrived; /* launches do not overlap */
} fake_graph;

enum { FAKE_UNJOINED = 904, FAKE_ISOLATION = 905, FAKE_IMPOSSIBLE = 900 };

/** How many streams are captured. */
static int fake_capturing;

static void fake_unite(fake_set *a, fake_set const *b)
{
    for (int i = 0; i < b->count; ++i) {
        bool there = false;
        for (int k = 0; k < a->count; ++k)
            there = there || a->node[k] == b->node[i];
        if (there)
            continue;
        a->node = (int *)realloc(a->node, (size_t)(a->count + 1) * sizeof *a->node);
        a->node[a->count++] = b->node[i];
    }
}

static void fake_add_node(fake_stream *s, fake_work *w)
{
    fake_graph *const g = s->graph;
    fake_set const only = {&g->nodes, 1};
    g->node = (fake_node *)realloc(g->node, (size_t)(g->nodes + 1) * sizeof *g->node);
    fake_node const node = {w, s->last, false};
    g->node[g->nodes] = node;
    for (int i = 0; i < s->last.count; ++i)
        g->node[s->last.node[i]].followed = true;
    memset(&s->last, 0, sizeof s->last);
    fake_unite(&s->last, &only);
    ++g->nodes;
}

static void fake_join(fake_stream *s, fake_graph *g)
{
    fake_capturing += s->graph == NULL;
    s->graph = g;
}

/** A record or a wait that belongs to a graph. */
static bool fake_captures(fake_stream *s, fake_event *event, bool record, int *result)
{
    fake_graph *const g = record ? (s ? s->graph : NULL) : event->graph;
    if (record)
        event->graph = g;
    if (!g) {
        *result = !record && s && s->graph ? FAKE_ISOLATION : 0;
        return *result != 0;
    }
    if (record) {
        event->at.count = 0;
        fake_unite(&event->at, &s->last);
    } else if (!s || g->ended || (s->graph && s->graph != g)) {
        *result = FAKE_ISOLATION;
    } else {
        fake_join(s, g);
        fake_unite(&s->last, &event->at);
    }
    return true;
}

static int fake_capture(fake_stream *s)
{
    if (!s || s->graph)
        return FAKE_IMPOSSIBLE;
    pthread_mutex_lock(&fake_lock);
    fake_join(s, (fake_graph *)calloc(1, sizeof(fake_graph)));
    s->graph->first = s;
    pthread_mutex_unlock(&fake_lock);
    return 0;
}

static bool fake_has(fake_set const *a, int node)
{
    for (int i = 0; i < a->count; ++i)
        if (a->node[i] == node)
            return true;
    return false;
}

static int fake_graph_free(fake_graph *g)
{
    for (int i = 0; i < g->nodes; ++i) {
        free(g->node[i].work);
        free(g->node[i].after.node);
    }
    free(g->node);
    free(g);
    return 0;
}

/** Ends the capture. It fails where it is refused, or has nodes that the first stream does not come after. */
static int fake_captured(fake_stream *s, bool refused, fake_graph **graph)
{
    fake_graph *const g = s ? s->graph : NULL;
    *graph = NULL;
    if (!g || g->first != s)
        return FAKE_IMPOSSIBLE;
    int result = refused ? FAKE_IMPOSSIBLE : 0;
    for (int i = 0; i < g->nodes; ++i)
        if (!g->node[i].followed && !fake_has(&s->last, i))
            result = FAKE_UNJOINED;
    pthread_mutex_lock(&fake_lock);
    for (fake_stream *x = fake_streams; x; x = x->next)
        if (x->graph == g) {
            x->graph = NULL;
            free(x->last.node);
            memset(&x->last, 0, sizeof x->last);
            --fake_capturing;
        }
    g->ended = true;
    pthread_mutex_unlock(&fake_lock);
    if (result)
        (void)fake_graph_free(g);
    else
        *graph = g;
    return result;
}

/** A graph of its own, with the same nodes. */
static fake_graph *fake_instantiate(fake_graph const *g)
{
    fake_graph *const run = (fake_graph *)calloc(1, sizeof *run);
    run->nodes = g->nodes;
    run->node = (fake_node *)calloc((size_t)g->nodes + 1, sizeof *run->node);
    for (int i = 0; i < g->nodes; ++i) {
        fake_work const *const w = g->node[i].work;
        run->node[i].work = (fake_work *)malloc(w->bytes);
        memcpy(run->node[i].work, w, w->bytes);
        fake_unite(&run->node[i].after, &g->node[i].after);
    }
    return run;
}

typedef struct fake_launched {
    fake_work as_work;
    fake_graph *graph;
    uint64_t number;
    bool *done;
    int left;
} fake_launched;

static bool fake_ready(fake_launched const *w, int node)
{
    fake_set const *const after = &w->graph->node[node].after;
    bool ready = !w->done[node];
    for (int i = 0; i < after->count; ++i)
        ready = ready && w->done[after->node[i]];
    return ready;
}

/** Does one node, taken by chance; true when it was the last one. */
static bool fake_run_graph(fake_work *of)
{
    fake_launched *const w = (fake_launched *)of;
    fake_graph *const g = w->graph;
    if (g->arrived != w->number)
        return false;
    fake_dice = fake_dice * 6364136223846793005u + 1442695040888963407u;
    int const skip = g->nodes ? (int)((fake_dice >> 33) % (uint64_t)g->nodes) : 0;
    for (int i = 0; i < g->nodes; ++i) {
        int const node = (skip + i) % g->nodes;
        if (fake_ready(w, node) && g->node[node].work->run(g->node[node].work)) {
            w->done[node] = true;
            --w->left;
            break;
        }
    }
    if (w->left > 0)
        return false;
    free(w->done);
    __atomic_add_fetch(&g->arrived, 1, __ATOMIC_SEQ_CST);
    return true;
}

static int fake_launch(fake_graph *run, void *stream)
{
    fake_launched *const w = (fake_launched *)calloc(1, sizeof *w);
    w->as_work.run = fake_run_graph;
    w->as_work.bytes = sizeof *w;
    w->graph = run;
    w->number = run->launched++;
    w->done = (bool *)calloc((size_t)run->nodes + 1, 1);
    w->left = run->nodes;
    return fake_give(stream, &w->as_work);
}

#endif
