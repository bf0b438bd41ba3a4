/* Products by the engine: every table of kernels, over random types, layouts and epilogues. */
#define _DEFAULT_SOURCE
#include "gemm_cases.h"

int main(int argc, char **argv)
{
    int64_t const cases = OF_CASES(argc > 1 ? atoll(argv[1]) : 400);
    random_begin(argc > 2 ? (uint64_t)atoll(argv[2]) : 1);
    begin_products();
    for (int64_t i = 0; i < cases; ++i)
        try_product(i, (int)(i % TYPES_COUNT));
    printf("%lld products: %lld by element, %lld in place, %lld in blocks\n", (long long)cases, (long long)ways[0],
           (long long)ways[1], (long long)ways[2]);
    for (int isa = 0; isa < 5; ++isa)
        for (int i = 0; i < 16; ++i)
            if (rows_seen[isa][i])
                printf("  set %d, row %d: %lld\n", isa, i, (long long)rows_seen[isa][i]);
    return failures != 0;
}
