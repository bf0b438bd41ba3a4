/** Kernels of the user's: compiled for layouts that are known when the program runs, and launched. */
#include "cuda_replay.h"
#include "gpu/call.h"

#include <string.h>

enum { MOST_NAMES = 64 };

/** The texts of a sequence, which lives longer than they. -1: an exception is set. */
static int texts_of(PyObject *list, char const *text[MOST_NAMES])
{
    Py_ssize_t const n = PyList_Size(list);
    if (n > MOST_NAMES)
        PyErr_Format(PyExc_ValueError, "%zd kernels or options, at most %d fit", n, MOST_NAMES);
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); ++i) {
        PyObject *const item = PyList_GetItem(list, i);
        if (!PyBytes_Check(item))
            PyErr_SetString(PyExc_TypeError, "names are bytes");
        else
            text[i] = PyBytes_AsString(item);
    }
    return PyErr_Occurred() ? -1 : (int)n;
}

/** The layouts of [(name, layout)]; false: an exception is set. */
static bool constants_of(PyObject *list, tsr_gpu_constant *constant)
{
    for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
        PyObject *layout = NULL, *const item = PyList_GetItem(list, i);
        if (!PyTuple_Check(item))
            return PyErr_Format(PyExc_TypeError, "a constant is (name, layout), not %R", item) != NULL;
        if (!PyArg_ParseTuple(item, "sO!", &constant[i].name, layout_type, &layout))
            return false;
        constant[i].layout = ((object *)layout)->v.as.layout;
    }
    return true;
}

static void drop_kernel(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, "tessera.kernel")); }

/** (a capsule, the lowered name) of each kernel, which the cache keeps. */
static PyObject *give_kernels(tsr_gpu_kernel const *kernel, int count, tsr_gpu_binary const *names)
{
    PyObject *const list = PyList_New(0);
    for (int i = 0; list && i < count; ++i) {
        tsr_gpu_kernel *const kept = (tsr_gpu_kernel *)PyMem_Malloc(sizeof *kept);
        PyObject *const capsule = kept ? PyCapsule_New(kept, "tessera.kernel", drop_kernel) : PyErr_NoMemory();
        if (!capsule)
            PyMem_Free(kept);
        else
            *kept = kernel[i];
        PyObject *const item = capsule ? Py_BuildValue("(Nz)", capsule, tsr_gpu_binary_name(names, i)) : NULL;
        bool const ok = item && PyList_Append(list, item) == 0;
        Py_XDECREF(item);
        if (!ok) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/** _cuda_compile(device, source, [(name, layout)], [kernels], [options]): (a capsule, the lowered name) of each */
PyObject *cuda_compile(PyObject *module, PyObject *args)
{
    int i = 0;
    PyObject *constants = NULL, *kernels = NULL, *options = NULL, *r = NULL;
    tsr_gpu_source source = TSR_ZERO;
    char const *kernel_names[MOST_NAMES], *option_texts[MOST_NAMES];
    tsr_gpu_kernel kernel[MOST_NAMES];
    (void)module;
    if (!PyArg_ParseTuple(args, "isO!O!O!", &i, &source.text, &PyList_Type, &constants, &PyList_Type, &kernels,
                          &PyList_Type, &options))
        return NULL;
    source.kernel_count = texts_of(kernels, kernel_names);
    source.option_count = source.kernel_count < 0 ? -1 : texts_of(options, option_texts);
    tsr_gpu_device const *const device = source.option_count < 0 ? NULL : cuda_device(i);
    if (!device)
        return NULL;
    size_t const n = (size_t)PyList_Size(constants);
    tsr_gpu_constant *const constant = (tsr_gpu_constant *)PyMem_Calloc(n + 1, sizeof *constant);
    if (!constant)
        return PyErr_NoMemory();
    source.kernels = kernel_names;
    source.options = option_texts;
    source.constants = constant;
    source.constant_count = (int)n;
    tsr_gpu_binary const *names = NULL; /* the cache has them */
    if (constants_of(constants, constant)
        && cuda_check(tsr_gpu_specialise(cuda_cache(), device, &source, cuda_log(), kernel))
        && cuda_check(tsr_gpu_cache_compile(cuda_cache(), device->gpu, device->arch, &source, cuda_log(), &names)))
        r = give_kernels(kernel, source.kernel_count, names);
    PyMem_Free(constant);
    return r;
}

/** Up to three dimensions; 0 in those that are not named. */
static bool take_dimensions(PyObject *x, char const *what, unsigned d[3])
{
    Py_ssize_t const n = PyTuple_Size(x);
    if (n > 3)
        PyErr_Format(PyExc_ValueError, "the %s has %zd dimensions, at most 3 are possible", what, n);
    for (Py_ssize_t i = 0; i < n && !PyErr_Occurred(); ++i) {
        long long const v = PyLong_AsLongLong(PyTuple_GetItem(x, i));
        if (v < 1 || v > INT32_MAX)
            PyErr_Format(PyExc_ValueError, "the %s has %lld in dimension %zd", what, v, i);
        d[i] = (unsigned)v;
    }
    return !PyErr_Occurred();
}

/** The bytes of an argument: a tensor's address, a number of the parameter's size. */
typedef struct packed {
    tsr_gpu_argument to;
    union {
        uint64_t bits;
        double f64;
        float f32;
    } as;
} packed;

static bool pack_integer(PyObject *x, int bytes, int i, packed *p)
{
    PyObject *const n = PyNumber_Index(x);
    int over = 0;
    long long const v = n ? PyLong_AsLongLongAndOverflow(n, &over) : 0;
    p->as.bits = over > 0 ? PyLong_AsUnsignedLongLong(n) : (uint64_t)v;
    Py_XDECREF(n);
    int const bits = 8 * bytes;
    bool const fits = over == 0 && (bits >= 64 || (v >= -((long long)1 << (bits - 1)) && v < (long long)1 << bits));
    if (!PyErr_Occurred() && !fits && !(over > 0 && bits == 64))
        PyErr_Format(PyExc_OverflowError, "argument %d is %R, the kernel's parameter has %d bits", i, x, bits);
    p->to.bytes = (size_t)bytes;
    return !PyErr_Occurred();
}

static bool pack_real(PyObject *x, int bytes, int i, packed *p)
{
    double const v = PyFloat_AsDouble(x);
    if (bytes == 8)
        p->as.f64 = v;
    else
        p->as.f32 = (float)v;
    p->to.bytes = (size_t)bytes;
    if (bytes != 4 && bytes != 8)
        PyErr_Format(PyExc_TypeError, "argument %d is a float, the kernel's parameter has %d bytes", i, bytes);
    return !PyErr_Occurred();
}

/** What a parameter is, by the letters of tessera/parameters.py. */
static char const *words_of(char kind)
{
    return kind == 'i'                  ? "an integer"
           : kind == 'p'                ? "a pointer"
           : kind == 'f' || kind == 'd' ? "a real number"
                                        : NULL;
}

/** A number by the size of its parameter; 0: not known, then integers have 4 bytes and reals 8; and by its kind. An
 *  integer becomes a real number as in C. */
static bool pack_number(PyObject *x, int bytes, char kind, int i, packed *p)
{
    bool const real = kind == 'f' || kind == 'd', is_float = PyFloat_Check(x);
    if (is_float && !real && words_of(kind)) {
        PyErr_Format(PyExc_TypeError, "argument %d is %R, the kernel's parameter is %s", i, x, words_of(kind));
        return false;
    }
    if (bytes == 0)
        bytes = is_float || real ? (kind == 'f' ? 4 : 8) : kind == 'p' ? 8 : 4;
    return is_float || real ? pack_real(x, bytes, i, p) : pack_integer(x, bytes > 8 ? 0 : bytes, i, p);
}

/** A scalar of NumPy's as the number of Python that has its value, a new reference. NULL, without an exception: it is
 *  none, or there is no such number. */
static PyObject *number_of_numpy(PyObject *x)
{
    static PyObject *name, *scalars; /* their type */
    PyObject *const numpy = scalars ? NULL : cuda_module(&name, "numpy");
    if (numpy)
        scalars = PyObject_GetAttrString(numpy, "generic");
    PyObject *n = scalars && PyObject_IsInstance(x, scalars) == 1 ? PyObject_CallMethod(x, "item", NULL) : NULL;
    if (n && !PyFloat_Check(n) && !PyLong_Check(n)) {
        Py_DECREF(n);
        n = NULL;
    }
    PyErr_Clear();
    return n;
}

/** Bytes as they are: a struct. */
static bool pack_bytes(PyObject *x, int bytes, char kind, int i, packed *p)
{
    p->to.data = PyBytes_AsString(x);
    p->to.bytes = (size_t)PyBytes_Size(x);
    bool const fits = p->to.bytes > 0 && (bytes == 0 || p->to.bytes == (size_t)bytes);
    if (words_of(kind))
        PyErr_Format(PyExc_TypeError, "argument %d is bytes, the kernel's parameter is %s", i, words_of(kind));
    else if (!fits)
        PyErr_Format(PyExc_TypeError, "argument %d has %zd bytes, the kernel's parameter %d", i, PyBytes_Size(x),
                     bytes);
    return !PyErr_Occurred();
}

/** An argument of a kernel: the address of an array, a number, or bytes. */
static bool pack(PyObject *x, int bytes, char kind, int i, packed *p, cuda_place_of *at)
{
    p->to.data = &p->as;
    at->device = -1;
    if (PyFloat_Check(x) || PyLong_Check(x))
        return pack_number(x, bytes, kind, i, p);
    if (PyBytes_Check(x))
        return pack_bytes(x, bytes, kind, i, p);
    if (!cuda_address(x, at))
        return false;
    p->as.bits = at->address;
    p->to.bytes = sizeof p->as.bits;
    if (at->device >= 0 && kind != 'f' && kind != 'd')
        return true;
    PyObject *const n = at->device < 0 ? number_of_numpy(x) : NULL;
    bool const packed = n && pack_number(n, bytes, kind, i, p);
    if (!n && (kind == 'f' || kind == 'd'))
        PyErr_Format(PyExc_TypeError, "argument %d is %R, the kernel's parameter is %s", i, x, words_of(kind));
    else if (!n)
        PyErr_Format(PyExc_TypeError, "argument %d, %R, is neither a tensor on a GPU nor an int, a float or bytes", i,
                     x);
    Py_XDECREF(n);
    return packed;
}

/** A launch that has all but its arguments. */
typedef struct ready {
    tsr_gpu_kernel kernel;
    tsr_gpu_launch launch;
    bool prepared;                     /* the driver was asked for its shared memory and its cluster */
    char kinds[TSR_GPU_ARGUMENTS + 1]; /* of the parameters; "": not known */
} ready;

static void drop_ready(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, "tessera.launch")); }

/** Launches on a stream that is known. */
static bool run_ready(ready *r, tsr_gpu_stream const *stream, tsr_gpu_argument const *argument, int count)
{
    r->launch.stream = stream->handle ? stream : NULL;
    tsr_gpu_result done = r->prepared ? tsr_gpu_check(&r->kernel, &r->launch, argument, count)
                                      : tsr_gpu_prepare_(&r->kernel, &r->launch, argument, count);
    r->prepared = r->prepared || tsr_gpu_ok(done);
    if (tsr_gpu_ok(done))
        done = tsr_gpu_run_prepared_(&r->kernel, &r->launch, argument, count);
    r->launch.stream = NULL;
    return cuda_check(done);
}

/** launch(arguments...): on the stream of the tensors' library. */
static PyObject *launch(PyObject *self, PyObject *const *x, Py_ssize_t count)
{
    packed p[TSR_GPU_ARGUMENTS];
    tsr_gpu_argument argument[TSR_GPU_ARGUMENTS];
    cuda_place_of at = {.device = -1};
    tsr_gpu_stream stream;
    ready *const r = (ready *)PyCapsule_GetPointer(self, "tessera.launch");
    if (!r)
        return NULL;
    tsr_gpu_kernel const *const kernel = &r->kernel;
    if (count > TSR_GPU_ARGUMENTS || (kernel->parameters >= 0 && count != kernel->parameters))
        return PyErr_Format(PyExc_TypeError, "%zd arguments, the kernel takes %d", count, kernel->parameters);
    bool const known = strlen(r->kinds) == (size_t)count;
    for (int i = 0; i < (int)count; ++i) {
        int const bytes = kernel->parameters >= 0 ? kernel->bytes[i] : 0;
        p[i].as.bits = 0;
        if (!pack(x[i], bytes, known ? r->kinds[i] : '?', i, &p[i], &at))
            return NULL;
        argument[i] = p[i].to;
        if (at.device >= 0 && at.device != kernel->device->ordinal)
            return PyErr_Format(PyExc_ValueError, "argument %d is on device %d, the kernel on device %d", i,
                                at.device, kernel->device->ordinal);
    }
    operand const first = {.device = kernel->device->ordinal, .has_stream = at.has_stream, .stream = at.stream};
    if (!cuda_stream(&first, 1, kernel->device, &stream) || !run_ready(r, &stream, argument, (int)count))
        return NULL;
    return Py_BuildValue("");
}

/** _cuda_launch(kernel, grid, block, cluster, shared, kinds of the parameters or None): the function of the kernel's
 *  arguments that launches it */
PyObject *cuda_launch(PyObject *module, PyObject *args)
{
    static PyMethodDef method = {"launch", AS_METHOD(launch), METH_FASTCALL, NULL};
    PyObject *capsule, *dimension[3];
    char const *kinds = NULL;
    int shared = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!O!O!iz", &capsule, &PyTuple_Type, &dimension[0], &PyTuple_Type, &dimension[1],
                          &PyTuple_Type, &dimension[2], &shared, &kinds))
        return NULL;
    tsr_gpu_kernel const *const kernel = (tsr_gpu_kernel const *)PyCapsule_GetPointer(capsule, "tessera.kernel");
    ready *const r = kernel ? (ready *)PyMem_Calloc(1, sizeof *r) : NULL;
    PyObject *const self = r ? PyCapsule_New(r, "tessera.launch", drop_ready) : kernel ? PyErr_NoMemory() : NULL;
    if (!self) {
        PyMem_Free(r);
        return NULL;
    }
    r->kernel = *kernel;
    r->launch.shared = (unsigned)shared;
    if (kinds && strlen(kinds) < sizeof r->kinds)
        memcpy(r->kinds, kinds, strlen(kinds));
    if (shared < 0)
        PyErr_Format(PyExc_ValueError, "%d bytes of shared memory", shared);
    bool const ok = shared >= 0 && take_dimensions(dimension[0], "grid", r->launch.grid)
                    && take_dimensions(dimension[1], "block", r->launch.block)
                    && take_dimensions(dimension[2], "cluster", r->launch.cluster);
    PyObject *const f = ok ? PyCFunction_New(&method, self) : NULL;
    Py_DECREF(self);
    return f;
}
