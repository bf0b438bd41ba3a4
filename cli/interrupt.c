/** Signals that end the program. The handler does nothing but what may be done in one. */
#define _XOPEN_SOURCE 700 /* sigaction */

#include "interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 4 };

static volatile sig_atomic_t received, waits, files;
static char doomed[FILES][4096];

static void end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number)
{
    received = number;
    if (waits)
        return;
    for (int i = 0; i < files; ++i)
        unlink(doomed[i]);
    end_by(number);
}

/** A signal that was ignored when the program began, as by nohup, stays so. */
static void catch_signals(void)
{
    static int const numbers[] = {SIGINT, SIGTERM, SIGHUP};
    static bool caught;
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    for (size_t i = 0; !caught && i < sizeof numbers / sizeof numbers[0]; ++i)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    caught = true;
}

void interrupt_removes(char const *path)
{
    snprintf(doomed[files], sizeof doomed[0], "%s", path && strlen(path) < sizeof doomed[0] ? path : "");
    ++files; /* before this the handler does not see the path */
    catch_signals();
}

void interrupt_keeps(void) { --files; }

void interrupt_waits(bool on)
{
    waits = on;
    catch_signals();
    if (on || !received)
        return;
    fflush(stdout);
    end_by(received);
}

bool interrupted(void) { return received != 0; }
