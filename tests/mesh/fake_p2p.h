/** What fake_gpus.c lets ranks do with each other's memory: allocations that have numbers and handles, memory of the
 *  host that streams see, and flags, which streams write and wait for. */
#ifndef TESTS_DIST_FAKE_P2P_H
#define TESTS_DIST_FAKE_P2P_H

#include <string.h>

#include "fake_gpus.h"
#include "fake_streams.h"
#include "mesh/gpu_flag.h"

extern fake_gpus_state fake_gpus;

typedef struct fake_allocation {
    struct fake_allocation *next;
    uint64_t base, bytes, id;
} fake_allocation;

static fake_allocation *fake_allocations;
static uint64_t fake_ids;

static void fake_allocated(uint64_t base, uint64_t bytes)
{
    fake_allocation *const a = (fake_allocation *)calloc(1, sizeof *a);
    pthread_mutex_lock(&fake_lock);
    a->base = base;
    a->bytes = bytes;
    a->id = ++fake_ids;
    a->next = fake_allocations;
    fake_allocations = a;
    pthread_mutex_unlock(&fake_lock);
}

static void fake_freed(uint64_t base)
{
    pthread_mutex_lock(&fake_lock);
    for (fake_allocation **at = &fake_allocations; *at; at = &(*at)->next)
        if ((*at)->base == base) {
            fake_allocation *const a = *at;
            *at = a->next;
            free(a);
            break;
        }
    pthread_mutex_unlock(&fake_lock);
}

/** The allocation of an address; false: there is none. */
static bool fake_allocation_of(uint64_t address, fake_allocation *found)
{
    bool is = false;
    pthread_mutex_lock(&fake_lock);
    for (fake_allocation *a = fake_allocations; a && !is; a = a->next)
        if (address >= a->base && address < a->base + a->bytes) {
            *found = *a;
            is = true;
        }
    pthread_mutex_unlock(&fake_lock);
    return is;
}

EXPORT int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t address)
{
    fake_allocation a;
    if (!fake_allocation_of(address, &a))
        return 1;
    return *base = a.base, *bytes = a.bytes, 0;
}

EXPORT int cuPointerGetAttribute(void *value, int attribute, uint64_t address)
{
    fake_allocation a;
    if (attribute != 7 || !fake_allocation_of(address, &a))
        return 1;
    return memcpy(value, &a.id, sizeof a.id), 0;
}

/* A handle is the address and the number of an allocation. */

EXPORT int cuIpcGetMemHandle(tsr_cu_ipc *handle, uint64_t address)
{
    fake_allocation a;
    if (fake_gpus.apart || fake_gpus.nameless || !fake_allocation_of(address, &a) || a.base != address)
        return 1;
    memcpy(handle->bytes, &a.base, sizeof a.base);
    memcpy(handle->bytes + sizeof a.base, &a.id, sizeof a.id);
    return 0;
}

EXPORT int cuIpcOpenMemHandle_v2(uint64_t *address, tsr_cu_ipc handle, unsigned flags)
{
    fake_allocation a;
    fake_slow();
    memcpy(address, handle.bytes, sizeof *address);
    if (flags != 1 || !fake_allocation_of(*address, &a)
        || memcmp(handle.bytes + sizeof a.base, &a.id, sizeof a.id) != 0)
        return *address = 0, 1;
    return __atomic_add_fetch(&fake_gpus.mapped, 1, __ATOMIC_SEQ_CST), 0;
}

EXPORT int cuIpcCloseMemHandle(uint64_t address)
{
    fake_slow();
    return __atomic_sub_fetch(&fake_gpus.mapped, 1, __ATOMIC_SEQ_CST), !address;
}

EXPORT int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    fake_slow();
    return !memory || bytes % 4096 || flags != 3;
}

EXPORT int cuMemHostUnregister(void *memory) { return fake_slow(), !memory; }

EXPORT int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags)
{
    return *address = (uint64_t)(uintptr_t)memory, (int)flags;
}

/** Flags to raise, and then to wait for. */
typedef struct flags_work {
    fake_work as_work;
    dist_gpu_flags flags;
    uint32_t at;
} flags_work;

static bool run_flags(fake_work *w)
{
    flags_work *const s = (flags_work *)w;
    for (; s->at < s->flags.raised + s->flags.awaited; ++s->at) {
        uint32_t *const flag = (uint32_t *)(uintptr_t)s->flags.flag[s->at];
        if (s->at >= s->flags.raised && __atomic_load_n(flag, __ATOMIC_SEQ_CST) == 0)
            return false;
        __atomic_store_n(flag, s->at < s->flags.raised, __ATOMIC_SEQ_CST);
    }
    s->at = 0; /* graphs run it again */
    return true;
}

/** The kernel of src/mesh/gpu_flag.c. */
static int give_flags(void *stream, dist_gpu_flags const *flags)
{
    flags_work *const s = (flags_work *)calloc(1, sizeof *s);
    s->as_work.run = run_flags;
    s->as_work.bytes = sizeof *s;
    s->flags = *flags;
    return fake_give(stream, &s->as_work);
}

/** The driver's operations: some flags to raise, then some to wait for and to take away. */
EXPORT int cuStreamBatchMemOp_v2(void *stream, unsigned count, tsr_cu_mem_op *op, unsigned flags)
{
    dist_gpu_flags s = {0};
    unsigned i = 0;
    for (; i < count && op[i].operation == 2 && op[i].value == 1 && op[i].flags == 0; ++i)
        s.flag[s.raised++] = op[i].address;
    for (; i + 1 < count && op[i].operation == 1 && op[i].value == 1 && op[i].flags == 1; i += 2) {
        if (op[i + 1].operation != 2 || op[i + 1].value != 0 || op[i + 1].address != op[i].address)
            return 1;
        s.flag[s.raised + s.awaited++] = op[i].address;
    }
    return i != count || count == 0 || flags ? 1 : give_flags(stream, &s);
}

#endif
