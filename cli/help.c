/** The commands that say what there is: help, version and man. */
#include "usage.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

static struct {
    char const *name, *help;
} const general[] = {{"--static", "reads plain integers as static, and prints static ones without _"},
                     {"--color=WHEN", "colours: auto (on a terminal, unless NO_COLOR is set), always or never"},
                     {"--help", "prints what a command takes"},
                     {"--", "ends the options: later arguments may begin with -"},
                     {"--version", "prints the version"}};

enum { GENERAL = sizeof general / sizeof general[0] };

static char const statuses[] = "0: all succeeded. 1: an expression or a file was an error. 2: the call was wrong.";

int command_help(options const *o, int n, char **argument)
{
    int count = 0;
    command const *const commands = all_commands(&count);
    for (int i = 0; i < n; ++i) {
        command const *const c = find_command(argument[i]);
        if (!c)
            return unknown_command(o, argument[i]);
        print_usage(c);
    }
    if (n > 0)
        return DONE;
    printf("usage: tessera COMMAND ...\n\n"
           "tessera evaluates, explains and draws layouts, and moves arrays between files.\n\n");
    for (int i = 0; i < count; ++i) {
        printf("  %-14s", commands[i].name);
        print_wrapped(16, 16, commands[i].help);
        printf("\n");
    }
    printf("\n");
    for (int i = 0; i < GENERAL; ++i)
        printf("  %-14s%s\n", general[i].name, general[i].help);
    printf("\ntessera COMMAND --help prints the options of a command with examples, tessera ops WORD\n"
           "the operations of that name.\n\nTo begin with:\n"
           "    tessera eval 'composition((6,2):(8,2), (4,3):(3,1))'\n"
           "    tessera show '(4,8):(8,1)'\n"
           "    tessera swizzle '(8,64)'\n\nExit status. %s\n",
           statuses);
    return DONE;
}

int command_version(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    printf("tessera %s (at most %d leaves)\n", tsr_version(), TSR_MAX_LEAVES);
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

/** A name in bold, and what it is. */
static void man_entry(char const *name, char const *text)
{
    printf(".TP\n.B ");
    man_text(name);
    printf("\n");
    man_text(text);
    printf("\n");
}

/** The options of a command, indented. */
static void man_options(command const *c)
{
    usage_option option;
    char title[64];
    if (strncmp(c->usage, "[-", 2) != 0)
        return;
    printf(".RS\n");
    for (char const *at = c->usage; next_option(&at, &option);) {
        snprintf(title, sizeof title, "%s%s%s", option.name, *option.value ? " " : "", option.value);
        man_entry(title, option_words(c->name, option.name));
    }
    printf(".RE\n");
}

int command_man(options const *o, int n, char **argument)
{
    (void)o, (void)n, (void)argument;
    int count = 0, commands_count = 0;
    command const *const commands = all_commands(&commands_count);
    printf(".TH TESSERA 1 \"\" \"tessera %d.%d.%d\"\n.ad l\n.SH NAME\ntessera \\- layouts and their algebra\n",
           TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH);
    printf(".SH SYNOPSIS\n.B tessera\nCOMMAND ...\n.SH COMMANDS\n");
    for (int i = 0; i < commands_count; ++i) {
        printf(".TP\n\\fB%s\\fR ", commands[i].name);
        man_text(commands[i].usage);
        printf("\n");
        man_text(commands[i].help);
        printf("\n");
        man_options(&commands[i]);
    }
    printf(".SH OPTIONS\n");
    for (int i = 0; i < GENERAL; ++i)
        man_entry(general[i].name, general[i].help);
    printf(
        ".SH NOTATION\n8 is a dynamic integer and _8 a static one. (a,b) is a tuple, S:D a layout, <a,b> a tiler. "
        "_ keeps a mode. _1@0 is a basis element. Sw<B,M,S> o offset o S:D is a swizzled layout.\n.SH OPERATIONS\n");
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        char title[128];
        size_t const n = tsr_format_op(title, sizeof title, &ops[i]);
        snprintf(title + n, sizeof title - n, " -> %c", ops[i].result);
        man_entry(title, ops[i].help);
        printf(".br\n");
        man_text(ops[i].example);
        printf("  =  ");
        man_text(ops[i].value);
        printf("\n");
    }
    printf(".SH KINDS\n");
    print_kinds(".TP\n.B %s\n%s\n");
    printf(".SH EXAMPLES\n");
    for (int i = 0; i < commands_count; ++i) {
        int at = 0;
        for (usage_example example; next_example(commands[i].name, &at, &example);)
            man_entry(example.call, example.what);
    }
    printf(".SH EXIT STATUS\n%s\n", statuses);
    return DONE;
}
