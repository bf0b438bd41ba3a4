/** Element types as Python names them: "f32", "float32", np.float32, np.dtype, torch.float32, those of ml_dtypes and
 *  JAX, and Python's own bool, int, float and complex. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/** A name of NumPy's, PyTorch's or ml_dtypes' in the words of base/dtype.h: float16 is f16. */
static tsr_dtype type_of_word(char const *word)
{
    static struct prefix {
        char const *theirs, *ours;
    } const prefixes[] = {{"bfloat", "bf"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}, {"complex", "c"}};
    char name[64];
    tsr_dtype const own = tsr_dtype_named(word);
    if (own)
        return own;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i) {
        size_t const n = strlen(prefixes[i].theirs);
        if (strncmp(word, prefixes[i].theirs, n) != 0 || word[n] < '0' || word[n] > '9')
            continue;
        snprintf(name, sizeof name, "%s%s", prefixes[i].ours, word + n);
        return tsr_dtype_named(name);
    }
    return strcmp(word, "bool_") == 0 ? TSR_BOOL : 0;
}

/** A type of Python's own. */
static tsr_dtype type_of_python(PyObject *x)
{
    return x == (PyObject *)&PyBool_Type      ? TSR_BOOL
           : x == (PyObject *)&PyLong_Type    ? TSR_I64
           : x == (PyObject *)&PyFloat_Type   ? TSR_F64
           : x == (PyObject *)&PyComplex_Type ? TSR_C128
                                              : 0;
}

/** The word for a type that is no text: a new reference, or NULL. numpy.dtype has a name, a scalar type of NumPy's,
 *  ml_dtypes' or JAX's has a __name__, and torch.float32 is written so. */
static PyObject *word_of(PyObject *x)
{
    static char const *const names[] = {"name", "__name__"};
    PyObject *r = NULL;
    for (int i = 0; !r && i < 2; ++i) {
        r = PyObject_GetAttrString(x, names[i]);
        if (r && !PyUnicode_Check(r)) {
            Py_DECREF(r);
            r = NULL;
        }
        PyErr_Clear();
    }
    return r ? r : PyObject_Str(x);
}

/** numpy.dtype(">f4") */
static bool has_other_order(PyObject *x)
{
    PyObject *const native = PyObject_GetAttrString(x, "isnative");
    bool const other = native == Py_False;
    Py_XDECREF(native);
    PyErr_Clear();
    return other;
}

/** Writes what a name of NumPy's, whose number counts bytes, is here: "f4" is f32. Nothing if it is no such name. */
static void put_bits(char const *name, char *hint, size_t size)
{
    char ours[8] = "";
    bool const digits = name[0] && strchr("fciu", name[0]) && name[1] > '0' && name[1] <= '9';
    int const bytes = digits ? atoi(name + 1) : 0;
    if (bytes > 0 && bytes <= 16)
        snprintf(ours, sizeof ours, "%c%d", name[0], 8 * bytes);
    hint[0] = 0;
    if (*ours && tsr_dtype_named(ours))
        snprintf(hint, size, "; names count bits, and NumPy's %.8s is %s", name, ours);
}

bool take_type(PyObject *x, tsr_dtype *type)
{
    *type = type_of_python(x);
    if (*type)
        return true;
    bool const text = PyUnicode_Check(x);
    PyObject *const word = text ? (Py_INCREF(x), x) : word_of(x);
    PyObject *const bytes = word ? PyUnicode_AsUTF8String(word) : NULL;
    char const *const name = bytes ? PyBytes_AsString(bytes) : NULL;
    *type = name ? type_of_word(strncmp(name, "torch.", 6) == 0 ? name + 6 : name) : 0;
    if (name && *type && !text && has_other_order(x)) {
        PyErr_Format(PyExc_TypeError, "elements of the type %R have the other byte order", x);
        *type = 0;
    } else if (name && !*type) {
        char hint[64];
        put_bits(name, hint, sizeof hint);
        PyErr_Format(
            text ? PyExc_ValueError : PyExc_TypeError,
            "%R is not an element type; there are names of types such as \"float16\" or \"f16\", and those of "
            "NumPy, PyTorch and ml_dtypes, such as numpy.float16, torch.bfloat16%s",
            x, hint);
    }
    Py_XDECREF(bytes);
    Py_XDECREF(word);
    return *type != 0;
}

/** Is a number outside of the integers of a type? */
static bool is_outside(tsr_number n, tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    bool const signed_type = tsr_dtype_code(type) == 0, whole = n.kind == TSR_SIGNED || n.kind == TSR_UNSIGNED;
    if (!whole || (!signed_type && tsr_dtype_code(type) != 1))
        return false;
    bool const negative = n.kind == TSR_SIGNED && (int64_t)n.bits < 0;
    if (negative)
        return !signed_type || (bits < 64 && (int64_t)n.bits < -((int64_t)1 << (bits - 1)));
    int const room = bits - signed_type;
    return room < 64 && n.bits >> room != 0;
}

bool take_fitting(PyObject *x, tsr_dtype type, tsr_number *n)
{
    if (!take_number(x, n))
        return false;
    if (is_outside(*n, type))
        PyErr_Format(PyExc_OverflowError, "%R does not fit into elements of the type %s", x, tsr_dtype_name(type));
    return !PyErr_Occurred();
}
