/** Archives of arrays: what is read, and what is refused. The archive below is NumPy's form of two arrays, deflated and
 *  stored. Each lie is a change of some of its bytes. */
#include "io_test.h"

/* An array (2,3) of i16, 1 to 6, deflated; then the same in Fortran order, stored. By zlib, and zipfile's form. */
static char const archive[] =
    "504b03041400000008000000210058511555520000005c00000005000000612e6e70799bec17ea1b10c9c8e0c650ad9e925a"
    "9c5ca46ea5a06e9369a4aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab5"
    "0a70c0c5c8c0c4c0ccc0c2c0cac0c60000504b030414000000000000002100df72053f5c0000005c00000005000000662e6e"
    "7079934e554d5059010046007b276465736372273a20273c6932272c2027666f727472616e5f6f72646572273a2054727565"
    "2c20277368617065273a2028322c2033292c207d20202020202020202020200a010004000200050003000600504b01021400"
    "1400000008000000210058511555520000005c000000050000000000000000000000000000000000612e6e7079504b010214"
    "0014000000000000002100df72053f5c0000005c000000050000000000000000000000000075000000662e6e7079504b0506"
    "000000000200020066000000f40000000000";

/* Places in it. */
enum { FIRST = 0, PACKED = 35, SECOND = 117, STORED = 152, ENTRY = 244, NEXT = 295, RECORD = 346, BYTES = 368 };

static unsigned char *make(void)
{
    unsigned char *const p = (unsigned char *)malloc(BYTES);
    if (!p || sizeof archive - 1 != 2 * BYTES)
        exit(2);
    for (int i = 0; i < BYTES; ++i) {
        unsigned byte = 0;
        sscanf(archive + 2 * i, "%2x", &byte);
        p[i] = (unsigned char)byte;
    }
    return p;
}

/** Whether a tensor of an archive is the array 1 to 6. */
static bool is_right(tsr_model const *m, char const *name)
{
    tsr_tensor t;
    tsr_message error;
    bool ok = tsr_model_get(m, name, &t, &error) && t.engine.type == TSR_I16;
    for (int64_t i = 0; ok && i < 6; ++i) {
        tsr_number x;
        ok = !tsr_tensor_read(t, tsr_t(i / 3, i % 3), &x).status && (int64_t)x.bits == i + 1;
    }
    return ok;
}

static void test_whole(void)
{
    unsigned char *const p = make();
    char const *const path = scratch("npz", "whole.npz");
    tsr_model m;
    tsr_message error;
    bool ok = tsr_npz_view(p, BYTES, &m, &error);
    check("deflated and stored", ok && m.count == 2 && is_right(&m, "a") && is_right(&m, "f") && m.notes == 0);
    if (ok)
        tsr_model_close(&m);
    ok = write_bytes(path, p, BYTES) && tsr_model_open(path, &m, &error);
    check("from a file", ok && is_right(&m, "a") && is_right(&m, "f"));
    if (ok)
        tsr_model_close(&m);
    check("other files of tensors have endings", tsr_model_is_path("x.gguf") && tsr_model_is_path("x.safetensors")
                                                     && !tsr_model_is_path("x.npy") && !tsr_model_is_path(".npz")
                                                     && !tsr_model_open("x.npy", &m, &error)
                                                     && strstr(error.text, "x.npy: the name of a file of tensors"));
    remove(path);
    free(p);
}

/** Of every byte another value: the archive is refused with words, or the arrays are what they were. */
static void test_every_byte(void)
{
    static unsigned char const changes[] = {0x01, 0x80, 0xff, 0x10};
    unsigned char *const p = make();
    bool all = true;
    int refused = 0;
    for (int i = 0; i < BYTES; ++i)
        for (size_t k = 0; k < sizeof changes; ++k) {
            tsr_model m;
            tsr_message error = {0, ""};
            p[i] ^= changes[k];
            bool const name = i >= ENTRY + 46 && i < ENTRY + 51, other = i >= NEXT + 46 && i < NEXT + 51;
            if (!tsr_npz_view(p, BYTES, &m, &error)) {
                all = all && *error.text;
                ++refused;
            } else {
                bool const right = (name || is_right(&m, "a")) && (other || is_right(&m, "f"));
                if (!right)
                    printf("byte %d, change %x\n", i, changes[k]);
                all = all && right;
                tsr_model_close(&m);
            }
            p[i] ^= changes[k];
        }
    check("a byte that changes is seen, or changes nothing", all && refused > BYTES);
    free(p);
}

static void test_truncated(void)
{
    unsigned char *const p = make();
    bool all = true;
    for (size_t n = 0; n < BYTES; ++n) {
        tsr_model m;
        tsr_message error = {0, ""};
        unsigned char *const exact = (unsigned char *)malloc(n ? n : 1);
        if (!exact)
            exit(2);
        memcpy(exact, p, n);
        all = !tsr_npz_view(exact, n, &m, &error) && *error.text && all;
        memcpy(exact, p + BYTES - n, n);
        all = !tsr_npz_view(exact, n, &m, &error) && *error.text && all;
        free(exact);
    }
    check("every beginning and every end is refused", all);
    free(p);
}

/** Four bytes at a place, and the words of the refusal. */
static struct {
    int at;
    unsigned bytes; /* of them the lowest first */
    int n;
    char const *words;
} const lies[] = {
    {RECORD, 0x07054b50, 4, "it has no record of its directory"},
    {RECORD + 4, 1, 2, "several disks"},
    {RECORD + 8, 1, 2, "several disks"},
    {RECORD + 8, 0x00030003, 4, "announces 3 members, there is room for 2"},
    {RECORD + 8, 0x00010001, 4, "51 bytes of the directory belong to no entry"},
    {RECORD + 12, 103, 4, "103 bytes from byte 244 on, but ends at byte 346"},
    {RECORD + 16, 243, 4, "102 bytes from byte 243 on"},
    {RECORD + 16, 0xffffffff, 4, "from byte 4294967295 on"},
    {ENTRY, 0x04034b50, 4, "does not begin with PK\\1\\2"},
    {ENTRY + 8, 1, 2, "member \"a.npy\" is encrypted"},
    {ENTRY + 8, 0x2000, 2, "is encrypted"},
    {ENTRY + 10, 12, 2, "packed by the method 12 (bzip2)"},
    {ENTRY + 10, 93, 2, "method 93 (Zstandard)"},
    {ENTRY + 10, 7, 2, "method 7 (unknown)"},
    {ENTRY + 10, 0, 2, "is stored in 82 bytes, and has 92"},
    {ENTRY + 16, 0, 4, "has the sum 55155158, its directory says 00000000"},
    {ENTRY + 20, 83, 4, "begins at byte 117, inside \"a.npy\", which ends at byte 118"},
    {ENTRY + 20, 81, 4, "the deflated bytes are damaged"},
    {ENTRY + 20, 500, 4, "has 500 bytes from byte 35 on, the members end at byte 244"},
    {ENTRY + 24, 91, 4, "the bytes make more than is announced"},
    {ENTRY + 24, 93, 4, "fewer than are announced"},
    {ENTRY + 24, 0x7fffffff, 4, "82 bytes cannot make 2147483647"},
    {ENTRY + 24, 0xffffffff, 4, "82 bytes cannot make 4294967295"},
    {ENTRY + 28, 0x00040001, 4, "extra fields are damaged"},
    {ENTRY + 28, 60, 2, "reaches beyond the directory"},
    {ENTRY + 42, 117, 4, "byte 117 begins no header of it"},
    {ENTRY + 42, 240, 4, "is to begin at byte 240, the members end at byte 244"},
    {ENTRY + 42, 0x80000000, 4, "is to begin at byte 2147483648"},
    {ENTRY + 46, 0xff, 1, "is not UTF-8"},
    {FIRST + 26, 6, 2, "begins no header of it"},
    {SECOND + 28, 200, 2, "has 92 bytes from byte 352 on"},
    {STORED, 0x92, 1, "member \"f.npy\""},
    {STORED + 90, 7, 1, "has the sum"},
};

static void test_lies(void)
{
    for (size_t k = 0; k < sizeof lies / sizeof lies[0]; ++k) {
        tsr_model m;
        tsr_message error = {0, ""};
        unsigned char *const p = make();
        for (int i = 0; i < lies[k].n; ++i)
            p[lies[k].at + i] = (unsigned char)(lies[k].bytes >> 8 * i);
        bool const accepted = tsr_npz_view(p, BYTES, &m, &error);
        bool const ok = !accepted && strstr(error.text, lies[k].words);
        check(lies[k].words, ok);
        if (!ok)
            printf("  %s\n", accepted ? "accepted" : error.text);
        if (accepted)
            tsr_model_close(&m);
        free(p);
    }
}

static void test_names(void)
{
    tsr_model m;
    tsr_message error = {0, ""};
    unsigned char *const p = make();
    p[ENTRY + 46] = 'f'; /* the directory alone names members */
    check("a name twice", !tsr_npz_view(p, BYTES, &m, &error) && strstr(error.text, "the name \"f\" twice"));
    p[ENTRY + 46] = 'a';
    memcpy(p + ENTRY + 46, "a.txt", 5);
    bool const ok = tsr_npz_view(p, BYTES, &m, &error);
    check("a member that is no array", ok && m.count == 2 && tsr_model_find(&m, "a.txt") == 0
                                           && tsr_model_is_opaque(&m.tensor[0])
                                           && strcmp(m.tensor[0].format, "type file") == 0 && is_right(&m, "f"));
    if (ok)
        tsr_model_close(&m);
    free(p);
}

int main(void)
{
    test_whole();
    test_every_byte();
    test_truncated();
    test_lies();
    test_names();
    return report();
}
