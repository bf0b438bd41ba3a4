/** What computes on tensors, beside products: by the engines of the library, without the lock of the interpreter. */
#include "cuda.h"

#include <stdlib.h>
#if defined(__linux__)
#  include <sys/mman.h>
#endif

#include "tessera/exec/transform.h"

static PyObject *done(tsr_reason why) { return why.status ? refuse_why(why) : Py_BuildValue(""); }

/** _fill(t, x) */
static PyObject *fill(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *n = NULL;
    tsr_tensor t;
    scalar number[2] = {cuda_constant(0), cuda_constant(0)};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O", tensor_type, &x, &n)
        || !cuda_scalar(n, ((object *)x)->v.as.tensor.engine.type, &number[0]))
        return NULL;
    PyObject *const all[3] = {NULL, x, x};
    int const launched = cuda_combine(TSR_COMBINE_SUM, all, number);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!tensor_from_python(x, true, &t))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    tsr_reason const why = tsr_fill(t, number[0].value);
    PyEval_RestoreThread(state);
    return done(why);
}

/** _axpby(alpha, x, beta, y, type): y = alpha x + beta y, of numbers of a type, or of None */
static PyObject *axpby(PyObject *module, PyObject *args)
{
    PyObject *a = NULL, *x = NULL, *b = NULL, *y = NULL, *name = NULL;
    scalar alpha, beta;
    tsr_dtype type = (tsr_dtype)0;
    tsr_tensor from, to;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOO", &a, &x, &b, &y, &name)
        || (name != Py_None && !type_from_python(name, &type)))
        return NULL;
    int const launched = cuda_copy(x, y, a, b, type);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!cuda_scalar(a, type, &alpha) || !cuda_scalar(b, type, &beta) || !tensor_from_python(x, false, &from)
        || !tensor_from_python(y, true, &to))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    tsr_reason const why = tsr_axpby(alpha.value, from, beta.value, to);
    PyEval_RestoreThread(state);
    return done(why);
}

/** Two operands, tensors or numbers, and the tensor that they become. */
typedef struct two_to_one {
    PyObject *object[3]; /* NULL: a number */
    scalar number[2];    /* that, or 1 */
    tsr_tensor tensor[3];
    _Alignas(16) unsigned char element[2][16]; /* of a number */
} two_to_one;

/** Reads the objects; numbers are those of a type. False: an exception is set. */
static bool read_two(two_to_one *t, PyObject *type_of)
{
    tsr_dtype type = (tsr_dtype)0;
    bool good = true;
    for (int i = 0; i < 2 && good; ++i) {
        PyObject *const x = t->object[i];
        t->number[i] = cuda_constant(1);
        if (PyObject_TypeCheck(x, tensor_type))
            continue;
        if (!type_from_python(type_of, &type))
            return false;
        t->object[i] = NULL;
        good = cuda_scalar(x, type, &t->number[i]);
        if (good)
            tsr_store(type, t->element[i], 0, t->number[i].value);
        tsr_engine const e = tsr_engine_at(TSR_RMEM, t->element[i], true, type);
        t->tensor[i].engine = tsr_engine_bounded(e, (uint64_t)(uintptr_t)t->element[i], sizeof t->element[i]);
    }
    return good;
}

/** The tensors in the memory of the host. A number is repeated. False: an exception is set. */
static bool take_two(two_to_one *t)
{
    if (!tensor_from_python(t->object[2], true, &t->tensor[2]))
        return false;
    for (int i = 0; i < 2; ++i) {
        if (t->object[i] && !tensor_from_python(t->object[i], false, &t->tensor[i]))
            return false;
        if (!t->object[i])
            t->tensor[i].layout = tsr_make_layout(tsr_int(tsr_layout_size(t->tensor[2].layout)), tsr_int(0));
    }
    return true;
}

/** _sum(x, sign, y, z, type): z = x + sign y, of tensors and numbers of a type; z may be x */
static PyObject *sum(PyObject *module, PyObject *args)
{
    two_to_one t;
    PyObject *type = NULL;
    int sign = 1;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiOOO", &t.object[0], &sign, &t.object[1], &t.object[2], &type)
        || !read_two(&t, type))
        return NULL;
    if (sign < 0)
        cuda_negate(&t.number[1]);
    int const launched = cuda_combine(TSR_COMBINE_SUM, t.object, t.number);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!take_two(&t))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    tsr_reason const why =
        tsr_combine(TSR_COMBINE_SUM, tsr_number_int(1), t.tensor[0], tsr_number_int(sign), t.tensor[1], t.tensor[2]);
    PyEval_RestoreThread(state);
    return done(why);
}

/** _combine(op, x, y, z, type): z(i) = x(i) op y(i) of a combiner, of tensors and numbers of a type */
static PyObject *combine(PyObject *module, PyObject *args)
{
    two_to_one t;
    PyObject *type = NULL;
    int op = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "iOOOO", &op, &t.object[0], &t.object[1], &t.object[2], &type) || !read_two(&t, type))
        return NULL;
    if (op < 0 || op >= (int)TSR_COMBINERS)
        return PyErr_Format(PyExc_ValueError, "there are combiners 0 to %d, and not %d", (int)TSR_COMBINERS - 1, op);
    int const launched = cuda_combine((tsr_combiner)op, t.object, t.number);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!take_two(&t))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    tsr_reason const why =
        tsr_combine((tsr_combiner)op, tsr_number_int(1), t.tensor[0], tsr_number_int(1), t.tensor[1], t.tensor[2]);
    PyEval_RestoreThread(state);
    return done(why);
}

/** _reduce(0 for the sum, 1 for the least, 2 for the greatest, from, to): where the stride of `to` is 0, elements are
 *  reduced. */
static PyObject *reduce(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *y = NULL;
    int op = 0;
    tsr_tensor from, to;
    (void)module;
    if (!PyArg_ParseTuple(args, "iOO", &op, &x, &y))
        return NULL;
    int const launched = cuda_reduce(op, x, y);
    if (launched)
        return launched > 0 ? Py_BuildValue("") : NULL;
    if (!tensor_from_python(x, false, &from) || !tensor_from_python(y, true, &to))
        return NULL;
    PyThreadState *const state = PyEval_SaveThread();
    tsr_reason const why = tsr_reduce_to((tsr_reducer)op, from, to);
    PyEval_RestoreThread(state);
    return done(why);
}

/** Asks for huge pages behind large memory, as NumPy does: of 4 kB each page is a fault, and the faults of a new result
 *  take longer than its elements. */
static void ask_for_huge_pages(char *memory, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    enum { LARGE = 1 << 22, PAGE = 4096 };
    size_t const before = PAGE - (uintptr_t)memory % PAGE;
    if (bytes >= LARGE)
        (void)madvise(memory + before, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* Large memory that was given back, for the next result: its pages are there already, and new ones take longer than
 * the elements that are put into them. */

enum { LARGE_BYTES = 1 << 20, SPARE_BLOCKS = 4, ALIGNED = 64 };

#define SPARE_BYTES ((size_t)128 << 20)

typedef struct block {
    size_t bytes;
    char *at; /* what malloc gave */
} block;

static block spare[SPARE_BLOCKS];

static size_t spare_bytes(void)
{
    size_t r = 0;
    for (int i = 0; i < SPARE_BLOCKS; ++i)
        r += spare[i].bytes;
    return r;
}

/** Memory of some bytes, at most a quarter of it left over; NULL: none is spare. */
static block take_spare(size_t bytes)
{
    block r = {0, NULL};
    for (int i = 0; i < SPARE_BLOCKS && !r.at; ++i)
        if (spare[i].bytes >= bytes && spare[i].bytes - bytes <= bytes / 4) {
            r = spare[i];
            spare[i] = (block){0, NULL};
        }
    return r;
}

/** Gives large memory back: the handle of its owner. */
static void keep_spare(void *handle)
{
    block *const b = (block *)handle;
    for (int i = 0; i < SPARE_BLOCKS && b->at; ++i)
        if (!spare[i].at && spare_bytes() + b->bytes <= SPARE_BYTES) {
            spare[i] = *b;
            b->at = NULL;
        }
    free(b->at);
    free(b);
}

/** The same as new_bytes, of large memory that is not cleared. */
static owner *new_large(size_t bytes, char **at)
{
    block *const b = (block *)malloc(sizeof *b);
    if (b)
        *b = take_spare(bytes + ALIGNED);
    if (b && !b->at) {
        *b = (block){bytes + ALIGNED, (char *)malloc(bytes + ALIGNED)};
        if (b->at)
            ask_for_huge_pages(b->at, b->bytes);
    }
    if (!b || !b->at) {
        free(b);
        PyErr_Format(PyExc_MemoryError, "there is no memory of %zu bytes", bytes);
        return NULL;
    }
    *at = b->at + (ALIGNED - (uintptr_t)b->at % ALIGNED);
    owner *const o = new_owner(NULL, false, b, keep_spare);
    if (!o)
        keep_spare(b);
    return o;
}

owner *new_bytes(size_t bytes, bool cleared, char **at)
{
    if (bytes >= LARGE_BYTES && !cleared)
        return new_large(bytes, at);
    char *const memory_of = (char *)(cleared ? calloc(bytes + ALIGNED, 1) : malloc(bytes + ALIGNED));
    owner *const o = memory_of ? new_owner(NULL, false, memory_of, free) : NULL;
    if (!memory_of)
        PyErr_Format(PyExc_MemoryError, "there is no memory of %zu bytes", bytes);
    if (!o) {
        free(memory_of);
        return NULL;
    }
    ask_for_huge_pages(memory_of, bytes);
    *at = memory_of + (ALIGNED - (uintptr_t)memory_of % ALIGNED);
    return o;
}

PyObject *new_tensor(tsr_layout l, tsr_dtype type, bool cleared)
{
    int64_t bits = 0;
    char *at = NULL;
    tsr_ends const ends = tsr_ends_of(&l);
    if (ends.why.status)
        return refuse_why(ends.why);
    if (ends.low < 0)
        return refuse(NULL, "the layout has negative offsets, and new memory begins at offset 0");
    if (!tsr_add64(ends.high, 1, &bits) || !tsr_mul64(bits, tsr_dtype_bits(type), &bits)
        || (uint64_t)bits / 8 > SIZE_MAX - 128)
        return PyErr_Format(PyExc_MemoryError, "a tensor of offsets to %lld of the type %s is larger than the memory",
                            (long long)ends.high, type_name(type));
    size_t const bytes = (size_t)((bits + 7) / 8);
    owner *const o = new_bytes(bytes, cleared, &at);
    if (!o)
        return NULL;
    tsr_engine e = tsr_engine_at(TSR_RMEM, at, false, type);
    e = tsr_engine_bounded(e, (uint64_t)(uintptr_t)at, bytes);
    return own_to_python(tsr_make_tensor_of(e, l), o);
}

/** _new(layout, type): memory of its own, all 0, at a multiple of 64 bytes. */
static PyObject *new_memory(PyObject *module, PyObject *args)
{
    PyObject *layout = NULL, *name = NULL;
    tsr_dtype type = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O", layout_type, &layout, &name) || !type_from_python(name, &type))
        return NULL;
    return new_tensor(((object *)layout)->v.as.layout, type, true);
}

/** _type(x): the name of an element type */
static PyObject *named_type(PyObject *module, PyObject *x)
{
    tsr_dtype type = 0;
    (void)module;
    return type_from_python(x, &type) ? PyUnicode_FromString(type_name(type)) : NULL;
}

/** _types(): of each element type its name, DLPack's code, bits, bits of the exponent and of the mantissa, NumPy's
 *  name, safetensors' name. */
static PyObject *types(PyObject *module, PyObject *none)
{
    static struct row {
        tsr_dtype type;
        int code, bits, exponent, mantissa;
        char const *numpy, *safetensors;
    } const rows[] = {
#define TSR_X_(id, code, bits, exponent, mantissa, bias, special, name, numpy, safetensors) \
  {TSR_##id, code, bits, exponent, mantissa, numpy, safetensors},
        TSR_DTYPE_LIST(TSR_X_)
#undef TSR_X_
    };
    PyObject *const list = PyList_New(0);
    (void)module;
    (void)none;
    for (size_t i = 0; list && i < sizeof rows / sizeof rows[0]; ++i) {
        struct row const *const r = &rows[i];
        PyObject *const item = Py_BuildValue("(siiiiss)", type_name(r->type), r->code, r->bits, r->exponent,
                                             r->mantissa, r->numpy, r->safetensors);
        bool const ok = item && PyList_Append(list, item) == 0;
        Py_XDECREF(item);
        if (!ok) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* clang-format off */
PyMethodDef compute_functions[] = {
    {"_fill", fill, METH_VARARGS, NULL},         {"_axpby", axpby, METH_VARARGS, NULL},
    {"_combine", combine, METH_VARARGS, NULL},   {"_reduce", reduce, METH_VARARGS, NULL},
    {"_sum", sum, METH_VARARGS, NULL},
    {"_new", new_memory, METH_VARARGS, NULL},    {"_types", types, METH_NOARGS, NULL},
    {"_type", named_type, METH_O, NULL},
    {NULL, NULL, 0, NULL}};
/* clang-format on */
