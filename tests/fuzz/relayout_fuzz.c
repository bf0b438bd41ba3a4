/** A line SHAPE;DESCR;ORDER;PERMUTE;TILE;LAYOUT;CAST;SLICE;BYTES, the last of boxes, as an array in memory and what
 *  tessera relayout is to do with it: nothing is read or written beyond the two arrays, what is refused says why, and
 *  what is done is verified from the other side. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/relayout.h"
#include "../../cli/words.h"

enum { FIELDS = 9, HEADER = 256, LARGEST = 1 << 16 };

static char said[4096];

void complain(options const *o, char const *format, ...)
{
    va_list args;
    (void)o;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
}

void point_at_error(options const *o, char const *expression)
{
    (void)o;
    (void)expression;
}

/** An .npy file of exactly the size that its header announces, its bytes counted; NULL when it is refused or large. */
static unsigned char *make_array(char const *shape, char const *descr, bool fortran, tsr_npy *array)
{
    char header[HEADER + 1];
    tsr_message error = {0, ""};
    int const n = snprintf(header, sizeof header, "{'descr': '%.16s', 'fortran_order': %s, 'shape': (%.120s), }",
                           descr, fortran ? "True" : "False", shape);
    unsigned char *p = (unsigned char *)calloc(10 + HEADER, 1);
    if (!p || n >= HEADER)
        return free(p), NULL;
    memcpy(p, "\x93NUMPY\x01\0\0\x01", 10); /* 256 bytes of header */
    memset(p + 10, ' ', HEADER);
    memcpy(p + 10, header, (size_t)n);
    p[10 + HEADER - 1] = '\n';
    unsigned long long need = 0; /* the refusal says it */
    if (tsr_npy_view(p, 10 + HEADER, 0, array, &error))
        return array->elements == 0 ? p : (abort(), p);
    if (sscanf(error.text, "the shape needs %llu", &need) != 1 || need > LARGEST) {
        if (*error.text == 0)
            abort();
        return free(p), NULL;
    }
    unsigned char *const file = (unsigned char *)malloc(10 + HEADER + (size_t)need);
    if (file) {
        memcpy(file, p, 10 + HEADER);
        for (size_t i = 0; i < need; ++i)
            file[10 + HEADER + i] = (unsigned char)(i * 7 + i / 251);
        if (!tsr_npy_view(file, 10 + HEADER + need, 0, array, &error))
            abort();
    }
    free(p);
    return file;
}

static void relayout_in_memory(options const *o, tsr_tensor in, int64_t box)
{
    relayout r;
    said[0] = 0;
    if (!relayout_take(o, &in, &r)) {
        if (said[0] == 0)
            abort();
        return;
    }
    if (tsr_layout_size(in.layout) == 0)
        return;
    int64_t bytes = 0;
    tsr_layout const l = tsr_make_layout_from(tsr_is_leaf(&r.shape) ? tsr_tuple_1(r.shape) : r.shape, tsr_right());
    if (!tsr_layout_ok(l) || !tsr_mul64(tsr_layout_size(l), tsr_dtype_bits(r.type), &bytes)
        || bytes > (int64_t)32 * LARGEST)
        return;
    bytes = (bytes + 7) / 8;
    unsigned char *const memory = (unsigned char *)calloc((size_t)bytes, 1);
    if (!memory)
        return;
    tsr_tensor const out = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, memory, false, r.type), l);
    relayout_move *const m = (relayout_move *)calloc(1, sizeof *m);
    if (!m)
        abort();
    relayout_make_move(&r, &in, &out, m);
    if (box > 0 && !m->plan.why.status)
        relayout_cut(m, tsr_max64(box, bytes / 16)); /* a plan each: not too many */
    tsr_tensor constant = out;
    constant.engine.constant = true;
    tsr_message error;
    if (m->plan.why.status || relayout_run(m, NULL, NULL, &error) != tsr_layout_size(in.layout)
        || !relayout_verify(o, &r, in, constant, NULL, NULL)) {
        printf("status %d, %s\n", m->plan.why.status, said);
        fflush(stdout);
        abort();
    }
    free(m);
    free(memory);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char text[1024];
    char *field[FIELDS] = {NULL};
    tsr_npy array;
    int fields = 0;
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *p = text; p && fields < FIELDS; ++fields) {
        field[fields] = p;
        p = strchr(p, ';');
        if (p)
            *p++ = 0;
    }
    if (fields < 2)
        return 0;
    unsigned char *const file = make_array(field[0], field[1], field[2] && *field[2] == 'F', &array);
    static char const *const names[] = {"--permute", "--tile", "--layout", "--cast", "--slice"};
    options asked = {.command = "relayout"};
    for (int i = 0; i < 5; ++i) {
        if (!field[3 + i] || !*field[3 + i] || (i == 2 && option_of(&asked, "--tile")))
            continue;
        asked.given[asked.count].name = names[i];
        asked.given[asked.count++].value = field[3 + i];
    }
    int64_t const box = field[8] ? strtol(field[8], NULL, 10) : 0;
    if (file && !array.swapped)
        relayout_in_memory(&asked, array_of_file(&(tsr_file){.tensor = array.tensor, .npy = array}), box);
    if (file && !array.swapped) { /* the same bytes as elements of 4 or 6 bits, where they are whole ones */
        tsr_tensor const small = tsr_recast(array.tensor, size % 2 ? TSR_F4_E2M1 : TSR_F6_E2M3);
        if (!tsr_tensor_why(small).status)
            relayout_in_memory(&asked, small, box);
    }
    free(file);
    return 0;
}
