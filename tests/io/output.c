/** Files out and in beyond arrays: what a writer leaves and finds, what may be a target, streams, and mapped files that
 *  become shorter. */
#define _XOPEN_SOURCE 700

#include "io_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cli/guard.h"

static bool file_is(char const *path, char const *text)
{
    char bytes[256] = "";
    FILE *const f = fopen(path, "rb");
    size_t const n = f ? fread(bytes, 1, sizeof bytes - 1, f) : 0;
    if (f)
        fclose(f);
    return f && n == strlen(text) && memcmp(bytes, text, n) == 0;
}

static bool put(tsr_output *o, char const *text)
{
    tsr_message error;
    return tsr_output_write(o, text, strlen(text), &error);
}

/** A target is the old file until it is the new one, and keeps what it is beside its bytes. */
static void test_commit(void)
{
    tsr_output o;
    tsr_message error;
    struct stat status;
    char target[256], link_path[256];
    snprintf(target, sizeof target, "%s", scratch("output", "a"));
    snprintf(link_path, sizeof link_path, "%s", scratch("output", "link"));
    mode_t const mask = umask(027);
    check("a new file", tsr_output_open(target, &o, &error) && put(&o, "one") && access(target, F_OK) != 0
                            && tsr_output_commit(&o, &error) && file_is(target, "one"));
    check("has the permissions of new files", stat(target, &status) == 0 && (status.st_mode & 07777) == 0640);
    static mode_t const modes[] = {0600, 0644, 0666, 0755, 0400, 01644};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        if (geteuid() != 0 && !(modes[i] & 0200)) {
            check("a target that may not be written to", chmod(target, modes[i]) == 0
                                                             && !tsr_output_open(target, &o, &error)
                                                             && strstr(error.text, "may not be written to"));
            continue;
        }
        check("a target keeps its permissions",
              chmod(target, modes[i]) == 0 && tsr_output_open(target, &o, &error) && put(&o, "two")
                  && fstat(o.handle, &status) == 0 && (status.st_mode & 077) == 0 && tsr_output_commit(&o, &error)
                  && stat(target, &status) == 0 && (status.st_mode & 07777) == modes[i] && file_is(target, "two"));
    }
    umask(mask);
    chmod(target, 0644);
    check("what is discarded was never there", tsr_output_open(target, &o, &error) && put(&o, "three")
                                                   && (tsr_output_discard(&o), file_is(target, "two")));
    check("a link stays", symlink(target, link_path) == 0 && tsr_output_open(link_path, &o, &error) && put(&o, "four")
                              && tsr_output_commit(&o, &error) && lstat(link_path, &status) == 0
                              && S_ISLNK(status.st_mode) && file_is(target, "four"));
    remove(link_path);
    remove(target);
    memset(&o, 0, sizeof o);
    tsr_output_discard(&o);
    check("an output that was never opened has no descriptor", fcntl(0, F_GETFD) != -1);
}

static void refused(char const *what, char const *path, char const *words)
{
    tsr_output o;
    tsr_message error = {0, ""};
    bool const ok = !tsr_output_open(path, &o, &error) && strstr(error.text, words);
    check(what, ok);
    if (!ok)
        printf("  %s\n", error.text);
}

static void test_targets(void)
{
    char path[256], other[256], name[256];
    struct stat status;
    tsr_output o;
    tsr_message error;
    snprintf(path, sizeof path, "%s", scratch("output", "from"));
    snprintf(other, sizeof other, "%s", scratch("output", "to"));
    check("links", symlink("io_output_nothing", path) == 0);
    refused("a link to nothing", path, "is a link to a file that does not exist");
    check("the link stays",
          lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && access("io_output_nothing", F_OK) != 0);
    remove(path);
    check("a circle", symlink(other, path) == 0 && symlink(path, other) == 0);
    refused("a link to itself", path, "is a link that leads to itself");
    remove(path);
    remove(other);
    refused("a folder", ".", "is a folder");
    refused("a folder that is not there", "no/such/file", "no file can be made beside it");
    refused("no name", "", "a file has a name");
    refused("a file as a folder", "/dev/null/x", "cannot be examined");
    memset(name, 'n', 255);
    name[255] = 0;
    check("the longest name",
          tsr_output_open(name, &o, &error) && put(&o, "x") && tsr_output_commit(&o, &error) && remove(name) == 0);
    check("a pipe", mkfifo(path, 0600) == 0);
    int const reader = open(path, O_RDONLY | O_NONBLOCK);
    char got[8] = "";
    check("a pipe is written to", tsr_output_open(path, &o, &error) && !o.temporary && put(&o, "pipe")
                                      && tsr_output_commit(&o, &error) && read(reader, got, 4) == 4
                                      && strcmp(got, "pipe") == 0);
    check("and discarded it is still there", tsr_output_open(path, &o, &error)
                                                 && (tsr_output_discard(&o), lstat(path, &status) == 0)
                                                 && S_ISFIFO(status.st_mode));
    close(reader);
    remove(path);
    check("a full device", tsr_output_open("/dev/full", &o, &error) && !tsr_output_write(&o, "x", 1, &error)
                               && strstr(error.text, "/dev/full: cannot be written: No space left"));
    tsr_output_discard(&o);
    check("is left alone", stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
}

/** Ends as by force in the middle of an output. */
static void die_writing(char const *target)
{
    tsr_output o;
    tsr_message error;
    pid_t const child = fork();
    if (child == 0)
        _exit(tsr_output_open(target, &o, &error) && put(&o, "half") ? 0 : 1);
    int status = 1;
    check("a writer that dies", waitpid(child, &status, 0) == child && status == 0);
}

/** The next writer to the same target removes what dead ones left, and nothing else. */
static void test_dead(void)
{
    static char const *const kept[] = {"io_output_t.1.tmp", "io_output_t.0123456789abcdeg.tmp",
                                       "io_output_t.0123456789abcdef.tmp2", "io_output_u.0123456789abcdef.tmp"};
    char left[512];
    tsr_output live, next;
    tsr_message error;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i)
        write_bytes(kept[i], "x", 1);
    for (int i = 0; i < 3; ++i)
        die_writing("io_output_t");
    write_bytes("io_output_t.0123456789abcdef.tmp", "x", 1);
    check("a link of such a name", symlink("io_output_t.1.tmp", "io_output_t.fedcba9876543210.tmp") == 0);
    check("a live one", tsr_output_open("io_output_t", &live, &error) && put(&live, "live"));
    check("the dead one is gone", access("io_output_t.0123456789abcdef.tmp", F_OK) != 0);
    check("the next", tsr_output_open("io_output_t", &next, &error) && put(&next, "next"));
    snprintf(left, sizeof left, "%s", live.temporary);
    check("the live one is left", access(left, F_OK) == 0);
    check("both end well", tsr_output_commit(&live, &error) && file_is("io_output_t", "live")
                               && tsr_output_commit(&next, &error) && file_is("io_output_t", "next"));
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i)
        check("what only looks like one is left", remove(kept[i]) == 0);
    check("a link is left", remove("io_output_t.fedcba9876543210.tmp") == 0);
    remove("io_output_t");
    check("no name is left",
          system("ls -a | grep -q '^io_output_[tu]' && exit 1; exit 0") == 0); /* NOLINT: our own folder */
}

/** A stream: exactly what its header announces is read, and one that has no header is not read on. */
static void test_streams(void)
{
    static char const array[] =
        "\x93NUMPY\x01\0\x3b\0{'descr': '|u1', 'fortran_order': False, 'shape': (4,), } \nabcdEFGH";
    static char const model[] =
        "\x3c\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}       abcdEFGH";
    static char const lying[] = "\x93NUMPY\x02\0\xff\xff\xff\xff{'descr': '|u1'";
    static struct {
        char const *name, *bytes;
        size_t n;
        int safetensors;
        char const *words; /* NULL: accepted */
    } const rows[] = {
        {"an array", array, sizeof array - 1, 0, NULL},
        {"tensors", model, sizeof model - 1, 1, NULL},
        {"half an array", array, sizeof array - 7, 0, "ends after 71 bytes, 73 are announced"},
        {"half the tensors", model, sizeof model - 7, 1, "ends after 70 bytes, 72 are announced"},
        {"a header that ends", array, 40, 0, "the header is to have 59 bytes, 30 are there"},
        {"no header", "abc", 3, 0, "does not begin with"},
        {"nothing", "", 0, 1, "it has 0 bytes"},
        {"a header of 4 GB", lying, sizeof lying - 1, 0, "4294967295 bytes, at most 1048576"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        int ends[2];
        char path[64], rest[16] = "";
        tsr_file file = {0};
        tsr_model safe = {0};
        tsr_message error = {0, ""};
        if (pipe(ends) != 0)
            return;
        check("a pipe", write(ends[1], rows[i].bytes, rows[i].n) == (ssize_t)rows[i].n);
        if (rows[i].words)
            close(ends[1]); /* else it stays open: nothing waits for its end */
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        bool const ok =
            rows[i].safetensors ? tsr_safetensors_open(path, &safe, &error) : tsr_npy_open(path, &file, &error);
        unsigned char const *const data =
            rows[i].safetensors ? safe.data : (unsigned char const *)(uintptr_t)file.tensor.engine.address;
        check(rows[i].name, rows[i].words ? !ok && strstr(error.text, rows[i].words)
                                          : ok && memcmp(data, "abcd", 4) == 0 && read(ends[0], rest, 15) == 4
                                                && strcmp(rest, "EFGH") == 0);
        if (!ok && !(rows[i].words && strstr(error.text, rows[i].words)))
            printf("  %s\n", error.text);
        tsr_file_close(&file);
        tsr_model_close(&safe);
        close(ends[0]);
        if (!rows[i].words)
            close(ends[1]);
    }
    tsr_file file;
    tsr_model safe;
    tsr_message error;
    check("a device without end",
          !tsr_npy_open("/dev/zero", &file, &error) && strstr(error.text, "does not begin with"));
    check("and one as tensors", !tsr_safetensors_open("/dev/zero", &safe, &error) && strstr(error.text, "'{'"));
}

/* A file that becomes shorter */

static void add_up(void *context)
{
    tsr_bytes const *const b = (tsr_bytes const *)context;
    unsigned char const volatile *const p = (unsigned char const volatile *)b->data;
    for (uint64_t i = 0; i < b->size; ++i)
        (void)p[i];
}

static void test_shorter(void)
{
    enum { BYTES = 1 << 20 };
    char const *const path = scratch("output", "shorter.npy");
    tsr_npy_writer w;
    tsr_file file;
    tsr_message error;
    check("a file of a megabyte", tsr_npy_create(path, TSR_U8, tsr_int(BYTES), TSR_C_ORDER, &w, &error)
                                      && tsr_npy_commit(&w, &error) && tsr_npy_open(path, &file, &error));
    guarded const watched[] = {{NULL, 0}, {file.bytes.data, file.bytes.size}};
    check("a whole file", guard(watched, 2, add_up, &file.bytes));
    check("shortened", truncate(path, 4096) == 0);
    for (int i = 0; i < 3; ++i)
        check("a shorter file is an answer", !guard(watched, 2, add_up, &file.bytes));
    check("and long again", truncate(path, BYTES + 4096) == 0 && guard(watched, 2, add_up, &file.bytes));
    tsr_file_close(&file);
    check("longer than it says", !tsr_npy_open(path, &file, &error) && strstr(error.text, "bytes follow"));
    remove(path);
}

/** usage: io_output [emulated]: an emulator of the processor does not say where a page is missing. */
int main(int argc, char **argv)
{
    bool const emulated = argc > 1 && strcmp(argv[1], "emulated") == 0;
    test_commit();
    test_targets();
    test_dead();
    test_streams();
    if (emulated)
        printf("skipped: a file that becomes shorter\n");
    else
        test_shorter();
    return report();
}
