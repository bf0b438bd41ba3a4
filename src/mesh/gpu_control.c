/** The control block is a file in memory, /dev/shm, which every rank maps and makes known to its driver. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#if !defined(_WIN32)
#  include <fcntl.h>
#  include <sys/mman.h>
#  include <unistd.h>
#endif

#include "mesh/gpu_control.h"
#include "gpu/call.h"

enum { LINE = 64, SEATS_AT = 4096, PORTABLE = 1, MAPPED = 2 };

/** A handle message and its number. */
typedef struct place {
    _Atomic uint32_t turn;
    dist_gpu_handles handles;
} place;

/** What a rank writes. */
typedef struct seat {
    _Alignas(4 * LINE) _Atomic uint32_t left;
    _Atomic uint32_t given;
    place place[2];
} seat;

static seat *seat_of(dist_gpu_control const *b, int rank) { return (seat *)(void *)(b->at + SEATS_AT) + rank; }

static size_t signs_at(int ranks) { return SEATS_AT + sizeof(seat) * (size_t)ranks; }

static size_t flag_at(dist_gpu_control const *b, int waits, int writes, int flag)
{
    size_t const n = ((size_t)waits * (size_t)b->ranks + (size_t)writes) * DIST_GPU_FLAGS + (size_t)flag;
    return signs_at(b->ranks) + n * LINE;
}

static size_t bytes_of(int ranks)
{
    size_t const bytes = signs_at(ranks) + (size_t)ranks * (size_t)ranks * DIST_GPU_FLAGS * LINE;
    return (bytes + SEATS_AT - 1) / SEATS_AT * SEATS_AT;
}

#if !defined(_WIN32)

/** Two control blocks never have the same number: neither of one process, nor of two containers. */
static uint64_t new_token(void const *here)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    uint64_t x = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    x ^= (uint64_t)(uintptr_t)here << 20 ^ (uint64_t)getpid() << 44;
    return x * 6364136223846793005u + 1;
}

bool tsr_dist_gpu_control_make_(int ranks, dist_gpu_control_name *name)
{
    memset(name, 0, sizeof *name);
    name->token = new_token(name);
    name->bytes = (int64_t)bytes_of(ranks);
    (void)snprintf(name->path, sizeof name->path, "/dev/shm/tessera-%016llx", (unsigned long long)name->token);
    int const file = open(name->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) {
        name->code = errno;
        name->path[0] = 0;
        return false;
    }
    name->code = posix_fallocate(file, 0, (off_t)name->bytes); /* else a write beyond the room there is a SIGBUS */
    if (name->code == 0 && write(file, &name->token, sizeof name->token) != (ssize_t)sizeof name->token)
        name->code = EIO;
    (void)close(file);
    if (name->code != 0)
        tsr_dist_gpu_control_forget_(name);
    return name->code == 0;
}

void tsr_dist_gpu_control_forget_(dist_gpu_control_name *name)
{
    if (name->path[0])
        (void)unlink(name->path);
    name->path[0] = 0;
}

static bool map(dist_gpu_control *b, dist_gpu_control_name const *name)
{
    int const file = name->path[0] ? open(name->path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    bool const whole = lseek(file, 0, SEEK_END) >= (off_t)bytes_of(b->ranks);
    void *const at = whole ? mmap(NULL, bytes_of(b->ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    (void)close(file);
    if (at == MAP_FAILED)
        return false;
    b->at = (unsigned char *)at;
    b->bytes = bytes_of(b->ranks);
    return memcmp(at, &name->token, sizeof name->token) == 0;
}

static void unmap(dist_gpu_control *b) { (void)munmap(b->at, b->bytes); }

#else

bool tsr_dist_gpu_control_make_(int ranks, dist_gpu_control_name *name)
{
    memset(name, 0, sizeof *name);
    name->bytes = (int64_t)bytes_of(ranks);
    name->code = ENOSYS;
    return false;
}

void tsr_dist_gpu_control_forget_(dist_gpu_control_name *name) { (void)name; }
static bool map(dist_gpu_control *b, dist_gpu_control_name const *name) { return !b && !name; }
static void unmap(dist_gpu_control *b) { (void)b; }

#endif

/** Makes the control block known to the driver; the context of the device is entered. */
static bool is_known(dist_gpu_control *b, tsr_gpu const *g)
{
    if (g->cuMemHostRegister(b->at, b->bytes, PORTABLE | MAPPED) != 0)
        return false;
    if (g->cuMemHostGetDevicePointer(&b->address, b->at, 0) == 0 && b->address)
        return true;
    (void)g->cuMemHostUnregister(b->at);
    b->address = 0;
    return false;
}

bool tsr_dist_gpu_control_open_(dist_gpu_control *b, tsr_gpu_device const *device, int rank, int ranks,
                                dist_gpu_control_name const *name)
{
    tsr_gpu const *const g = device->gpu;
    dist_gpu_control const empty = {.device = device, .rank = rank, .ranks = ranks};
    *b = empty;
    bool const ok = g->cuMemHostRegister && g->cuMemHostGetDevicePointer && g->cuMemHostUnregister && map(b, name);
    if (!ok)
        tsr_dist_gpu_control_close_(b);
    return ok;
}

bool tsr_dist_gpu_control_show_(dist_gpu_control *b)
{
    if (!tsr_gpu_ok(tsr_gpu_enter_(b->device)))
        return false;
    bool const known = is_known(b, b->device->gpu);
    return tsr_gpu_ok(tsr_gpu_leave_(b->device, tsr_gpu_fine_())) && known;
}

void tsr_dist_gpu_control_close_(dist_gpu_control *b)
{
    if (b->address && tsr_gpu_ok(tsr_gpu_enter_(b->device))) {
        (void)b->device->gpu->cuMemHostUnregister(b->at);
        (void)tsr_gpu_leave_(b->device, tsr_gpu_fine_());
    }
    if (b->at)
        unmap(b);
    memset(b, 0, sizeof *b);
}

void tsr_dist_gpu_control_post_(dist_gpu_control *b, dist_gpu_handles const *handles)
{
    ++b->turn;
    place *const p = &seat_of(b, b->rank)->place[b->turn % 2];
    p->handles = *handles;
    atomic_store_explicit(&p->turn, b->turn, memory_order_release);
}

dist_gpu_handles const *tsr_dist_gpu_control_handles_(dist_gpu_control const *b, int rank)
{
    place *const p = &seat_of(b, rank)->place[b->turn % 2];
    return atomic_load_explicit(&p->turn, memory_order_acquire) == b->turn ? &p->handles : NULL;
}

void tsr_dist_gpu_control_give_(dist_gpu_control *b)
{
    atomic_store_explicit(&seat_of(b, b->rank)->given, b->turn, memory_order_release);
}

bool tsr_dist_gpu_control_has_given_(dist_gpu_control const *b, int rank)
{
    uint32_t const given = atomic_load_explicit(&seat_of(b, rank)->given, memory_order_acquire);
    return (int32_t)(given - b->turn) >= 0;
}

void tsr_dist_gpu_control_leave_(dist_gpu_control *b)
{
    atomic_store_explicit(&seat_of(b, b->rank)->left, 1, memory_order_release);
}

bool tsr_dist_gpu_control_left_(dist_gpu_control const *b, int rank)
{
    return atomic_load_explicit(&seat_of(b, rank)->left, memory_order_acquire) != 0;
}

uint64_t tsr_dist_gpu_control_flag_(dist_gpu_control const *b, int waits, int writes, dist_gpu_flag flag)
{
    return b->address + flag_at(b, waits, writes, (int)flag);
}

void tsr_dist_gpu_control_release_(dist_gpu_control *b)
{
    for (int r = 0; r < b->ranks; ++r)
        for (int s = 0; s < DIST_GPU_FLAGS; ++s)
            atomic_store_explicit((_Atomic uint32_t *)(void *)(b->at + flag_at(b, b->rank, r, s)), 1u,
                                  memory_order_release);
}
