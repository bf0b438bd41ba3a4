/* Places that wait for their turn: some are moved at once, those behind them are asked for. */
#ifndef TSR_SRC_EXEC_MOVE_PLACES_H
#define TSR_SRC_EXEC_MOVE_PLACES_H

#include "exec/engine.h"

/** Places moved at once, which takes memory longer than finding the next ones takes here; places prefetched
 *  before. */
enum { PLACES_AT_ONCE = 8, PLACES_AHEAD = 128, PLACES_ROOM = 3 * PLACES_AHEAD };

/** at[first] to at[last - 1] wait; `ahead` places behind one that moves there is always one more. */
typedef struct places {
    void (*move)(void const *context, engine_place const *at, int64_t count, int ahead);
    void const *context;
    int ahead, first, last;
    engine_place at[PLACES_ROOM];
} places;

static inline void begin_places(places *q, void (*move)(void const *, engine_place const *, int64_t, int),
                                void const *context, int ahead)
{
    q->move = move;
    q->context = context;
    q->ahead = ahead;
    q->first = q->last = 0;
}

/** Moves all places but those that are only asked for yet. */
static inline void move_places(places *q, int but)
{
    int const n = q->last - q->first - but;
    if (n <= 0)
        return;
    q->move(q->context, q->at + q->first, n, q->ahead);
    q->first += n;
    if (q->last + PLACES_AT_ONCE + PLACES_AHEAD > PLACES_ROOM) {
        memmove(q->at, q->at + q->first, (size_t)but * sizeof q->at[0]);
        q->first = 0;
        q->last = but;
    }
}

static inline void add_place(places *q, engine_place at)
{
    q->at[q->last++] = at;
    if (q->last - q->first == PLACES_AT_ONCE + q->ahead)
        move_places(q, q->ahead);
}

/** Moves the last places: behind them nothing is asked for. */
static inline void end_places(places *q)
{
    engine_place const none = {NULL, NULL, 0, 0, 0, false, false};
    for (int i = 0; i < q->ahead; ++i)
        q->at[q->last + i] = none;
    move_places(q, 0);
}

#endif
