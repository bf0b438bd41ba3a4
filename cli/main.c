/** tessera: evaluates, explains and shows layouts. */
#define _XOPEN_SOURCE 700 /* isatty, getrlimit */

#include "tessera/exec/engine.h"
#include "usage.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/** Takes options out of the arguments, wherever they stand; returns how many are left, or -1. */
static int take_options(options *o, int n, char **argument)
{
    int left = 0;
    bool help = false, ended = false; /* behind "--" there are no options */
    char const *colour = getenv("NO_COLOR") ? "never" : "auto";
    for (int i = 0; i < n; ++i) {
        char const *const a = argument[i];
        bool const is_option = !ended && a[0] == '-' && a[1] && !(a[1] >= '0' && a[1] <= '9');
        if (!is_option && !*o->command) {
            o->command = a;
        } else if (!is_option) {
            argument[left++] = argument[i];
        } else if (strcmp(a, "--") == 0) {
            ended = true;
        } else if (strcmp(a, "--static") == 0) {
            o->flags |= TSR_TEXT_STATIC;
        } else if (strncmp(a, "--color=", 8) == 0) {
            colour = a + 8;
        } else if (strcmp(a, "--color") == 0) {
            colour = i + 1 < n ? argument[++i] : "nothing";
        } else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            help = true;
        } else if (strcmp(a, "--version") == 0 && left == 0) {
            o->command = "version";
        } else {
            int const taken = take_option(o, n - i, argument + i);
            if (taken == 0)
                return -1;
            i += taken - 1;
        }
    }
    if (strcmp(colour, "auto") != 0 && strcmp(colour, "always") != 0 && strcmp(colour, "never") != 0)
        return misuse(o, "--color takes auto, always or never, not %s", colour), -1;
    o->colour_out = strcmp(colour, "always") == 0 || (strcmp(colour, "auto") == 0 && isatty(1));
    o->colour_err = strcmp(colour, "always") == 0 || (strcmp(colour, "auto") == 0 && isatty(2));
    if (help) { /* of the command, where one is named */
        argument[0] = (char *)o->command;
        left = *o->command ? 1 : 0;
        o->command = "help";
    }
    return left;
}

/** Takes the descriptors 0 to 2 where they are closed, so that no file of ours becomes one of them; each the wrong way
 *  round, so that to read or write it stays the error that it is. */
static bool reserve_descriptors(void)
{
    for (int i = 0; i <= 2; ++i)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF && open("/dev/null", i == 0 ? O_WRONLY : O_RDONLY) != i)
            return false;
    return true;
}

/** Touches that much of the stack. */
static void reach(size_t bytes)
{
    char part[16384];
    char volatile *volatile const whole = part; /* clang takes an array apart of which two elements are used */
    whole[0] = 0;
    if (bytes > sizeof part)
        reach(bytes - sizeof part);
    whole[sizeof part - 1] = 0;
}

/** Takes a part of the stack while there is memory: a limit on memory (ulimit -v) counts the stack, and where malloc
 *  has an answer for what is not there, a stack that cannot grow has none. */
static void reserve_stack(void)
{
    struct rlimit limit;
    enum { ENOUGH = 512 * 1024 };
    if (getrlimit(RLIMIT_STACK, &limit) == 0)
        reach(limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 2 * ENOUGH ? ENOUGH : (size_t)limit.rlim_cur / 2);
}

/** The status in the end: what standard output did not take is an error, also when that shows only now. */
static int end_output(options const *o, int status)
{
    bool const before = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !before)
        return status;
    complain(o, "standard output cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    return status == DONE ? FAILED : status;
}

/** Threads have memory of their own, which others may want: where memory is bounded there is one. */
static void bound_threads(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < (rlim_t)1 << 28)
        tsr_cpu_engine_threads(1);
}

int main(int argc, char **argv)
{
    options o = {0, false, false, "", 0, {{NULL, NULL}}};
    reserve_stack();
    bound_threads();
    if (!reserve_descriptors())
        return FAILED;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, not an end */
    int const n = take_options(&o, argc - 1, argv + 1);
    if (n < 0)
        return MISUSE;
    command const *const c = find_command(*o.command ? o.command : "help");
    int const status = c ? c->run(&o, n, argv + 1) : unknown_command(&o, o.command);
    return end_output(&o, *o.command ? status : MISUSE);
}
