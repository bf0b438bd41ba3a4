/* Tensor views of CK Tile: memory seen through a descriptor. Dimensions are written slowest first, as in C arrays. */
#include <tessera/text.h>
#include <tessera/tile.h>

enum { ROWS = 8, COLUMNS = 10, ELEMENTS = ROWS * COLUMNS };

static int32_t get(tsr_tensor_view const *v, int64_t i, int64_t j)
{
    int64_t const index[2] = {i, j};
    int32_t x = 0;
    tsr_view_get(v, index, &x);
    return x;
}

static void set(tsr_tensor_view const *v, int64_t i, int64_t j, int32_t x)
{
    int64_t const index[2] = {i, j};
    tsr_view_set(v, index, &x);
}

static void say_reason(char const *name, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    printf("%-12s : %s\n", name, text);
}

static void say_layout(char const *name, tsr_tensor_view const *v)
{
    tsr_folded const f = tsr_fold(&v->descriptor);
    printf("%-12s : element %d and ", name, (int)f.base);
    tsr_print(stdout, f.layout);
}

static void show(char const *name, tsr_tensor_view const *v)
{
    tsr_index const length = tsr_adaptor_lengths(&v->descriptor.graph);
    printf("%s, %d x %d\n", name, (int)length.at[0], (int)length.at[1]);
    for (int64_t i = 0; i < length.at[0]; ++i)
        for (int64_t j = 0; j < length.at[1]; ++j)
            printf("%4d%s", (int)get(v, i, j), j + 1 < length.at[1] ? "" : "\n");
}

/** `width` elements along the row from (i,j) on. */
static void show_vector(tsr_tensor_view const *v, int64_t i, int64_t j, int width)
{
    int64_t const index[2] = {i, j};
    int32_t x[8] = {0};
    tsr_coordinate const c = tsr_make_tensor_coordinate(&v->descriptor, index);
    tsr_get_vectorized_elements(v, &c, width, x);
    printf("(%d,%d) and on :", (int)i, (int)j);
    for (int k = 0; k < width; ++k)
        printf("%4d%s", (int)x[k], k + 1 < width ? "" : "\n");
}

int main(void)
{
    static int32_t memory[ELEMENTS];
    int32_t const invalid = -1, hundred = 100, four[4] = {1, 2, 3, 4};
    int64_t const lengths[2] = {ROWS, COLUMNS}, row_major[2] = {COLUMNS, 1};
    for (int i = 0; i < ELEMENTS; ++i)
        memory[i] = i;
    tsr_buffer_view const buffer = tsr_make_buffer_view_invalid(TSR_GMEM, memory, ELEMENTS, TSR_I32, &invalid);

    /* From a descriptor, and naively from lengths and strides; each row may be read in vectors of 2. */
    tsr_descriptor const packed = tsr_make_naive_tensor_descriptor_packed(2, lengths, 2);
    tsr_descriptor const naive = tsr_make_naive_tensor_descriptor(2, lengths, row_major, tsr_make_vector(2, 1));
    tsr_tensor_view const view = tsr_make_tensor_view(buffer, &packed, TSR_UPDATE_SET); /* (8,10):(10,1) */
    tsr_tensor_view const same = tsr_make_tensor_view(buffer, &naive, TSR_UPDATE_ADD);  /* (8,10):(10,1) */
    say_layout("packed", &view);
    say_layout("naive", &same);

    /* Elements; an index outside reads as the invalid value, and writing there does nothing. */
    int64_t const at[2] = {3, 4};
    tsr_coordinate const c = tsr_make_tensor_coordinate(&same.descriptor, at);
    printf("(3,4) is %d, ", (int)get(&view, 3, 4));
    tsr_update_vectorized_elements(&same, &c, 1, &hundred);
    printf("with 100 added %d, ", (int)get(&view, 3, 4));
    set(&view, 3, 4, 34);
    printf("set back %d\n", (int)get(&view, 3, 4));
    set(&view, 0, COLUMNS, 99); /* not the first element of the next row */
    printf("(0,10) is %d, (1,0) is still %d\n", (int)get(&view, 0, COLUMNS), (int)get(&view, 1, 0));

    /* The same memory column by column, and transposed. */
    int64_t const column_major[2] = {1, ROWS};
    uint8_t const swap[2] = {1, 0};
    tsr_descriptor const by_columns =
        tsr_make_naive_tensor_descriptor(2, lengths, column_major, tsr_make_vector(1, 1));
    tsr_tensor_view const columns = tsr_make_tensor_view(buffer, &by_columns, TSR_UPDATE_SET); /* (8,10):(1,8) */
    tsr_tensor_view const transposed = tsr_transpose_tensor_view(view, swap);                  /* (10,8):(1,10) */
    say_layout("by columns", &columns);
    say_layout("transposed", &transposed);
    printf("(2,5) is %d, %d by columns\n", (int)get(&transposed, 5, 2), (int)get(&columns, 2, 5));

    /* A part, without copying: what is written through it is written to the whole. */
    int64_t const begin[2] = {2, 3}, end[2] = {7, 8}, beyond[2] = {7, 11};
    tsr_tensor_view const part = tsr_slice_tensor_view(view, begin, end); /* (5,5):(10,1) from element 23 on */
    say_layout("part", &part);
    show("part", &part);
    set(&part, 0, 0, 500);
    printf("(2,3) of the whole is %d\n", (int)get(&view, 2, 3));

    /* Vectors; each element is there or not on its own. */
    int64_t const edge[2] = {7, 8};
    tsr_coordinate const last = tsr_make_tensor_coordinate(&view.descriptor, edge);
    show_vector(&view, 1, 4, 4);
    show_vector(&view, 1, 8, 4);
    tsr_set_vectorized_elements(&view, &last, 4, four); /* 2 of the 4 are there */
    show_vector(&view, 7, 6, 4);

    /* Padding up to tiles of 4 x 4, and nothing at all. */
    int64_t const tile[2] = {4, 4};
    bool const pads[2] = {true, true};
    tsr_tensor_view const padded = tsr_pad_tensor_view(part, tile, pads), null = tsr_null_tensor_view();
    uint8_t nothing = 9; /* the null view is of bytes */
    show("padded", &padded);
    tsr_view_get(&null, begin, &nothing);
    printf("null view    : %d\n", nothing);

    /* What cannot be says why. */
    tsr_tensor_view const wide = tsr_slice_tensor_view(view, begin, beyond);
    tsr_buffer_view const lds = tsr_make_buffer_view(TSR_SMEM, memory, ELEMENTS, TSR_I32);
    tsr_tensor_view const atomic = tsr_make_tensor_view(lds, &packed, TSR_UPDATE_ATOMIC_ADD);
    say_reason("good", tsr_tensor_view_why(&view));
    say_reason("too wide", tsr_tensor_view_why(&wide));
    say_reason("atomic", tsr_tensor_view_why(&atomic));
    return 0;
}
