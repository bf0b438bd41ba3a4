/** What the commands are, and what each takes. */
#include "usage.h"

#include <stdio.h>
#include <string.h>

#include "option.h"
#include "options_list.h"
#include "swizzle.h"
#include "tessera/atom/banks.h"
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

/** What others call a command or an option; NULL: it is no such word. */
static char const *synonym(char const *word)
{
    static char const *const rows[][2] = {
        {"evaluate", "eval"},      {"calc", "eval"},        {"print", "show"},       {"draw", "show"},
        {"plot", "show"},          {"view", "show"},        {"compare", "diff"},     {"convert", "relayout"},
        {"transpose", "relayout"}, {"permute", "relayout"}, {"copy", "relayout"},    {"banks", "swizzle"},
        {"list", "ops"},           {"operations", "ops"},   {"why", "explain"},      {"--transpose", "--permute"},
        {"--axes", "--permute"},   {"--convert", "--cast"}, {"--dtype", "--type"},   {"--output", "-o"},
        {"--out", "-o"},           {"--format", "--as"},    {"--check", "--verify"}, {"--banks", "--bank"},
        {"--name", "--tensor"},    {"--colour", "--color"}, {"--usage", "--help"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(rows[i][0], word) == 0)
            return rows[i][1];
    return NULL;
}

/** Has a command, of this usage, the option, or have all commands? */
static bool has_option(char const *usage, char const *option)
{
    usage_option known;
    while (next_option(&usage, &known))
        if (strcmp(known.name, option) == 0)
            return true;
    return strcmp(option, "--color") == 0 || strcmp(option, "--help") == 0;
}

/** Says that the command has no such option, and which may be meant. */
static int unknown_option(options const *o, char const *option)
{
    char word[64];
    usage_option known;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(option, "="), option);
    command const *const c = find_command(o->command);
    tsr_nearest nearest = {word, synonym(word), 0};
    if (nearest.name && has_option(c ? c->usage : "", nearest.name))
        return misuse(o, "unknown option %s%s", word, did_you_mean(&nearest));
    nearest.name = NULL;
    static char const *const general[] = {"--static", "--color", "--help", "--version"};
    for (size_t i = 0; i < sizeof general / sizeof general[0]; ++i)
        tsr_nearest_try(&nearest, general[i]);
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
    tsr_nearest nearest = {name, synonym(name), 0};
    for (int i = 0; i < COMMANDS && !nearest.name; ++i)
        if (strlen(name) > 2 && strncmp(commands[i].name, name, strlen(name)) == 0)
            nearest.name = commands[i].name;
    for (int i = 0; i < COMMANDS && (!nearest.name || nearest.distance > 0); ++i)
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
    for (tsr_banks b = TSR_BANKS_NVIDIA; strcmp(value, "BANKS") == 0 && *tsr_banks_name(b); b = (tsr_banks)(b + 1))
        if (!strstr(tsr_banks_name(b), "_write"))
            add_word(out, size, tsr_banks_name(b));
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

char const *option_words(char const *command, char const *option)
{
    static struct {
        char const *command, *option, *words;
    } const rows[] = {
#define X(command, option, words) {command, option, words},
        OPTION_LIST(X)
#undef X
    };
    char const *words = "";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bool const ours = strcmp(rows[i].command, command) == 0;
        if (strcmp(rows[i].option, option) == 0 && (ours || (!*rows[i].command && !*words)))
            words = rows[i].words;
    }
    return words;
}

bool next_example(char const *command, int *at, usage_example *example)
{
    static usage_example const rows[] = {
#define X(command, what, call) {command, what, call},
        EXAMPLE_LIST(X)
#undef X
    };
    int const count = (int)(sizeof rows / sizeof rows[0]);
    while (*at < count && strcmp(rows[*at].command, command) != 0)
        ++*at;
    if (*at == count)
        return false;
    *example = rows[(*at)++];
    return true;
}

/** The options of a command, each with its words and its legal values. */
static void print_options(command const *c)
{
    enum { COLUMN = 21 };
    usage_option option;
    char values[512];
    bool types = false;
    for (char const *at = c->usage; next_option(&at, &option);) {
        bool const is_type = strcmp(option.value, "TYPE") == 0;
        int const n = printf("  %s%s%s ", option.name, *option.value ? " " : "", option.value);
        printf("%*s", n < COLUMN ? COLUMN - n : 0, "");
        int const column = print_wrapped(n < COLUMN ? COLUMN : n, COLUMN, option_words(c->name, option.name));
        legal_values(option.value, values, sizeof values);
        if (*values && !is_type) {
            printf(": ");
            print_wrapped(column + 2, COLUMN, values);
        }
        printf("\n");
        types = types || is_type;
    }
    if (types) {
        legal_values("TYPE", values, sizeof values);
        printf("  TYPE is ");
        int const column = print_wrapped(10, 2, values);
        print_wrapped(column, 2, ", or a name of CuTe's or NumPy's: half_t, float16");
        printf("\n");
    }
}

void print_usage(command const *c)
{
    int const column = printf("usage: tessera %s ", c->name);
    int at = 0;
    usage_example example;
    print_wrapped(column, column, c->usage);
    printf("\n\n  ");
    print_wrapped(2, 2, c->help);
    printf("\n\n");
    print_options(c);
    printf("%s", strncmp(c->usage, "[-", 2) == 0 ? "\n" : "");
    while (next_example(c->name, &at, &example))
        printf("  %s\n      %s\n", example.what, example.call);
    printf("%sEvery command takes --static, --color=WHEN and --help (see tessera help).\n", at > 0 ? "\n" : "");
}
