/* Put in front of the C library (LD_PRELOAD): of the allocations that come from one module, the one of a number fails,
 * and all later ones where that is asked for. What the interpreter allocates is for _testcapi.set_nomemory. */
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void no_memory(uintptr_t begin, uintptr_t end, long first, int later_too);
long no_memory_count(void);
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);

static uintptr_t from, to;
static long counted, failing = -1;
static int later;

/** Begins to count the allocations of the code between two addresses; the first one that fails, negative: none. */
void no_memory(uintptr_t begin, uintptr_t end, long first, int later_too)
{
    from = begin;
    to = end;
    counted = 0;
    failing = first;
    later = later_too;
}

long no_memory_count(void) { return counted; }

static int fails(void *caller)
{
    uintptr_t const at = (uintptr_t)caller;
    if (at < from || at >= to)
        return 0;
    long const i = counted++;
    return failing >= 0 && (i == failing || (later && i > failing));
}

void *malloc(size_t n) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n); }

void *calloc(size_t n, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size); }

void *realloc(void *p, size_t n) { return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n); }
