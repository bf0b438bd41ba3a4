/** tessera: evaluates, explains and shows layouts. */
#define _XOPEN_SOURCE 700 /* isatty, getrlimit */

#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tessera/text.h"

typedef struct command {
    char const *name, *usage, *help;
    int (*run)(options const *o, int n, char **argument);
} command;

static command const commands[] = {
#define X(name, usage, help) {#name, usage, help, command_##name},
    COMMAND_LIST(X)
#undef X
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

void complain(options const *o, char const *format, ...)
{
    va_list args;
    fprintf(stderr, o->colour_err ? "\033[31merror:\033[0m " : "error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

int command_help(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    printf("usage: tessera COMMAND ...\n\nLayouts and their algebra: evaluated, explained, shown.\n\n");
    for (int i = 0; i < COMMANDS; ++i) {
        int const width = (int)(strlen(commands[i].name) + strlen(commands[i].usage)) + 1;
        printf("  %s %s", commands[i].name, commands[i].usage);
        printf("%s%*s%s\n", width > 30 ? "\n" : "", width > 30 ? 33 : 31 - width, "", commands[i].help);
    }
    printf("\n  --static            plain integers are static, and static ones print without _\n"
           "  --color=WHEN        auto (a terminal, and NO_COLOR is not set), always or never\n"
           "  --version, --help\n\n"
           "Exit status: 0 all succeeded, 1 an expression or a file was an error, 2 misuse.\n");
    return DONE;
}

int command_version(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    printf("tessera %d.%d.%d (at most %d leaves)\n", TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH,
           TSR_MAX_LEAVES);
    return DONE;
}

int command_completion(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    printf("# bash completion for tessera\n_tessera() {\n    local word=${COMP_WORDS[COMP_CWORD]}\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < COMMANDS; ++i)
        printf("%s ", commands[i].name);
    printf("--static --color=auto --color=always --color=never --help --version' -- \"$word\"))\n"
           "    elif [[ ${COMP_WORDS[1]} = run || ${COMP_WORDS[1]} = relayout ]]; then\n        COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "    else\n        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < count; ++i)
        printf("%s ", ops[i].name);
    printf("' -- \"$word\"))\n    fi\n}\ncomplete -F _tessera tessera\n");
    return DONE;
}

/** One line of a manual page: a hyphen is written as a minus, a leading dot or quote is protected. */
static void man_text(char const *text)
{
    if (*text == '.' || *text == '\'')
        printf("\\&");
    for (; *text; ++text) {
        if (*text == '-' || *text == '\\')
            printf("\\");
        putchar(*text);
    }
}

int command_man(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    printf(".TH TESSERA 1 \"\" \"tessera %d.%d.%d\"\n.SH NAME\ntessera \\- layouts and their algebra\n", TSR_VERSION_MAJOR,
           TSR_VERSION_MINOR, TSR_VERSION_PATCH);
    printf(".SH SYNOPSIS\n.B tessera\nCOMMAND ...\n.SH COMMANDS\n");
    for (int i = 0; i < COMMANDS; ++i) {
        printf(".TP\n\\fB%s\\fR ", commands[i].name);
        man_text(commands[i].usage);
        printf("\n");
        man_text(commands[i].help);
        printf("\n");
    }
    printf(".SH OPTIONS\n.TP\n\\fB\\-\\-static\\fR\nplain integers are static, and static ones print without _\n"
           ".TP\n\\fB\\-\\-color=\\fRWHEN\nauto (a terminal, and NO_COLOR is not set), always or never\n");
    printf(".SH NOTATION\n8 is a dynamic integer, _8 a static one, (a,b) a tuple, S:D a layout, <a,b> a tiler, _ keeps a mode, "
           "_1@0 is a basis element, Sw<B,M,S> o offset o S:D a swizzled layout.\n.SH OPERATIONS\n");
    for (int i = 0; i < count; ++i) {
        char title[128];
        operation_title(&ops[i], title, sizeof title);
        printf(".TP\n.B ");
        man_text(title);
        printf("\n");
        man_text(ops[i].help);
        printf("\n.br\n");
        man_text(ops[i].example);
        printf("  =  ");
        man_text(ops[i].value);
        printf("\n");
    }
    printf(".PP\nT tuple, L layout, W swizzle, X layout and offset, D verdict, E engine, G tensor, J tile and its layout, S layout of shared memory, F tensor map, I TMA copy, O its name, Y type[/type], R tiler, U and V the remaining integers and tuples, "
           "Q and M the remaining tilers or layouts; in brackets N an integer, P integers, B an element type.\n"
           ".SH EXIT STATUS\n0 all succeeded, 1 an expression or a file was an error, 2 misuse.\n");
    return DONE;
}

/** Whether the usage of a command names an option, so that the command takes it out itself. */
static bool command_has(char const *name, char const *option)
{
    size_t const n = strcspn(option, "=");
    for (int i = 0; i < COMMANDS; ++i)
        for (char const *p = commands[i].usage; strcmp(commands[i].name, name) == 0 && (p = strstr(p, "[--")); ++p)
            if (strncmp(p + 1, option, n) == 0 && strchr(" ]", p[1 + n]))
                return true;
    return false;
}

/** Takes --static and --color out of the arguments, wherever they stand; returns how many are left, or -1. */
static int take_options(options *o, int n, char **argument)
{
    int left = 0;
    char const *colour = getenv("NO_COLOR") ? "never" : "auto";
    for (int i = 0; i < n; ++i) {
        char const *const a = argument[i];
        if (strcmp(a, "--static") == 0)
            o->flags |= TSR_TEXT_STATIC;
        else if (strncmp(a, "--color=", 8) == 0)
            colour = a + 8;
        else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0)
            argument[left++] = (char *)"help";
        else if (strcmp(a, "--version") == 0)
            argument[left++] = (char *)"version";
        else if (a[0] == '-' && a[1] == '-' && left > 0 && command_has(argument[0], a))
            argument[left++] = argument[i];
        else if (a[0] == '-' && a[1] == '-')
            return complain(o, "unknown option %s (see tessera help)", a), -1;
        else
            argument[left++] = argument[i];
    }
    if (strcmp(colour, "auto") != 0 && strcmp(colour, "always") != 0 && strcmp(colour, "never") != 0)
        return complain(o, "--color takes auto, always or never, not %s", colour), -1;
    o->colour_out = strcmp(colour, "always") == 0 || (strcmp(colour, "auto") == 0 && isatty(1));
    o->colour_err = strcmp(colour, "always") == 0 || (strcmp(colour, "auto") == 0 && isatty(2));
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
    char volatile part[16384];
    part[0] = 0;
    if (bytes > sizeof part)
        reach(bytes - sizeof part);
    part[sizeof part - 1] = 0;
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

int main(int argc, char **argv)
{
    options o = {0, false, false};
    reserve_stack();
    if (!reserve_descriptors())
        return FAILED;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, not an end */
    int const n = take_options(&o, argc - 1, argv + 1);
    if (n < 0)
        return MISUSE;
    if (n == 0)
        command_help(&o, 0, NULL);
    for (int i = 0; i < COMMANDS; ++i)
        if (n > 0 && strcmp(argv[1], commands[i].name) == 0)
            return end_output(&o, commands[i].run(&o, n - 1, argv + 2));
    if (n > 0)
        complain(&o, "unknown command %s (see tessera help)", argv[1]);
    return end_output(&o, MISUSE);
}
