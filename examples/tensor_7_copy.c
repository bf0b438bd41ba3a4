/* Copying subtiles of any tensor into registers. What the code needs of the tensor it checks: rank 2, and a static
 * mode. */
#include <tessera/text.h>

#include <tessera/names.h>

typedef TSR_ARRAY(float, TSR_COSIZE((8, 4))) fragment;

/** The sum of a fragment. */
static double total(tsr_tensor rmem)
{
    tsr_number sum = tsr_number_int(0);
    return tsr_reduce(tsr_number_add, rmem, &sum).status ? -1 : tsr_number_to_double(sum);
}

/** Copies every column of a tensor of rank 2, whose mode 0 is static, into one fragment. */
static void columns(tsr_tensor gmem)
{
    fragment r;
    if (tsr_rank(gmem) != 2) {
        printf("rank %d, not 2\n", (int)tsr_rank(gmem));
        return;
    }
    tsr_tensor const rmem = tsr_view_like(r, tsr_slice(tsr_t(_, 0), gmem));
    if (tsr_tensor_why(rmem).status) {
        tsr_print(stdout, tsr_tensor_why(rmem));
        return;
    }
    printf("each column as ");
    tsr_print(stdout, rmem.layout);
    for (int j = 0; j < (int)tsr_size(tsr_get(gmem, 1)); ++j) {
        tsr_reason const why = tsr_copy(tsr_slice(tsr_t(_, j), gmem), rmem);
        if (why.status)
            tsr_explain(stdout, why);
        else
            printf("%g%s", total(rmem), j + 1 < (int)tsr_size(tsr_get(gmem, 1)) ? " " : "\n");
    }
}

int main(void)
{
    static float a[TSR_COSIZE((24, 16))];
    for (int i = 0; i < TSR_COSIZE((24, 16)); ++i)
        a[i] = (float)i;
    columns(tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(_8, 16)));
    columns(tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(8, 16)));
    columns(tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(_8, 4, 4)));

    tsr_tensor const gmem = tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(24, 16)); /* (24,16) */
    columns(tsr_zipped_divide(gmem, tsr_tile(_8, _4)));                           /* ((8,4),(3,4)) */
    columns(tsr_zipped_divide(gmem, tsr_tile(tsr_make_layout(_8, _3), tsr_make_layout(_4, _2))));
    return 0;
}
