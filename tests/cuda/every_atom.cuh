/** The instructions of atom/mma.h that a Hopper GPU has, as a list that the compiler knows: the rows with every choice
 *  that they leave open, majors and the selector of sparse ones included. PARTS and PART say which share of it: every
 *  PARTS-th, from number PART on; as PARTS is prime to the numbers of choices, a share has something of everything. */
#ifndef TEST_CUDA_EVERY_ATOM_CUH
#define TEST_CUDA_EVERY_ATOM_CUH

#include "tessera/atom/mma.h"

struct instruction {
    tsr_mma_atom atom;
    int row;      /* of the table */
    int selector; /* which threads' metadata count */
};

struct instructions {
    instruction at[4096 / PARTS + 1];
    int count; /* of this part */
    int all;
};

constexpr void add_widths(instructions &list, tsr_mma_row row, instruction one)
{
    bool const sparse = (one.atom.flags & TSR_MMA_SPARSE) != 0;
    int const selectors = sparse && tsr_dtype_bits(one.atom.a) > 8 ? 2 : 1;
    for (int n = row.n == 0 ? 8 : row.n; n <= (row.n == 0 ? 256 : row.n); n += 8) {
        one.atom.n = n;
        if (row.n == 0 && !tsr_mma_is_width(one.atom))
            continue;
        for (int s = 0; s < selectors; ++s) {
            if (list.all++ % PARTS != PART)
                continue;
            one.selector = s;
            list.at[list.count++] = one;
        }
    }
}

constexpr void add_types(instructions &list, tsr_mma_row row, instruction one)
{
    constexpr tsr_dtype types[] = {
#define X(name, id) TSR_##id,
        TSR_MMA_TYPE_LIST(X)
#undef X
    };
    constexpr int count = sizeof types / sizeof types[0];
    for (int c = 0; c < count; ++c)
        for (int a = 0; a < count && (row.accumulators >> c & 1); ++a)
            for (int b = 0; b < count && (row.inputs >> a & 1); ++b)
                if (row.inputs >> b & 1) {
                    one.atom.c = one.atom.d = types[c];
                    one.atom.a = types[a];
                    one.atom.b = types[b];
                    add_widths(list, row, one);
                }
}

constexpr bool is_choice(tsr_mma_row row, int flags, int form)
{
    bool const group = row.kind == TSR_MMA_WARPGROUP;
    if (!(row.forms >> form & 1) || !(row.majors >> (flags & 3) & 1) || (!group && flags > 3))
        return false;
    return !((flags & TSR_MMA_A_REGISTERS) && (flags & TSR_MMA_A_MN)); /* registers have no major */
}

constexpr instructions list_instructions()
{
    constexpr tsr_mma_row rows[] = {
#define X(arch, kind, m, n, k, acc, in, forms, majors) \
  {arch, TSR_MMA_##kind, m, n, k, TSR_MMA_##acc, TSR_MMA_##in, TSR_MMA_FORMS_##forms, TSR_MMA_MAJORS_##majors},
        TSR_MMA_LIST(X)
#undef X
    };
    instructions list = {};
    for (int i = 0; i < TSR_MMA_ROWS; ++i)
        for (int choice = 0; choice < 16 * (TSR_MMA_GAUSS + 1) && rows[i].arch <= 90; ++choice) {
            int const flags = choice % 16;
            int const k = rows[i].k * (flags & TSR_MMA_SPARSE ? 2 : 1);
            instruction one = {tsr_mma_of(rows[i].arch, (tsr_mma_kind)rows[i].kind, rows[i].m, 0, k), i, 0};
            one.atom.flags = (uint8_t)flags;
            one.atom.form = (uint8_t)(choice / 16);
            if (is_choice(rows[i], flags, one.atom.form))
                add_types(list, rows[i], one);
        }
    return list;
}

static constexpr instructions list = list_instructions();

#endif
