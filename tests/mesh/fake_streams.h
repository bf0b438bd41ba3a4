/** Streams of fake_gpus.c: what they are given is done late, in any order that events allow. So work that must wait and
 *  does not is found. A handle that is no stream does its work at once, behind the events that it waits for. */
#ifndef TESTS_DIST_FAKE_STREAMS_H
#define TESTS_DIST_FAKE_STREAMS_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "fake_gpus.h"

/** Work: true when it is done, false when it must be tried again. It owns what it is of. */
typedef struct fake_work {
    struct fake_work *next;
    bool (*run)(struct fake_work *self);
    size_t bytes; /* in all: graphs copy it */
} fake_work;

/** Nodes of a graph. */
typedef struct fake_set {
    int *node, count;
} fake_set;

struct fake_graph;

typedef struct fake_stream {
    struct fake_stream *next;
    fake_work *first, **end;
    struct fake_graph *graph; /* that captures it */
    fake_set last;            /* what its next node comes after */
} fake_stream;

/** The number of the last record that was asked for, and of the last one that is done; or a place in a graph. */
typedef struct fake_event {
    uint64_t asked, done;
    struct fake_graph *graph;
    fake_set at;
    int marks; /* records and waits on their way; the last one frees a destroyed event */
    bool destroyed;
} fake_event;

extern fake_gpus_state fake_gpus;

static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER, fake_driver = PTHREAD_MUTEX_INITIALIZER;
static fake_stream *fake_streams;
static uint64_t fake_records, fake_dice = 1;

static fake_stream *fake_find(void *handle)
{
    fake_stream *s = fake_streams;
    while (s && s != handle)
        s = s->next;
    return s;
}

/** The same without the lock. */
static fake_stream *fake_found(void *handle)
{
    pthread_mutex_lock(&fake_lock);
    fake_stream *const s = fake_find(handle);
    pthread_mutex_unlock(&fake_lock);
    return s;
}

/** Does the first work of a stream; the lock is held. */
static bool fake_try(fake_stream *s)
{
    fake_work *const w = s->first;
    if (!w || !w->run(w))
        return false;
    s->first = w->next;
    if (!s->first)
        s->end = &s->first;
    free(w);
    return true;
}

/** Does some work of a stream taken by chance, or of the next one that can go on. */
static void fake_step(void)
{
    int busy = 0;
    bool did = false;
    pthread_mutex_lock(&fake_lock);
    for (fake_stream *s = fake_streams; s; s = s->next)
        busy += s->first != NULL;
    fake_dice = fake_dice * 6364136223846793005u + 1442695040888963407u;
    int const skip = busy ? (int)((fake_dice >> 33) % (uint64_t)busy) : 0;
    for (int turn = 0, at = 0; turn < 2 && !did; ++turn) /* those behind it, then those before */
        for (fake_stream *s = fake_streams; s && !did; s = s->next)
            if (s->first && (turn == 1 || at++ >= skip))
                did = fake_try(s);
    pthread_mutex_unlock(&fake_lock);
    if (!did)
        (void)sched_yield();
}

static void fake_add_node(fake_stream *s, fake_work *w);

/** Waits for a slow call of another thread. */
static void fake_pass(void)
{
    if (fake_gpus.slow) {
        pthread_mutex_lock(&fake_driver);
        pthread_mutex_unlock(&fake_driver);
    }
}

static bool fake_is_busy(fake_stream const *of);

/** A slow call: at worst a driver waits for all GPUs in it, and keeps all other threads waiting meanwhile. */
static void fake_slow(void)
{
    enum { SECONDS = 3 /* then it is stuck */ };
    if (!fake_gpus.slow)
        return;
    pthread_mutex_lock(&fake_driver);
    time_t const began = time(NULL);
    while (fake_is_busy(NULL) && fake_gpus.stuck == 0) {
        fake_step();
        fake_gpus.stuck += time(NULL) > began + SECONDS;
    }
    pthread_mutex_unlock(&fake_driver);
}

/** Gives work to a stream, or does it at once. */
static int fake_give(void *handle, fake_work *w)
{
    fake_pass();
    pthread_mutex_lock(&fake_lock);
    fake_stream *const s = fake_find(handle);
    if (s && s->graph) {
        fake_add_node(s, w);
    } else if (s) {
        *s->end = w;
        s->end = &w->next;
    }
    pthread_mutex_unlock(&fake_lock);
    for (bool done = s != NULL; !done;) {
        pthread_mutex_lock(&fake_lock);
        done = w->run(w);
        pthread_mutex_unlock(&fake_lock);
        if (done)
            free(w);
        else
            fake_step();
    }
    return 0;
}

typedef struct fake_mark {
    fake_work as_work;
    fake_event *event;
    uint64_t number;
} fake_mark;

/** A mark less, or the event destroyed; the lock is held. */
static bool fake_leave(fake_event *event, int marks, bool destroyed)
{
    event->marks -= marks;
    event->destroyed = event->destroyed || destroyed;
    if (event->destroyed && event->marks == 0) {
        free(event->at.node);
        free(event);
    }
    return true;
}

static bool fake_record(fake_work *w)
{
    fake_mark const *const m = (fake_mark const *)w;
    m->event->done = m->number > m->event->done ? m->number : m->event->done;
    return fake_leave(m->event, 1, false);
}

static bool fake_wait(fake_work *w)
{
    fake_mark const *const m = (fake_mark const *)w;
    return m->event->done >= m->number && fake_leave(m->event, 1, false);
}

static bool fake_captures(fake_stream *s, fake_event *event, bool record, int *result);

static int fake_mark_event(void *handle, fake_event *event, bool record)
{
    int result = 0;
    pthread_mutex_lock(&fake_lock);
    bool const captured = fake_captures(fake_find(handle), event, record, &result);
    pthread_mutex_unlock(&fake_lock);
    if (captured)
        return result;
    fake_mark *const m = (fake_mark *)calloc(1, sizeof *m);
    pthread_mutex_lock(&fake_lock);
    if (record)
        event->asked = ++fake_records;
    m->number = event->asked;
    ++event->marks;
    pthread_mutex_unlock(&fake_lock);
    m->event = event;
    m->as_work.run = record ? fake_record : fake_wait;
    return fake_give(handle, &m->as_work);
}

static bool fake_event_done(fake_event *event)
{
    pthread_mutex_lock(&fake_lock);
    bool const done = event->done >= event->asked;
    pthread_mutex_unlock(&fake_lock);
    return done;
}

/** Has a stream something to do? NULL: has any? */
static bool fake_is_busy(fake_stream const *of)
{
    pthread_mutex_lock(&fake_lock);
    bool busy = of && of->first;
    for (fake_stream *s = fake_streams; s && !of; s = s->next)
        busy = busy || s->first;
    pthread_mutex_unlock(&fake_lock);
    return busy;
}

static void fake_drain(fake_stream const *of)
{
    while (fake_is_busy(of))
        fake_step();
}

static int fake_stream_make(void **handle)
{
    fake_stream *const s = (fake_stream *)calloc(1, sizeof *s);
    s->end = &s->first;
    pthread_mutex_lock(&fake_lock);
    s->next = fake_streams;
    fake_streams = s;
    pthread_mutex_unlock(&fake_lock);
    *handle = s;
    return 0;
}

static int fake_stream_free(fake_stream *s)
{
    fake_slow();
    fake_drain(s);
    pthread_mutex_lock(&fake_lock);
    fake_stream **at = &fake_streams;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    pthread_mutex_unlock(&fake_lock);
    free(s);
    return 0;
}

#endif
