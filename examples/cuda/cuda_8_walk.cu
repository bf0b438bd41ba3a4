#include <vector>

#include "check.cuh"
#include "cuda_8_walk.cuh"

enum { rows = 40, columns = 72, tiles_m = 3, tiles_n = 3 }; /* no multiple of a tile, which is 16x32 */

static tsr_tma_copy plan_for(tsr_tma_op op, int m, int n)
{
    tsr_tma_types const words = {TSR_I32, TSR_I32};
    tsr_tuple const tile = tsr_t(tsr_s(walk_rows), tsr_s(walk_columns));
    tsr_layout const global = tsr_make_layout(tsr_t(m, n), tsr_t(n, tsr_s(1)));
    tsr_smem_layout const smem =
        tsr_make_smem_layout(tsr_make_swizzle(0, 4, 3), TSR_I32, tsr_make_layout(tile, tsr_right()));
    return tsr_make_tma_copy(op, words, global, smem, tsr_tiler_of_tuple(tile), tsr_s(1));
}

/* What the kernel does, by the emulator. */
static void emulate(tsr_tma_copy const &load, tsr_tma_copy const &store, tsr_tma_copy const &reduce,
                    int32_t const *from, int32_t *to, int32_t *sums, std::vector<int2> const &coordinates)
{
    alignas(128) int32_t tile[walk_size];
    tsr_tma_box box = {};
    box.shared = reinterpret_cast<unsigned char *>(tile);
    box.size = sizeof tile;
    for (size_t number = 0; number < coordinates.size(); ++number) {
        box.coord[0] = coordinates[number].x;
        box.coord[1] = coordinates[number].y;
        need(tsr_tma_load(&load.desc, from, &box));
        for (int32_t &x : tile)
            x += (int32_t)number;
        need(tsr_tma_store(&store.desc, to, &box));
        box.coord[0] = box.coord[1] = 0;
        need(tsr_tma_reduce(&reduce.desc, TSR_TMA_ADD, sums, &box));
    }
}

int main()
{
    need_hopper();
    tsr_tma_copy const load = plan_for(TSR_SM90_TMA_LOAD, rows, columns);
    tsr_tma_copy const store = plan_for(TSR_SM90_TMA_STORE, rows, columns);
    tsr_tma_copy const reduce = plan_for(TSR_SM90_TMA_REDUCE_ADD, walk_rows, walk_columns);
    tsr_tensor const walked = tsr_get_tma_tensor(load); /* (40,72) */
    tsr_print(stdout, walked);

    std::vector<int2> coordinates;
    for (int i = 0; i < tiles_m; ++i) {
        for (int j = 0; j < tiles_n; ++j) {
            tsr_tensor const tile =
                tsr_local_tile(walked, tsr_tile(tsr_s(walk_rows), tsr_s(walk_columns)), tsr_t(i, j));
            tsr_tuple const at = tsr_tensor_at(tile, tsr_t(0, 0));
            std::printf("tile (%d,%d) begins at ", i, j);
            tsr_print(stdout, at);
            coordinates.push_back(make_int2((int)tsr_size(tsr_get(at, 0)), (int)tsr_size(tsr_get(at, 1))));
        }
    }

    std::vector<int32_t> from(rows * columns), to(rows * columns, -1), sums(walk_size, 0), to_back(to),
        sums_back(sums);
    for (size_t i = 0; i < from.size(); ++i)
        from[i] = (int32_t)(i * 7 % 1000);
    int32_t *from_there, *to_there, *sums_there;
    int2 *coordinates_there;
    size_t const bytes = from.size() * sizeof from[0], sum_bytes = sums.size() * sizeof sums[0];
    check_cuda(cudaMalloc(&from_there, bytes), "cudaMalloc");
    check_cuda(cudaMalloc(&to_there, bytes), "cudaMalloc");
    check_cuda(cudaMalloc(&sums_there, sum_bytes), "cudaMalloc");
    check_cuda(cudaMalloc(&coordinates_there, coordinates.size() * sizeof(int2)), "cudaMalloc");
    check_cuda(cudaMemcpy(from_there, from.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check_cuda(cudaMemcpy(to_there, to.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check_cuda(cudaMemcpy(sums_there, sums.data(), sum_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    check_cuda(
        cudaMemcpy(coordinates_there, coordinates.data(), coordinates.size() * sizeof(int2), cudaMemcpyHostToDevice),
        "cudaMemcpy");

    tsr_tma_map map_from, map_to, map_sums;
    need(tsr_tma_encode(&load.desc, (uint64_t)from_there, &map_from));
    need(tsr_tma_encode(&store.desc, (uint64_t)to_there, &map_to));
    need(tsr_tma_encode(&reduce.desc, (uint64_t)sums_there, &map_sums));
    walk<<<(unsigned)coordinates.size(), 128>>>(map_from, map_to, map_sums, coordinates_there);
    check_cuda(cudaDeviceSynchronize(), "walk");
    check_cuda(cudaMemcpy(to_back.data(), to_there, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check_cuda(cudaMemcpy(sums_back.data(), sums_there, sum_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");

    emulate(load, store, reduce, from.data(), to.data(), sums.data(), coordinates);
    bool const good = to == to_back && sums == sums_back;
    std::printf("the engine and its emulator: %s\n", good ? "the same tensor, the same sums" : "DIFFERENT");
    check_cuda(cudaFree(from_there), "cudaFree");
    check_cuda(cudaFree(to_there), "cudaFree");
    check_cuda(cudaFree(sums_there), "cudaFree");
    check_cuda(cudaFree(coordinates_there), "cudaFree");
    return good ? 0 : 1;
}
