/** From a source and its layouts to code, by NVRTC. */
#include "gpu/compile.h"
#include "gpu/call.h"
#include "gpu/header.h"
#include "tessera/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPTIONS = 64, NAMES = 512 };

char const *tsr_gpu_header(void) { return tsr_gpu_header_text_; }

void tsr_gpu_log_(tsr_gpu_log const *log, char const *words)
{
    if (log && log->size > 0)
        snprintf(log->text, log->size, "%s", words);
}

static tsr_gpu_result no_memory(size_t bytes) { return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)bytes, 0, 0); }

static bool is_identifier(char const *name)
{
    if (!name || !*name || (*name >= '0' && *name <= '9'))
        return false;
    for (; *name; ++name)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || (*name >= '0' && *name <= '9')
              || *name == '_'))
            return false;
    return true;
}

/** The line that defines a constant, under its notation as a comment. */
static void put_constant(gpu_text *program, tsr_gpu_constant const *c)
{
    char text[2 * TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, c->layout, 0);
    tsr_gpu_put_string_(program, "/* ");
    tsr_gpu_put_string_(program, text);
    tsr_gpu_put_string_(program, " */\nstatic constexpr tsr_layout ");
    tsr_gpu_put_string_(program, c->name);
    tsr_gpu_put_string_(program, " = ");
    size_t const length = tsr_format_layout_source(text, sizeof text, c->layout);
    tsr_gpu_put_(program, text, length < sizeof text ? length : sizeof text - 1);
    tsr_gpu_put_string_(program, ";\n");
}

/** Whether a source includes headers of the library by itself. */
static bool includes(char const *text)
{
    for (char const *at = text; (at = strstr(at, "#include")) != NULL;) {
        char line[128] = "";
        at += strlen("#include");
        size_t const length = strcspn(at, "\n");
        memcpy(line, at, length < sizeof line ? length : sizeof line - 1);
        if (strstr(line, "tessera") || strstr(line, "gpu/kernels/"))
            return true;
    }
    return false;
}

tsr_gpu_result tsr_gpu_program_(tsr_gpu_source const *source, tsr_gpu_log const *log, gpu_text *program)
{
    char reason[TSR_TEXT_SIZE];
    tsr_gpu_log_(log, "");
    if (source->header || !includes(source->text))
        tsr_gpu_put_string_(program, "#include \"tessera/tessera.h\"\n");
    else if (source->constant_count > 0)
        tsr_gpu_put_string_(program, "#include \"tessera/core/layout.h\"\n");
    for (int i = 0; i < source->constant_count; ++i) {
        tsr_gpu_constant const *const c = &source->constants[i];
        if (!is_identifier(c->name))
            return tsr_gpu_refuse_(TSR_GPU_NAME, i, 0, 0);
        if (!tsr_layout_ok(c->layout)) {
            tsr_format_reason(reason, sizeof reason, tsr_why(c->layout));
            tsr_gpu_log_(log, reason);
            return tsr_gpu_refuse_(TSR_GPU_LAYOUT, i, 0, 0);
        }
        put_constant(program, c);
    }
    tsr_gpu_put_string_(program, "#line 1 \"kernel.cu\"\n");
    tsr_gpu_put_string_(program, source->text);
    return program->full ? no_memory(program->length) : tsr_gpu_fine_();
}

tsr_gpu_result tsr_gpu_key_(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                            gpu_text const *program, bool whole, gpu_text *key)
{
    int64_t const version[] = {gpu->major, gpu->minor};
    for (int i = 0; i < 2; ++i) {
        tsr_gpu_put_string_(key, "nvrtc ");
        tsr_gpu_put_number_(key, version[i]);
        tsr_gpu_put_string_(key, "\n");
    }
    tsr_gpu_put_field_(key, "arch", arch, strlen(arch));
    for (int i = 0; i < source->option_count; ++i)
        tsr_gpu_put_field_(key, "option", source->options[i], strlen(source->options[i]));
    for (int i = 0; i < source->kernel_count; ++i)
        tsr_gpu_put_field_(key, "kernel", source->kernels[i], strlen(source->kernels[i]));
    tsr_gpu_put_field_(key, "program", program->data, program->length);
    if (source->header)
        tsr_gpu_put_field_(key, "header", source->header, strlen(source->header));
    if (whole) /* in memory all entries have these */
        tsr_gpu_put_field_(key, "tessera", tsr_gpu_header_digest_, strlen(tsr_gpu_header_digest_));
    return key->full ? no_memory(key->length) : tsr_gpu_fine_();
}

/* The compiler */

/** A source reads the headers that it includes. A header of the caller is found under every name. NVRTC searches for
 *  other headers beside the source, first in the current folder. Below a device name no folder exists, so the result
 *  depends on the key alone. */
static tsr_gpu_result create(tsr_gpu const *gpu, tsr_gpu_source const *source, gpu_text const *program, void **made)
{
    char const *names[NAMES], *texts[NAMES];
    int count = 0;
    for (; count < NAMES && tsr_gpu_headers_[count].name; ++count) {
        names[count] = tsr_gpu_headers_[count].name;
        texts[count] = source->header ? source->header : tsr_gpu_headers_[count].text;
    }
    tsr_gpu_result const r =
        COMPILER(gpu, nvrtcCreateProgram, (made, program->data, "/dev/null/program.cu", count, texts, names));
    return tsr_gpu_given_(r, "nvrtcCreateProgram", made);
}

static void read_log(tsr_gpu const *gpu, void *program, tsr_gpu_log const *log)
{
    size_t bytes = 0;
    if (!log || gpu->nvrtcGetProgramLogSize(program, &bytes) != 0 || bytes > (size_t)GPU_MOST_CODE)
        return;
    char *const words = (char *)calloc(1, bytes + 1);
    if (words && gpu->nvrtcGetProgramLog(program, words) == 0)
        tsr_gpu_log_(log, words);
    free(words);
}

static tsr_gpu_result compile(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source, void *program,
                              tsr_gpu_log const *log)
{
    char architecture[64];
    char const *options[OPTIONS] = {architecture, "-std=c++17"};
    int const given = source->option_count;
    if (given < 0 || given > OPTIONS - 2)
        return tsr_gpu_refuse_(TSR_GPU_OPTIONS, given, OPTIONS - 2, 0);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", arch);
    for (int i = 0; i < given; ++i)
        options[2 + i] = source->options[i];
    for (int i = 0; i < source->kernel_count; ++i) {
        tsr_gpu_result const r = COMPILER(gpu, nvrtcAddNameExpression, (program, source->kernels[i]));
        if (!tsr_gpu_ok(r))
            return r;
    }
    tsr_gpu_result r = COMPILER(gpu, nvrtcCompileProgram, (program, 2 + given, options));
    read_log(gpu, program, log);
    if (r.status == TSR_GPU_CALL)
        r.status = TSR_GPU_COMPILE;
    return r;
}

/** The code and the names of its kernels, out of the compiler's memory. */
static tsr_gpu_result take(tsr_gpu const *gpu, tsr_gpu_source const *source, void *program, tsr_gpu_binary *b)
{
    gpu_text names = {0};
    tsr_gpu_result r = COMPILER(gpu, nvrtcGetCUBINSize, (program, &b->bytes));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("nvrtcGetCUBINSize", "bytes of code", tsr_gpu_shown_(b->bytes), 1, GPU_MOST_CODE);
    if (tsr_gpu_ok(r) && !(b->cubin = calloc(1, b->bytes + 1)))
        r = no_memory(b->bytes);
    if (tsr_gpu_ok(r))
        r = COMPILER(gpu, nvrtcGetCUBIN, (program, (char *)b->cubin));
    for (int i = 0; i < source->kernel_count && tsr_gpu_ok(r); ++i) {
        char const *name = NULL;
        r = COMPILER(gpu, nvrtcGetLoweredName, (program, source->kernels[i], &name));
        if (tsr_gpu_ok(r) && !name)
            r = tsr_gpu_fail_(TSR_GPU_NOTHING, "nvrtcGetLoweredName", 0, "name", "");
        if (tsr_gpu_ok(r))
            tsr_gpu_put_(&names, name, strlen(name) + 1);
    }
    if (tsr_gpu_ok(r) && names.full)
        r = no_memory(names.length);
    b->names = names.data;
    b->names_bytes = names.length;
    b->kernels = source->kernel_count;
    return r;
}

tsr_gpu_result tsr_gpu_compile_program_(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                                        gpu_text const *text, tsr_gpu_log const *log, tsr_gpu_binary *binary)
{
    void *program = NULL;
    memset(binary, 0, sizeof *binary);
    tsr_gpu_result r = create(gpu, source, text, &program);
    if (!tsr_gpu_ok(r))
        return r;
    r = compile(gpu, arch, source, program, log);
    if (tsr_gpu_ok(r))
        r = take(gpu, source, program, binary);
    if (!tsr_gpu_ok(r))
        tsr_gpu_binary_free(binary);
    gpu->nvrtcDestroyProgram(&program);
    return r;
}

tsr_gpu_result tsr_gpu_compile(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                               tsr_gpu_log const *log, tsr_gpu_binary *binary)
{
    gpu_text program = {0};
    memset(binary, 0, sizeof *binary);
    tsr_gpu_result r = tsr_gpu_program_(source, log, &program);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_compile_program_(gpu, arch, source, &program, log, binary);
    tsr_gpu_text_free_(&program);
    return r;
}

char const *tsr_gpu_binary_name(tsr_gpu_binary const *binary, int i)
{
    char const *name = binary->names;
    if (i < 0 || i >= binary->kernels)
        return NULL;
    for (; i > 0; --i)
        name += strlen(name) + 1;
    return name;
}

void tsr_gpu_binary_free(tsr_gpu_binary *binary)
{
    free(binary->cubin);
    free(binary->names);
    memset(binary, 0, sizeof *binary);
}
