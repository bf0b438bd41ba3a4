/* Making tensors: views of memory, and arrays that own their elements. */
#include <tessera/text.h>

#include <tessera/names.h>

typedef TSR_ARRAY(float, TSR_COSIZE((4, 8))) tile;

static void say(char const *name, tsr_tensor t)
{
    printf("%-12s : ", name);
    tsr_print(stdout, t);
}

/* Arrays are where the compiler puts them, so only what follows the address is shown. */
static void say_owned(char const *name, tsr_tensor t)
{
    printf("%-13s : ptr[%db] o ", name, tsr_dtype_bits(t.engine.type));
    tsr_print(stdout, t.layout);
}

int main(void)
{
    /* Nothing is read: the addresses may be any. */
    float *const A = (float *)0x7f42efc00000, *const smem = (float *)0x7f4316000000;

    say("tensor_8", tsr_make_tensor(A, tsr_make_layout(_8)));
    say("tensor_8s", tsr_make_tensor(A, _8));
    say("tensor_8d2", tsr_make_tensor(A, 8, 2));

    say("gmem_8s", tsr_make_tensor(tsr_make_gmem_ptr(A), _8));
    say("gmem_8d", tsr_make_tensor(tsr_make_gmem_ptr(A), 8));
    say("gmem_8sx16d", tsr_make_tensor(tsr_make_gmem_ptr(A), tsr_t(_8, 16)));
    say("gmem_8dx16s", tsr_make_tensor(tsr_make_gmem_ptr(A), tsr_t(8, _16), tsr_t(_16, _1)));

    tsr_layout const smem_layout = tsr_make_layout(tsr_t(_4, _8));
    say("smem_4x8_col", tsr_make_tensor(tsr_make_smem_ptr(smem), smem_layout));
    say("smem_4x8_row", tsr_make_tensor(tsr_make_smem_ptr(smem), smem_layout.shape, tsr_right()));
    say("half_8x8", tsr_make_tensor(tsr_make_gmem_ptr(A, TSR_F16), tsr_t(_8, _8)));
    say("int4_8x8", tsr_make_tensor(tsr_make_gmem_ptr(A, TSR_I4), tsr_t(_8, _8)));

    /* Owning: the compiler computes how many elements each array has. */
    tsr_zeros(float, col, (4, 8));
    tsr_zeros(float, row, (4, 8), tsr_right());
    tsr_zeros(float, pad, (4, 8), (32, 2));
    say_owned("rmem_4x8_col", col);
    say_owned("rmem_4x8_row", row);
    say_owned("rmem_4x8_pad", pad);

    /* An array with its layout: that must be static, and assignment copies the elements. */
    tile like, a = {tsr_make_layout(tsr_t(_4, _8)), {0}};
    say_owned("rmem_4x8_like", tsr_view_like(like, pad));
    a.data[5] = 5;
    tile const copy = a;
    a.data[5] = 0;
    printf("the copy keeps %g\n", (double)copy.data[5]);

    a.layout = tsr_make_layout(tsr_t(_4, 8));
    tsr_print(stdout, tsr_tensor_why(tsr_view(a)));
    return 0;
}
