/** Atoms executed on the CPU, over all their threads, from their layouts alone.
 *
 *  A fragment holds the value v of thread t at t + v * threads, the order of the layouts' 1-D coordinates, so that a
 *  right inverse says where an element of the matrix stands.
 */
#include <string.h>

#include "tessera/atoms.h"

/** The rows of matrices, one after the other, from a fragment of them. */
static void gather(double const *fragment, tsr_layout layout, int64_t rows, int64_t depth, int64_t blocks,
                   double *matrix)
{
    tsr_layout const where = tsr_right_inverse(layout);
    for (int64_t i = 0; i < rows * depth * blocks; ++i) {
        int64_t const row = i % rows + i / (rows * depth) * rows, column = i / rows % depth;
        matrix[row * depth + column] = fragment[tsr_at_index(where, i)];
    }
}

static double multiply(int form, double a, double b)
{
    switch (form) {
    case TSR_MMA_XORPOPC:
        return a != b;
    case TSR_MMA_ANDPOPC:
        return a != 0 && b != 0;
    default:
        return a * b;
    }
}

bool tsr_mma_execute(tsr_mma_atom x, double const *a, double const *b, double *c, double *work)
{
    if (x.status)
        return false;
    int64_t const m = x.m, n = x.n, k = x.k, blocks = tsr_mma_blocks(x);
    double const most = 2147483647.0, least = -2147483648.0;
    double *const whole_b = work + m * k * blocks;
    gather(a, tsr_mma_layout_a(x), m, k, blocks, work);
    gather(b, tsr_mma_layout_b(x), n, k, blocks, whole_b);
    tsr_layout const held = tsr_mma_layout_c(x);
    int64_t const size = tsr_layout_size(held);
    for (int64_t i = 0; i < size; ++i) {
        int64_t const at = tsr_at_index(held, i), block = at / (m * n);
        double const *const row = work + (at % m + block * m) * k;
        double const *const column = whole_b + (at / m % n + block * n) * k;
        double sum = c[i];
        for (int64_t j = 0; j < k; ++j)
            sum += multiply(x.form, row[j], column[j]);
        if (x.form == TSR_MMA_SATURATE)
            sum = sum > most ? most : sum < least ? least : sum;
        c[i] = sum;
    }
    return true;
}

bool tsr_copy_execute(tsr_copy_atom x, void const *source, void *destination, size_t bytes)
{
    tsr_layout const from = tsr_copy_layout_src(x), to = tsr_copy_layout_written(x);
    if (from.shape.status || to.shape.status)
        return false;
    bool const repeated = tsr_copy_row_at(x.op).kind == TSR_COPY_TMEM_CAST;
    tsr_layout const where = tsr_right_inverse(from);
    int64_t const size = tsr_layout_size(to), held = tsr_layout_size(where);
    for (int64_t i = 0; i < size; ++i) {
        int64_t const element = tsr_at_index(repeated ? from : to, i);
        int64_t const at = element < held ? tsr_at_index(where, element) : i;
        memcpy((char *)destination + (size_t)i * bytes, (char const *)source + (size_t)at * bytes, bytes);
    }
    return true;
}
