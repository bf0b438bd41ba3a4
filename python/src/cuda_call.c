/** Calls of Python's functions on tensors of a GPU, kept whole: what their launches are, and what they give.
 *
 *  Key     the function, its arguments in order with the names of those that have one, device and stream. A number,
 *          text, layout, type, or a tuple or list of these goes by its value, a tensor as in cuda_cache.c. A number of
 *          a function for any number goes by its class: of a float and of a complex one whether it is 0, 1 or -1, of an
 *          integer its sign and its length in bits.
 *  Law     the functions depend on their arguments alone, and of tensors on nothing but layout, type, place modulo
 *          CACHE_ALIGNED bytes and, on the device, the elements. Those for any number depend on such a number by its
 *          class alone, and hand the object on to launches; they have no numbers of their own but 0, 1 and -1. A call
 *          with another argument, such as an array of the host, is not kept and is made as it stands; so is one inside
 *          of a call that is recorded. */
#include "cuda_cache.h"

#include <string.h>

enum { MOST_DEPTH = 4 };

/** The arrays of a call, which are borrowed. */
typedef struct asked {
    request key;
    PyObject *array[CACHE_ARRAYS];
    bool streams, any_number;
} asked;

typedef enum tag {
    NONE = 1,
    WHOLE,
    TRUTH,
    REAL,
    TEXT,
    ITEMS,
    LAYOUT,
    TYPE,
    DOTS,
    ARRAY,
    ANY_WHOLE,
    ANY_REAL,
    ANY_PARTS
} tag;

static bool put_tagged(asked *c, tag t, uint64_t word) { return cache_put(&c->key, t) && cache_put(&c->key, word); }

static bool put_text(asked *c, PyObject *x)
{
    char const *text = NULL;
    Py_ssize_t length = 0;
    return PyArg_Parse(x, "s#", &text, &length) && cache_put(&c->key, TEXT)
           && cache_put_text(&c->key, text, (size_t)length);
}

static bool put_whole(asked *c, PyObject *x)
{
    int past = 0;
    long long const n = PyLong_AsLongLongAndOverflow(x, &past);
    return past == 0 && put_tagged(c, PyBool_Check(x) ? TRUTH : WHOLE, (uint64_t)n);
}

static bool put_float(asked *c, PyObject *x)
{
    double const n = PyFloat_AsDouble(x);
    uint64_t word = 0;
    memcpy(&word, &n, sizeof word);
    return put_tagged(c, REAL, word);
}

static bool is_simple(double x) { return x == 0 || x == 1 || x == -1; }

/** The class of a number, and which one before it is the same object, for a launch knows it by that. */
static bool put_class(asked *c, PyObject *x)
{
    int past = 0, same = 0;
    request *const r = &c->key;
    while (same < r->numbers && r->number[same] != x)
        ++same;
    if (r->numbers == CACHE_NUMBERS)
        return false;
    r->number[r->numbers++] = x;
    if (PyLong_Check(x)) {
        long long const n = PyLong_AsLongLongAndOverflow(x, &past);
        uint64_t const length = (uint64_t)tsr_bit_width(n < 0 ? ~(uint64_t)n : (uint64_t)n);
        return past == 0 && put_tagged(c, ANY_WHOLE, length << 16 | (uint64_t)same << 8 | (n < 0));
    }
    bool const parts = PyComplex_Check(x);
    double const re = parts ? PyComplex_RealAsDouble(x) : PyFloat_AsDouble(x),
                 im = parts ? PyComplex_ImagAsDouble(x) : 0;
    uint64_t const simple = is_simple(re) && is_simple(im) ? 1 : 0;
    return put_tagged(c, parts ? ANY_PARTS : ANY_REAL, (uint64_t)same << 8 | simple)
           && (!simple || cache_put(r, (uint64_t)(int64_t)re << 8 ^ (uint64_t)(int64_t)im));
}

/** The exact types alone: a subclass may be more than its value. */
static bool is_exactly(PyObject *x, PyTypeObject *type) { return Py_TYPE(x) == type; }

static bool put_argument(asked *c, PyObject *x, int depth);

static bool put_items(asked *c, PyObject *x, int depth)
{
    Py_ssize_t const n = PySequence_Size(x);
    bool fits = depth < MOST_DEPTH && n >= 0 && put_tagged(c, ITEMS, (uint64_t)n << 1 | (unsigned)PyTuple_Check(x));
    for (Py_ssize_t i = 0; i < n && fits; ++i)
        fits = put_argument(c, PyTuple_Check(x) ? PyTuple_GetItem(x, i) : PyList_GetItem(x, i), depth + 1);
    return fits;
}

/** The last type that is no array of a device is remembered: a call of NumPy's arrays does not ask each of them. */
static bool put_array(asked *c, PyObject *x)
{
    static PyTypeObject *none;
    int const i = c->key.arrays;
    PyTypeObject *const type = Py_TYPE(x);
    if (type == none || i == CACHE_ARRAYS || !cache_put(&c->key, ARRAY))
        return false;
    if (cache_put_array(&c->key, x, &c->streams)) {
        c->array[i] = x;
        return true;
    }
    if (type != tensor_type && !cuda_has_table(x)) {
        Py_INCREF(type);
        Py_XDECREF(none);
        none = type;
    }
    return false;
}

/** Whether an object is an element type of NumPy's or torch's, by the name of its own type. */
static bool is_element_type(PyObject *x)
{
    PyObject *const name = PyObject_GetAttrString((PyObject *)Py_TYPE(x), "__name__");
    PyObject *const bytes = name ? PyUnicode_AsUTF8String(name) : NULL;
    char const *const text = bytes ? PyBytes_AsString(bytes) : "";
    size_t const n = strlen(text);
    bool const r = n >= 5 && (strcmp(text + n - 5, "dtype") == 0 || strcmp(text + n - 5, "DType") == 0);
    Py_XDECREF(bytes);
    Py_XDECREF(name);
    return r;
}

static bool put_type(asked *c, PyObject *x)
{
    tsr_dtype type = 0;
    return type_from_python(x, &type) && put_tagged(c, TYPE, type);
}

/** Puts an argument into the key. False, perhaps with an exception: the call is not kept. */
static bool put_argument(asked *c, PyObject *x, int depth)
{
    bool const any =
        c->any_number && depth == 0
        && (is_exactly(x, &PyFloat_Type) || is_exactly(x, &PyLong_Type) || is_exactly(x, &PyComplex_Type));
    return x == Py_None                 ? cache_put(&c->key, NONE)
           : any                        ? put_class(c, x)
           : is_exactly(x, tensor_type) ? depth == 0 && put_array(c, x)
           : is_exactly(x, layout_type)
               ? cache_put(&c->key, LAYOUT) && cache_put_layout(&c->key, &((object *)x)->v.as.layout)
           : is_exactly(x, &PyLong_Type) || is_exactly(x, &PyBool_Type)  ? put_whole(c, x)
           : is_exactly(x, &PyFloat_Type)                                ? put_float(c, x)
           : is_exactly(x, &PyUnicode_Type)                              ? put_text(c, x)
           : is_exactly(x, &PyTuple_Type) || is_exactly(x, &PyList_Type) ? put_items(c, x, depth)
           : x == Py_Ellipsis                                            ? cache_put(&c->key, DOTS)
           : PyType_Check(x)                                             ? put_type(c, x)
                             : depth == 0 && (is_element_type(x) ? put_type(c, x) : put_array(c, x));
}

/** Reads a call on tensors of a GPU. False, without an exception: it is not kept. */
static bool read_call(asked *c, PyObject *f, PyObject *args, PyObject *more, bool any_number)
{
    PyObject *name = NULL, *x = NULL;
    Py_ssize_t at = 0;
    Py_ssize_t const n = PyTuple_Size(args);
    c->streams = false;
    c->any_number = any_number;
    cache_begin(&c->key);
    bool fits = cache_put(&c->key, (uint64_t)(uintptr_t)f) && cache_put(&c->key, (uint64_t)n);
    for (Py_ssize_t i = 0; i < n && fits; ++i)
        fits = put_argument(c, PyTuple_GetItem(args, i), 0);
    while (fits && more && PyDict_Next(more, &at, &name, &x))
        fits = put_text(c, name) && put_argument(c, x, 0);
    fits = fits && c->key.arrays > 0;
    if (fits && !c->streams && !PyErr_Occurred()) {
        operand const o = {.device = c->key.device};
        tsr_gpu_device const *const device = cuda_device(c->key.device);
        tsr_gpu_stream s;
        fits = device && cuda_stream(&o, 1, device, &s);
        c->key.stream = fits ? s.handle : NULL;
    }
    fits = fits && cache_put(&c->key, (uint64_t)(uint32_t)c->key.device)
           && cache_put(&c->key, (uint64_t)(uintptr_t)c->key.stream);
    if (PyErr_Occurred())
        PyErr_Clear(), fits = false;
    return fits;
}

/** What a kept call gives; NULL without an exception: it goes the long way. */
static PyObject *call_replay(asked const *c, cache_entry const *k)
{
    request const *const r = &c->key;
    trace_memory room = {{0}, {0}, {NULL}};
    unsigned const written = trace_written(k->trace);
    bool good = cache_serves(k, r, c->array);
    for (int i = 0; i < r->arrays && good; ++i)
        good = (written >> i & 1) == 0 || cache_apart(k, r, i);
    PyObject *const y =
        good && cache_run(r, false, &room) > 0 ? trace_give(cache_find(r)->trace, c->array, r->address, &room) : NULL;
    trace_leave_memory(&room);
    return y;
}

/* The first time */

/** A tensor of its own for each array, which the launches of the call are known by. False: an exception is set. */
static bool make_tensors(asked const *c, PyObject **tensor)
{
    PyObject *const arrays = PyImport_ImportModule("tessera.arrays");
    bool good = arrays != NULL;
    for (int i = 0; i < c->key.arrays && good; ++i) {
        PyObject *const x = c->array[i];
        tensor[i] =
            c->key.own[i] ? cuda_tensor_apart((object const *)x) : PyObject_CallMethod(arrays, "tensor", "O", x);
        good = tensor[i] != NULL;
    }
    Py_XDECREF(arrays);
    return good;
}

/** The tensor of an argument, or the argument itself: a new reference. */
static PyObject *instead_of(asked const *c, PyObject *const *tensor, PyObject *x)
{
    PyObject *r = x;
    for (int i = c->key.arrays; i-- > 0;)
        if (c->array[i] == x)
            r = tensor[i];
    Py_INCREF(r);
    return r;
}

/** The arguments with tensors in the place of arrays. False: an exception is set. */
static bool put_instead(asked const *c, PyObject *const *tensor, PyObject **args, PyObject **more)
{
    PyObject *name = NULL, *x = NULL;
    Py_ssize_t at = 0;
    Py_ssize_t const n = PyTuple_Size(*args);
    PyObject *const new_args = PyTuple_New(n), *const new_more = PyDict_New();
    bool good = new_args && new_more;
    for (Py_ssize_t i = 0; i < n && good; ++i)
        good = PyTuple_SetItem(new_args, i, instead_of(c, tensor, PyTuple_GetItem(*args, i))) == 0;
    while (good && *more && PyDict_Next(*more, &at, &name, &x)) {
        PyObject *const y = instead_of(c, tensor, x);
        good = PyDict_SetItem(new_more, name, y) == 0;
        Py_DECREF(y);
    }
    *args = new_args;
    *more = new_more;
    return good;
}

/** What the caller gets: the array that it gave, and views of that. Takes `r`. */
static PyObject *given_back(asked const *c, PyObject *const *tensor, PyObject *r)
{
    for (int i = 0; i < c->key.arrays; ++i) {
        PyObject *const x = c->array[i];
        bool const in = PyObject_TypeCheck(r, tensor_type) && ((object *)r)->owner == ((object *)tensor[i])->owner;
        if (!in || !c->key.own[i])
            continue;
        PyObject *const y = r == tensor[i] ? x : cuda_tensor_of(((object *)r)->v.as.tensor, ((object *)x)->owner);
        if (y == x)
            Py_INCREF(x);
        Py_DECREF(r);
        return y;
    }
    return r;
}

/** Keeps a trace for a request, or frees it: one that gives an array of another library, which is a tensor then, or
 *  that has written to what others of its arrays reach into. */
static void keep(PyObject *f, request const *r, PyObject *const *x, trace *c)
{
    int const given = trace_array_given(c);
    bool good = (given < 0 || r->own[given]) && !cache_find(r);
    for (int i = 0; i < r->arrays && good; ++i)
        good = (trace_written(c) >> i & 1) == 0 || cache_will_be_apart(r, i);
    tsr_gpu_device const *const d = good ? cuda_device(r->device) : NULL;
    cache_entry *const k = d ? cache_make(r, x, d) : NULL;
    if (k) {
        Py_INCREF(f); /* its address is in the key */
        k->maker = f;
        k->trace = c;
    } else {
        trace_free(&c);
    }
}

/** Makes the call, recorded. */
static PyObject *note(asked const *c, PyObject *f, PyObject *args, PyObject *more)
{
    PyObject *tensor[CACHE_ARRAYS] = {NULL}, *r = NULL;
    PyObject *now[2] = {args, more};
    (void)cache_is_full();
    bool const made = make_tensors(c, tensor), puts = made && put_instead(c, tensor, &now[0], &now[1]);
    if (puts) {
        bool const begins = trace_begin(tensor, c->key.arrays, c->key.number, c->key.numbers);
        r = PyObject_Call(f, now[0], now[1]);
        trace *const recording = begins ? trace_end(tensor, r) : NULL;
        if (recording)
            keep(f, &c->key, c->array, recording);
        r = r ? given_back(c, tensor, r) : NULL;
    }
    if (made)
        Py_XDECREF(now[0]), Py_XDECREF(now[1]);
    for (int i = 0; i < c->key.arrays; ++i)
        Py_XDECREF(tensor[i]);
    return r;
}

PyObject *cuda_call_cached(PyObject *f, PyObject *arguments, PyObject *named, bool any_number)
{
    asked c;
    if (trace_is_recording() || !read_call(&c, f, arguments, named, any_number))
        return PyObject_Call(f, arguments, named);
    cache_entry const *const k = cache_find(&c.key);
    PyObject *const y = k ? call_replay(&c, k) : NULL;
    if (y || PyErr_Occurred())
        return y;
    return k ? PyObject_Call(f, arguments, named) : note(&c, f, arguments, named);
}

PyObject *cuda_call(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    (void)module;
    if (count != 4 || !PyTuple_Check(x[1]) || !PyDict_Check(x[2]))
        return PyErr_Format(PyExc_TypeError, "this takes a function, a tuple, a dictionary and a truth value");
    return cuda_call_cached(x[0], x[1], x[2], x[3] == Py_True);
}

/* Of another library */

PyObject *cuda_record(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    enum { INPUTS = 3 };
    request r;
    char const *text = NULL;
    PyObject *tensor[CACHE_ARRAYS];
    (void)module;
    if (count < INPUTS + 2 || !PyTuple_Check(x[2]) || !PyArg_Parse(x[0], "s", &text))
        return PyErr_Occurred()
                   ? NULL
                   : PyErr_Format(PyExc_TypeError, "a call is recorded with a text, a tuple and two arrays");
    int const arrays = (int)count - INPUTS;
    char const *const texts[2] = {text, text};
    bool fits = arrays <= CACHE_ARRAYS && PyTuple_Size(x[2]) == arrays;
    for (int i = 0; i < arrays && fits; ++i)
        tensor[i] = PyTuple_GetItem(x[2], i);
    bool const begins = fits && trace_begin(tensor, arrays, NULL, 0);
    PyObject *const y = PyObject_CallObject(x[1], NULL);
    trace *c = begins ? trace_end(tensor, y) : NULL;
    (void)cache_is_full();
    bool const reads = c && cache_read_request(&r, texts, NULL, x + INPUTS, arrays) && !cache_find(&r);
    tsr_gpu_device const *const d = reads ? cuda_device(r.device) : NULL;
    cache_entry *const k = d ? cache_make(&r, x + INPUTS, d) : NULL;
    if (k)
        k->trace = c;
    else
        trace_free(&c);
    if (PyErr_Occurred() && y)
        PyErr_Clear();
    return y;
}
