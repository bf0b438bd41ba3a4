/** Files and memory that another process changes while a reader judges their header: it answers for one version or
 *  refuses a mixture, and touches nothing that it does not own, which the sanitizers see. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "io_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 17, TIMES = 4000 };

/** Two whole files, whose headers differ in length. */
typedef struct versions {
    unsigned char *bytes[2];
    size_t size[2];
} versions;

static void put(unsigned char **p, uint64_t value, int n)
{
    for (int i = 0; i < n; ++i)
        *(*p)++ = (unsigned char)(value >> 8 * i & 255);
}

static void put_text(unsigned char **p, char const *text, size_t n)
{
    memcpy(*p, text, strlen(text));
    memset(*p + strlen(text), 'x', n - strlen(text));
    *p += n;
}

/** A key whose value has `longer` bytes, and a tensor of four floats. */
static size_t make_gguf(unsigned char *out, size_t longer)
{
    unsigned char *p = out;
    put_text(&p, "GGUF", 4), put(&p, 3, 4), put(&p, 1, 8), put(&p, 1, 8);
    put(&p, 3, 8), put_text(&p, "key", 3), put(&p, 8, 4), put(&p, longer, 8), put_text(&p, "", longer);
    put(&p, 1, 8), put_text(&p, "t", 1), put(&p, 1, 4), put(&p, 4, 8), put(&p, 0, 4), put(&p, 0, 8);
    return ((size_t)(p - out) + 31) / 32 * 32 + 16;
}

static size_t make_safetensors(unsigned char *out, size_t longer)
{
    static char const tensor[] = "\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}";
    unsigned char *p = out;
    put(&p, 2 + longer + sizeof tensor - 1, 8);
    put_text(&p, "{\"", 2), put_text(&p, "", longer), put_text(&p, tensor, sizeof tensor - 1);
    return (size_t)(p - out) + 16;
}

/** Spaces in front of the dictionary. */
static size_t make_npy(unsigned char *out, size_t longer)
{
    static char const rest[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }\n";
    unsigned char *p = out;
    size_t const n = longer % 4096;
    put_text(&p, "\x93NUMPY\x01", 7), put(&p, 0, 1), put(&p, n + sizeof rest - 1, 2);
    memset(p, ' ', n);
    p += n;
    put_text(&p, rest, sizeof rest - 1);
    return (size_t)(p - out) + 16;
}

static bool read_model(bool (*read)(void const *, uint64_t, tsr_model *, tsr_message *), void const *p, uint64_t size)
{
    tsr_model m;
    tsr_message error = {0, ""};
    if (!read(p, size, &m, &error))
        return *error.text != 0;
    bool ok = m.count == 1 && strlen(m.tensor[0].name) < SIZE;
    for (int i = 0; i < m.notes; ++i)
        ok = ok && strlen(m.note[i].value) < SIZE;
    tsr_model_close(&m);
    return ok;
}

static bool gguf_file(void const *path, uint64_t size, tsr_model *m, tsr_message *error)
{
    (void)size;
    return tsr_gguf_open((char const *)path, m, error);
}

static bool safetensors_file(void const *path, uint64_t size, tsr_model *m, tsr_message *error)
{
    (void)size;
    return tsr_safetensors_open((char const *)path, m, error);
}

static bool read_npy_file(char const *path)
{
    tsr_file file;
    tsr_message error = {0, ""};
    bool const ok = tsr_npy_open(path, &file, &error);
    tsr_file_close(&file);
    return ok || *error.text;
}

static bool read_npy(void const *p, uint64_t size)
{
    tsr_npy array;
    tsr_message error = {0, ""};
    return tsr_npy_view(p, size, 0, &array, &error) ? array.begin + array.bytes == size : *error.text != 0;
}

/** Writes one version after the other, until it is ended, or its parent has. */
static void change_file(int handle, versions const *v, pid_t parent)
{
    for (int i = 0; getppid() == parent; i = !i)
        if (pwrite(handle, v->bytes[i], v->size[i], 0) < 0 || ftruncate(handle, (off_t)v->size[i]) != 0
            || ftruncate(handle, (off_t)(v->size[i] / 3)) != 0)
            break;
    _exit(0);
}

static void change_memory(unsigned char *memory, versions const *v, pid_t parent)
{
    for (int i = 0; getppid() == parent; i = !i)
        memcpy(memory, v->bytes[i], SIZE);
    _exit(0);
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void try_reader(char const *name, size_t (*make)(unsigned char *out, size_t longer))
{
    versions v;
    bool all = true;
    pid_t const parent = getpid();
    char const *const path = scratch("changing", name);
    static size_t const longer[] = {9, 65552};
    for (int i = 0; i < 2; ++i) {
        v.bytes[i] = (unsigned char *)calloc(SIZE, 1);
        if (!v.bytes[i])
            exit(2);
        v.size[i] = make(v.bytes[i], longer[i]);
    }
    int const handle = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    check("a file", handle >= 0 && pwrite(handle, v.bytes[0], v.size[0], 0) == (ssize_t)v.size[0]);
    pid_t child = fork();
    if (child == 0)
        change_file(handle, &v, parent);
    for (int i = 0; i < TIMES; ++i)
        all = (make == make_npy    ? read_npy_file(path)
               : make == make_gguf ? read_model(gguf_file, path, 0)
                                   : read_model(safetensors_file, path, 0))
              && all;
    end(child);
    check(path, all);
    close(handle);
    remove(path);

    void *const memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    child = fork();
    if (child == 0)
        change_memory((unsigned char *)memory, &v, parent);
    for (int i = 0; i < TIMES; ++i)
        all = (make == make_npy    ? read_npy(memory, v.size[i % 2])
               : make == make_gguf ? read_model(tsr_gguf_view, memory, v.size[i % 2])
                                   : read_model(tsr_safetensors_view, memory, v.size[i % 2]))
              && all;
    end(child);
    check("memory", all);
    munmap(memory, SIZE);
    free(v.bytes[0]);
    free(v.bytes[1]);
}

int main(void)
{
    try_reader("a.gguf", make_gguf);
    try_reader("a.safetensors", make_safetensors);
    try_reader("a.npy", make_npy);
    return report();
}
