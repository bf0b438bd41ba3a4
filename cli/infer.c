/** tessera infer: the fragments of a tile program. */
#include "commands.h"
#include "files.h"
#include "option.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>

#include "tessera/infer.h"

enum { PROGRAM_ROOM = 1 << 16 };

/** Prints the whole text of an inference. */
static int print_inference(options const *o, tsr_inference const *p)
{
    size_t const n = tsr_inference_format(NULL, 0, p) + 1;
    char *const text = (char *)malloc(n);
    if (!text)
        return complain(o, "out of memory"), FAILED;
    tsr_inference_format(text, n, p);
    printf("%s\n", text);
    free(text);
    return DONE;
}

int command_infer(options const *o, int n, char **argument)
{
    static char text[PROGRAM_ROOM];
    tsr_message error;
    if (n != 1)
        return misuse(o, "infer needs one file, or - for standard input");
    if (!read_text(o, argument[0], text, sizeof text))
        return FAILED;
    tsr_inference *const p = tsr_infer(text, &error);
    if (!p)
        return complain(o, "%s", error.text), FAILED;
    int const done = print_inference(o, p);
    tsr_inference_free(p);
    return done;
}
