/** Elements as values of C, and owning tensors: what they give, and every refusal, with TSR_CHECKED. */
#define TSR_CHECKED 1
#define _DEFAULT_SOURCE /* fork */
#include <assert.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tessera/text.h"

#include "tessera/names.h"

static tsr_number half(tsr_number x, void const *context)
{
    (void)context;
    return tsr_number_real(tsr_number_to_double(x) / 2);
}

/* Refusals: each ends a process of its own by abort() and prints these words. */

static float data[16];
static tsr_tensor plain(void) { return tsr_make_tensor(data, tsr_t(4, 4)); }
static tsr_tensor counting(void) { return tsr_make_tensor(tsr_counting_iter(tsr_int(0)), 8); }
static tsr_tensor halved(void)
{
    return tsr_make_tensor(tsr_transform_iter(tsr_make_ptr(data), half, NULL), tsr_t(4, 4));
}
static tsr_tensor constant(void) { return tsr_make_tensor((float const *)data, 16); }

static void of_counting(void) { tsr_ref(int, counting(), 3) = 1; }
static void of_computed(void) { tsr_ref(float, halved(), 3, 1) = 1; }
static void of_coordinates(void) { tsr_ref(int, tsr_make_identity_tensor(tsr_t(4, 4)), 1, 1) = 1; }
static void of_tensor_memory(void) { tsr_ref(float, tsr_make_tensor(tsr_tmem_ptr(tsr_int(0), TSR_F32), 8), 3) = 1; }
static void of_another_type(void) { tsr_ref(int, plain(), 1) = 1; }
static void of_another_size(void) { tsr_ref(char, tsr_make_tensor(tsr_make_ptr(data, TSR_BF16), 8), 1) = 1; }
static void outside(void) { tsr_ref(float, plain(), 0, 4) = 1; }
static void negative(void) { tsr_ref(float, plain(), -1) = 1; }
static void of_another_rank(void) { tsr_ref(float, plain(), 0, 0, 0) = 1; }
static void too_deep(void) { tsr_ref(float, plain(), tsr_t(0, 0), 1) = 1; }
static void of_an_invalid_one(void) { tsr_ref(float, tsr_make_tensor(data, tsr_t(4, 0)), 0) = 1; }
static void of_no_memory(void) { tsr_ref(float, tsr_make_tensor((float *)NULL, 4), 0) = 1; }
static void behind_the_memory(void)
{
    tsr_tensor const ragged = tsr_local_tile(tsr_make_tensor(data, tsr_t(5, 3)), tsr_tile(_4, _4), tsr_t(1, 0));
    tsr_ref(float, ragged, 3, 3) = 1;
}
static void narrower(void) { data[0] = tsr_load_at(float, tsr_make_tensor((double *)(void *)data, 4), 0); }
static void other_signs(void) { data[0] = (float)tsr_load_at(unsigned, counting(), 0); }
static void computed_as_integers(void) { data[0] = (float)tsr_load_at(int, halved(), 0); }
static void beyond_32_bits(void)
{
    data[0] = (float)tsr_load_at(int, tsr_make_tensor(tsr_counting_iter(tsr_int((int64_t)1 << 40)), 8), 3);
}
static void of_complex(void) { data[0] = tsr_load_at(float, tsr_make_tensor(tsr_make_ptr(data, TSR_C64), 8), 0); }
static void truths_of_integers(void) { data[0] = tsr_load_at(bool, counting(), 1) ? 1.0f : 0.0f; }
static void of_no_number(void) { data[0] = tsr_load_at(float, tsr_make_identity_tensor(tsr_t(4, 4)), 0); }
static void stores_computed(void) { tsr_store_at(halved(), 1, 0); }
static void stores_constant(void) { tsr_store_at(constant(), 1.0, 0); }
static void stores_outside(void) { tsr_store_at(plain(), 1.0, 4, 0); }

static struct {
    char const *name;
    void (*call)(void);
    char const *says;
} const refusals[] = {
    {"an address of a counting tensor", of_counting, "tsr_load_at reads them"},
    {"an address of computed elements", of_computed, "tsr_load_at reads them"},
    {"an address of coordinates", of_coordinates, "not numbers"},
    {"an element of tensor memory", of_tensor_memory, "tessera: "},
    {"an int of floats", of_another_type, "of type f32, and C's type of the call is i32"},
    {"a byte of a bf16", of_another_size, "of type bf16, and C's type of the call is i8"},
    {"column 4 of 4", outside, "the coordinate 4 of mode 1 is not in 0 to 4-1"},
    {"element -1", negative, "the coordinate -1 of mode 0 is not in 0 to 16-1"},
    {"three numbers for two modes", of_another_rank, "rank 3 against rank 2"},
    {"a pair for a plain mode", too_deep, "does not fit the shape"},
    {"an element of an invalid tensor", of_an_invalid_one, "extent 0 of mode 1"},
    {"an element at the address 0", of_no_memory, "points to no data"},
    {"an element behind the edge", behind_the_memory, "the buffer holds 15"},
    {"a float of doubles", narrower, "of type f64, and C's type of the call is f32"},
    {"unsigned of signed integers", other_signs, "and C's type of the call is u32"},
    {"an integer of computed elements", computed_as_integers, "and C's type of the call is i32"},
    {"an int of a counter beyond 32 bits", beyond_32_bits, "and C's type of the call is i32"},
    {"a float of complex numbers", of_complex, "not numbers"},
    {"a truth of integers", truths_of_integers, "and C's type of the call is bool"},
    {"a number of coordinates", of_no_number, "not numbers"},
    {"a store to computed elements", stores_computed, "cannot be written"},
    {"a store to constant elements", stores_constant, "cannot be written"},
    {"a store outside", stores_outside, "the coordinate 4 of mode 0"},
};

static int refused(int i)
{
    int ends[2], status = 0;
    char text[1000] = "";
    size_t used = 0;
    ssize_t n = 0;
    assert(pipe(ends) == 0);
    fflush(stdout);
    pid_t const child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        refusals[i].call();
        _exit(0);
    }
    close(ends[1]);
    while (used < sizeof text - 1 && (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)n;
    close(ends[0]);
    waitpid(child, &status, 0);
    bool const ok = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(text, refusals[i].says);
    if (!ok)
        printf("%s: status %d, says %s\n", refusals[i].name, status, text);
    return !ok;
}

static void references(void)
{
    for (int i = 0; i < 16; ++i)
        data[i] = (float)i;
    tsr_tensor const t = plain(), nested = tsr_make_tensor(data, tsr_t(tsr_t(2, 2), 4));
    assert(tsr_ref(float, t, 3, 2) == 11 && tsr_ref(float, t, tsr_t(3, 2)) == 11 && tsr_ref(float, t, 11) == 11);
    assert(&tsr_ref(float, nested, tsr_t(1, 1), 2) == &data[11] && &tsr_ref(float, nested, 3, 2) == &data[11]);
    tsr_ref(float, t, 0, 1) = 40;
    assert(data[4] == 40);
    struct pair {
        float a, b;
    };
    assert(tsr_ref(struct pair, tsr_make_tensor(tsr_make_ptr(data, TSR_C64), 8), 1).b == 3);
    assert(tsr_ref(float const, constant(), 3) == 3);
}

static void values(void)
{
    assert(tsr_load_at(int, tsr_make_tensor(tsr_counting_iter(tsr_int(5)), tsr_t(2, 3)), 1, 2) == 10);
    assert(tsr_load_at(long long, tsr_make_tensor(tsr_counting_iter(tsr_int((int64_t)1 << 40)), 8), 3)
           == ((long long)1 << 40) + 3);
    assert(tsr_load_at(float, halved(), 3, 1) == 3.5f && tsr_load_at(double, halved(), 3, 1) == 3.5);
    assert(tsr_load_at(float, plain(), 3, 1) == 7 && tsr_load_at(double, plain(), 7) == 7);
    unsigned short bits[4] = {0};
    tsr_tensor const b = tsr_make_tensor(tsr_make_ptr(bits, TSR_BF16), tsr_t(2, 2));
    tsr_store_at(b, 1.5, 1, 1);
    tsr_store_at(b, 3, 0, 1);
    assert(bits[3] == 0x3fc0 && bits[2] == 0x4040 && tsr_load_at(float, b, 1, 1) == 1.5f);
    unsigned char nibbles[2] = {0};
    tsr_tensor const n = tsr_make_tensor(tsr_make_ptr(nibbles, TSR_I4), 4);
    tsr_store_at(n, -3, 1);
    assert(nibbles[0] == 0xd0 && tsr_load_at(int, n, 1) == -3);
    int64_t wide = 0;
    tsr_store_at(tsr_make_tensor(tsr_make_ptr(&wide, TSR_I64), 1), 1u << 31, 0);
    assert(wide == (int64_t)1 << 31);
    tsr_store_at(plain(), 2.5f, 1, 0);
    assert(data[1] == 2.5f);
}

/** Behind a swizzled pointer an element is read and written at its swizzled address, as its own type and as others. */
static void swizzled(void)
{
    alignas(256) static float single[64];
    alignas(256) static unsigned short half_word[64];
    tsr_tensor of[2];
    of[0] = tsr_make_tensor(single, 64);
    of[1] = tsr_make_tensor(half_word, 64);
    for (int bits = 0; bits < 3; ++bits) {
        tsr_swizzle const sw = tsr_make_swizzle(bits, 2, 2);
        for (int k = 0; k < 2; ++k) {
            of[k].engine.swizzle = sw;
            for (int i = 0; i < 64; ++i)
                tsr_store_at(of[k], 64 - i, i);
        }
        for (int i = 0; i < 64; ++i) {
            assert(single[tsr_swizzle_apply(sw, 4u * (unsigned)i) / 4] == (float)(64 - i));
            assert(half_word[tsr_swizzle_apply(sw, 2u * (unsigned)i) / 2] == 64 - i);
            assert(tsr_load_at(float, of[0], i) == (float)(64 - i) && tsr_load_at(double, of[0], i) == 64 - i);
            assert(tsr_load_at(int, of[1], i) == 64 - i && tsr_load_at(unsigned short, of[1], i) == 64 - i);
        }
    }
}

static void owned(void)
{
    tsr_zeros(float, A, (4, 8), (8, 1));
    tsr_empty(int, B, ((2, 2), 8));
    tsr_zeros(double, v, 5);
    assert(sizeof A_elements == 32 * sizeof(float) && sizeof B_elements == 32 * sizeof(int));
    assert(tsr_equal(A.layout, tsr_make_layout(tsr_t(_4, _8), tsr_t(_8, _1))));
    assert(tsr_equal(B.layout, tsr_make_layout(tsr_t(tsr_t(_2, _2), _8)))
           && tsr_equal(v.layout, tsr_make_layout(_5)));
    for (int i = 0; i < 32; ++i)
        tsr_ref(int, B, i) = i;
    assert(tsr_ok(tsr_copy(B, A)) && A_elements[1 * 8 + 2] == 9);
    assert(tsr_load_at(double, v, 4) == 0);
    static tsr_zeros(float, rows, ((2, 2), 8), tsr_right());
    tsr_empty(char, columns, (4, 8), tsr_left());
    assert(sizeof rows_elements == 32 * sizeof(float) && sizeof columns_elements == 32);
    assert(tsr_equal(rows.layout, tsr_make_layout(tsr_t(tsr_t(_2, _2), _8), tsr_right())));
    assert(tsr_equal(columns.layout, tsr_make_layout(tsr_t(_4, _8))));
    tsr_tensor const like = tsr_make_tensor_like(A);
    assert(tsr_equal(like.layout, A.layout));
}

static void allocated(void)
{
    tsr_tensor t = tsr_alloc(TSR_F32, tsr_make_layout(tsr_t(3, 5), tsr_t(-1, 3)), 256);
    assert(tsr_ok(t) && t.engine.begin % 256 == 0 && t.engine.address == t.engine.begin + 8);
    for (int i = 0; i < 15; ++i) {
        assert(tsr_ref(float, t, i) == 0);
        tsr_ref(float, t, i) = (float)i;
    }
    assert(*(float *)(uintptr_t)t.engine.begin == 2);
    tsr_free(&t);
    assert(t.engine.address == 0);
    tsr_tensor huge = tsr_alloc(TSR_F64, tsr_make_layout(tsr_t((int64_t)1 << 40, (int64_t)1 << 18)), 0);
    assert(tsr_why(huge).status == TSR_NO_MEMORY || tsr_why(huge).status == TSR_OVERFLOW);
    tsr_free(&huge);
    assert(tsr_why(tsr_alloc((tsr_dtype)0, tsr_make_layout(4), 0)).status == TSR_TYPE);
    assert(tsr_why(tsr_alloc(TSR_F32, tsr_make_layout(0), 0)).status == TSR_EXTENT);
}

int main(void)
{
    int bad = 0;
    references();
    values();
    swizzled();
    owned();
    allocated();
    for (int i = 0; i < (int)(sizeof refusals / sizeof refusals[0]); ++i)
        bad += refused(i);
    return bad != 0;
}
