/** GGUF in: keys and values, a list of tensors, their bytes.
 *
 *      file    "GGUF" version (u32) tensors (u64) keys (u64) key.. tensor.. padding bytes
 *      key     string, type of the value (u32), value; an array is the type of its items, their number (u64), and they
 *      tensor  string, dimensions (u32), extents (u64 each, the fastest first), type (u32), offset of its bytes (u64)
 *      string  length (u64), UTF-8
 *
 *  Law     bytes, and each tensor in them, begin at a multiple of the key general.alignment (u32, a power of two; 32
 *          without it). All numbers are little-endian.
 *  Source  ggml, gguf.md; what its reader (gguf.cpp) refuses is refused here.
 *
 *  The header has no length. It is fetched once, into the head of the source, and walked along twice there: to find its
 *  end, and the room that its strings need; then to keep them.
 */
#include "io/gguf_types.h"
#include "io/model.h"
#include "io/scan.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DIMENSIONS = 4, LEAST_KEY = 13, LEAST_TENSOR = 24, ROOM_OF_NUMBER = 32 };
#define LONGEST (1u << 30) /* ggml's limit of strings and of arrays; here that of the whole header, too */

/** The header as it is read. */
typedef struct cursor {
    io_source *source;
    uint64_t at;
    size_t capacity; /* that the strings need */
    char *pool;      /* where they go; NULL: nowhere, this is the first reading */
    uint32_t alignment;
    uint64_t keys_begin, keys_end; /* where the keys are */
    char shown[64];                /* in the first reading: the last string, for messages */
    tsr_message *error;
} cursor;

/** The next n bytes, which are part of something. */
static bool take(cursor *c, uint64_t n, char const *what, unsigned char const **bytes)
{
    if (n > LONGEST - c->at)
        return tsr_io_fail_(c->error, "the header has more than %u bytes: %llu of them are %s", LONGEST,
                            (unsigned long long)n, what);
    if (!tsr_io_head_(c->source, c->at + n, c->error))
        return false;
    if (n > c->source->held - c->at)
        return tsr_io_fail_(c->error, "the file ends after %llu bytes, inside %s",
                            (unsigned long long)c->source->held, what);
    *bytes = c->source->head + c->at;
    c->at += n;
    return true;
}

/** A little-endian integer of n bytes. */
static bool take_integer(cursor *c, unsigned n, char const *what, uint64_t *out)
{
    unsigned char const *p = NULL;
    if (!take(c, n, what, &p))
        return false;
    *out = 0;
    for (unsigned i = 0; i < n; ++i)
        *out |= (uint64_t)p[i] << 8 * i;
    return true;
}

/** A string; in the first reading its beginning, until the next one. */
static bool take_string(cursor *c, char const *what, char const **out)
{
    uint64_t n = 0;
    unsigned char const *p = NULL;
    *out = c->shown;
    if (!take_integer(c, 8, what, &n))
        return false;
    if (n > LONGEST)
        return tsr_io_fail_(c->error, "%s at byte %llu is to have %llu bytes, at most %u are read", what,
                            (unsigned long long)c->at - 8, (unsigned long long)n, LONGEST);
    if (!take(c, n, what, &p))
        return false;
    if (!tsr_is_utf8_((char const *)p, (size_t)n))
        return tsr_io_fail_(c->error, "%s at byte %llu is not UTF-8", what, (unsigned long long)(c->at - n));
    c->capacity += (size_t)n + 1;
    snprintf(c->shown, sizeof c->shown, "%.*s", n < 60 ? (int)n : 60, (char const *)p);
    if (c->pool) {
        *out = c->pool;
        memcpy(c->pool, p, (size_t)n);
        c->pool[n] = 0;
        c->pool += n + 1;
    }
    return true;
}

/* Keys */

enum { U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64, VALUE_TYPES };

static unsigned char const value_bytes[VALUE_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/** A number as text. */
static void put_number(char *out, uint64_t type, uint64_t bits)
{
    uint64_t const sign = (uint64_t)1 << (8 * value_bytes[type] - 1);
    uint32_t const low = (uint32_t)bits;
    float single = 0;
    double real = 0;
    memcpy(&single, &low, sizeof single);
    memcpy(&real, &bits, sizeof real);
    if (type == BOOL)
        snprintf(out, ROOM_OF_NUMBER, "%s", bits ? "true" : "false");
    else if (type == F32)
        snprintf(out, ROOM_OF_NUMBER, "%.9g", (double)single);
    else if (type == F64)
        snprintf(out, ROOM_OF_NUMBER, "%.17g", real);
    else if (type == I8 || type == I16 || type == I32 || type == I64)
        snprintf(out, ROOM_OF_NUMBER, "%lld", (long long)((bits ^ sign) - sign));
    else
        snprintf(out, ROOM_OF_NUMBER, "%llu", (unsigned long long)bits);
}

static bool check_bool(cursor *c, uint64_t type, uint64_t value)
{
    return type != BOOL || value <= 1 ? true
                                      : tsr_io_fail_(c->error, "the truth value before byte %llu is %llu",
                                                     (unsigned long long)c->at, (unsigned long long)value);
}

/** An array: it is read, and not kept. */
static bool take_array(cursor *c, char const *key)
{
    char const *ignored = NULL;
    unsigned char const *p = NULL;
    uint64_t type = 0, count = 0;
    if (!take_integer(c, 4, "the type of an array", &type) || !take_integer(c, 8, "the length of an array", &count))
        return false;
    if (type >= VALUE_TYPES || type == ARRAY)
        return tsr_io_fail_(c->error, "key \"%.60s\" before byte %llu: an array has no items of type %llu", key,
                            (unsigned long long)c->at, (unsigned long long)type);
    if (count > LONGEST)
        return tsr_io_fail_(c->error, "the array before byte %llu is to have %llu items, at most %u are read",
                            (unsigned long long)c->at, (unsigned long long)count, LONGEST);
    size_t const capacity = c->capacity;
    char *const pool = c->pool;
    c->pool = NULL;
    for (uint64_t i = 0; type == STRING && i < count; ++i)
        if (!take_string(c, "a string of an array", &ignored))
            return false;
    c->capacity = capacity;
    c->pool = pool;
    if (!take(c, count * value_bytes[type], "an array", &p))
        return false;
    for (uint64_t i = 0; type == BOOL && i < count; ++i)
        if (!check_bool(c, type, p[i]))
            return false;
    return true;
}

/** The key whose number says at what multiples tensors begin. */
static bool take_alignment(cursor *c, uint64_t type, uint64_t value)
{
    if (type != U32 || value == 0 || (value & (value - 1)) != 0)
        return tsr_io_fail_(c->error,
                            "general.alignment is %llu of the value type %llu, not a power of two of type %d",
                            (unsigned long long)value, (unsigned long long)type, U32);
    c->alignment = (uint32_t)value;
    return true;
}

/** Whether the last string that was taken, of n bytes before `end`, is this one. */
static bool is_key(cursor const *c, uint64_t begin, uint64_t end, char const *key)
{
    return end - begin - 8 == strlen(key) && memcmp(c->source->head + begin + 8, key, strlen(key)) == 0;
}

static bool take_key(cursor *c, tsr_model *m)
{
    static char const alignment_key[] = "general.alignment";
    tsr_model_note note = {NULL, NULL};
    uint64_t type = 0, value = 0;
    uint64_t const begin = c->at;
    if (!take_string(c, "a key", &note.key))
        return false;
    bool const alignment = is_key(c, begin, c->at, alignment_key);
    if (c->at == begin + 8)
        return tsr_io_fail_(c->error, "the key at byte %llu is empty", (unsigned long long)begin);
    if (!take_integer(c, 4, "the type of a value", &type))
        return false;
    if (type >= VALUE_TYPES)
        return tsr_io_fail_(c->error, "the key before byte %llu has the unknown value type %llu",
                            (unsigned long long)c->at, (unsigned long long)type);
    if (type == ARRAY) {
        if (!take_array(c, note.key))
            return false;
    } else if (type == STRING) {
        if (!take_string(c, "a value", &note.value))
            return false;
    } else {
        if (!take_integer(c, value_bytes[type], "a value", &value) || !check_bool(c, type, value))
            return false;
        c->capacity += ROOM_OF_NUMBER;
        if (c->pool) {
            put_number(c->pool, type, value);
            note.value = c->pool;
            c->pool += ROOM_OF_NUMBER;
        }
    }
    if (alignment && !take_alignment(c, type, value))
        return false;
    return !m || tsr_model_add_note_(m, note) ? true : tsr_io_fail_(c->error, "out of memory for %d keys", m->notes);
}

/* Tensors */

/** Extents, the fastest one last; their product, and the first of the file. */
static bool take_extents(cursor *c, tsr_model_tensor *t, uint64_t *fastest)
{
    uint64_t rank = 0, n = 0;
    *fastest = 1;
    t->elements = 1;
    if (!take_integer(c, 4, "the dimensions of a tensor", &rank))
        return false;
    if (rank > MOST_DIMENSIONS)
        return tsr_io_fail_(c->error, "tensor \"%.60s\" has %llu dimensions, at most %d are allowed", t->name,
                            (unsigned long long)rank, MOST_DIMENSIONS);
    t->rank = (int)rank;
    for (int i = t->rank - 1; i >= 0; --i) {
        if (!take_integer(c, 8, "an extent", &n))
            return false;
        if (n > INT64_MAX || !tsr_mul64(t->elements, (int64_t)n, &t->elements))
            return tsr_io_fail_(c->error, "tensor \"%.60s\" has more than 2^63 elements", t->name);
        t->extent[i] = (int64_t)n;
        if (i == t->rank - 1)
            *fastest = n;
    }
    return true;
}

static bool keep_tensor(cursor *c, tsr_model *m, tsr_model_tensor const *t)
{
    tsr_model_tensor *const added = tsr_model_add_tensor_(m);
    if (!added)
        return tsr_io_fail_(c->error, "out of memory for %d tensors", m->count);
    *added = *t;
    return true;
}

/** "type 41" */
static char const *name_unknown(cursor *c, uint64_t type)
{
    char *const name = c->pool;
    snprintf(name, ROOM_OF_NUMBER, "type %llu", (unsigned long long)type);
    c->pool += ROOM_OF_NUMBER;
    return name;
}

/** A tensor of an unknown type hides no other. Where it ends is found when all places are known. */
static bool keep_opaque(cursor *c, tsr_model *m, tsr_model_tensor *t)
{
    if (t->begin > INT64_MAX)
        return tsr_io_fail_(c->error, "tensor \"%.60s\" begins beyond 2^63 bytes", t->name);
    if (c->source->size == IO_UNKNOWN)
        return tsr_io_fail_(c->error, "tensor \"%.60s\" has the unknown %s, whose end nobody knows in a stream",
                            t->name, t->format);
    t->end = t->elements > 0 ? UINT64_MAX : t->begin;
    return keep_tensor(c, m, t);
}

static bool take_tensor(cursor *c, tsr_model *m)
{
    tsr_model_tensor t;
    uint64_t fastest = 1, type = 0;
    int64_t bytes = 0, end = 0;
    memset(&t, 0, sizeof t);
    if (!take_string(c, "the name of a tensor", &t.name) || !take_extents(c, &t, &fastest)
        || !take_integer(c, 4, "the type of a tensor", &type)
        || !take_integer(c, 8, "the offset of a tensor", &t.begin))
        return false;
    if (!m) {
        c->capacity += ROOM_OF_NUMBER;
        return true;
    }
    gguf_type const *const row = tsr_gguf_type_of_(type);
    t.type = row ? row->type : 0;
    t.format = row ? row->name : name_unknown(c, type);
    if (!row)
        return keep_opaque(c, m, &t);
    if (fastest % (uint64_t)row->block != 0)
        return tsr_io_fail_(c->error, "tensor \"%.60s\": %llu elements are no whole blocks of %d (%s)", t.name,
                            (unsigned long long)fastest, row->block, row->name);
    if (!tsr_mul64(t.elements / row->block, row->bytes, &bytes) || t.begin > INT64_MAX
        || !tsr_add64((int64_t)t.begin, bytes, &end))
        return tsr_io_fail_(c->error, "tensor \"%.60s\" ends beyond 2^63 bytes", t.name);
    t.end = (uint64_t)end;
    return keep_tensor(c, m, &t);
}

/* The file */

static bool check_count(cursor *c, uint64_t count, unsigned least, char const *what)
{
    uint64_t const left = c->source->size == IO_UNKNOWN ? INT_MAX : (c->source->size - c->at) / least;
    return count <= left && count <= INT_MAX
               ? true
               : tsr_io_fail_(c->error, "the header announces %llu %s, there is room for %llu",
                              (unsigned long long)count, what, (unsigned long long)left);
}

/** The header, as far as the list of tensors; kept in the model if there is one. */
static bool read_header(cursor *c, tsr_model *m)
{
    unsigned char const *magic = NULL;
    uint64_t version = 0, tensors = 0, keys = 0;
    c->at = 0;
    c->alignment = 32;
    if (!take(c, 4, "the magic", &magic))
        return false;
    if (memcmp(magic, "GGUF", 4) != 0)
        return !tsr_io_is_other_(c->source, "a GGUF", c->error)
               && tsr_io_fail_(c->error, "this is not a GGUF file: it does not begin with GGUF");
    if (!take_integer(c, 4, "the version", &version))
        return false;
    if (version != 2 && version != 3)
        return tsr_io_fail_(c->error, "version %llu of the format is not known (2 and 3 are%s)",
                            (unsigned long long)version,
                            version << 32 >> 56 != 0 ? "; this file may be big-endian" : "");
    if (!take_integer(c, 8, "the number of tensors", &tensors) || !take_integer(c, 8, "the number of keys", &keys)
        || !check_count(c, tensors, LEAST_TENSOR, "tensors") || !check_count(c, keys, LEAST_KEY, "keys"))
        return false;
    c->keys_begin = c->at;
    for (uint64_t i = 0; i < keys; ++i)
        if (!take_key(c, m))
            return false;
    c->keys_end = c->at;
    if (m)
        m->key_count = keys;
    for (uint64_t i = 0; i < tensors; ++i)
        if (!take_tensor(c, m))
            return false;
    return true;
}

/** Where a tensor surely reaches. */
static uint64_t known_end(tsr_model_tensor const *t) { return tsr_model_is_opaque(t) ? t->begin : t->end; }

/** Where the data begin behind the header, and how many bytes they have: of a stream what the tensors need. */
static bool find_data(cursor const *c, tsr_model const *m, uint64_t *begin, uint64_t *there)
{
    uint64_t const size = c->source->size;
    uint64_t need = 0;
    for (int i = 0; i < m->count; ++i)
        need = known_end(&m->tensor[i]) > need ? known_end(&m->tensor[i]) : need;
    *begin = c->at + (c->alignment - c->at % c->alignment) % c->alignment;
    if (need == 0 && (size == IO_UNKNOWN || *begin > size)) /* there may be no padding */
        *begin = size == IO_UNKNOWN ? c->at : size;
    if (*begin > size)
        return tsr_io_fail_(c->error, "the data begin at byte %llu, the file has %llu", (unsigned long long)*begin,
                            (unsigned long long)size);
    *there = size == IO_UNKNOWN ? need : size - *begin;
    for (int i = 0; i < m->count; ++i)
        if (known_end(&m->tensor[i]) > *there)
            return tsr_io_fail_(c->error, "tensor \"%.60s\" ends at %llu, the file has %llu bytes of tensors",
                                m->tensor[i].name, (unsigned long long)known_end(&m->tensor[i]),
                                (unsigned long long)*there);
    return true;
}

/** Keeps the keys as they are, for a writer. */
static bool keep_keys_as_they_are(cursor const *c, tsr_model *m)
{
    m->key_bytes = c->keys_end - c->keys_begin;
    m->keys = (unsigned char *)malloc((size_t)m->key_bytes + 1);
    if (!m->keys)
        return tsr_io_fail_(c->error, "out of memory for %llu bytes of keys", (unsigned long long)m->key_bytes);
    memcpy(m->keys, c->source->head + c->keys_begin, (size_t)m->key_bytes);
    return true;
}

bool tsr_gguf_judge_(io_source *source, tsr_model *m, uint64_t *begin, uint64_t *there, tsr_message *error)
{
    cursor c = {.source = source, .error = error};
    if (!read_header(&c, NULL))
        return false;
    m->names = c.pool = (char *)malloc(c.capacity + 1);
    if (!m->names)
        return tsr_io_fail_(error, "out of memory for %zu bytes of names", c.capacity);
    return read_header(&c, m) && keep_keys_as_they_are(&c, m) && tsr_model_notes_once_(m, error)
           && find_data(&c, m, begin, there) && tsr_model_check_(m, *there, c.alignment, error);
}

bool tsr_gguf_view(void const *data, uint64_t size, tsr_model *model, tsr_message *error)
{
    return tsr_model_view_(data, size, tsr_gguf_judge_, model, error);
}

bool tsr_gguf_open(char const *path, tsr_model *model, tsr_message *error)
{
    return tsr_model_open_(path, tsr_gguf_judge_, model, error);
}
