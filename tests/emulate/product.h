/** What the tests of the emulator share: small random integers, a plain product, a kernel under every schedule. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "tessera/emulate/run.h"

static char const *const schedules[] = {"at once", "late", "at random"};

static inline unsigned next_random(void)
{
    static unsigned x = 7;
    x = x * 1664525u + 1013904223u;
    return x >> 8;
}

/** From -most to most. */
static inline int next_integer(int most) { return (int)(next_random() % (unsigned)(2 * most + 1)) - most; }

/** a (M,K) times b (N,K), by rows; sums of integers, or of few bits, are exact. */
static inline std::vector<double> plain_product(std::vector<double> const &a, std::vector<double> const &b, int M,
                                                int N, int K)
{
    std::vector<double> c((size_t)(M * N));
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
            double s = 0;
            for (int k = 0; k < K; ++k)
                s += a[(size_t)(m * K + k)] * b[(size_t)(n * K + k)];
            c[(size_t)(m * N + n)] = s;
        }
    return c;
}

/** Runs a kernel under every schedule; how many runs were refused, or gave other bytes. */
template <class T, class Kernel> static int try_kernel(char const *name, tsr_emulated_launch l, std::vector<T> &got,
                                                       std::vector<T> const &want, Kernel kernel)
{
    int bad = 0;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        l.schedule = (tsr_emulated_schedule)i;
        l.seed = 3;
        memset(static_cast<void *>(got.data()), 0xff, got.size() * sizeof(T));
        std::vector<std::string> const refused = tsr_emulate(l, kernel);
        bool const same = memcmp(got.data(), want.data(), sizeof(T) * want.size()) == 0;
        for (std::string const &x : refused)
            printf("%s, %s: %s\n", name, schedules[i], x.c_str());
        if (!same && refused.empty())
            printf("%s, %s: wrong bytes\n", name, schedules[i]);
        bad += !same || !refused.empty();
    }
    return bad;
}

#endif
