/** Bytes as a file of the kernel cache, and as the parts of one: a whole file gives back its parts, and one with a byte
 *  changed, cut or added, or of another key, gives nothing; nothing is read beyond the end. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/store.h"

/** A copy at the end of memory of its own, as far as a text that ends with a zero can be. */
static gpu_text exact(void const *data, size_t n)
{
    gpu_text r = {(char *)malloc(n + 1), n, n + 1, false};
    if (!r.data)
        exit(2);
    if (n > 0)
        memcpy(r.data, data, n);
    r.data[n] = 0;
    return r;
}

static bool understood(void const *data, size_t n, gpu_text const *key, tsr_gpu_binary *b)
{
    gpu_text file = exact(data, n);
    memset(b, 0, sizeof *b);
    bool const ok = tsr_gpu_store_understand_(&file, key, b);
    if (!ok && (b->cubin || b->names))
        abort();
    tsr_gpu_text_free_(&file);
    return ok;
}

static void must_refuse(void const *data, size_t n, gpu_text const *key)
{
    tsr_gpu_binary b;
    if (understood(data, n, key, &b))
        abort();
}

/** A file as gpu_store_write makes it. */
static gpu_text make_file(gpu_text const *key, char const *names, size_t names_bytes, int32_t kernels,
                          char const *cubin, size_t bytes)
{
    gpu_text file = {0};
    tsr_gpu_put_string_(&file, "tessera gpu 1\n");
    tsr_gpu_put_field_(&file, "key", key->data, key->length);
    tsr_gpu_put_field_(&file, "names", names, names_bytes);
    tsr_gpu_put_field_(&file, "kernels", &kernels, sizeof kernels);
    tsr_gpu_put_field_(&file, "cubin", cubin, bytes);
    uint64_t const hash = tsr_gpu_hash_(file.data, file.length);
    tsr_gpu_put_field_(&file, "hash", &hash, sizeof hash);
    return file;
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    tsr_gpu_binary b;
    size_t const third = size / 3;
    char const *const p = (char const *)data;
    int32_t kernels = 0;
    gpu_text key = exact(p, third), other = exact(p, third);
    must_refuse(data, size, &key);
    for (size_t i = third; i < 2 * third; ++i)
        kernels += p[i] == 0;
    gpu_text file = make_file(&key, p + third, third, kernels, p + 2 * third, size - 2 * third);
    if (!understood(file.data, file.length, &key, &b) || b.bytes != size - 2 * third || b.names_bytes != third
        || memcmp(b.cubin, p + 2 * third, b.bytes) != 0 || memcmp(b.names, p + third, third) != 0)
        abort();
    for (int32_t i = 0; i < kernels; ++i) {
        char const *const name = tsr_gpu_binary_name(&b, i);
        if (name < b.names || name + strlen(name) >= b.names + b.names_bytes)
            abort();
    }
    tsr_gpu_binary_free(&b);
    size_t const at = (size_t)tsr_gpu_hash_(data, size) % file.length;
    must_refuse(file.data, at, &key);
    must_refuse(file.data, file.length + 1, &key);
    file.data[at] = (char)(file.data[at] ^ (1 << at % 8));
    must_refuse(file.data, file.length, &key);
    file.data[at] = (char)(file.data[at] ^ (1 << at % 8));
    if (third > 0) {
        other.data[at % third] = (char)(other.data[at % third] + 1);
        must_refuse(file.data, file.length, &other);
    }
    /* The parts are the file's own, but it says another number of kernels, with a hash that is right. */
    gpu_text lying = make_file(&key, p + third, third, kernels + 1, p + 2 * third, size - 2 * third);
    must_refuse(lying.data, lying.length, &key);
    tsr_gpu_text_free_(&lying);
    tsr_gpu_text_free_(&file);
    tsr_gpu_text_free_(&key);
    tsr_gpu_text_free_(&other);
    return 0;
}
