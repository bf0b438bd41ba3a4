#define _POSIX_C_SOURCE 200809L /* isatty, clock_gettime */

#include "relayout_meter.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

meter meter_begin(bool asked, double bytes)
{
    double const t = now();
    return (meter){asked, isatty(2) == 1, bytes, 0, t, t};
}

double meter_seconds(meter const *m) { return now() - m->begin; }

static bool shows(meter const *m, double seconds) { return m->asked || (m->terminal && seconds > 1); }

void meter_add(meter *m, double bytes)
{
    double const t = now(), seconds = t - m->begin;
    m->done += bytes;
    if (!shows(m, seconds) || t - m->last < 0.2 || m->done <= 0)
        return;
    int const left = (int)(seconds * (m->all - m->done) / m->done + 0.5);
    fprintf(stderr, "%s%3d %%  %.0f MB/s  %d:%02d left%s", m->terminal ? "\r" : "", (int)(100 * m->done / m->all),
            m->done / seconds / 1e6, left / 60, left % 60, m->terminal ? "\033[K" : "\n");
    m->last = t;
}

void meter_end(meter const *m, double copied_in)
{
    double const seconds = meter_seconds(m);
    if (shows(m, seconds))
        fprintf(stderr, "%s%.1f MB copied in %.2f s, %.0f MB/s; on the disk after %.2f s\n",
                m->terminal ? "\r\033[K" : "", m->all / 1e6, copied_in, m->all / 1e6 / copied_in, seconds);
}
