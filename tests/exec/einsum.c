/* einsum of random texts over random layouts against a loop over all indices. */
#include "einsum_cases.h"

enum { CASES = 3000 };

int main(void)
{
    int failed = 0;
    for (int i = 0; i < CASES; ++i)
        failed += !try_text();
    printf("%d texts, %d failed\n", CASES, failed);
    return failed != 0;
}
