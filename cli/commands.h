/** The commands of `tessera`, one row each: the dispatcher, the help, the manual page and the completion read it. */
#ifndef TSR_CLI_COMMANDS_H
#define TSR_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/text.h"

/** Exit statuses. */
enum { DONE = 0, FAILED = 1, MISUSE = 2 };

/** What the options before or after the command's arguments ask for. */
typedef struct options {
    unsigned flags; /* of text.h */
    bool colour_out, colour_err;
} options;

/* clang-format off */
#define COMMAND_LIST(X) \
    X(eval,    "[--static] EXPR...|-",  "evaluate expressions, or one a line from standard input") \
    X(explain, "[--static] EXPR...",    "the steps of an expression, their laws, and what the result is") \
    X(show,    "[-o FILE] [--as FORMAT] [--coord] [--index] [--offset] [--bank] [--thread N] [--panel LIST] [--alone] " \
      "[--cute] [--width N] [--colors N] [--static] [--type TYPE] EXPR...|FILE...", \
      "the picture of a layout, tensor, atom, operation, swizzle, TMA copy or tile, as characters or into a file (.svg, " \
      ".png, .tex, .html, .json); what is in a .npy or .safetensors file") \
    X(diff,    "[-o FILE] [--as FORMAT] [--width N] [--colors N] [--static] EXPR EXPR", "two layouts, and where they differ") \
    X(relayout, "IN.npy OUT.npy [--permute AXES] [--tile TILE] [--layout LAYOUT] [--cast TYPE] [--type TYPE] " \
      "[--plan] [--verify] [--progress]", \
      "rewrite an array: its axes permuted as by NumPy's transpose, then cut into tiles (one extent an axis, edges " \
      "filled with 0) or each element c stored at LAYOUT(c), elements converted; --type says what raw bytes are") \
    X(tma,     "[--static] EXPR...",    "the plan of a TMA copy or a tensor map, and the rules that it breaks") \
    X(swizzle, "[--static] [--type TYPE] [--access NAME,..] TILE", \
      "bank conflicts of a tile of shared memory (a shape is row-major, a type f16) before and after the smallest " \
      "swizzle that serves all accesses; an unknown NAME lists them") \
    X(fit,     "[--static] FILE|- [SHAPE]", "the layout, behind a swizzle where it must be, whose offsets are the integers of " \
      "a file, over the coordinates of a shape") \
    X(run,     "FILE...",               "evaluate a script; `show`, `explain` or `tma` may stand before a line") \
    X(ops,     "[NAME...]",             "the operations: what they take and what they give; of a NAME also an example") \
    X(reference, "",                    "the operations as Markdown, each with an example") \
    X(gallery, "FOLDER",                "FOLDER/gallery.md and its pictures: every operation, atoms, slices, swizzles, tiles") \
    X(man,     "",                      "this manual as a page for man(1)") \
    X(completion, "",                   "completion for bash") \
    X(help,    "",                      "this text") \
    X(version, "",                      "the version")
/* clang-format on */

#define X(name, usage, help) int command_##name(options const *o, int n, char **argument);
COMMAND_LIST(X)
#undef X

/** Writes "error: " and the words to standard error, in red on a terminal. */
void complain(options const *o, char const *format, ...);

/** One row of the table as it is called: name<N>(T, L) -> T. */
void operation_title(tsr_op const *op, char *out, size_t size);

#endif
