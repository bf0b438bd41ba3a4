/** What the commands are, and what each takes. */
#include "usage.h"

#include <stdio.h>
#include <string.h>

#include "option.h"
#include "swizzle.h"
#include "tessera/picture.h"
#include "words.h"

static command const commands[] = {
#define X(name, usage, help) {#name, usage, help, command_##name},
    COMMAND_LIST(X)
#undef X
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

command const *all_commands(int *count)
{
    *count = COMMANDS;
    return commands;
}

command const *find_command(char const *name)
{
    for (int i = 0; i < COMMANDS; ++i)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

bool next_option(char const **at, usage_option *option)
{
    if (strncmp(*at, "[-", 2) != 0)
        return false;
    int const name = (int)strcspn(*at + 1, " ]"), value = (int)strcspn(*at + 1 + name, "]");
    snprintf(option->name, sizeof option->name, "%.*s", name, *at + 1);
    snprintf(option->value, sizeof option->value, "%.*s", value > 0 ? value - 1 : 0, *at + 2 + name);
    *at += name + value + 2;
    *at += **at == ' ';
    return true;
}

/** Says that the command has no such option, and which may be meant. */
static int unknown_option(options const *o, char const *option)
{
    char word[64];
    usage_option known;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(option, "="), option);
    tsr_nearest nearest = {word, NULL, 0};
    static char const *const general[] = {"--static", "--color", "--help", "--version"};
    for (size_t i = 0; i < sizeof general / sizeof general[0]; ++i)
        tsr_nearest_try(&nearest, general[i]);
    command const *const c = find_command(o->command);
    char name[sizeof known.name] = "";
    for (char const *at = c ? c->usage : ""; next_option(&at, &known);) {
        char const *const before = nearest.name;
        tsr_nearest_try(&nearest, known.name);
        if (nearest.name != before) {
            memcpy(name, known.name, sizeof name);
            nearest.name = name;
        }
    }
    return misuse(o, "unknown option %s%s", word, did_you_mean(&nearest));
}

int unknown_command(options const *o, char const *name)
{
    options const none = {0, o->colour_out, o->colour_err, "", 0, {{NULL, NULL}}};
    tsr_nearest nearest = {name, NULL, 0};
    for (int i = 0; i < COMMANDS; ++i)
        tsr_nearest_try(&nearest, commands[i].name);
    return misuse(&none, "unknown command %s%s", name, did_you_mean(&nearest));
}

void legal_values(char const *value, char *out, size_t size)
{
    out[0] = 0;
    if (strcmp(value, "TYPE") == 0)
        type_names(out, size);
#define X(id, name, ...) add_word(out, size, name);
    if (strcmp(value, "FORMAT") == 0) {
        TSR_FORMAT_LIST(X)
        add_word(out, size, "png");
    }
#undef X
    for (int i = 0; strcmp(value, "ACCESS,..") == 0 && swizzle_access(i); ++i)
        add_word(out, size, swizzle_access(i));
}

int take_option(options *o, int n, char **argument)
{
    char const *const name = argument[0];
    size_t const length = strcspn(name, "=");
    command const *const c = find_command(o->command);
    bool const joined = name[length] == '=';
    usage_option known = {"", ""};
    char const *at = c ? c->usage : "";
    bool found = false;
    while (!found && next_option(&at, &known))
        found = strlen(known.name) == length && strncmp(known.name, name, length) == 0;
    bool const valued = *known.value != 0;
    if (!found || (joined && !valued))
        return unknown_option(o, name), 0;
    if (valued && !joined && n == 1) {
        char values[512];
        legal_values(known.value, values, sizeof values);
        return misuse(o, "%s needs a value: %s", name, *values ? values : known.value), 0;
    }
    if (o->count == MOST_OPTIONS)
        return misuse(o, "more than %d options", MOST_OPTIONS), 0;
    o->given[o->count].name = name;
    o->given[o->count++].value = joined ? name + length + 1 : valued ? argument[1] : "";
    return valued && !joined ? 2 : 1;
}

void print_usage(command const *c)
{
    int const column = printf("usage: tessera %s ", c->name);
    print_wrapped(column, column, c->usage);
    printf("\n\n  ");
    print_wrapped(2, 2, c->help);
    printf("\n\nEvery command takes --static, --color=WHEN and --help (see tessera help).\n");
}
