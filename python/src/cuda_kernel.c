/** Kernels of the user's: compiled for layouts that are known when the program runs, and launched. */
#include "cuda_engine.h"

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

/** An argument of a kernel, by the size of its parameter; 0: not known, then integers have 4 bytes and reals 8; and by
 *  its kind. An integer becomes a real number as in C. */
static bool pack(PyObject *x, int bytes, char kind, int i, packed *p, operand *o)
{
    bool const real = kind == 'f' || kind == 'd', is_float = PyFloat_Check(x),
               is_number = is_float || PyLong_Check(x);
    p->to.data = &p->as;
    o->device = -1;
    if ((is_float && !real && words_of(kind)) || (!is_number && real)) {
        PyErr_Format(PyExc_TypeError, "argument %d is %R, the kernel's parameter is %s", i, x, words_of(kind));
        return false;
    }
    if (is_float || (is_number && real))
        return pack_real(x, bytes ? bytes : kind == 'f' ? 4 : 8, i, p);
    if (is_number)
        return pack_integer(x, bytes && bytes <= 8 ? bytes : bytes ? 0 : kind == 'p' ? 8 : 4, i, p);
    if (!operand_from_python(x, false, o))
        return false;
    if (o->device < 0) {
        PyErr_Format(PyExc_TypeError, "argument %d, %R, is neither a tensor on a GPU nor an int nor a float", i, x);
        return false;
    }
    p->as.bits = o->tensor.engine.address;
    p->to.bytes = sizeof p->as.bits;
    return true;
}

/** _cuda_launch(kernel, grid, block, cluster, shared, arguments, kinds of the parameters or None): on the stream of
 *  the tensors' library */
PyObject *cuda_launch(PyObject *module, PyObject *args)
{
    PyObject *capsule, *dimension[3], *x;
    char const *kinds = NULL;
    int shared = 0;
    packed p[TSR_GPU_ARGUMENTS];
    tsr_gpu_argument argument[TSR_GPU_ARGUMENTS];
    operand o[TSR_GPU_ARGUMENTS], first = {.device = -1};
    tsr_gpu_launch launch = TSR_ZERO;
    tsr_gpu_stream stream;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!O!O!iO!z", &capsule, &PyTuple_Type, &dimension[0], &PyTuple_Type, &dimension[1],
                          &PyTuple_Type, &dimension[2], &shared, &PyTuple_Type, &x, &kinds))
        return NULL;
    tsr_gpu_kernel const *const kernel = (tsr_gpu_kernel const *)PyCapsule_GetPointer(capsule, "tessera.kernel");
    if (!kernel || !take_dimensions(dimension[0], "grid", launch.grid)
        || !take_dimensions(dimension[1], "block", launch.block)
        || !take_dimensions(dimension[2], "cluster", launch.cluster))
        return NULL;
    Py_ssize_t const count = PyTuple_Size(x);
    if (shared < 0 || count > TSR_GPU_ARGUMENTS || (kernel->parameters >= 0 && count != kernel->parameters))
        return PyErr_Format(PyExc_TypeError,
                            "%zd arguments and %d bytes of shared memory, the kernel takes %d arguments", count,
                            shared, kernel->parameters);
    bool const known = kinds && strlen(kinds) == (size_t)count;
    for (int i = 0; i < (int)count; ++i) {
        int const bytes = kernel->parameters >= 0 ? kernel->bytes[i] : 0;
        memset(&p[i], 0, sizeof p[i]);
        if (!pack(PyTuple_GetItem(x, i), bytes, known ? kinds[i] : '?', i, &p[i], &o[i]))
            return NULL;
        argument[i] = p[i].to;
        if (o[i].device >= 0 && o[i].device != kernel->device->ordinal)
            return PyErr_Format(PyExc_ValueError, "argument %d is on device %d, the kernel on device %d", i,
                                o[i].device, kernel->device->ordinal);
        if (first.device < 0 || (o[i].device >= 0 && !first.has_stream))
            first = o[i];
    }
    first.device = kernel->device->ordinal;
    if (!cuda_stream(&first, 1, kernel->device, &stream))
        return NULL;
    launch.shared = (unsigned)shared;
    launch.stream = stream.handle ? &stream : NULL;
    return cuda_check(tsr_gpu_run(kernel, &launch, argument, (int)count)) ? Py_BuildValue("") : NULL;
}
