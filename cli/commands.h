/** The commands of `tessera`, one row each: the dispatcher, the help, the manual page and the completion read it. */
#ifndef TSR_CLI_COMMANDS_H
#define TSR_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/text.h"

/** Exit statuses; one that a signal ended has that of the signal. */
enum { DONE = 0, FAILED = 1, MISUSE = 2 };

enum { MOST_OPTIONS = 32 };

/** What the options before or after the command's arguments ask for. */
typedef struct options {
    unsigned flags; /* of text.h */
    bool colour_out, colour_err;
    char const *command; /* its name */
    int count;
    struct {
        char const *name, *value; /* --NAME or --NAME=VALUE, and the value */
    } given[MOST_OPTIONS];        /* those of its usage */
} options;

/* clang-format off */
/** X(name, usage, help). A usage has options in brackets, [--NAME] or [--NAME VALUE], and then the arguments. */
#define COMMAND_LIST(X) \
    X(eval,    "[--static] EXPR...|-",  "evaluate expressions, or one a line from standard input") \
    X(explain, "[--static] EXPR...",    "the steps of an expression, their laws, and what the result is") \
    X(show,    "[-o FILE] [--as FORMAT] [--coord] [--index] [--offset] [--bank] [--thread N] [--panel LIST] [--alone] " \
      "[--cute] [--width N] [--colors N] [--static] [--type TYPE] EXPR...|FILE...", \
      "the picture of a layout, tensor, atom, operation, swizzle, TMA copy or tile, as characters or into a file (.svg, " \
      ".png, .tex, .html, .json); what is in a .npy, .safetensors or .gguf file") \
    X(diff,    "[-o FILE] [--as FORMAT] [--width N] [--colors N] [--static] EXPR EXPR", "two layouts, and where they differ") \
    X(relayout, "[--slice SLICE] [--permute AXES] [--tile TILE] [--layout LAYOUT] [--cast TYPE] [--type TYPE] " \
      "[--tensor NAME,..] [--only] [--memory SIZE] [--plan] [--verify] [--progress] FILE FILE", \
      "write an array (.npy) anew: a part of it (0:4,:,3 as NumPy slices), its axes permuted as by NumPy's transpose, then " \
      "cut into tiles (one extent an axis, edges filled with 0) or each element c stored at LAYOUT(c), elements " \
      "converted; --type says what raw bytes are. Of a .safetensors or .gguf file the tensors that --tensor names " \
      "(the name of one, or patterns as blk.*.weight with commas between; all without it), one into an .npy file or " \
      "some of a .safetensors file, the others copied, or left out by --only. Files may be larger than the memory, of which they take SIZE (512M, 2G; an eighth)") \
    X(tma,     "[--static] EXPR...",    "the plan of a TMA copy or a tensor map, and the rules that it breaks") \
    X(swizzle, "[--static] [--type TYPE] [--access ACCESS,..] EXPR", \
      "bank conflicts of a tile of shared memory (a shape is row-major, a type f16) before and after the smallest " \
      "swizzle that serves all accesses; an unknown ACCESS lists them") \
    X(fit,     "[--static] FILE|- [SHAPE]", "the layout, behind a swizzle where it must be, whose offsets are the integers of " \
      "a file, over the coordinates of a shape") \
    X(bench,   "[--type TYPE] [--cast TYPE] [--threads N] [--repeat N] copy|gemm|contract EXPR...", \
      "how fast a copy (layouts FROM TO), a product (M N K, or layouts A B C) or a contraction (\"mk,nk->mn\" A B C) is, once " \
      "it is known to be right, in turns with memcpy, with the multiply-adds of one core, and with OpenBLAS, BLIS and HPTT " \
      "where they are found; of elements TYPE (f32), the result --cast; medians") \
    X(run,     "FILE...",               "evaluate a script; `show`, `explain` or `tma` may stand before a line") \
    X(ops,     "[OPERATION...]",        "the operations: what they take and what they give; of one also an example") \
    X(reference, "",                    "the operations as Markdown, each with an example") \
    X(gallery, "FOLDER",                "FOLDER/gallery.md and its pictures: every operation, atoms, slices, swizzles, tiles") \
    X(man,     "",                      "this manual as a page for man(1)") \
    X(completion, "bash|zsh|fish",      "the completion of commands, options and operations, as a script for a shell") \
    X(help,    "[COMMAND]",             "this text, or what one command takes") \
    X(version, "",                      "the version")
/* clang-format on */

#define X(name, usage, help) int command_##name(options const *o, int n, char **argument);
COMMAND_LIST(X)
#undef X

#endif
