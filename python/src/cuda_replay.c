/** Calls that come again: those that write to an array of the caller's, and those that make their result. */
#include "cuda_cache.h"

#include <string.h>

void cuda_remember_copy(tsr_gpu_device const *device, PyObject *const x[2], tsr_gpu_planned_copy *plan)
{
    request c;
    char const *const none[2] = {NULL, NULL};
    bool const reads = cache_read_request(&c, none, NULL, x, 2) && c.array[0].ndim == c.array[1].ndim
                       && memcmp(c.array[0].shape, c.array[1].shape, (size_t)c.array[0].ndim * sizeof(int64_t)) == 0;
    (void)cache_is_full();
    cache_entry *const k = reads && !cache_find(&c) ? cache_make(&c, x, device) : NULL;
    if (k)
        k->copy = plan;
    else
        tsr_gpu_copy_free(&plan);
}

void cuda_remember_product(tsr_gpu_device const *device, char const *text, PyObject *const x[3],
                           tsr_gpu_planned_gemm const *plan)
{
    request c;
    char const *const texts[2] = {text, text};
    (void)cache_is_full();
    if (!cache_read_request(&c, texts, NULL, x, 3))
        return;
    cache_entry *const before = cache_find(&c), *const k = before ? before : cache_make(&c, x, device);
    if (k)
        k->product = plan; /* one that was measured takes the place of one that was not */
}

/** The text of a call of `least` arguments or more, NULL of None, or the two of a tuple. The last one is remembered:
 *  programs write it once. False: an exception is set. */
static bool name_of(PyObject *const *x, Py_ssize_t count, int least, char const *text[2])
{
    static PyObject *last;
    static char const *last_text[2]; /* as long as the object lives */
    if (count < least) {
        PyErr_Format(PyExc_TypeError, "this takes %d arguments or more, not %zd", least, count);
        return false;
    }
    if (x[0] != last) {
        char const *now[2] = {NULL, NULL};
        bool const two = PyTuple_Check(x[0]);
        if (!(two ? PyArg_ParseTuple(x[0], "ss", &now[0], &now[1]) : PyArg_Parse(x[0], "z", &now[0])))
            return false;
        Py_INCREF(x[0]);
        Py_XDECREF(last);
        last = x[0];
        last_text[0] = now[0];
        last_text[1] = now[two];
    }
    text[0] = last_text[0];
    text[1] = last_text[1];
    return true;
}

/** Launches what is kept for a request; the results are those of kept_run. */
static int run(request const *c, bool made)
{
    trace_memory room = {{0}, {0}, {NULL}};
    int const done = cache_run(c, made, &room);
    trace_leave_memory(&room);
    return done;
}

PyObject *cuda_replay(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    request c;
    char const *text[2] = {NULL, NULL};
    (void)module;
    if (!name_of(x, count, 3, text))
        return NULL;
    bool const reads = count <= 1 + CACHE_ARRAYS && cache_read_request(&c, text, NULL, x + 1, (int)count - 1);
    cache_entry const *const k = reads ? cache_find(&c) : NULL;
    if (!k || !cache_apart(k, &c, c.arrays - 1) || !cache_serves(k, &c, x + 1))
        return PyBool_FromLong(false);
    int const done = run(&c, false);
    return done < 0 ? NULL : PyBool_FromLong(done);
}

PyObject *cuda_replay_new(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    request c;
    char const *text[2] = {NULL, NULL};
    (void)module;
    if (!name_of(x, count, 3, text))
        return NULL;
    bool const reads = count <= 1 + CACHE_ARRAYS && cache_read_request(&c, text, x[1], x + 2, (int)count - 2);
    cache_entry const *const k = reads ? cache_find(&c) : NULL;
    if (!k || !cache_serves(k, &c, x + 2))
        return Py_BuildValue("");
    PyObject *const y = PyObject_Call(k->maker, k->arguments, NULL);
    if (!y)
        return NULL;
    cache_entry const *const now = cache_find(&c); /* what makes memory may run other code */
    bool const like = now && cache_read_result(&c, y) && c.address[c.arrays - 1] % CACHE_ALIGNED == now->place;
    int const done = like ? run(&c, true) : 0;
    if (done > 0)
        return y;
    Py_DECREF(y);
    return done < 0 ? NULL : Py_BuildValue("");
}

PyObject *cuda_keep(PyObject *module, PyObject *const *x, Py_ssize_t count)
{
    enum { INPUTS = 5 };
    request c, whole;
    char const *text[2] = {NULL, NULL};
    (void)module;
    if (!name_of(x, count, INPUTS + 1, text))
        return NULL;
    if (count >= INPUTS + CACHE_ARRAYS)
        return PyBool_FromLong(false);
    PyObject *arrays[CACHE_ARRAYS] = {NULL};
    int const inputs = (int)count - INPUTS;
    for (int i = 0; i < inputs; ++i)
        arrays[i] = x[INPUTS + i];
    arrays[inputs] = x[2];
    if (!PyCallable_Check(x[3]) || !PyTuple_Check(x[4]))
        return PyErr_Format(PyExc_TypeError, "what makes a result is called with a tuple");
    cache_entry *const plan =
        !cache_is_full() && cache_read_request(&whole, text, NULL, arrays, inputs + 1) ? cache_find(&whole) : NULL;
    cache_entry *const k = plan && cache_read_request(&c, text, x[1], arrays, inputs) && !cache_find(&c)
                               ? cache_make(&c, arrays, plan->device)
                               : NULL;
    if (k) {
        Py_INCREF(x[1]); /* its address is in the key */
        Py_INCREF(x[3]);
        Py_INCREF(x[4]);
        k->writes = plan;
        k->maker = x[3];
        k->arguments = x[4];
        k->place = whole.address[inputs] % CACHE_ALIGNED;
    }
    return PyBool_FromLong(k != NULL);
}
