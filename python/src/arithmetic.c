/** The signs + - * / of tensors, and those in place. Plain floats in the memory of the host are computed here, for the
 *  functions of the package (compute.py) take some microseconds before they compute. All else is theirs.
 *
 *  Law     the results are those of the functions, bit by bit: every element rounded once, NaN one pattern. Of two
 *          floats the sum, the difference, the product and the quotient in double, rounded to float, are those in
 *          float. A number is rounded to the type first. */
#include "cuda_replay.h"

#include <stdlib.h>
#include <string.h>

typedef enum sign { ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, GREATEST, NEGATE, MATMUL, IN_PLACE } sign;

enum { SIGNS = IN_PLACE + DIVIDE + 1 };

/** From how many elements on others may hold the lock. */
enum { UNLOCKED = 1 << 15 };

/** Of each sign, then of each in place: a function, and its arguments before and behind the operands. */
static PyObject *function[SIGNS], *before[SIGNS], *behind[SIGNS];
static PyObject *operand_of; /* whether an object is an operand */

/** Floats side by side, in the order of their layout. */
typedef struct floats {
    object const *of;
    unsigned char *at;
    int64_t count;
    tsr_dtype type;
    bool writable;
} floats;

/** False, without an exception: it is another kind of tensor. */
static bool floats_from_python(PyObject *x, floats *f)
{
    if (Py_TYPE(x) != tensor_type)
        return false;
    object const *const o = (object const *)x;
    owner const *const memory = (owner const *)o->owner;
    tsr_layout const *const l = &o->v.as.tensor.layout;
    tsr_engine const *const e = &o->v.as.tensor.engine;
    bool const plain = memory && !o->kept.last && memory->device == 1 && e->kind == TSR_POINTER
                       && e->map.kind == TSR_AS_IS && (e->type == TSR_F32 || e->type == TSR_F64)
                       && e->swizzle.bits == 0 && !l->composed && !l->shape.status && !l->stride.status
                       && l->shape.leaves == l->stride.leaves;
    if (!plain || l->shape.leaves == 0)
        return false;
    int64_t count = 1;
    for (int done = 0; done < l->shape.leaves; ++done) { /* the leaf that goes on where the others end */
        int i = 0;
        while (i < l->shape.leaves && (l->stride.leaf[i].value != count || l->shape.leaf[i].value < 2))
            ++i;
        if (i == l->shape.leaves || l->shape.leaf[i].kind != TSR_STATIC || l->stride.leaf[i].kind != TSR_STATIC
            || !tsr_mul64(count, l->shape.leaf[i].value, &count))
            return false;
    }
    uint64_t const base = (uint64_t)(uintptr_t)memory->base, size = (uint64_t)tsr_dtype_bits(e->type) / 8;
    uint64_t const low = e->begin > base ? e->begin : base;
    uint64_t const high = e->end < base + memory->bytes ? e->end : base + memory->bytes;
    *f = (floats){o, (unsigned char *)(uintptr_t)e->address, count, e->type, !e->constant && !memory->constant};
    return e->address >= low && e->address <= high && (uint64_t)count <= (high - e->address) / size
           && e->address % size == 0;
}

/** Whether two tensors have their elements in the same order. */
static bool are_alike(floats const *a, floats const *b)
{
    tsr_layout const *const l = &a->of->v.as.tensor.layout, *const m = &b->of->v.as.tensor.layout;
    bool same = a->type == b->type && l->shape.leaves == m->shape.leaves;
    for (int i = 0; same && i < l->shape.leaves; ++i) {
        tsr_leaf const s = l->shape.leaf[i], t = m->shape.leaf[i];
        same = s.value == t.value && s.open == t.open && s.close == t.close
               && l->stride.leaf[i].value == m->stride.leaf[i].value;
    }
    return same;
}

/** Whether z is x or apart from it: each element is read before it is written. */
static bool goes_into(floats const *z, floats const *x)
{
    uint64_t const a = (uint64_t)(uintptr_t)z->at, b = (uint64_t)(uintptr_t)x->at;
    uint64_t const bytes = (uint64_t)x->count * (uint64_t)tsr_dtype_bits(x->type) / 8;
    return a == b || a + bytes <= b || b + bytes <= a;
}

/* Loops. An operand that is NULL is the number. */

#define EACH_(T, X, Y, value)             \
  for (int64_t i = 0; i < n; ++i) {       \
    T const a = X, b = Y, c = (T)(value); \
    z[i] = c != c ? (T)tsr_nan_() : c;    \
  }
#define LOOPS_(T, value)             \
  if (x && y)                        \
    EACH_(T, x[i], y[i], value)      \
  else if (x)                        \
    EACH_(T, x[i], (T)number, value) \
  else                               \
    EACH_(T, (T)number, y[i], value)
#define COMPUTE_(name, T)                                                          \
  static void name(sign s, T *z, T const *x, T const *y, double number, int64_t n) \
  {                                                                                \
    if (s == ADD) {                                                                \
      LOOPS_(T, a + b)                                                             \
    } else if (s == SUBTRACT) {                                                    \
      LOOPS_(T, a - b)                                                             \
    } else if (s == DIVIDE) {                                                      \
      LOOPS_(T, a / b)                                                             \
    } else if (s == LEAST) {                                                       \
      LOOPS_(T, b < a || b != b ? b : a)                                           \
    } else if (s == GREATEST) {                                                    \
      LOOPS_(T, a < b || b != b ? b : a)                                           \
    } else {                                                                       \
      LOOPS_(T, a *b)                                                              \
    }                                                                              \
  }
COMPUTE_(compute_float, float)
COMPUTE_(compute_double, double)
#undef COMPUTE_
#undef LOOPS_
#undef EACH_

/** Into z. */
static void compute(sign s, floats const *z, floats const *x, floats const *y, double number)
{
    PyThreadState *const state = z->count >= UNLOCKED ? PyEval_SaveThread() : NULL;
    void const *const a = x ? x->at : NULL, *const b = y ? y->at : NULL;
    if (z->type == TSR_F32)
        compute_float(s, (float *)(void *)z->at, (float const *)a, (float const *)b, number, z->count);
    else
        compute_double(s, (double *)(void *)z->at, (double const *)a, (double const *)b, number, z->count);
    if (state)
        PyEval_RestoreThread(state);
}

/* Signs */

/** Whether an object is an operand: floats, or a number, in the type that it is computed with. */
static bool take_operand(PyObject *x, tsr_dtype type, floats *f, bool *is_number, double *number)
{
    PyTypeObject *const t = Py_TYPE(x);
    *is_number = t == &PyFloat_Type || t == &PyLong_Type;
    if (!*is_number)
        return floats_from_python(x, f) && f->type == type;
    scalar n;
    if (!cuda_scalar(x, type, &n)) {
        PyErr_Clear(); /* the function says why */
        return false;
    }
    *number = tsr_number_to_double(n.value);
    return true;
}

/** New floats in the order of others; NULL: there is no memory. */
static PyObject *new_floats(floats const *like, floats *made)
{
    char *at = NULL;
    size_t const bytes = (size_t)like->count * (size_t)tsr_dtype_bits(like->type) / 8;
    owner *const o = new_bytes(bytes, false, &at);
    object *const r = o ? new_object(tensor_type, &like->of->v) : NULL;
    if (!r) {
        Py_XDECREF(o);
        return NULL;
    }
    tsr_engine *const e = &r->v.as.tensor.engine;
    o->base = at;
    o->bytes = bytes;
    e->space = TSR_RMEM;
    e->constant = false;
    e->address = e->begin = (uint64_t)(uintptr_t)at;
    e->end = e->begin + bytes;
    r->owner = (PyObject *)o;
    *made = (floats){r, (unsigned char *)at, like->count, like->type, true};
    return (PyObject *)r;
}

/** What two operands become here, in new memory or in that of `to`, which may be one of them; NULL, without an
 *  exception: that is left to the function. */
static PyObject *compute_here(sign s, PyObject *to, PyObject *a, PyObject *b)
{
    floats f[2], z;
    bool is_number[2];
    double number = 0;
    if (s >= NEGATE || !(floats_from_python(a, &f[0]) || floats_from_python(b, &f[0])))
        return NULL;
    tsr_dtype const type = f[0].type;
    if (!take_operand(a, type, &f[0], &is_number[0], &number)
        || !take_operand(b, type, &f[1], &is_number[1], &number))
        return NULL;
    if (!is_number[0] && !is_number[1] && !are_alike(&f[0], &f[1]))
        return NULL;
    floats const *x = is_number[0] ? NULL : &f[0], *y = is_number[1] ? NULL : &f[1];
    if (to
        && (!floats_from_python(to, &z) || !z.writable || !are_alike(&z, x ? x : y) || (x && !goes_into(&z, x))
            || (y && !goes_into(&z, y))))
        return NULL;
    PyObject *const r = to ? to : new_floats(x ? x : y, &z);
    if (to)
        Py_INCREF(to);
    if (r)
        compute(s, &z, x, y, number);
    return r;
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
PyObject *tensor_matmul(PyObject *a, PyObject *b) { return two(MATMUL, false, a, b); }
PyObject *tensor_add_in_place(PyObject *a, PyObject *b) { return two(ADD, true, a, b); }
PyObject *tensor_subtract_in_place(PyObject *a, PyObject *b) { return two(SUBTRACT, true, a, b); }
PyObject *tensor_multiply_in_place(PyObject *a, PyObject *b) { return two(MULTIPLY, true, a, b); }
PyObject *tensor_divide_in_place(PyObject *a, PyObject *b) { return two(DIVIDE, true, a, b); }

PyObject *tensor_negate(PyObject *a)
{
    floats f, z;
    if (!floats_from_python(a, &f))
        return call_function(NEGATE, a, NULL);
    PyObject *const r = new_floats(&f, &z);
    if (r)
        compute(MULTIPLY, &z, &f, NULL, -1);
    return r;
}

/** _two(sign, a, b): what a sign that Python does not have makes of two operands */
static PyObject *two_of(PyObject *module, PyObject *args)
{
    PyObject *a = NULL, *b = NULL;
    int s = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "iOO", &s, &a, &b))
        return NULL;
    if (s < 0 || s >= (int)NEGATE)
        return PyErr_Format(PyExc_ValueError, "there is no sign %d", s);
    PyObject *const here = compute_here((sign)s, NULL, a, b);
    return here || PyErr_Occurred() ? here : call_function(s, a, b);
}

/** _two_into(sign, a, b, out): out, with what the sign makes of two operands; None: that is left to the function */
static PyObject *two_into(PyObject *module, PyObject *args)
{
    PyObject *a = NULL, *b = NULL, *out = NULL;
    int s = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "iOOO", &s, &a, &b, &out))
        return NULL;
    if (s < 0 || s >= (int)NEGATE)
        return PyErr_Format(PyExc_ValueError, "there is no sign %d", s);
    PyObject *const here = compute_here((sign)s, out, a, b);
    return here || PyErr_Occurred() ? here : Py_BuildValue("");
}

/** _set_signs(is_operand, ((function, arguments before, and behind), ..)): the functions of the signs, in the order of
 *  `sign`, those in place behind them */
static PyObject *set_signs(PyObject *module, PyObject *args)
{
    PyObject *is_operand = NULL, *rows = NULL, *row[SIGNS][3];
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &is_operand, &PyTuple_Type, &rows) || PyTuple_Size(rows) != SIGNS)
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
    return Py_BuildValue("");
}

PyMethodDef sign_functions[] = {{"_set_signs", set_signs, METH_VARARGS, NULL},
                                {"_two", two_of, METH_VARARGS, NULL},
                                {"_two_into", two_into, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
