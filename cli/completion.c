/** The command completion: commands, their options and the values of these, operations and files, from the tables, as a
 *  script for a shell. Words stand in single quotes, in which none of the tables' has a quote. */
#include "usage.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

/** What stands behind the options of a command. */
typedef struct arguments {
    bool operations, files, commands;
    char words[64]; /* the legal ones, with blanks between */
} arguments;

static arguments arguments_of(command const *c)
{
    usage_option option;
    arguments a = {false, false, false, ""};
    char const *at = c->usage;
    while (next_option(&at, &option))
        ;
    a.operations = strstr(at, "EXPR") || strstr(at, "WORD");
    a.files = strstr(at, "FILE") || strstr(at, ".npy") || strstr(at, "FOLDER");
    a.commands = strstr(at, "COMMAND") != NULL;
    if (*at >= 'a' && *at <= 'z') /* bash|zsh|fish */
        for (size_t i = 0; at[i] && i + 1 < sizeof a.words; ++i)
            a.words[i] = at[i] == '|' ? ' ' : at[i];
    return a;
}

/** The names of all operations, each once. */
static void put_operations(void)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        int first = 0;
        while (strcmp(ops[first].name, ops[i].name) != 0)
            ++first;
        if (first == i)
            printf("%s%s", i > 0 ? " " : "", ops[i].name);
    }
}

static void put_commands(void)
{
    int count = 0;
    command const *const commands = all_commands(&count);
    for (int i = 0; i < count; ++i)
        printf("%s%s", i > 0 ? " " : "", commands[i].name);
}

static void put_option_names(command const *c)
{
    usage_option option;
    printf("--static --color --help");
    for (char const *at = c->usage; next_option(&at, &option);)
        if (strcmp(option.name, "--static") != 0)
            printf(" %s", option.name);
}

/* In bash and zsh a case chooses by "command:the word before". */

/** A case for every option that has a value: words, or files. */
static void put_value_cases(command const *c, char const *words, char const *files)
{
    usage_option option;
    char values[512];
    for (char const *at = c->usage; next_option(&at, &option);) {
        if (!*option.value)
            continue;
        legal_values(option.value, values, sizeof values);
        printf("    %s:%s) ", c->name, option.name);
        if (strcmp(option.value, "FILE") == 0)
            printf("%s ;;\n", files);
        else
            printf(words, values);
    }
}

static void complete_bash(void)
{
    int count = 0;
    command const *const commands = all_commands(&count);
    printf("# bash completion for tessera\n_tessera() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= files= operations='");
    put_operations();
    printf("'\n    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}\n    [ \"$word\" = = ] && word=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        before=\n    fi\n"
           "    case ${COMP_WORDS[1]}:$before in\n    *:--color) words='auto always never' ;;\n    *:) words='");
    put_commands();
    printf(" --static --color --help --version' ;;\n");
    for (int i = 0; i < count; ++i) {
        arguments const a = arguments_of(&commands[i]);
        put_value_cases(&commands[i], "words='%s' ;;\n", "files=yes");
        printf("    %s:*) %swords=\"", commands[i].name, a.files ? "files=yes " : "");
        put_option_names(&commands[i]);
        printf(" %s%s", a.words, a.operations ? "$operations" : "");
        if (a.commands)
            put_commands();
        printf("\" ;;\n");
    }
    printf("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
           "complete -o filenames -F _tessera tessera\n");
}

/** Text in single quotes. */
static void put_quoted(char const *text)
{
    for (; *text; ++text)
        if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text);
}

static void complete_zsh(void)
{
    int count = 0;
    command const *const commands = all_commands(&count);
    printf("#compdef tessera\n_tessera() {\n    local -a commands operations\n    commands=(\n");
    for (int i = 0; i < count; ++i) {
        printf("        '%s:", commands[i].name);
        put_quoted(commands[i].help);
        printf("'\n");
    }
    printf("    )\n    operations=(");
    put_operations();
    printf(")\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
           "        compadd -- --static --color --help --version\n        return\n    fi\n"
           "    case $words[2]:$words[CURRENT-1] in\n    *:--color) compadd auto always never ;;\n");
    for (int i = 0; i < count; ++i) {
        arguments const a = arguments_of(&commands[i]);
        put_value_cases(&commands[i], "compadd %s ;;\n", "_files");
        printf("    %s:*) compadd -- ", commands[i].name);
        put_option_names(&commands[i]);
        printf(" %s", a.words);
        printf("%s%s%s ;;\n", a.operations ? "; compadd -a operations" : "", a.files ? "; _files" : "",
               a.commands ? "; _describe command commands" : "");
    }
    printf("    esac\n}\ncompdef _tessera tessera\n");
}

static void complete_fish(void)
{
    int count = 0;
    command const *const commands = all_commands(&count);
    printf("# fish completion for tessera\ncomplete -c tessera -f\nset -l operations ");
    put_operations();
    printf("\ncomplete -c tessera -l static -d 'reads plain integers as static'\n"
           "complete -c tessera -l color -x -a 'auto always never'\n"
           "complete -c tessera -l help -d 'prints what a command takes'\n");
    for (int i = 0; i < count; ++i) {
        usage_option option;
        char values[512], seen[80];
        arguments const a = arguments_of(&commands[i]);
        printf("complete -c tessera -n __fish_use_subcommand -a %s -d '", commands[i].name);
        put_quoted(commands[i].help);
        printf("'\n");
        snprintf(seen, sizeof seen, "complete -c tessera -n '__fish_seen_subcommand_from %s'", commands[i].name);
        for (char const *at = commands[i].usage; next_option(&at, &option);) {
            bool const is_long = option.name[1] == '-', is_file = strcmp(option.value, "FILE") == 0;
            if (strcmp(option.name, "--static") == 0)
                continue;
            legal_values(option.value, values, sizeof values);
            printf("%s %s %s%s", seen, is_long ? "-l" : "-s", option.name + 1 + is_long,
                   is_file         ? " -r -F"
                   : *option.value ? " -x"
                                   : "");
            if (*values)
                printf(" -a '%s'", values);
            printf("\n");
        }
        if (a.operations || *a.words)
            printf("%s -a \"%s%s\"\n", seen, a.words, a.operations ? "$operations" : "");
        if (a.commands) {
            printf("%s -a '", seen);
            put_commands();
            printf("'\n");
        }
        if (a.files)
            printf("%s -F\n", seen);
    }
}

int command_completion(options const *o, int n, char **argument)
{
    static struct {
        char const *name;
        void (*write)(void);
    } const shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    if (n != 1)
        return misuse(o, "completion needs a shell: bash, zsh or fish");
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; ++i)
        if (strcmp(shells[i].name, argument[0]) == 0)
            return shells[i].write(), DONE;
    return misuse(o, "completion knows bash, zsh and fish, not %s", argument[0]);
}
