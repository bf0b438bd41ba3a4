/** Memory of lists that grow, or whose most items are known. */
#define _DEFAULT_SOURCE /* madvise */
#include <stdlib.h>
#if defined(__linux__)
#  include <sys/mman.h>
#endif

#include "mesh/form.h"

/** A list of 65,536 messages fills thousands of small pages, which take as long as the plan itself. */
enum { LARGE_PAGE = 1 << 21 };

static void *fresh(size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= (size_t)LARGE_PAGE / 2) {
        size_t const whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        void *const block = aligned_alloc(LARGE_PAGE, whole);
        if (block)
            (void)madvise(block, whole, MADV_HUGEPAGE); /* advice: without it pages are small */
        return block;
    }
#endif
    return malloc(bytes);
}

bool tsr_dist_grow_(void **items, int64_t count, int64_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    int64_t const more = *capacity < 8 ? 8 : 2 * *capacity;
    void *const grown = (uint64_t)more <= SIZE_MAX / size ? realloc(*items, (size_t)more * size) : NULL;
    if (!grown)
        return false;
    *items = grown;
    *capacity = more;
    return true;
}

void tsr_dist_reserve_(void **items, int64_t most, int64_t *capacity, size_t size)
{
    if (*items || most < 1 || (uint64_t)most > (SIZE_MAX - LARGE_PAGE) / size)
        return;
    *items = fresh((size_t)most * size);
    *capacity = *items ? most : 0;
}
