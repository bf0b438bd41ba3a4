/** GGUF out: what is written is read again, whatever the types, ranks and extents; what GGUF does not have is refused.
 */
#include "io_test.h"

#include "../random.h"

static tsr_dtype const types[] = {TSR_F32, TSR_F16, TSR_BF16, TSR_F64, TSR_I8, TSR_I16, TSR_I32, TSR_I64};

enum { TYPES = sizeof types / sizeof types[0], MOST = 12 };

static tsr_model_tensor any_tensor(char const *name)
{
    tsr_model_tensor t = {.name = name, .type = types[(int)noise(TYPES)], .rank = (int)noise(5)};
    for (int k = 0; k < t.rank; ++k)
        t.extent[k] = (int64_t)(int)noise(5) + ((int)noise(8) ? 1 : 0);
    return t;
}

/** Random tensors with random bytes come back, in their order, at multiples of the alignment. */
static void test_round_trips(void)
{
    static char const *const alignments[] = {"8", "32", "64", "1024"};
    char const *const path = scratch("gguf_write", "any.gguf");
    bool all = true;
    for (int k = 0; k < 60 && all; ++k) {
        tsr_model_tensor list[MOST];
        char names[MOST][16];
        tsr_model_writer w;
        tsr_model m;
        tsr_message error;
        tsr_model_note notes[] = {{"format", "pt"}, {"n", "\xc3\xbc"}, {"general.alignment", alignments[k % 4]}};
        tsr_model const metadata = {.note = notes, .notes = k % 3 == 0 ? 0 : 3};
        uint64_t const alignment = k % 3 == 0 ? 32 : (uint64_t)strtoull(alignments[k % 4], NULL, 10);
        int const count = (int)noise(MOST + 1);
        for (int i = 0; i < count; ++i) {
            snprintf(names[i], sizeof names[i], "%c.%d", "zaq"[i % 3], i);
            list[i] = any_tensor(names[i]);
        }
        all = tsr_gguf_create(path, list, count, &metadata, &w, &error);
        uint64_t const bytes = all && count ? w.model.tensor[count - 1].end : 0;
        unsigned char *const kept = (unsigned char *)malloc((size_t)bytes + 1);
        for (int i = 0; i < count && all; ++i)
            for (uint64_t b = w.model.tensor[i].begin; b < w.model.tensor[i].end; ++b)
                w.data[b] = (unsigned char)(int)noise(256);
        if (all && kept)
            memcpy(kept, w.data, (size_t)bytes);
        all = all && kept && tsr_model_commit(&w, &error) && tsr_model_open(path, &m, &error);
        if (!all) {
            printf("  %s\n", error.text);
            free(kept);
            break;
        }
        all = m.count == count && m.notes == metadata.notes && memcmp(m.data, kept, (size_t)bytes) == 0
              && (uint64_t)(m.data - (unsigned char const *)m.bytes.data) % alignment == 0;
        for (int i = 0; i < count && all; ++i) {
            int const at = tsr_model_find(&m, list[i].name);
            tsr_model_tensor const *const t = at < 0 ? NULL : &m.tensor[at];
            all = t && t->type == list[i].type && t->rank == list[i].rank && t->begin % alignment == 0
                  && memcmp(t->extent, list[i].extent, (size_t)t->rank * sizeof *t->extent) == 0
                  && (i == 0 || t->begin >= m.tensor[tsr_model_find(&m, list[i - 1].name)].end);
        }
        tsr_model_close(&m);
        free(kept);
    }
    check("60 random files are read as they were written", all);
    remove(path);
}

static void refuse(char const *words, tsr_model_tensor const *t, int count, tsr_model_note *note, int notes)
{
    char const *const path = scratch("gguf_write", "none.gguf");
    tsr_model const metadata = {.note = note, .notes = notes};
    tsr_model_writer w;
    tsr_message error = {0, ""};
    FILE *file = NULL;
    bool const ok = !tsr_gguf_create(path, t, count, &metadata, &w, &error) && strstr(error.text, words)
                    && strstr(error.text, "none.gguf: ") && w.data == NULL && !(file = fopen(path, "rb"));
    if (!ok)
        printf("  %s\n", error.text);
    if (file)
        fclose(file);
    check(words, ok);
}

static void test_refusals(void)
{
    char name[80];
    tsr_model_tensor t[2] = {{.name = "w", .type = TSR_F32, .rank = 1, .extent = {4}},
                             {.name = "w", .type = TSR_F32, .rank = 1, .extent = {4}}};
    tsr_model_tensor one = t[0];
    tsr_model_note notes[] = {{"", "x"}, {"general.alignment", "24"}, {"k", "\xff"}, {"k", "x"}, {"k", "y"}};
    refuse("the name \"w\" twice", t, 2, NULL, 0);
    one.type = TSR_U8;
    refuse("GGUF has no elements of u8", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .format = "type <U5", .rank = 1, .extent = {4}};
    refuse("GGUF has no elements of type <U5", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .format = "Q4_0", .rank = 2, .extent = {2, 33}};
    refuse("33 elements are no whole blocks of 32 (Q4_0)", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .type = TSR_F32, .rank = 5, .extent = {1, 1, 1, 1, 1}};
    refuse("has 5 dimensions, in GGUF at most 4", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .type = TSR_F32, .rank = 1, .extent = {-1}};
    refuse("extent 0 is -1", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .type = TSR_F32, .rank = 2, .extent = {1ll << 32, 1ll << 32}};
    refuse("more than 2^63 elements", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "w", .type = TSR_F32, .rank = 1, .extent = {1ll << 62}};
    refuse("more than 2^63 bytes", &one, 1, NULL, 0);
    one = (tsr_model_tensor){.name = "\xff", .type = TSR_F32};
    refuse("that is not UTF-8", &one, 1, NULL, 0);
    memset(name, 'n', sizeof name);
    name[64] = 0;
    one = (tsr_model_tensor){.name = name, .type = TSR_F32};
    refuse("its name has 64 bytes, in GGUF at most 63", &one, 1, NULL, 0);
    refuse("a key of 0 bytes", t, 1, notes, 1);
    refuse("general.alignment is \"24\", not a power of two", t, 1, notes + 1, 1);
    refuse("the metadata \"k\" are not UTF-8", t, 1, notes + 2, 1);
    refuse("the key \"k\" twice", t, 1, notes + 3, 2);
    tsr_model_writer w;
    tsr_message error;
    check("an ending that is not written",
          !tsr_model_create("w.zip", t, 1, NULL, &w, &error)
              && strstr(error.text, "w.zip: tensors are written to files whose names"));
    name[63] = 0;
    char const *const path = scratch("gguf_write", "long.gguf");
    check("a name of 63 bytes", tsr_model_create(path, &one, 1, NULL, &w, &error) && tsr_model_commit(&w, &error));
    remove(path);
}

int main(void)
{
    test_round_trips();
    test_refusals();
    return report();
}
