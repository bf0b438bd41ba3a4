/** The engine on GPUs: copies, updates and products of what lies in the memory of a device, on the stream that its
 *  library works on. The driver and NVRTC are looked for by the first call. Calls launch and do not wait. The
 *  interpreter's lock is kept, which guards what is kept here. */
#include "cuda_replay.h"
#include "cuda_trace.h"

#include <string.h>

enum { MOST_DEVICES = 64, MOST_LOG = 16384 };

/** What all calls share. */
static struct {
    bool found;
    tsr_gpu gpu;
    tsr_gpu_cache cache;
    tsr_gpu_device device[MOST_DEVICES];
    char *folder;        /* of the cache; NULL: none */
    PyObject *stream_of; /* the stream of a device for tensors that do not know it */
    PyObject *memory_of; /* f(bytes, device): memory of the library in use */
    char log[MOST_LOG];
} shared;

static tsr_gpu_log const to_log = {shared.log, sizeof shared.log};

tsr_gpu_cache *cuda_cache(void) { return &shared.cache; }

tsr_gpu_log const *cuda_log(void) { return &to_log; }

/** Raises what a result says. NULL. */
static PyObject *refuse_result(tsr_gpu_result r)
{
    char text[1024], all[sizeof text + MOST_LOG + 8];
    bool const refused = r.status >= TSR_GPU_PRODUCT && r.status <= TSR_GPU_OVERLAP;
    bool const logged = shared.log[0] && (refused || r.status == TSR_GPU_COMPILE);
    tsr_format_gpu_result(text, sizeof text, r);
    snprintf(all, sizeof all, "%s", refused && logged ? shared.log : text);
    if (logged && !refused)
        snprintf(all, sizeof all, "%s\n%s", text, shared.log);
    if (r.status == TSR_GPU_OUT_OF_MEMORY)
        return PyErr_NoMemory();
    if (refused)
        return r.why.status ? refuse_why(r.why) : refuse(NULL, all);
    PyErr_SetString(PyExc_RuntimeError, all);
    return NULL;
}

bool cuda_check(tsr_gpu_result r)
{
    if (!tsr_gpu_ok(r) && !PyErr_Occurred())
        refuse_result(r);
    return tsr_gpu_ok(r);
}

/** NVRTC: the one that is found by name, else those that Python knows of, for a wheel has its own. */
static tsr_gpu_result find_compiler(void)
{
    tsr_gpu_result r = tsr_gpu_find_compiler(&shared.gpu, NULL);
    if (tsr_gpu_ok(r))
        return r;
    PyObject *const module = PyImport_ImportModule("tessera.cuda");
    PyObject *const paths = module ? PyObject_CallMethod(module, "_compilers", NULL) : NULL;
    for (Py_ssize_t i = 0; paths && PyList_Check(paths) && !tsr_gpu_ok(r) && i < PyList_Size(paths); ++i) {
        PyObject *const path = PyUnicode_AsUTF8String(PyList_GetItem(paths, i));
        if (path)
            r = tsr_gpu_find_compiler(&shared.gpu, PyBytes_AsString(path));
        Py_XDECREF(path);
    }
    Py_XDECREF(paths);
    Py_XDECREF(module);
    PyErr_Clear();
    return r;
}

tsr_gpu_device const *cuda_device(int i)
{
    shared.log[0] = 0;
    if (i < 0 || i >= MOST_DEVICES)
        return PyErr_Format(PyExc_ValueError, "there is no device %d", i), NULL;
    if (!shared.found) {
        if (!cuda_check(tsr_gpu_find_driver(&shared.gpu, NULL)) || !cuda_check(find_compiler()))
            return NULL;
        shared.found = true;
    }
    tsr_gpu_device *const d = &shared.device[i];
    return d->context || cuda_check(tsr_gpu_open(&shared.gpu, i, d)) ? d : NULL;
}

int cuda_current_device(void)
{
    void *current = NULL;
    tsr_gpu_device const *d = cuda_device(0); /* finds the driver */
    if (d && d->gpu->cuCtxGetCurrent)
        (void)d->gpu->cuCtxGetCurrent(&current);
    for (int i = 0; d; d = cuda_device(++i))
        if (!current || d->context == current)
            return i;
    return -1;
}

/** The module names what is called here when it is imported. False: an exception is set. */
static bool import_cuda(void)
{
    PyObject *const module = PyImport_ImportModule("tessera.cuda");
    Py_XDECREF(module);
    return module != NULL;
}

PyObject *cuda_memory_function(void) { return shared.memory_of || import_cuda() ? shared.memory_of : NULL; }

bool cuda_stream(operand const *o, int count, tsr_gpu_device const *device, tsr_gpu_stream *stream)
{
    stream->device = device;
    stream->handle = NULL;
    for (int i = 0; i < count; ++i)
        if (o[i].has_stream) {
            stream->handle = o[i].stream;
            return true;
        }
    if (cuda_torch_stream(o[0].device, &stream->handle))
        return true;
    if (!shared.stream_of && (!import_cuda() || !shared.stream_of))
        return !PyErr_Occurred();
    PyObject *const number = PyObject_CallFunction(shared.stream_of, "i", o[0].device);
    stream->handle = number ? PyLong_AsVoidPtr(number) : NULL;
    Py_XDECREF(number);
    return !PyErr_Occurred();
}

bool cuda_is_captured(tsr_gpu_stream const *s)
{
    int status = 0;
    tsr_gpu const *const gpu = s->device->gpu;
    return s->handle && gpu->cuStreamIsCapturing && gpu->cuStreamIsCapturing(s->handle, &status) == 0 && status != 0;
}

int cuda_making(tsr_gpu_device const *device)
{
    enum { RELAXED = 2 };
    int mode = RELAXED;
    tsr_gpu const *const gpu = device->gpu;
    bool const asks = gpu->cuThreadExchangeStreamCaptureMode != NULL;
    return asks && gpu->cuThreadExchangeStreamCaptureMode(&mode) == 0 ? mode : -1;
}

void cuda_made(tsr_gpu_device const *device, int before)
{
    if (before >= 0)
        (void)device->gpu->cuThreadExchangeStreamCaptureMode(&before);
}

/** _cuda_setup(folder or None, stream_of, memory_of): where compiled kernels are kept, and what names the stream of a
 *  device and gives memory of it */
static PyObject *setup(PyObject *module, PyObject *args)
{
    char const *folder = NULL;
    PyObject *of[2] = {NULL, NULL};
    (void)module;
    if (!PyArg_ParseTuple(args, "zOO", &folder, &of[0], &of[1]))
        return NULL;
    size_t const n = folder ? strlen(folder) + 1 : 0;
    char *const kept = n ? (char *)PyMem_Malloc(n) : NULL;
    if (n && !kept)
        return PyErr_NoMemory();
    if (n)
        memcpy(kept, folder, n);
    shared.cache.folder = kept ? kept : ""; /* nowhere */
    PyMem_Free(shared.folder);
    shared.folder = kept;
    for (int i = 0; i < 2; ++i) {
        PyObject **const at = i == 0 ? &shared.stream_of : &shared.memory_of, *const before = *at;
        Py_INCREF(of[i]);
        *at = of[i];
        Py_XDECREF(before);
    }
    return Py_BuildValue("");
}

/** _cuda_folder(): the user's own folder for kernels, or None */
static PyObject *user_folder(PyObject *module, PyObject *args)
{
    char path[4096];
    size_t const n = tsr_gpu_user_folder(path, sizeof path);
    (void)module, (void)args;
    return n > 0 && n < sizeof path ? PyUnicode_DecodeFSDefault(path) : Py_BuildValue("");
}

int cuda_copy_operands(operand const o[2])
{
    tsr_gpu_stream stream;
    tsr_gpu_device const *const device = cuda_device(o[0].device);
    if (!device || !cuda_stream(o, 2, device, &stream))
        return -1;
    int const before = cuda_making(device);
    tsr_gpu_result const r =
        tsr_gpu_copy(&shared.cache, device, o[0].tensor, o[1].tensor, cuda_given(&stream), &to_log);
    cuda_made(device, before);
    return cuda_check(r) ? 1 : -1;
}

int cuda_copy(PyObject *from, PyObject *to, PyObject *alpha, PyObject *beta, tsr_dtype type)
{
    operand o[2];
    tsr_gpu_stream stream;
    scalar n[2];
    if (!operand_from_python(from, false, &o[0]) || !operand_from_python(to, true, &o[1]))
        return -1;
    int const place = cuda_place(o, 2);
    if (place < 0)
        return place == -1 ? 0 : -1;
    bool const update = alpha != Py_None;
    if (update && (!cuda_scalar(alpha, type, &n[0]) || !cuda_scalar(beta, type, &n[1])))
        return -1;
    PyObject *const same[3] = {from, from, to};
    if (update && o[0].tensor.engine.address == o[1].tensor.engine.address
        && cuda_same_tensor(&o[0].tensor, &o[1].tensor, true))
        return cuda_combine(TSR_COMBINE_SUM, same, n); /* in place */
    tsr_gpu_device const *const device = cuda_device(place);
    if (!device || !cuda_stream(o, 2, device, &stream))
        return -1;
    tsr_gpu_planned_copy *plan = NULL;
    PyObject *const x[2] = {from, to};
    int const before = cuda_making(device);
    tsr_gpu_result r = tsr_gpu_copy_plan(&shared.cache, device, update ? &n[0].value : NULL, o[0].tensor,
                                         update ? &n[1].value : NULL, o[1].tensor, &to_log, &plan);
    cuda_made(device, before);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_copy_run(plan, o[0].tensor.engine.address, o[1].tensor.engine.address, cuda_given(&stream));
    if (tsr_gpu_ok(r))
        trace_add_copy(x, update ? n : NULL, &plan);
    else
        trace_add_other();
    if (tsr_gpu_ok(r) && plan && !update)
        cuda_remember_copy(device, x, plan);
    else
        tsr_gpu_copy_free(&plan);
    return cuda_check(r) ? 1 : -1;
}

bool cuda_scalar(PyObject *x, tsr_dtype type, scalar *n)
{
    _Alignas(16) unsigned char element[16] = {0};
    *n = (scalar){.of = x, .type = type};
    if (type == 0)
        return number_from_python(x, &n->value);
    if (!fitting_from_python(x, type, &n->value))
        return false;
    tsr_store(type, element, 0, n->value);
    n->value = tsr_load(type, element, 0);
    return true;
}

bool cuda_real(PyObject *x, scalar *n)
{
    *n = (scalar){tsr_number_real(PyFloat_AsDouble(x)), x, TSR_F64, false};
    return !PyErr_Occurred();
}

/** The tensor that stands for a number of a combination, beside z. */
static tsr_tensor number_beside(tsr_tensor const *z)
{
    tsr_layout const still = tsr_make_layout(tsr_int(tsr_layout_size(z->layout)), tsr_int(0));
    return tsr_make_tensor_of(tsr_counting_iter(tsr_int(1)), still);
}

int cuda_combine(tsr_combiner op, PyObject *const x[3], scalar const n[2])
{
    operand o[3];
    tsr_gpu_stream stream;
    tsr_gpu_planned_combine *plan = NULL;
    for (int i = 2; i >= 0; --i) {
        if (!x[i]) {
            o[i] = o[2];
            o[i].tensor = number_beside(&o[2].tensor);
        } else if (!operand_from_python(x[i], i == 2, &o[i])) {
            return -1;
        }
    }
    int const place = cuda_place(o, 3);
    if (place < 0)
        return place == -1 ? 0 : -1;
    tsr_gpu_device const *const device = cuda_device(place);
    if (!device || !cuda_stream(o, 3, device, &stream))
        return -1;
    int const before = cuda_making(device);
    tsr_gpu_result r = tsr_gpu_combine_plan(&shared.cache, device, op, n[0].value, o[0].tensor, n[1].value,
                                            o[1].tensor, o[2].tensor, &to_log, &plan);
    cuda_made(device, before);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_combine_run(plan, o[0].tensor.engine.address, o[1].tensor.engine.address,
                                o[2].tensor.engine.address, cuda_given(&stream));
    if (tsr_gpu_ok(r))
        trace_add_combine(x, n, &plan);
    else
        trace_add_other();
    tsr_gpu_combine_free(&plan);
    return cuda_check(r) ? 1 : -1;
}

/** Whether it was done, as Python's; NULL: an exception is set. */
static PyObject *give_done(int done) { return done < 0 ? NULL : PyBool_FromLong(done); }

/** _cuda_copy(s, d, alpha, beta) */
static PyObject *copy(PyObject *module, PyObject *args)
{
    PyObject *x[2], *number[2];
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &x[0], &x[1], &number[0], &number[1]))
        return NULL;
    return give_done(cuda_copy(x[0], x[1], number[0], number[1], (tsr_dtype)0));
}

/** _cuda_product(text or None, a, b, c, alpha, beta, bias or None, relu, tune, unproven=False) */
static PyObject *multiply(PyObject *module, PyObject *args)
{
    PyObject *x[4], *number[2];
    char const *text = NULL;
    scalar n[2];
    int relu = 0, tune = 0, unproven = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "zOOOOOOpp|p", &text, &x[0], &x[1], &x[2], &number[0], &number[1], &x[3], &relu,
                          &tune, &unproven)
        || !cuda_real(number[0], &n[0]) || !cuda_real(number[1], &n[1]))
        return NULL;
    return give_done(cuda_multiply(text, x, n, relu != 0, tune != 0, unproven != 0));
}

PyMethodDef cuda_functions[] = {{"_cuda_setup", setup, METH_VARARGS, NULL},
                                {"_cuda_folder", user_folder, METH_NOARGS, NULL},
                                {"_cuda_copy", copy, METH_VARARGS, NULL},
                                {"_cuda_product", multiply, METH_VARARGS, NULL},
                                {"_cuda_replay", AS_METHOD(cuda_replay), METH_FASTCALL, NULL},
                                {"_cuda_replay_new", AS_METHOD(cuda_replay_new), METH_FASTCALL, NULL},
                                {"_cuda_keep", AS_METHOD(cuda_keep), METH_FASTCALL, NULL},
                                {"_cuda_call", AS_METHOD(cuda_call), METH_FASTCALL, NULL},
                                {"_cuda_record", AS_METHOD(cuda_record), METH_FASTCALL, NULL},
                                {"_cuda_empty", cuda_empty, METH_VARARGS, NULL},
                                {"_cuda_fetch", cuda_fetch, METH_VARARGS, NULL},
                                {"_cuda_xla", cuda_xla, METH_NOARGS, NULL},
                                {"_cuda_compile", cuda_compile, METH_VARARGS, NULL},
                                {"_cuda_launch", cuda_launch, METH_VARARGS, NULL},
                                {"_cuda_map", cuda_map, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
