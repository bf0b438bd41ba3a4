/** Text that grows. */
#include "gpu/text.h"

#include <stdio.h>
#include <stdlib.h>

static bool grow(gpu_text *to, size_t bytes)
{
    size_t capacity = to->capacity ? to->capacity : 4096;
    if (bytes >= SIZE_MAX / 4 - to->length)
        return false;
    while (capacity < to->length + bytes + 1)
        capacity *= 2;
    if (capacity == to->capacity)
        return true;
    char *const data = (char *)realloc(to->data, capacity);
    if (!data)
        return false;
    to->data = data;
    to->capacity = capacity;
    return true;
}

void tsr_gpu_put_(gpu_text *to, void const *data, size_t bytes)
{
    to->full = to->full || !grow(to, bytes);
    if (to->full)
        return;
    if (bytes > 0)
        memcpy(to->data + to->length, data, bytes);
    to->length += bytes;
    to->data[to->length] = 0;
}

void tsr_gpu_put_string_(gpu_text *to, char const *text) { tsr_gpu_put_(to, text, strlen(text)); }

void tsr_gpu_put_number_(gpu_text *to, int64_t n)
{
    char digits[24];
    tsr_gpu_put_(to, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)n));
}

void tsr_gpu_put_field_(gpu_text *to, char const *name, void const *data, size_t bytes)
{
    tsr_gpu_put_string_(to, name);
    tsr_gpu_put_string_(to, " ");
    tsr_gpu_put_number_(to, (int64_t)bytes);
    tsr_gpu_put_string_(to, "\n");
    tsr_gpu_put_(to, data, bytes);
    tsr_gpu_put_string_(to, "\n");
}

void tsr_gpu_text_free_(gpu_text *text)
{
    free(text->data);
    memset(text, 0, sizeof *text);
}
