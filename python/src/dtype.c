/** Element types as Python names them: "f32", "float32", np.float32, np.dtype, torch.float32, those of ml_dtypes and
 *  JAX, and Python's own bool, int, float and complex.
 *
 *  Law  a text that NumPy reads means the same here: "i8" and "<i8" have 8 bytes, "int" and "float" 64 bits. The names
 *       of base/dtype.h, whose numbers count bits, are the others, and "f16". In the brackets of an operation a text is
 *       one of the calculator's: op["i8"] is op<i8>, of 8 bits. type_name gives what is the same in both. */
#include "module.h"

#include <string.h>

/** NumPy's name of a kind and bytes, or of a type of Python's, behind an order of bytes or none. */
static tsr_dtype type_of_numpy(char const *word)
{
    static struct row {
        char const *name;
        tsr_dtype type;
        bool word; /* which stands alone */
    } const rows[] = {
        {"?", TSR_BOOL, false},  {"b1", TSR_BOOL, false},  {"i1", TSR_I8, false},      {"i2", TSR_I16, false},
        {"i4", TSR_I32, false},  {"i8", TSR_I64, false},   {"u1", TSR_U8, false},      {"u2", TSR_U16, false},
        {"u4", TSR_U32, false},  {"u8", TSR_U64, false},   {"f2", TSR_F16, false},     {"f4", TSR_F32, false},
        {"f8", TSR_F64, false},  {"c8", TSR_C64, false},   {"c16", TSR_C128, false},   {"int", TSR_I64, true},
        {"uint", TSR_U64, true}, {"float", TSR_F64, true}, {"complex", TSR_C128, true}};
    size_t const order = strspn(word, "<>=|");
    for (size_t i = 0; order < 2 && i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(word + order, rows[i].name) == 0 && (order == 0 || !rows[i].word))
            return rows[i].type;
    return 0;
}

char const *type_name(tsr_dtype type)
{
    switch ((int)type) {
    /* clang-format off */
    case TSR_I2: return "int2";
    case TSR_I4: return "int4";
    case TSR_I8: return "int8";
    case TSR_U1: return "uint1";
    case TSR_U2: return "uint2";
    case TSR_U4: return "uint4";
    case TSR_U8: return "uint8";
    default: return tsr_dtype_name(type);
        /* clang-format on */
    }
}

/** A name of NumPy's, PyTorch's or ml_dtypes' in the words of base/dtype.h: float16 is f16. */
static tsr_dtype type_of_word(char const *word, bool calculator)
{
    static struct prefix {
        char const *theirs, *ours;
    } const prefixes[] = {{"bfloat", "bf"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}, {"complex", "c"}};
    char name[64];
    tsr_dtype const theirs = calculator ? 0 : type_of_numpy(word), own = theirs ? theirs : tsr_dtype_named(word);
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

/** A type by a name of Python's, or of the calculator's. */
static bool take_named(PyObject *x, bool calculator, tsr_dtype *type)
{
    *type = type_of_python(x);
    if (*type)
        return true;
    bool const text = PyUnicode_Check(x);
    PyObject *const word = text ? (Py_INCREF(x), x) : word_of(x);
    PyObject *const bytes = word ? PyUnicode_AsUTF8String(word) : NULL;
    char const *const name = bytes ? PyBytes_AsString(bytes) : NULL;
    *type = name ? type_of_word(strncmp(name, "torch.", 6) == 0 ? name + 6 : name, calculator) : 0;
    bool const turned = name && *type && (text ? *name == '>' && tsr_dtype_bits(*type) > 8 : has_other_order(x));
    if (turned) {
        PyErr_Format(PyExc_TypeError, "elements of the type %R have the other byte order", x);
        *type = 0;
    } else if (name && !*type) {
        PyErr_Format(
            text ? PyExc_ValueError : PyExc_TypeError,
            "%R is not an element type; there are names of types such as \"float16\" or \"f16\", and those of "
            "NumPy, PyTorch and ml_dtypes, such as \"i8\" (8 bytes), numpy.float16, torch.bfloat16",
            x);
    }
    Py_XDECREF(bytes);
    Py_XDECREF(word);
    return *type != 0;
}

/** The text that was read last is known: a program names few types, each by one text. */
bool type_from_python(PyObject *x, tsr_dtype *type)
{
    static PyObject *last;
    static tsr_dtype last_type;
    if (x == last) {
        *type = last_type;
        return true;
    }
    if (!take_named(x, false, type))
        return false;
    if (Py_TYPE(x) == &PyUnicode_Type) {
        Py_INCREF(x);
        Py_XDECREF(last);
        last = x;
        last_type = *type;
    }
    return true;
}

bool type_in_brackets_from_python(PyObject *x, tsr_dtype *type) { return take_named(x, true, type); }

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

bool fitting_from_python(PyObject *x, tsr_dtype type, tsr_number *n)
{
    bool const whole = tsr_number_kind_of(type) == TSR_SIGNED || tsr_number_kind_of(type) == TSR_UNSIGNED;
    int past = 0;
    if (PyLong_Check(x) && !whole)
        (void)PyLong_AsLongLongAndOverflow(x, &past);
    if (past) { /* of no 64 bits, but a number */
        *n = tsr_number_real(PyLong_AsDouble(x));
        return !PyErr_Occurred();
    }
    if (!number_from_python(x, n))
        return false;
    if (is_outside(*n, type))
        PyErr_Format(PyExc_OverflowError, "%R does not fit into elements of the type %s", x, type_name(type));
    return !PyErr_Occurred();
}
