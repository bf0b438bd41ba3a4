// The macros of the headers, as a C++ program uses them that asks for warnings of C's casts and of 0 as a pointer.
#include <cstdio>
#include <vector>

#include "tessera/atoms.h"
#include "tessera/gpu.h"
#include "tessera/io.h"
#include "tessera/names.h"
#include "tessera/picture.h"
#include "tessera/text.h"
#include "tessera/tile.h"

int main()
{
    std::vector<float> memory(64);
    tsr_layout const rows = tsr_make_layout(tsr_t(8, 8), tsr_t(8, 1)), tile = tsr_make_layout(tsr_s(4));
    tsr_tensor t = tsr_make_tensor(tsr_make_gmem_ptr(memory.data()), rows);
    tsr_tensor const typed = tsr_make_tensor(tsr_make_ptr(memory.data(), TSR_F32), tsr_t(8, 8), tsr_t(8, 1));
    TSR_ARRAY(float, 16) held;
    tsr_view_like(held, typed);
    tsr_ref(float, t, tsr_t(1, 2)) = 3;
    tsr_print(stdout, tsr_zipped_divide(rows, tsr_tile(2, tile)));
    tsr_print(stdout, tsr_slice(tsr_t(1, _), rows));
    tsr_explain(stdout, tsr_composition(rows, tile));
    int64_t const lengths[] = {8, 8}, index[] = {1, 2};
    tsr_descriptor const d = tsr_make_naive_tensor_descriptor_packed(2, lengths, 4);
    tsr_tensor_view const view = tsr_make_tensor_view_at(TSR_GMEM, memory.data(), d);
    float x = 0;
    tsr_view_get(&view, index, &x);
    tsr_view_set(&view, index, &x);
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(x)};
    std::printf("%d %d %d\n", tsr_size(t) > 0, tsr_ok(rows), arguments[0].bytes > 0);
    return tsr_divides_evenly(tsr_tile(2, 4), rows) && tsr_is_congruent(rows, t) ? 0 : 1;
}
