/** The rows of commands.h as a table, and what their usages say. */
#ifndef TSR_CLI_USAGE_H
#define TSR_CLI_USAGE_H

#include "commands.h"

typedef struct command {
    char const *name, *usage, *help;
    int (*run)(options const *o, int n, char **argument);
} command;

/** The command of that name; NULL for none. */
command const *find_command(char const *name);

/** All commands, and how many there are. */
command const *all_commands(int *count);

/** An option of a usage, [--NAME VALUE]; the value is empty for one without. */
typedef struct usage_option {
    char name[24], value[24];
} usage_option;

/** The next option of a usage, from *at on; false: there is none, and *at is where the arguments begin. */
bool next_option(char const **at, usage_option *option);

/** What an option of a command does; "" for one without words. */
char const *option_words(char const *command, char const *option);

/** A call of a command, and what it does. */
typedef struct usage_example {
    char const *command, *what, *call;
} usage_example;

/** The next example of a command from row *at on; false: there is none. */
bool next_example(char const *command, int *at, usage_example *example);

/** Says that there is no such command, and which may be meant; returns MISUSE. */
int unknown_command(options const *o, char const *name);

/** Takes the first of n arguments, an option of the command, with its value. Returns how many arguments that are; 0: it
 *  is none, or has no value, which is complained of. */
int take_option(options *o, int n, char **argument);

/** The legal values of an option by the word of its usage (FORMAT, TYPE, ACCESS), with blanks between; "" for any. */
void legal_values(char const *value, char *out, size_t size);

/** Prints each kind of the table of operations, or several of a kind, with its words. */
void print_kinds(char const *format);

/** Prints what one command takes. */
void print_usage(command const *c);

#endif
