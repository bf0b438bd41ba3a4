/** Results: what CUDA says, or what we say before it is asked. */
#include "gpu/call.h"
#include "tessera/text.h"

#include <stdio.h>

tsr_gpu_result tsr_gpu_fail_(tsr_gpu_status status, char const *call, int code, char const *name, char const *text)
{
    tsr_gpu_result r = {0};
    r.status = status;
    r.call = call;
    r.code = code;
    r.name = name;
    r.text = text;
    return r;
}

tsr_gpu_result tsr_gpu_forbid_(tsr_gpu_status status, tsr_reason why, int64_t number)
{
    tsr_gpu_result r = tsr_gpu_refuse_(status, number, 0, 0);
    r.why = why;
    return r;
}

tsr_gpu_result tsr_gpu_refuse_(tsr_gpu_status status, int64_t a, int64_t b, int64_t c)
{
    tsr_gpu_result r = tsr_gpu_fail_(status, "", 0, "", "");
    r.number[0] = a;
    r.number[1] = b;
    r.number[2] = c;
    return r;
}

int64_t tsr_gpu_shown_(uint64_t n) { return n < (uint64_t)INT64_MAX ? (int64_t)n : INT64_MAX; }

tsr_gpu_result tsr_gpu_within_(char const *call, char const *what, int64_t reported, int64_t least, int64_t most)
{
    bool const good = least <= reported && reported <= most;
    tsr_gpu_result r = tsr_gpu_refuse_(good ? TSR_GPU_OK : TSR_GPU_REPORTED, reported, least, most);
    r.call = call;
    r.name = what;
    return r;
}

tsr_gpu_result tsr_gpu_given_(tsr_gpu_result r, char const *call, void **handle)
{
    if (!tsr_gpu_ok(r))
        *handle = NULL;
    return tsr_gpu_ok(r) && !*handle ? tsr_gpu_fail_(TSR_GPU_NOTHING, call, 0, "handle", "") : r;
}

tsr_gpu_result tsr_gpu_driver_result_(tsr_gpu const *gpu, char const *call, int code)
{
    char const *name = NULL, *text = NULL;
    if (code == 0)
        return tsr_gpu_fine_();
    if (gpu->cuGetErrorName(code, &name) != 0 || !name)
        name = "an unknown error";
    if (gpu->cuGetErrorString(code, &text) != 0 || !text)
        text = "the driver has no words for it";
    return tsr_gpu_fail_(TSR_GPU_CALL, call, code, name, text);
}

tsr_gpu_result tsr_gpu_compiler_result_(tsr_gpu const *gpu, char const *call, int code)
{
    if (code == 0)
        return tsr_gpu_fine_();
    char const *const name = gpu->nvrtcGetErrorString(code);
    return tsr_gpu_fail_(TSR_GPU_CALL, call, code, name ? name : "an unknown error",
                         "see the documentation of NVRTC");
}

tsr_gpu_result tsr_gpu_not_there_(char const *what) { return tsr_gpu_fail_(TSR_GPU_NOT_THERE, what, 0, "", ""); }

tsr_gpu_result tsr_gpu_usable_(tsr_gpu_device const *device)
{
    if (!device || !device->gpu)
        return tsr_gpu_not_there_("device");
    if (!device->gpu->cuCtxPushCurrent)
        return tsr_gpu_fail_(TSR_GPU_NO_DRIVER, "libcuda.so.1", 0, "", "");
    return device->context ? tsr_gpu_fine_() : tsr_gpu_not_there_("open device");
}

tsr_gpu_result tsr_gpu_enter_(tsr_gpu_device const *device)
{
    tsr_gpu_result const r = tsr_gpu_usable_(device);
    if (!tsr_gpu_ok(r))
        return r;
    return DRIVER(device->gpu, cuCtxPushCurrent, (device->context));
}

tsr_gpu_result tsr_gpu_enter_with_(tsr_gpu_device const *device, void const *handle, char const *what)
{
    return handle ? tsr_gpu_enter_(device) : tsr_gpu_not_there_(what);
}

tsr_gpu_result tsr_gpu_leave_(tsr_gpu_device const *device, tsr_gpu_result done)
{
    void *context = NULL;
    tsr_gpu_result const popped = DRIVER(device->gpu, cuCtxPopCurrent, (&context));
    return tsr_gpu_ok(done) ? popped : done;
}

bool tsr_gpu_is_inside_(tsr_gpu_device const *device)
{
    void *context = NULL;
    return device && device->gpu && device->context && device->gpu->cuCtxGetCurrent
           && device->gpu->cuCtxGetCurrent(&context) == 0 && context == device->context;
}

char const *tsr_gpu_sentence(int status)
{
    static char const *const sentence[] = {
#define X(id, text) text,
        TSR_GPU_STATUS_LIST(X)
#undef X
    };
    return status >= 0 && status < TSR_GPU_STATUSES ? sentence[status] : NULL;
}

/** Text of which more may be written than there is room for. */
typedef struct sink {
    char *out;
    size_t size, length;
} sink;

static void put_char(sink *to, char c)
{
    if (to->length + 1 < to->size)
        to->out[to->length] = c;
    ++to->length;
}

static void put_text(sink *to, char const *text)
{
    for (; text && *text; ++text)
        put_char(to, *text);
}

static void put_number(sink *to, int64_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)n);
    put_text(to, digits);
}

/** The sentence of a reason. */
static void put_reason(sink *to, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    put_text(to, text);
}

/** What stands for the place {word} of a sentence. */
static void put_place(sink *to, char const *word, size_t length, tsr_gpu_result const *r)
{
    if (length == 1 && *word >= '0' && *word <= '3')
        put_number(to, r->number[*word - '0']);
    else if (length == 3)
        put_reason(to, r->why);
    else if (length == 4 && strncmp(word, "code", 4) == 0)
        put_number(to, r->code);
    else if (length == 4)
        put_text(to, strncmp(word, "call", 4) == 0 ? r->call : strncmp(word, "name", 4) == 0 ? r->name : r->text);
}

size_t tsr_format_gpu_result(char *out, size_t size, tsr_gpu_result r)
{
    sink to = {out, size, 0};
    char const *s = tsr_gpu_sentence((int)r.status);
    if (!s)
        s = "this result was never set";
    while (*s) {
        size_t const length = *s == '{' ? strcspn(s, "}") : 0;
        if (length > 0)
            put_place(&to, s + 1, length - 1, &r);
        else
            put_char(&to, *s);
        s += length + 1;
    }
    if (size > 0)
        out[to.length < size ? to.length : size - 1] = 0;
    return to.length;
}
