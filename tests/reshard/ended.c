/** A run that is ended goes on with the files that are left, and not where a source has changed; and how much memory
 *  a run takes. */
#define _GNU_SOURCE /* mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tessera/reshard.h"

enum { RANKS = 8, ROWS = 4096, COLUMNS = 4096 }; /* 64 MB */

static int passed, failed;

static void check(char const *what, bool ok)
{
    ++*(ok ? &passed : &failed);
    if (!ok)
        printf("failed: %s\n", what);
}

static bool make_whole(void)
{
    tsr_model_tensor t[2];
    tsr_model_writer w;
    tsr_message error;
    memset(t, 0, sizeof t);
    for (int i = 0; i < 2; ++i) {
        t[i].name = i ? "rows" : "columns";
        t[i].type = TSR_BF16;
        t[i].rank = 2;
        t[i].extent[0] = ROWS;
        t[i].extent[1] = COLUMNS;
    }
    if (!tsr_safetensors_create("whole.safetensors", t, 2, NULL, 0, &w, &error))
        return false;
    for (uint64_t i = 0; i < 4u * ROWS * COLUMNS; ++i)
        w.data[i] = (unsigned char)(i * 2654435761u >> 24);
    return tsr_model_commit(&w, &error);
}

static bool end_after(void *context, int64_t bytes, int64_t done, int64_t all)
{
    (void)bytes;
    return done < all / *(int64_t const *)context;
}

static tsr_reshard_spec *spec[2];

static tsr_reshard *open_plan(int64_t memory)
{
    static char const *const from[] = {"whole.safetensors"};
    tsr_message error;
    tsr_reshard_options const o = {
        .from = from, .count = 1, .to = "ranks", .from_spec = spec[0], .to_spec = spec[1], .memory = memory};
    tsr_reshard *const r = tsr_reshard_open(&o, &error);
    if (!r)
        printf("%s\n", error.text);
    return r;
}

static void ended(void)
{
    int64_t half = 2;
    tsr_message error;
    tsr_reshard *r = open_plan(0);
    check("a run ends when it is told to",
          r && !tsr_reshard_run(r, end_after, &half, &error) && strstr(error.text, "the same run goes on"));
    check("its plan file is there", access("ranks/tessera-reshard.plan", F_OK) == 0);
    tsr_reshard_close(r);
    r = open_plan(0);
    int64_t const kept = r ? tsr_reshard_report_of(r).kept : 0;
    check("some files stay, and not all", kept > 0 && kept < RANKS);
    check("the run goes on", r && tsr_reshard_run(r, NULL, NULL, &error));
    check("every element is there", r && tsr_reshard_verify(r, NULL, NULL, &error));
    check("the plan file is gone", access("ranks/tessera-reshard.plan", F_OK) != 0);
    tsr_reshard_close(r);

    r = open_plan(0);
    check("it ends again", r && !tsr_reshard_run(r, end_after, &half, &error));
    tsr_reshard_close(r);
    check("the source is made again", make_whole());
    r = open_plan(0);
    check("of a source that changed no file stays", r && tsr_reshard_report_of(r).kept == 0);
    check("a wrong element is found", r && tsr_reshard_run(r, NULL, NULL, &error));
    FILE *const file = fopen("ranks/m3.safetensors", "r+b");
    bool const spoiled = file && fseek(file, -1, SEEK_END) == 0 && fputc(1, file) == 1 && fputc(1, file) == 1;
    if (file)
        fclose(file);
    (void)spoiled;
    check("and named", r && !tsr_reshard_verify(r, NULL, NULL, &error) && strstr(error.text, "ranks/m3.safetensors"));
    tsr_reshard_close(r);
}

/** The most memory of a process that runs with a limit, in kB. */
static long peak_of(int64_t memory)
{
    struct rusage usage;
    int status = 0;
    pid_t const child = fork();
    if (child == 0) {
        tsr_message error;
        tsr_reshard *const r = open_plan(memory);
        _exit(r && tsr_reshard_run(r, NULL, NULL, &error) ? 0 : 1);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return -1;
    return usage.ru_maxrss;
}

int main(void)
{
    char root[] = "reshard_ended_XXXXXX";
    tsr_message error;
    if (!mkdtemp(root) || chdir(root) != 0 || !make_whole())
        return 2;
    spec[0] = tsr_reshard_spec_read("hf", &error);
    spec[1] = tsr_reshard_spec_read("mesh tp:8\nfiles m{rank}.safetensors\nrows S(0)\ncolumns S(1)\n", &error);
    if (!spec[0] || !spec[1])
        return 2;
    long const base = peak_of(1); /* a buffer of 64 kB a thread */
    long const small = peak_of(8 << 20);
    ended();
    printf("most memory: %ld kB, %ld kB with 8 MB\n", base, small);
    check("memory is bounded", base > 0 && small > 0 && small < base + 12 * 1024);
    tsr_reshard_spec_free(spec[0]);
    tsr_reshard_spec_free(spec[1]);
    if (chdir("..") != 0)
        return 2;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    check("the folder goes", system(command) == 0);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
