/** Tensors behind swizzled pointers: every operation of the calculator that gives a tensor of one, and every
 *  picture, by the addresses of elements.
 *
 *  Law  The operation on a counting tensor of the same shape says which element of the operand is element i of the
 *       result. Both have one address.
 *       A cell of a picture holds how many elements the address is behind the pointer.
 */
#include <stdio.h>
#include <string.h>

#include "tessera/picture.h"
#include "tessera/tensor/span.h"
#include "tessera/text.h"

#define TILED_MMA "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)"
#define TILED_COPY "make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, half_t>, (_4,_8):(_8,_1), (_1,_2))"

/** What makes a tensor of one: T stands for it. */
/* clang-format off */
static struct {
    char const *name, *expression;
} const operations[] = {
    {"call", "call(T, (4,_))"},
    {"call", "call(T, _, 3)"},
    {"slice", "slice((4,_), T)"},
    {"dice", "dice((4,_), T)"},
    {"domain_offset", "domain_offset((4,2), T)"},
    {"tensor", "tensor<1>(T)"},
    {"get", "get<0>(T)"},
    {"clipped_tile", "clipped_tile(T, (_6,_6), (2,1))"},
    {"flatten", "flatten(T)"},
    {"coalesce", "coalesce(T)"},
    {"coalesce", "coalesce(T, (_1,_1))"},
    {"filter", "filter(T)"},
    {"filter_zeros", "filter_zeros(T)"},
    {"filter_zeros", "filter_zeros(T, (1,1))"},
    {"group_modes", "group_modes<0,2>(T)"},
    {"take", "take<1,2>(T)"},
    {"composition", "composition(T, (_4,_8))"},
    {"composition", "composition(T, (_4,_8):(_1,_16))"},
    {"logical_divide", "logical_divide(T, (_4,_4))"},
    {"zipped_divide", "zipped_divide(T, (_4,_4))"},
    {"tiled_divide", "tiled_divide(T, (_4,_4))"},
    {"flat_divide", "flat_divide(T, (_4,_4))"},
    {"inner_partition", "inner_partition(T, (_4,_4), (1,2))"},
    {"outer_partition", "outer_partition(T, (_4,_4), (1,2))"},
    {"local_tile", "local_tile(T, (_4,_4), (1,2))"},
    {"local_tile", "local_tile(T, (_4,_2,_4), (1,0,2), (_1,_,_1))"},
    {"local_partition", "local_partition(T, (_4,_8):(_8,_1), 13)"},
    {"select", "select<1,0>(T)"},
    {"append", "append(T, _1:_0)"},
    {"append", "append<3>(T)"},
    {"prepend", "prepend(T, _1:_0)"},
    {"prepend", "prepend<3>(T)"},
    {"partition_A", "partition_A(" TILED_MMA ", 13, T)"},
    {"partition_B", "partition_B(" TILED_MMA ", 13, T)"},
    {"partition_C", "partition_C(" TILED_MMA ", 13, T)"},
    {"partition_S", "partition_S(" TILED_COPY ", 13, T)"},
    {"partition_D", "partition_D(" TILED_COPY ", 13, T)"},
};
/* clang-format on */

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/** What gives another memory, or other elements. */
static char const *const others[] = {"recast",        "make_tensor_like",     "make_fragment_like",
                                     "tma_partition", "partition_fragment_A", "partition_fragment_B"};

static char const *const counting = "make_tensor(counting_iter(0), (_16,_16))";

static int failed, tried;

static bool check(bool ok, char const *operand, char const *expression, char const *what)
{
    ++tried;
    failed += !ok;
    if (!ok)
        printf("%s of %s: %s\n", expression, operand, what);
    return ok;
}

/** The expression with a tensor in the place of T, which no name has before a bracket or a comma. */
static void put_operand(char *out, size_t size, char const *expression, char const *operand)
{
    size_t n = 0;
    for (char const *p = expression; *p && n + 1 < size; ++p) {
        bool const before = p == expression || strchr(" (", p[-1]),
                   is_operand = *p == 'T' && before && strchr("(),", p[1]);
        n +=
            (size_t)(is_operand ? snprintf(out + n, size - n, "%s", operand) : snprintf(out + n, size - n, "%c", *p));
    }
}

/** Bits from address 0 to an element. */
static int64_t place(tsr_tensor const *t, int64_t offset) { return tsr_bits_from_(&t->engine, offset, 0); }

/** The elements of domain_offset((4,2), T) that are elements of T. */
static bool is_inside(char const *expression, int64_t i)
{
    return strncmp(expression, "domain_offset", 13) != 0 || (i % 16 < 12 && i / 16 < 14);
}

static void check_addresses(char const *operand, char const *expression, tsr_tensor const *t, tsr_tensor const *r,
                            tsr_tensor const *traced)
{
    int64_t const n = tsr_layout_size(r->layout), base = traced->engine.at.leaf[0].value;
    bool same = n == tsr_layout_size(traced->layout);
    for (int64_t i = 0; same && i < n; ++i) {
        int64_t const from = base + tsr_at(traced->layout, i);
        same = !is_inside(expression, i) || place(r, tsr_at(r->layout, i)) == place(t, tsr_at(t->layout, from));
    }
    check(same, operand, expression, "an element has another address");
}

/** The cells of a picture; a slice shows the offsets of the operand. */
static void check_cells(char const *operand, char const *expression, char const *name, tsr_tensor const *t,
                        tsr_tensor const *r, tsr_picture const *p)
{
    bool const slice = strcmp(name, "slice") == 0 || strcmp(name, "call") == 0;
    int64_t const width = tsr_dtype_bits(t->engine.type);
    bool same = true;
    for (int k = 0; k < p->panels; ++k) {
        tsr_panel const *const g = &p->panel[k];
        if (strcmp(p->text + g->name, "B") == 0) /* a layout */
            continue;
        bool const result = !*name || strcmp(p->text + g->name, "result") == 0;
        tsr_tensor const *const shown = result ? r : t, *const pointer = slice ? t : shown;
        for (size_t i = g->first; same && i < g->first + (size_t)(g->row.count * g->column.count); ++i) {
            tsr_cell const *const c = &p->cell[i];
            same = c->index < 0
                   || place(shown, tsr_at(shown->layout, c->index))
                          == (int64_t)pointer->engine.address * 8 + c->offset * width;
        }
    }
    check(same, operand, expression, "a cell does not hold the place of its element");
}

static void check_picture(char const *operand, char const *expression, char const *name, char const *text,
                          tsr_tensor const *t, tsr_tensor const *r)
{
    tsr_picture_options options = tsr_plain_picture();
    tsr_evaluation *const e = tsr_evaluate(text, 0, NULL, NULL);
    for (int alone = 0; alone < 2; ++alone) {
        options.alone = alone != 0;
        tsr_picture p = tsr_make_picture(e, &options);
        if (check(tsr_picture_ok(&p), operand, expression, p.refused))
            check_cells(operand, expression, alone ? "" : name, t, r, &p);
        tsr_picture_free(&p);
    }
    tsr_evaluation_free(e);
}

static void check_operation(char const *operand, char const *name, char const *expression)
{
    char text[TSR_TEXT_SIZE], traced_text[TSR_TEXT_SIZE];
    put_operand(text, sizeof text, expression, operand);
    put_operand(traced_text, sizeof traced_text, expression, counting);
    tsr_tensor const t = tsr_parse_tensor(operand, 0, NULL), r = tsr_parse_tensor(text, 0, NULL),
                     traced = tsr_parse_tensor(traced_text, 0, NULL);
    if (!check(!tsr_tensor_why(t).status && !tsr_tensor_why(r).status && !tsr_tensor_why(traced).status, operand,
               expression, "is refused"))
        return;
    check_addresses(operand, expression, &t, &r, &traced);
    check_picture(operand, expression, name, text, &t, &r);
}

/** A tensor alone, and its elements as others in the same memory. */
static void check_alone(char const *operand)
{
    char text[TSR_TEXT_SIZE];
    tsr_tensor const t = tsr_parse_tensor(operand, 0, NULL);
    check_picture(operand, "T", "", operand, &t, &t);
    snprintf(text, sizeof text, "recast<uint8_t>(%s)", operand);
    tsr_tensor const bytes = tsr_parse_tensor(text, 0, NULL);
    bool same = !tsr_tensor_why(bytes).status;
    bool const down = t.layout.stride.leaf[0].value == 1;
    for (int i = 0; same && i < 512; ++i) {
        int const line = i / 32, item = i % 32;
        tsr_tuple const byte = down ? tsr_t(item, line) : tsr_t(line, item),
                        element = down ? tsr_t(item / 2, line) : tsr_t(line, item / 2);
        same = place(&bytes, tsr_at(bytes.layout, byte)) == place(&t, tsr_at(t.layout, element)) + item % 2 * 8;
    }
    check(same, operand, "recast<uint8_t>(T)", "a byte has another address");
}

/** Every operation that makes a tensor of one is in the list. */
static void check_list(void)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        bool known = ops[i].result != 'G' || !strchr(ops[i].signature, 'G');
        for (int k = 0; k < OPERATIONS; ++k)
            known = known || strcmp(ops[i].name, operations[k].name) == 0;
        for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
            known = known || strcmp(ops[i].name, others[k]) == 0;
        check(known, "a tensor", ops[i].name, "is not in the list");
    }
}

/** Where a picture marks conflicts: none behind the swizzle that was made for these rows, all without it. */
static void check_banks(char const *expression, int conflicts)
{
    tsr_picture_options options = tsr_plain_picture();
    options.label = TSR_LABEL_BANK;
    tsr_evaluation *const e = tsr_evaluate(expression, 0, NULL, NULL);
    tsr_picture p = tsr_make_picture(e, &options);
    int marked = 0;
    for (int k = 0; k < p.panels; ++k)
        for (size_t i = 0; strcmp(p.text + p.panel[k].name, "before") != 0
                           && i < (size_t)(p.panel[k].row.count * p.panel[k].column.count);
             ++i)
            marked += (p.cell[p.panel[k].first + i].mark & TSR_MARK_CONFLICT) != 0;
    if (!check(marked == conflicts, expression, "show --bank", "other conflicts"))
        printf("  %d, not %d\n", marked, conflicts);
    tsr_picture_free(&p);
    tsr_evaluation_free(e);
}

int main(void)
{
    static char const *const operands[] = {
        "make_tensor(smem<half_t>(0), Sw<1,4,3> o smem_ptr[16b](unset) o (_16,_16):(_16,_1))",
        "make_tensor(smem<half_t>(1024), Sw<2,4,3> o smem_ptr[16b](unset) o (_16,_16):(_1,_16))",
        "make_tensor(smem<half_t>(1168), Sw<3,4,3> o smem_ptr[16b](unset) o (_16,_16):(_16,_1))",
        "make_tensor(smem<half_t>(4096), (_16,_16):(_16,_1))",
    };
    for (size_t i = 0; i < sizeof operands / sizeof operands[0]; ++i) {
        check_alone(operands[i]);
        for (int k = 0; k < OPERATIONS; ++k)
            check_operation(operands[i], operations[k].name, operations[k].expression);
    }
    check_list();
    check_banks("make_tensor(smem<float>(0), Sw<3,4,3> o smem_ptr[32b](unset) o (_8,_32):(_32,_1))", 0);
    check_banks("make_tensor(smem<float>(0), (_8,_32):(_32,_1))", 256);
    check_banks("Sw<3,4,3> o smem_ptr[32b](unset) o (_8,_32):(_32,_1)", 0);
    check_banks("local_tile(make_tensor(smem<float>(0), Sw<3,4,3> o smem_ptr[32b](unset) o (_8,_32):(_32,_1)), "
                "(_8,_4), (0,0))",
                0);
    printf("%d of %d checks failed\n", failed, tried);
    return failed != 0;
}
