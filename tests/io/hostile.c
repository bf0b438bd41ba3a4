/** Files that are not what they say: each is refused with its own words, and nothing is read beyond its end (every
 *  file lies at the end of an allocation of exactly its size). */
#include "io_test.h"

typedef struct hostile_npy {
    char const *header; /* "\n" is appended when `padded` */
    int major, minor;
    long long length; /* what the prefix claims; -1: the truth */
    int data;         /* bytes behind the header */
    char const *words;
} hostile_npy;

#define HEADER(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"
#define F4(shape) HEADER("'<f4'", "False", shape)
#define TYPE(descr) HEADER(descr, "False", "(2,)")

/* clang-format off */
static hostile_npy const arrays[] = {
    {F4("(2,)"), 0, 0, -1, 8, "version 0.0"},
    {F4("(2,)"), 4, 0, -1, 8, "version 4.0"},
    {F4("(2,)"), 1, 7, -1, 8, "version 1.7"},
    {F4("(2,)"), 1, 0, 65535, 8, "is to have 65535 bytes"},
    {F4("(2,)"), 2, 0, 0xffffffff, 8, "is to have 4294967295 bytes"},
    {F4("(2,)"), 3, 0, 20, 8, "does not end with a newline"},
    {"\n", 1, 0, -1, 8, "the header ends where a '{'"},
    {"{'descr\n", 1, 0, -1, 8, "the string at character 1 of the header has no end"},
    {"[]\n", 1, 0, -1, 8, "is not the '{'"},
    {"{'descr': '<f4'\n", 1, 0, -1, 8, "ends where a '}' of the dictionary"},
    {"{'descr': '<f4', 'fortran_order': False, }\n", 1, 0, -1, 8, "no 'shape'"},
    {"{'descr': '<f4', 'shape': (2,), }\n", 1, 0, -1, 8, "no 'fortran_order'"},
    {"{'fortran_order': False, 'shape': (2,), }\n", 1, 0, -1, 8, "no 'descr'"},
    {"{'descr': '<f4', 'descr': '<f4', }\n", 1, 0, -1, 8, "the key 'descr' twice"},
    {"{'shape': (2,), 'shape': (2,), }\n", 1, 0, -1, 8, "the key 'shape' twice"},
    {"{'order': 'C', }\n", 1, 0, -1, 8, "unknown key 'order'"},
    {"{'a key that is much longer than any key': 1}\n", 1, 0, -1, 8, "has 38 characters"},
    {"{descr: '<f4'}\n", 1, 0, -1, 8, "does not begin the key"},
    {"{'descr' '<f4'}\n", 1, 0, -1, 8, "is not the ':' after a key"},
    {"{'des\\x63r': '<f4'}\n", 1, 0, -1, 8, "has a backslash"},
    {TYPE("'<f4\n"), 1, 0, -1, 8, "is not the '}'"},
    {TYPE("f4"), 1, 0, -1, 8, "does not begin the type"},
    {TYPE("'f4'"), 1, 0, -1, 8, "'f4' is not the name of a type"},
    {TYPE("'<f'"), 1, 0, -1, 8, "'<f' is not the name"},
    {TYPE("'<f04'"), 1, 0, -1, 8, "'<f04' is not the name"},
    {TYPE("'<f99999999999'"), 1, 0, -1, 8, "'<f99999999999' is not the name"},
    {TYPE("'<f-4'"), 1, 0, -1, 8, "'<f-4' is not the name"},
    {TYPE("'|f4'"), 1, 0, -1, 8, "does not say its byte order"},
    {TYPE("'<f3'"), 1, 0, -1, 8, "no element type for '<f3'"},
    {TYPE("'<U4'"), 1, 0, -1, 32, "no element type for '<U4'"},
    {TYPE("'<M8'"), 1, 0, -1, 16, "no element type for '<M8'"},
    {TYPE("'|V1'"), 1, 0, -1, 2, "raw bytes ('|V1'): the type must be given, one of 8 bits"},
    {TYPE("'|V2'"), 1, 0, -1, 4, "raw bytes ('|V2'): the type must be given, one of 16 bits"},
    {TYPE("'|O'"), 1, 0, -1, 8, "Python objects"},
    {TYPE("[('x', '<f4')]"), 1, 0, -1, 8, "choose one of their fields x (--tensor)"},
    {TYPE("[('x', '<f4'), ('', '|V4'), ('y', '<U3', (2,)), ('z', [('u', '<M8[ns]')])]"),
     1, 0, -1, 8, "fields x, y, z.u (--tensor)"},
    {TYPE("[(('title', 'x'), '<f4')]"), 1, 0, -1, 8, "fields x (--tensor)"},
    {TYPE("[]"), 1, 0, -1, 8, "structures without fields"},
    {TYPE("[('x', '<f4')"), 1, 0, -1, 8, "is not the '(' of a field"},
    {TYPE("[('x' '<f4')]"), 1, 0, -1, 8, "after the name of a field"},
    {TYPE("[('x', 4)]"), 1, 0, -1, 8, "does not begin the type of a field"},
    {TYPE("[('x', '<f')]"), 1, 0, -1, 8, "field x: '<f' is not the name of a type"},
    {TYPE("[('x', '<f4', 3)]"), 1, 0, -1, 8, "is not the '(' of the shape of a field"},
    {TYPE("[('x', '<f4', (3,)]"), 1, 0, -1, 8, "is not the ')' after a field"},
    {TYPE("[('x', '<f4', (-3,))]"), 1, 0, -1, 8, "the extent of a field"},
    {TYPE("[('x', '<f8', (4294967296, 4294967296))]"), 1, 0, -1, 8, "more than 16 dimensions, or 2^63 elements"},
    {TYPE("[('x', '<f8', (4611686018427387904,))]"), 1, 0, -1, 8, "field x has more than 2^63 bytes"},
    {TYPE("[('x', '|V2147483647', (4294967295,)), ('y', '|V2147483647', (4294967295,))]"),
     1, 0, -1, 8, "a structure has more than 2^63 bytes"},
    {TYPE("[('x', '<f4', (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1))]"), 1, 0, -1, 8, "more than 16 dimensions"},
    {TYPE("[('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', '<f4')])])])])])])])])]"),
     1, 0, -1, 8, "structures nest more than 8 deep"},
    {TYPE("'int4'"), 1, 0, -1, 8, "'int4' is not the name of a type"},
    {TYPE("'bfloat16_t'"), 1, 0, -1, 8, "'bfloat16_t' is not the name of a type"},
    {TYPE("'float8_e9m9'"), 1, 0, -1, 8, "'float8_e9m9' is not the name of a type"},
    {TYPE("'bfloat16'"), 1, 0, -1, 8, "4 bytes follow the 4 bytes"},
    {F4("(2L, 3L)"), 3, 0, -1, 24, "extent 0 of the shape is 2L, an integer of Python 2"},
    {HEADER("'<f4'", "true", "(2,)"), 1, 0, -1, 8, "neither True nor False"},
    {F4("(2)"), 1, 0, -1, 8, "the shape (2) is an integer in brackets"},
    {F4("2"), 1, 0, -1, 8, "is not the '(' of the shape"},
    {F4("[2]"), 1, 0, -1, 8, "is not the '(' of the shape"},
    {F4("(-2,)"), 1, 0, -1, 8, "extent 0 of the shape at character 51 of the header is negative"},
    {F4("(02,)"), 1, 0, -1, 8, "begins with a zero"},
    {F4("(2.0,)"), 1, 0, -1, 8, "is not an integer"},
    {F4("(True,)"), 1, 0, -1, 8, "extent 0 of the shape at character 51 of the header is not an integer"},
    {F4("((2,),)"), 1, 0, -1, 8, "extent 0 of the shape at character 51 of the header is not an integer"},
    {F4("(,)"), 1, 0, -1, 8, "extent 0 of the shape at character 51"},
    {F4("(2,,)"), 1, 0, -1, 8, "extent 1 of the shape at character 53"},
    {F4("(99999999999999999999,)"),
     1, 0, -1, 8, "extent 0 of the shape at character 51 of the header does not fit in 64 bits"},
    {F4("(4294967296, 4294967296)"), 1, 0, -1, 8, "extent 4294967296 of dimension 0 overflows"},
    {F4("(9223372036854775807,)"), 1, 0, -1, 8, "extent 9223372036854775807 of dimension 0"},
    {HEADER("'|u1'", "True", "(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2)"),
     1, 0, -1, 4, "17 dimensions, and 17 are left when"},
    {F4("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1,1,1,1,1,1,1,1,1,1,1)"), 1, 0, -1, 4, "65 dimensions, at most 64 are read"},
    {F4("(3,)"), 1, 0, -1, 8, "needs 12 bytes of elements, the file has 8"},
    {F4("(1000000, 1000000)"), 1, 0, -1, 8, "needs 4000000000000 bytes"},
    {F4("(1,)"), 1, 0, -1, 8, "4 bytes follow the 4 bytes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 1, 0, -1, 8, "does not end with a newline"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } # \n",
     1, 0, -1, 8, "after the dictionary, is not padding"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,\n", 1, 0, -1, 8, "is not an integer"},
};
/* clang-format on */

typedef struct hostile_json {
    char const *header;
    uint64_t length; /* 0: the truth */
    int data;
    char const *words;
} hostile_json;

/* clang-format off */
#define TENSOR(name, dtype, shape, offsets) "\"" name "\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define ONE(dtype, shape, offsets) "{" TENSOR("a", dtype, shape, offsets) "}"

static hostile_json const tensors[] = {
    {ONE("\"F32\"", "[2]", "[0,8]"), 4096, 8, "is to have 4096 bytes"},
    {ONE("\"F32\"", "[2]", "[0,8]"), 0xffffffffffffffffu, 8, "18446744073709551615 bytes, at most"},
    {" ", 0, 0, "does not begin with a '{'"},
    {"[]", 0, 0, "does not begin with a '{'"},
    {"{", 0, 0, "does not begin a name"},
    {"{\"a", 0, 0, "the string at character 1 of the header has no end"},
    {"{\"a\":1}", 0, 0, "is not the '{' of a tensor"},
    {"{\"a\":{}}", 0, 0, "has no \"dtype\""},
    {"{\"a\":{\"dtype\":\"F32\"}}", 0, 0, "has no \"shape\""},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 0, 8, "has no \"data_offsets\""},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, 8, "the key \"dtype\" twice"},
    {"{\"a\":{\"stride\":[2]}}", 0, 8, "the unknown key \"stride\""},
    {ONE("\"F33\"", "[2]", "[0,8]"), 0, 8, "the dtype \"F33\" is not known"},
    {ONE("5", "[2]", "[0,8]"), 0, 8, "does not begin the dtype"},
    {ONE("\"F32\"", "2", "[0,8]"), 0, 8, "is not the '[' of a shape"},
    {ONE("\"F32\"", "[-2]", "[0,8]"), 0, 8, "is negative"},
    {ONE("\"F32\"", "[2.0]", "[0,8]"), 0, 8, "the extent at character 29 of the header is not an integer"},
    {ONE("\"F32\"", "[2e0]", "[0,8]"), 0, 8, "the extent at character 29 of the header is not an integer"},
    {ONE("\"F32\"", "[02]", "[0,8]"), 0, 8, "begins with a zero"},
    {ONE("\"F32\"", "[[2]]", "[0,8]"), 0, 8, "is not an integer"},
    {ONE("\"F32\"", "[2,]", "[0,8]"), 0, 8, "the extent at character 31 of the header is not an integer"},
    {ONE("\"F32\"", "[99999999999999999999]", "[0,8]"), 0, 8, "does not fit in 64 bits"},
    {ONE("\"F32\"", "[4294967296,4294967296]", "[0,8]"), 0, 8, "has more than 2^63 elements"},
    {ONE("\"F32\"", "[2]", "[0]"), 0, 8, "between two offsets"},
    {ONE("\"F32\"", "[2]", "[0,8,9]"), 0, 8, "after two offsets"},
    {ONE("\"F32\"", "[2]", "[8,0]"), 0, 8, "ends at 0, before it begins at 8"},
    {ONE("\"F32\"", "[2]", "[0,9000]"), 0, 8, "ends at 9000, the file has 8"},
    {ONE("\"F32\"", "[3]", "[0,8]"), 0, 8, "needs 12 bytes, its offsets hold 8"},
    {ONE("\"F4\"", "[3]", "[0,2]"), 0, 2, "has 12 bits"},
    {ONE("\"F32\"", "[2]", "[4,12]"), 0, 12, "the bytes 0 to 3 belong to no tensor"},
    {ONE("\"F32\"", "[2]", "[0,8]"), 0, 9, "1 bytes follow the 8 bytes"},
    {"{" TENSOR("a", "\"F32\"", "[2]", "[0,8]") "," TENSOR("b", "\"F32\"", "[2]", "[4,12]") "}", 0, 12,
     "inside the one before it"},
    {"{" TENSOR("a", "\"F32\"", "[1]", "[0,4]") "," TENSOR("a", "\"F32\"", "[1]", "[4,8]") "}", 0, 8,
     "the name \"a\" twice"},
    {"{" TENSOR("a", "\"F32\"", "[1]", "[0,4]") ",}", 0, 4, "does not begin a name"},
    {"{" TENSOR("a", "\"F32\"", "[1]", "[0,4]") "}}", 0, 4, "after the object, is not a space"},
    {"{\"__metadata__\":{\"a\":1}}", 0, 0, "does not begin a value of the metadata"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, 0, "\"__metadata__\" twice"},
    {"{\"\\q\":{}}", 0, 0, "is not an escape"},
    {"{\"\\u12g4\":{}}", 0, 0, "is not a hexadecimal digit"},
    {"{\"\\u0000\":{}}", 0, 0, "has a zero character"},
    {"{\"\\ud800x\":{}}", 0, 0, "half a surrogate pair"},
    {"{\"\\udc00\":{}}", 0, 0, "half a surrogate pair"},
    {"{\"a\nb\":{}}", 0, 0, "is a control character"},
    {"{\"\xc0\xaf\":{}}", 0, 0, "is not UTF-8"},
    {"{\"\xed\xa0\x80\":{}}", 0, 0, "is not UTF-8"},
    {"{\"\xf0\x9f", 0, 0, "is not UTF-8"},
};
/* clang-format on */

/** Memory of exactly n bytes, so that a sanitizer sees what reads beyond it. */
static unsigned char *exact(size_t n)
{
    unsigned char *const p = (unsigned char *)calloc(n ? n : 1, 1);
    if (!p)
        exit(2);
    return p;
}

/** Refused, with these words. */
static void refused(char const *header, bool accepted, tsr_message const *error, char const *words)
{
    bool const ok = !accepted && strstr(error->text, words);
    check(header, ok);
    if (!ok)
        printf("  %s\n  wanted: %s\n", accepted ? "accepted" : error->text, words);
}

static void try_array(hostile_npy const *row)
{
    tsr_npy array;
    tsr_message error = {0, ""};
    size_t const n = strlen(row->header), begin = row->major > 1 ? 12 : 10, total = begin + n + (size_t)row->data;
    unsigned char *const p = exact(total);
    uint64_t const length = row->length < 0 ? n : (uint64_t)row->length;
    memcpy(p, "\x93NUMPY", 6);
    p[6] = (unsigned char)row->major;
    p[7] = (unsigned char)row->minor;
    for (size_t i = 8; i < begin; ++i)
        p[i] = (unsigned char)(length >> 8 * (i - 8) & 255);
    memcpy(p + begin, row->header, n);
    refused(row->header, tsr_npy_view(p, total, 0, &array, &error), &error, row->words);
    free(p);
}

static void try_tensors(hostile_json const *row)
{
    tsr_model file;
    tsr_message error = {0, ""};
    size_t const n = strlen(row->header), total = 8 + n + (size_t)row->data;
    unsigned char *const p = exact(total);
    uint64_t const length = row->length ? row->length : n;
    for (int i = 0; i < 8; ++i)
        p[i] = (unsigned char)(length >> 8 * i & 255);
    memcpy(p + 8, row->header, n);
    bool const accepted = tsr_safetensors_view(p, total, &file, &error);
    refused(row->header, accepted, &error, row->words);
    if (accepted)
        tsr_model_close(&file);
    free(p);
}

/** Every file that ends too early. */
static void try_truncated(void)
{
    static char const array[] =
        "\x93NUMPY\x01\0\x3b\0{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n....";
    static char const file[] =
        "\x3f\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}         ....";
    tsr_npy npy;
    tsr_model safe;
    tsr_message error = {0, ""};
    bool all = true;
    for (size_t n = 0; n < sizeof array - 1; ++n) {
        unsigned char *const p = exact(n);
        memcpy(p, array, n);
        all = !tsr_npy_view(p, n, 0, &npy, &error) && *error.text && all;
        free(p);
    }
    check("every beginning of an array is refused", all && tsr_npy_view(array, sizeof array - 1, 0, &npy, &error));
    all = true;
    for (size_t n = 0; n < sizeof file - 1; ++n) {
        unsigned char *const p = exact(n);
        memcpy(p, file, n);
        all = !tsr_safetensors_view(p, n, &safe, &error) && *error.text && all;
        free(p);
    }
    check("every beginning of a file of tensors is refused", all);
    check("the whole of it is not", tsr_safetensors_view(file, sizeof file - 1, &safe, &error));
    tsr_model_close(&safe);
}

/** A file of another format is called by its name, whatever it is opened as. */
static void try_formats(void)
{
    static struct {
        char const *begin, *words;
    } const rows[] = {
        {"PK\3\4\x2d\0\0\0\0\0\0\0", ", but a zip archive"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0", ", but a pointer of Git LFS"},
        {"\x89HDF\r\n\x1a\n", ", but an HDF5 file"},
        {"\x1f\x8b\x08", ", but compressed by gzip"},
        {"GGUF\3\0\0\0", ", but a GGUF file"},
        {"\x93NUMPY\1\0", ", but an .npy file"},
    };
    enum { SIZE = 64, ROWS = sizeof rows / sizeof rows[0] };
    tsr_npy npy;
    tsr_model m;
    tsr_message error = {0, ""};
    for (size_t i = 0; i < ROWS; ++i) {
        unsigned char *const p = exact(SIZE);
        memcpy(p, rows[i].begin, strlen(rows[i].begin));
        check(rows[i].words, !tsr_safetensors_view(p, SIZE, &m, &error) && strstr(error.text, rows[i].words)
                                 && strstr(error.text, "not a .safetensors file"));
        check(rows[i].words,
              i + 2 == ROWS || (!tsr_gguf_view(p, SIZE, &m, &error) && strstr(error.text, rows[i].words)));
        check(rows[i].words,
              i + 1 == ROWS || (!tsr_npy_view(p, SIZE, 0, &npy, &error) && strstr(error.text, rows[i].words)));
        free(p);
    }
}

/** Two arrays, as two calls of numpy.save with one open file write them. */
static void try_two_arrays(void)
{
    static char const one[] = "\x93NUMPY\x01\0\x3b\0{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } \n....";
    size_t const n = sizeof one - 1;
    tsr_npy npy;
    tsr_file file;
    tsr_message error = {0, ""};
    unsigned char *const p = exact(2 * n);
    char const *const path = scratch("hostile", "two.npy"), *const words = "another array follows at byte 73";
    memcpy(p, one, n);
    memcpy(p + n, one, n);
    check("two arrays in memory", !tsr_npy_view(p, 2 * n, 0, &npy, &error) && strstr(error.text, words));
    check("two arrays in a file",
          write_bytes(path, p, 2 * n) && !tsr_npy_open(path, &file, &error) && strstr(error.text, words));
    remove(path);
    free(p);
}

/** Files that cannot be opened at all. */
static void try_paths(void)
{
    tsr_file file;
    tsr_model safe;
    tsr_message error = {0, ""};
    check("a file that is not there", !tsr_npy_open("no/such/file.npy", &file, &error)
                                          && strstr(error.text, "no/such/file.npy: cannot be opened"));
    check("a folder", !tsr_npy_open(".", &file, &error) && strstr(error.text, "reading fails"));
    check("an empty file", write_bytes(scratch("hostile", "empty"), "", 0)
                               && !tsr_npy_open(scratch("hostile", "empty"), &file, &error)
                               && strstr(error.text, "does not begin with"));
    check("an empty file of tensors",
          !tsr_safetensors_open(scratch("hostile", "empty"), &safe, &error) && strstr(error.text, "it has 0 bytes"));
    remove(scratch("hostile", "empty"));
}

int main(void)
{
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        try_array(&arrays[i]);
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; ++i)
        try_tensors(&tensors[i]);
    try_truncated();
    try_formats();
    try_two_arrays();
    try_paths();
    return report();
}
