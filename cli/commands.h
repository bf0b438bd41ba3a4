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
    X(eval,    "[--static] [--given GUARDS] EXPR...|-", "evaluates expressions; with -, one a line from standard input. With " \
      "--given sizes may be names, as in (M,K):(K,1), and the result is an expression with the guards under which it holds") \
    X(explain, "[--static] EXPR...",    "explains the steps of an expression, their laws, and what is true of the result") \
    X(show,    "[-o FILE] [--as FORMAT] [--coord] [--index] [--offset] [--bank] [--thread N] [--panel LIST] [--alone] " \
      "[--cute] [--width N] [--colors N] [--static] [--type TYPE] EXPR...|FILE...", \
      "draws a layout, tensor, atom, operation, swizzle, TMA copy or tile: as text, or into a file. Of a .npy, " \
      ".npz, .safetensors or .gguf file it says what is in it") \
    X(diff,    "[-o FILE] [--as FORMAT] [--width N] [--colors N] [--static] EXPR EXPR", \
      "draws two layouts, and says where they differ") \
    X(relayout, "[--slice SLICE] [--reshape EXTENTS] [--permute AXES] [--tile TILE] [--layout LAYOUT] [--cast TYPE] [--type TYPE] " \
      "[--tensor NAME,..] [--only] [--memory SIZE] [--plan] [--verify] [--progress] [--from DISTRIBUTION] [--dist DISTRIBUTION] [--rank N] FILE|- FILE|-", \
      "moves the elements of an array (.npy), or of tensors (.safetensors, .gguf, .npz), into a new file. It slices, then " \
      "reshapes, then permutes, then tiles or lays out, and converts. Files may be larger than the memory. With - an array is read from " \
      "standard input, or written to standard output") \
    X(reshard, "[--from SPEC] [--to SPEC] [--cast CASTS] [--memory SIZE] [--shard-size SIZE] [--replicas COPIES] [--dry-run] " \
      "[--verify] [--progress] [--print-preset NAME] FROM... TO", \
      "moves a checkpoint of .safetensors or .npy files from the ranks of one mesh to those of another. A spec says which rank holds " \
      "what of each tensor: it is the name of a preset or of a file, and sizes of the mesh, as 'vllm tp:8'. The default is a " \
      "whole model, hf. It plans first, lists what is missing, twice or unequal, and writes nothing then. A run that was " \
      "ended goes on when it is started again") \
    X(tma,     "[--static] EXPR...",    "describes a TMA copy or a tensor map, and the rules of the hardware that it breaks") \
    X(swizzle, "[--static] [--type TYPE] [--access ACCESS,..] [--banks BANKS] [--padding] EXPR", \
      "counts the bank conflicts of a tile of shared memory, and finds the smallest swizzle that serves all accesses. " \
      "A shape alone is a row-major tile") \
    X(fit,     "[--static] [--to NAME] FILE|-|FORMULA [SHAPE|RANGE...]", "finds what explains samples: a layout, a " \
      "layout behind a swizzle, a linear map, a sum of two layouts, or a descriptor. Of the simpler ones it says which " \
      "sample breaks them. A file has the offset of each coordinate of SHAPE, the first mode fastest, or lines " \
      "(3,1) -> 17. A formula is one of C, with a RANGE i=0..63 for each variable") \
    X(infer,   "FILE|-", "finds the fragments of a tile program, of which some are given: registers, lanes and warps of each value, and " \
      "the moves between threads, as few as can be") \
    X(dist,    "[--plan] [--verify] [--rank N] [--host N] [--type TYPE] [--latency US] [--bandwidth GB] DISTRIBUTION [DISTRIBUTION]", \
      "says which rank holds what of a distributed tensor: scalapack(..), dtensor(..), xla(..), hpf(..), darray(..), intervals(..), or a layout with " \
      "strides on _1@0 (ranks) and _1@1 (offsets). With --plan it says who sends what to whom, from one to the other") \
    X(convert, "[--to SYSTEM] [--shape SHAPE] [--type TYPE] [--static] TEXT|-", \
      "reads a layout of another system, or an expression, and writes it in the words of a system: triton, ttg, gluon, " \
      "cute, cutedsl, ck, numpy, ggml, onednn, mdspan, isl, tilelang, mpi or ttg_named (encodings of Triton by name); without --to as an expression. With - it reads standard input") \
    X(emit,    "[--shape SHAPE] [--type TYPE] [--given GUARDS] [--static] LANGUAGE TEXT|- [TEXT]", \
      "writes the index function of a layout as code that needs nothing else: c, cuda, hip, python, triton or cute. Of two " \
      "layouts it writes a copy from the first to the second") \
    X(run,     "FILE...",               "evaluates a script; `show`, `explain`, `tma` or `static` may stand before a line, ! " \
      "before one that must fail") \
    X(ops,     "[WORD...]",             "lists the operations: what they take and give. With words, those of that name, or " \
      "with the word in their name or description, each with an example") \
    X(reference, "",                    "prints the operations as Markdown, each with an example") \
    X(gallery, "FOLDER",                "writes FOLDER/gallery.md and its pictures: every operation, atoms, slices, swizzles, " \
      "tiles") \
    X(man,     "",                      "prints the manual page for man(1)") \
    X(completion, "bash|zsh|fish",      "prints a script that completes commands, options and operations in a shell") \
    X(help,    "[COMMAND]",             "prints this text, or the help of one command") \
    X(version, "",                      "prints the version")
/* clang-format on */

#define X(name, usage, help) int command_##name(options const *o, int n, char **argument);
COMMAND_LIST(X)
#undef X

#endif
