/** Text that grows. */
#include "gpu/text.h"

#include <stdio.h>
#include <stdlib.h>

static bool make_room(gpu_text *to, size_t bytes)
{
    size_t room = to->room ? to->room : 4096;
    if (bytes >= SIZE_MAX / 4 - to->length)
        return false;
    while (room < to->length + bytes + 1)
        room *= 2;
    if (room == to->room)
        return true;
    char *const data = (char *)realloc(to->data, room);
    if (!data)
        return false;
    to->data = data;
    to->room = room;
    return true;
}

void gpu_put(gpu_text *to, void const *data, size_t bytes)
{
    to->full = to->full || !make_room(to, bytes);
    if (to->full)
        return;
    if (bytes > 0)
        memcpy(to->data + to->length, data, bytes);
    to->length += bytes;
    to->data[to->length] = 0;
}

void gpu_put_string(gpu_text *to, char const *text) { gpu_put(to, text, strlen(text)); }

void gpu_put_number(gpu_text *to, int64_t n)
{
    char digits[24];
    gpu_put(to, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)n));
}

void gpu_put_field(gpu_text *to, char const *name, void const *data, size_t bytes)
{
    gpu_put_string(to, name);
    gpu_put_string(to, " ");
    gpu_put_number(to, (int64_t)bytes);
    gpu_put_string(to, "\n");
    gpu_put(to, data, bytes);
    gpu_put_string(to, "\n");
}

void gpu_text_free(gpu_text *text)
{
    free(text->data);
    memset(text, 0, sizeof *text);
}
