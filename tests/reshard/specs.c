/** Specs that are changed at random places: each is refused with a sentence, or plans something; nothing crashes.
 *  usage: test_reshard_specs SEED CASES */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "tessera/reshard.h"

enum { TEXT = 8192 };

static char const *const pieces[] = {"mesh ",
                                     "tp:3",
                                     " S(0)",
                                     " S(1)",
                                     " parts(2)",
                                     " parts(3,1)",
                                     " sizes(1,3)",
                                     " rows 3",
                                     " pad x2",
                                     " pad 9",
                                     " groups 2",
                                     " as ",
                                     " + ",
                                     "*",
                                     "{layer}",
                                     "{layer-local}",
                                     "x as y.{n} S(0)\n",
                                     "*.{n} as *",
                                     " heads(2,1,1)",
                                     " heads(2)",
                                     " once",
                                     "{layer+1}",
                                     " pp:{layer}",
                                     " tp:last",
                                     "\n",
                                     " [R,R]",
                                     " SS(0,2)",
                                     "{",
                                     "}",
                                     "99999999999",
                                     " skip",
                                     "#",
                                     "(",
                                     ")",
                                     ":",
                                     "files f{rank}\n"};

static bool make_whole(char const *path)
{
    static char const *const names[] = {"model.layers.0.self_attn.q_proj.weight",
                                        "model.layers.0.self_attn.k_proj.weight",
                                        "model.layers.0.self_attn.v_proj.weight",
                                        "model.layers.1.mlp.up_proj.weight",
                                        "a.0.experts.1.b",
                                        "norm",
                                        "scalar"};
    enum { COUNT = sizeof names / sizeof *names };
    tsr_model_tensor t[COUNT];
    tsr_model_writer w;
    tsr_message error;
    memset(t, 0, sizeof t);
    for (int i = 0; i < COUNT; ++i) {
        t[i].name = names[i];
        t[i].type = TSR_F32;
        t[i].rank = i < 5 ? 2 : 6 - i;
        t[i].extent[0] = 4;
        t[i].extent[1] = 6;
    }
    return tsr_safetensors_create(path, t, COUNT, NULL, 0, &w, &error) && tsr_model_commit(&w, &error);
}

/** A preset with some pieces put in, taken out or written over. */
static void change(char *text)
{
    int presets = 0;
    while (tsr_reshard_preset_name(presets))
        ++presets;
    snprintf(text, TEXT, "%s", tsr_reshard_preset(tsr_reshard_preset_name((int)below(presets))));
    for (int64_t k = below(5); k > 0; --k) {
        size_t const n = strlen(text), at = (size_t)below((int64_t)n + 1);
        char const *const piece = pieces[below((int64_t)(sizeof pieces / sizeof *pieces))];
        size_t const m = strlen(piece), cut = below(2) ? (size_t)below((int64_t)(n - at) + 1) % 30 : 0;
        if (n + m + 2 >= TEXT)
            return;
        memmove(text + at + m, text + at + cut, n - at - cut + 1);
        memcpy(text + at, piece, m);
    }
    strcat(text, "\n");
}

int main(int count, char **argument)
{
    long const seed = count > 1 ? atol(argument[1]) : 1, cases = count > 2 ? atol(argument[2]) : 1000;
    static char const path[] = "reshard_specs.safetensors", *const from[] = {path};
    long read = 0, planned = 0, silent = 0;
    random_begin((uint64_t)seed);
    if (!make_whole(path))
        return 2;
    for (long i = 0; i < cases; ++i) {
        static char text[2][TEXT];
        tsr_message error = {0, ""};
        change(text[0]);
        change(text[1]);
        tsr_reshard_spec *const a = tsr_reshard_spec_read(below(2) ? text[0] : "hf", &error);
        silent += !a && !error.text[0];
        tsr_reshard_spec *const b = a ? tsr_reshard_spec_read(text[1], &error) : NULL;
        tsr_reshard_options const o = {.from = from, .count = 1, .to = "reshard_specs", .from_spec = a, .to_spec = b};
        tsr_reshard *const r = b ? tsr_reshard_open(&o, &error) : NULL;
        read += b != NULL;
        planned += r && tsr_reshard_report_of(r).problems == 0;
        silent += (a && !b && !error.text[0]) || (b && !r && !error.text[0]);
        for (int64_t k = 0; r && k < tsr_reshard_report_of(r).problems; ++k)
            silent += !tsr_reshard_problem_at(r, k).text[0];
        tsr_reshard_close(r);
        tsr_reshard_spec_free(b);
        tsr_reshard_spec_free(a);
    }
    remove(path);
    printf("seed %ld: %ld specs, %ld read, %ld plans without problems, %ld refused without a word\n", seed, cases,
           read, planned, silent);
    return silent > 0 || read == 0 || planned == 0;
}
