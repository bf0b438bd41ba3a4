/** A file of tensors: each type at its place, names of any characters, and what has no layout. */
#include "io_test.h"

/** Header and data in one buffer; returns the size. */
static size_t make_file(unsigned char *out, char const *header, unsigned char const *data, size_t bytes)
{
    size_t const n = strlen(header);
    for (int i = 0; i < 8; ++i)
        out[i] = (unsigned char)((uint64_t)n >> 8 * i & 255);
    memcpy(out + 8, header, n);
    memcpy(out + 8 + n, data, bytes);
    return 8 + n + bytes;
}

static double element(tsr_model const *f, char const *name, tsr_tuple at)
{
    tsr_tensor t;
    tsr_number x = tsr_number_real(-1);
    tsr_message error;
    if (!tsr_model_get(f, name, &t, &error) || tsr_tensor_read(t, at, &x).status)
        return -1;
    return tsr_number_to_double(x);
}

/** One tensor of every type that safetensors has. */
static void test_types(void)
{
    static struct {
        char const *name;
        int bits;
    } const types[] = {
#define X(id, code, bits, exponent, mantissa, bias, special, name, numpy, safetensors) {safetensors, bits},
        TSR_DTYPE_LIST(X)
#undef X
    };
    for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k) {
        unsigned char out[512], data[64];
        char header[256];
        tsr_model f;
        tsr_message error;
        if (*types[k].name == 0)
            continue;
        memset(data, 0x55, sizeof data);
        snprintf(header, sizeof header, "{\"t\":{\"dtype\":\"%s\",\"shape\":[2,4],\"data_offsets\":[0,%d]}}  ",
                 types[k].name, types[k].bits);
        size_t const n = make_file(out, header, data, (size_t)types[k].bits);
        bool const ok = tsr_safetensors_view(out, n, &f, &error);
        tsr_tensor t;
        check(types[k].name, ok && tsr_model_get(&f, "t", &t, &error)
                                 && tsr_dtype_bits(t.engine.type) == types[k].bits && t.engine.constant
                                 && !tsr_within(t, f.data, (uint64_t)types[k].bits).status);
        if (ok)
            tsr_model_close(&f);
    }
}

static void test_file(void)
{
    static char const header[] =
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"b\":{\"data_offsets\":[4,10],\"shape\":[3,2],\"dtype\":\"U8\"},"
        "\"a\\u00e9\\ud83d\\ude00\\n\":{\"dtype\":\"I16\",\"shape\":[],\"data_offsets\":[0,2]},"
        "\"nested/name.weight\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[2,4]},"
        "\"empty\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[10,10]},"
        "\"deep\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"data_offsets\":[10,11]}}";
    static unsigned char const data[11] = {7, 0, 0x21, 0x43, 10, 11, 20, 21, 30, 31, 9};
    unsigned char out[1024];
    tsr_model f;
    tsr_tensor t;
    tsr_message error;
    size_t const n = make_file(out, header, data, sizeof data);
    check("write", write_bytes(scratch("safe", "file.safetensors"), out, n));
    if (!tsr_safetensors_open(scratch("safe", "file.safetensors"), &f, &error)) {
        check(error.text, false);
        return;
    }
    check("all tensors, in the order of their data", f.count == 5 && strcmp(f.tensor[2].name, "b") == 0);
    check("escapes", strcmp(f.tensor[0].name, "a\xc3\xa9\xf0\x9f\x98\x80\n") == 0);
    check("no dimensions", tsr_model_get(&f, f.tensor[0].name, &t, &error) && tsr_is_unit(&t.layout.shape));
    check("C order", element(&f, "b", tsr_t(2, 1)) == 31 && element(&f, "b", tsr_t(0, 1)) == 11);
    check("four bits, the lower ones first",
          element(&f, "nested/name.weight", tsr_t(0)) == 0.5 && element(&f, "nested/name.weight", tsr_t(3)) == 2);
    check("an empty one is listed",
          !tsr_model_get(&f, "empty", &t, &error) && strstr(error.text, "extent 1 is 0"));
    check("one of 17 dimensions, too",
          !tsr_model_get(&f, "deep", &t, &error) && strstr(error.text, "17 dimensions"));
    check("no such name",
          !tsr_model_get(&f, "c", &t, &error) && strstr(error.text, "no tensor of the 5 is named \"c\""));
    tsr_model_close(&f);
    remove(scratch("safe", "file.safetensors"));
    check("no tensors at all", tsr_safetensors_view("\2\0\0\0\0\0\0\0{}", 10, &f, &error) && f.count == 0);
    tsr_model_close(&f);
}

int main(void)
{
    test_types();
    test_file();
    return report();
}
