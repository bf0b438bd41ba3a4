/** The signs + - * / of tensors, and those in place. Tensors in the memory of the host are computed here, for the
 *  functions of the package (compute.py) take some microseconds before they compute. All else is theirs.
 *
 *  Law     the results are those of the functions, bit by bit, and so are their types and layouts. A number is rounded
 *          to the type first. */
#include "cuda_replay.h"

#include "exec/rows.h"
#include "host.h"

#include <string.h>

typedef enum sign { ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, GREATEST, NEGATE, MATMUL, IN_PLACE } sign;

enum { SIGNS = IN_PLACE + DIVIDE + 1 };

/** Of each sign, then of each in place: a function, and its arguments before and behind the operands. */
static PyObject *function[SIGNS], *before[SIGNS], *behind[SIGNS];
static PyObject *operand_of, *promote; /* whether an object is an operand; the type that holds two others */

/* Types */

/** The smallest type that holds the numbers of two others, by the function of the package, which is asked once for each
 *  two. 0, without an exception: that is left to the function of a sign. */
static tsr_dtype promoted(tsr_dtype a, tsr_dtype b)
{
    enum { MOST = 64 };
    static struct {
        tsr_dtype from[2], to;
    } known[MOST];
    static int count;
    tsr_dtype to = 0;
    for (int i = 0; i < count; ++i)
        if (known[i].from[0] == a && known[i].from[1] == b)
            return known[i].to;
    PyObject *const r = a == b ? NULL : PyObject_CallFunction(promote, "ss", type_name(a), type_name(b));
    if (a == b)
        return a;
    if (!r || !type_from_python(r, &to))
        PyErr_Clear();
    Py_XDECREF(r);
    if (to && count < MOST) {
        known[count].from[0] = a;
        known[count].from[1] = b;
        known[count++].to = to;
    }
    return to;
}

/** An operand: a tensor, or a number of a type. */
typedef struct term {
    bool is_number;
    host of;
    _Alignas(16) unsigned char element[16];
} term;

static bool is_whole(tsr_dtype type) { return tsr_dtype_code(type) <= 1; }

/** The type that operands are computed in; 0: that is left to the function. */
static tsr_dtype type_of(sign s, term const x[2], PyObject *number)
{
    tsr_dtype const type = x[0].is_number ? x[1].of.type : x[0].of.type;
    tsr_dtype const r = !number                                              ? promoted(type, x[1].of.type)
                        : is_whole(type) && Py_TYPE(number) == &PyFloat_Type ? TSR_F64
                                                                             : type;
    bool const complex = tsr_number_kind_of(r) == TSR_COMPLEX;
    return type == TSR_BOOL || r == TSR_BOOL || (complex && (number || s > MULTIPLY)) ? (tsr_dtype)0 : r;
}

/** Reads operands, and the type that they are computed in. False, without an exception: that is left to the function.
 */
static bool read_terms(sign s, PyObject *const object[2], term x[2], tsr_dtype *type)
{
    PyObject *number = NULL;
    for (int i = 0; i < 2; ++i) {
        PyTypeObject *const t = Py_TYPE(object[i]);
        x[i].is_number = t == &PyFloat_Type || t == &PyLong_Type;
        if (x[i].is_number && number)
            return false;
        number = x[i].is_number ? object[i] : number;
        if (!x[i].is_number && !host_from_python(object[i], &x[i].of))
            return false;
    }
    *type = type_of(s, x, number);
    scalar n;
    if (*type && number && !cuda_scalar(number, *type, &n)) {
        PyErr_Clear(); /* the function says why */
        return false;
    }
    if (*type && number)
        tsr_store(*type, x[x[1].is_number].element, 0, n.value);
    return *type != 0;
}

/* Computing */

static tsr_combiner combiner_of(sign s)
{
    return s == MULTIPLY   ? TSR_COMBINE_PRODUCT
           : s == DIVIDE   ? TSR_COMBINE_QUOTIENT
           : s == LEAST    ? TSR_COMBINE_LEAST
           : s == GREATEST ? TSR_COMBINE_GREATEST
                           : TSR_COMBINE_SUM;
}

/** Whether z is x or apart from it: each element is read before it is written. */
static bool goes_into(host const *z, term const *x)
{
    uint64_t const a = (uint64_t)(uintptr_t)z->at, b = (uint64_t)(uintptr_t)x->of.at;
    uint64_t const bytes = (uint64_t)z->count * (uint64_t)tsr_dtype_bits(z->type) / 8;
    return x->is_number || a == b || a + bytes <= b || b + bytes <= a;
}

/** Whether all are of one type and have their elements side by side, in the same order. */
static bool are_alike(sign s, host const *z, term const x[2], tsr_dtype type)
{
    bool alike = z->type == type && z->side_by_side && !(s == DIVIDE && is_whole(type));
    for (int i = 0; i < 2; ++i)
        alike = alike && (x[i].is_number || (x[i].of.type == type && host_same_order(z, &x[i].of)))
                && goes_into(z, &x[i]);
    return alike;
}

static tsr_tensor tensor_of(term const *x, tsr_dtype type, int rank, int64_t const *extent, int64_t count)
{
    if (!x->is_number)
        return host_tensor(&x->of, rank, extent);
    tsr_engine const e = tsr_engine_at(TSR_RMEM, (void *)(uintptr_t)x->element, true, type);
    tsr_engine const bounded = tsr_engine_bounded(e, (uint64_t)(uintptr_t)x->element, sizeof x->element);
    return tsr_make_tensor_of(bounded, tsr_make_layout(tsr_int(count), tsr_int(0)));
}

/** Into z, which is `fresh` where nothing else is in its memory. False: that is left to the function, and nothing is
 *  done. */
static bool compute(sign s, host const *z, bool fresh, term const x[2], tsr_dtype type)
{
    bool done = false;
    PyThreadState *const state = host_unlock(z->count);
    if (are_alike(s, z, x, type))
        done = tsr_engine_combine_all(s == SUBTRACT ? (int)TSR_DIFFERENCE_ : (int)combiner_of(s), type, z->at,
                                      x[0].is_number ? x[0].element : x[0].of.at, x[0].is_number,
                                      x[1].is_number ? x[1].element : x[1].of.at, x[1].is_number, z->count);
    if (!done) {
        tsr_tensor const a = tensor_of(&x[0], type, z->rank, z->extent, z->count),
                         b = tensor_of(&x[1], type, z->rank, z->extent, z->count), *const c = &z->of->v.as.tensor;
        tsr_number const one = tsr_number_int(1);
        if (fresh)
            tsr_combine_checked_(combiner_of(s), &a, s == SUBTRACT, &b, c);
        done =
            fresh || tsr_combine(combiner_of(s), one, a, s == SUBTRACT ? tsr_number_int(-1) : one, b, *c).status == 0;
    }
    host_lock(state);
    return done;
}

/* Signs */

/** What two operands become here, in new memory or in that of `to`, which may be one of them; NULL, without an
 *  exception: that is left to the function. */
static PyObject *compute_here(sign s, PyObject *to, PyObject *a, PyObject *b)
{
    term x[2];
    host z;
    tsr_dtype type = 0;
    int rank = 0;
    int64_t extent[TSR_MAX_LEAVES];
    PyObject *const both[2] = {a, b};
    if (s >= NEGATE || !read_terms(s, both, x, &type))
        return NULL;
    host const *const of = x[0].is_number ? &x[1].of : &x[0].of, *const other = x[1].is_number ? of : &x[1].of;
    tsr_dtype const made = s == DIVIDE && is_whole(type) ? TSR_F64 : type;
    if (!host_common(of, other, &rank, extent))
        return NULL;
    if (to && (!host_from_python(to, &z) || !z.writable || z.type != made || !host_same_shape(&z, rank, extent)))
        return NULL;
    PyObject *const r = to                                  ? to
                        : host_same_shape(of, rank, extent) ? host_new_like(of, made, &z)
                                                            : host_new(of, rank, extent, made, &z);
    if (to)
        Py_INCREF(to);
    if (!r || compute(s, &z, !to, x, type))
        return r;
    Py_DECREF(r);
    return NULL;
}

static PyObject *call_function(int at, PyObject *a, PyObject *b)
{
    Py_ssize_t const n = PyTuple_Size(before[at]), m = PyTuple_Size(behind[at]), operands = b ? 2 : 1;
    PyObject *const args = PyTuple_New(n + operands + m);
    for (Py_ssize_t i = 0; args && i < n + operands + m; ++i) {
        PyObject *const x = i < n              ? PyTuple_GetItem(before[at], i)
                            : i < n + operands ? (i == n ? a : b)
                                               : PyTuple_GetItem(behind[at], i - n - operands);
        Py_INCREF(x);
        PyTuple_SetItem(args, i, x);
    }
    PyObject *const r = args ? cuda_call_cached(function[at], args, NULL, true) : NULL;
    Py_XDECREF(args);
    return r;
}

static PyObject *two(sign s, bool in_place, PyObject *a, PyObject *b)
{
    int const at = (int)s + (in_place ? (int)IN_PLACE : 0);
    PyObject *const other = Py_TYPE(a) == tensor_type ? b : a;
    if (!function[at])
        return PyErr_Format(PyExc_RuntimeError, "tessera.compute is not imported");
    PyObject *const here = compute_here(s, in_place ? a : NULL, a, b);
    if (here || PyErr_Occurred())
        return here;
    bool const is = in_place || Py_TYPE(other) == tensor_type || Py_TYPE(other) == &PyFloat_Type;
    PyObject *const asked = is ? NULL : PyObject_CallFunctionObjArgs(operand_of, other, NULL);
    if (!is && asked != Py_True) {
        Py_XDECREF(asked);
        if (!asked)
            return NULL;
        Py_INCREF(Py_NotImplemented);
        return Py_NotImplemented;
    }
    Py_XDECREF(asked);
    return call_function(at, a, b);
}

PyObject *tensor_add(PyObject *a, PyObject *b) { return two(ADD, false, a, b); }
PyObject *tensor_subtract(PyObject *a, PyObject *b) { return two(SUBTRACT, false, a, b); }
PyObject *tensor_multiply(PyObject *a, PyObject *b) { return two(MULTIPLY, false, a, b); }
PyObject *tensor_divide(PyObject *a, PyObject *b) { return two(DIVIDE, false, a, b); }
PyObject *tensor_matmul(PyObject *a, PyObject *b)
{
    PyObject *const here = host_matmul(a, b);
    if (here != Py_None)
        return here;
    Py_DECREF(here);
    return two(MATMUL, false, a, b);
}

PyObject *tensor_add_in_place(PyObject *a, PyObject *b) { return two(ADD, true, a, b); }
PyObject *tensor_subtract_in_place(PyObject *a, PyObject *b) { return two(SUBTRACT, true, a, b); }
PyObject *tensor_multiply_in_place(PyObject *a, PyObject *b) { return two(MULTIPLY, true, a, b); }
PyObject *tensor_divide_in_place(PyObject *a, PyObject *b) { return two(DIVIDE, true, a, b); }

PyObject *tensor_negate(PyObject *a)
{
    static PyObject *minus;
    minus = minus ? minus : PyLong_FromLong(-1);
    bool const here =
        Py_TYPE(a) == tensor_type && tsr_number_kind_of(((object *)a)->v.as.tensor.engine.type) == TSR_REAL;
    PyObject *const r = here && minus ? compute_here(MULTIPLY, NULL, a, minus) : NULL;
    return r || PyErr_Occurred() ? r : call_function(NEGATE, a, NULL);
}

/** _two(sign, a, b, out or None): what a function makes of two operands, as its sign in Python does; in `out` None is
 *  given where that is left to the function */
static PyObject *two_of(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    long const s = count == 4 ? PyLong_AsLong(args[0]) : -1;
    if (s < 0 || s >= (long)NEGATE)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "there is no sign %ld", s);
    bool const into = args[3] != Py_None;
    PyObject *const here = compute_here((sign)s, into ? args[3] : NULL, args[1], args[2]);
    if (here || PyErr_Occurred())
        return here;
    return into ? Py_BuildValue("") : call_function((int)s, args[1], args[2]);
}

/** _set_signs(is_operand, promote, ((function, arguments before, and behind), ..)): the functions of the signs, in the
 *  order of `sign`, those in place behind them */
static PyObject *set_signs(PyObject *module, PyObject *args)
{
    PyObject *is_operand = NULL, *common = NULL, *rows = NULL, *row[SIGNS][3];
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!", &is_operand, &common, &PyTuple_Type, &rows) || PyTuple_Size(rows) != SIGNS)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "there are %d signs", SIGNS);
    for (int i = 0; i < SIGNS; ++i)
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, i), "OO!O!", &row[i][0], &PyTuple_Type, &row[i][1], &PyTuple_Type,
                              &row[i][2]))
            return NULL;
    for (int i = 0; i < SIGNS; ++i)
        for (int k = 0; k < 3; ++k) {
            PyObject **const at = k == 0 ? &function[i] : k == 1 ? &before[i] : &behind[i], *const old = *at;
            Py_INCREF(row[i][k]);
            *at = row[i][k];
            Py_XDECREF(old);
        }
    Py_INCREF(is_operand);
    Py_XDECREF(operand_of);
    operand_of = is_operand;
    Py_INCREF(common);
    Py_XDECREF(promote);
    promote = common;
    return Py_BuildValue("");
}

PyMethodDef sign_functions[] = {{"_set_signs", set_signs, METH_VARARGS, NULL},
                                {"_two", (PyCFunction)(void (*)(void))two_of, METH_FASTCALL, NULL},
                                {NULL, NULL, 0, NULL}};
