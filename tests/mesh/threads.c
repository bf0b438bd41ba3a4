/** The same distributions in several threads at once, each with a loopback of its own: planned, run and simulated. The
 *  tables of intervals are shared. Built with the sanitizer of threads.
 *  usage: mesh_threads SEED PAIRS */
#include <pthread.h>

#include "random_pair.h"

enum { THREADS = 4, MOST = 1000 };

static pair pairs[MOST];
static int64_t count;

/** The table of these intervals is made once, whoever asks first. */
static bool read_intervals(int64_t i)
{
    char text[64];
    tsr_dist_layout d;
    tsr_message error;
    snprintf(text, sizeof text, "intervals((%d),((0:2,1:%d)),(2))", (int)i + 2, (int)i);
    return tsr_dist_read(text, 0, &d, &error);
}

/** All pairs, from another one on in each thread; how many are wrong. */
static void *move_all(void *context)
{
    int64_t *const number = (int64_t *)context, first = *number;
    for (int64_t i = *number = 0; i < count; ++i) {
        pair const *const p = &pairs[(first * count / THREADS + i) % count];
        tsr_dist_simulation s;
        tsr_message error = {0, ""};
        int64_t sent = 0, least = 0;
        *number += !loopback_pair(p, i % 4 == 0, i % 3 == 0 ? 100 : 0, &sent, &least);
        *number += !read_intervals(i);
        *number += !tsr_dist_simulate(&p->from, &p->to, 4, (tsr_dist_clock){2e-6, 1e10, p->host}, true, &s, &error);
    }
    return NULL;
}

int main(int arguments, char **argument)
{
    pthread_t thread[THREADS];
    int64_t number[THREADS];
    if (arguments < 3)
        return 2;
    random_begin((uint64_t)atoll(argument[1]));
    count = tsr_min64(atoll(argument[2]), MOST);
    for (int64_t i = 0; i < count; ++i)
        pairs[i] = random_pair(1 + noise(12), 17);
    for (int i = 0; i < THREADS; ++i) {
        number[i] = i;
        check("a thread", pthread_create(&thread[i], NULL, move_all, &number[i]) == 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(thread[i], NULL);
        check("every element is where it belongs", number[i] == 0);
    }
    return report();
}
