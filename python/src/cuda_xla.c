/** The function that XLA calls for tessera.jax: an einsum of one or two arrays, on XLA's stream. */
#include "cuda_engine.h"

#include <string.h>

#include "xla_ffi.h"

enum { INTERNAL = 13, MOST_TEXT = 160 };

/** XLA's numbers of element types. */
static tsr_dtype type_of(int type)
{
    static struct {
        int xla;
        tsr_dtype ours;
    } const types[] = {{1, TSR_BOOL},     {2, TSR_I8},        {3, TSR_I16},  {4, TSR_I32},   {5, TSR_I64},
                       {6, TSR_U8},       {7, TSR_U16},       {8, TSR_U32},  {9, TSR_U64},   {10, TSR_F16},
                       {11, TSR_F32},     {12, TSR_F64},      {15, TSR_C64}, {16, TSR_BF16}, {18, TSR_C128},
                       {19, TSR_F8_E5M2}, {20, TSR_F8_E4M3FN}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].xla == type)
            return types[i].ours;
    return 0;
}

/** An array of a call, on a device. False: an exception is set. */
static bool buffer_from_python(xla_list const *list, int64_t i, int device, void *stream, operand *o)
{
    xla_buffer const *const b = (xla_buffer const *)list->items[i];
    tsr_dtype const type = list->types[i] == XLA_BUFFER ? type_of(b->type) : 0;
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int64_t step = 1, steps[TSR_MAX_LEAVES];
    if (!type || b->rank < 1 || b->rank > TSR_MAX_LEAVES)
        return PyErr_Format(PyExc_ValueError, "array %lld has no type of ours, or not 1 to %d dimensions",
                            (long long)i, TSR_MAX_LEAVES),
               false;
    for (int64_t k = b->rank - 1; k >= 0; --k) {
        steps[k] = step;
        step *= b->extents[k];
    }
    for (int64_t k = 0; k < b->rank; ++k) {
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(b->extents[k]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(steps[k]));
    }
    tsr_engine const e = tsr_gmem_ptr(tsr_int((int64_t)(uintptr_t)b->data), type);
    tsr_layout const l = tsr_make_layout(tsr_tuple_close(shape), tsr_tuple_close(stride));
    *o = (operand){tsr_make_tensor_of(e, l), device, true, stream};
    o->tensor.engine = tsr_bounded(o->tensor.engine, &o->tensor.layout);
    return true;
}

/** The dimensions of a tensor in the order of other letters. False: the letters are not the same ones. */
static bool permute(tsr_tensor *t, char const *letters, char const *order)
{
    tsr_layout const from = t->layout;
    size_t const n = strlen(order);
    if (strlen(letters) != n || n != from.shape.leaves)
        return false;
    for (size_t i = 0; i < n; ++i) {
        char const *const at = strchr(letters, order[i]);
        if (!at || strchr(order + i + 1, order[i]))
            return false;
        t->layout.shape.leaf[i].value = from.shape.leaf[at - letters].value;
        t->layout.stride.leaf[i].value = from.stride.leaf[at - letters].value;
    }
    return true;
}

/** Runs the einsum of a text. False: an exception is set. */
static bool run(char *text, operand *o, int inputs)
{
    if (inputs == 2)
        return cuda_multiply_operands(text, o) > 0;
    char *const arrow = strstr(text, "->");
    if (arrow)
        *arrow = 0;
    bool const permutes = arrow && permute(&o[0].tensor, text, arrow + 2);
    if (!permutes)
        PyErr_SetString(PyExc_ValueError, "an array alone changes the order of its dimensions: 'abc->cab'");
    return permutes && cuda_copy_operands(o) > 0;
}

/** The text of a call. False: there is none. */
static bool find_text(xla_attributes const *a, char text[MOST_TEXT])
{
    for (int64_t i = 0; i < a->count; ++i) {
        xla_span const *const name = a->names[i], *const value = (xla_span const *)a->items[i];
        if (a->types[i] == XLA_STRING && name->length == 4 && memcmp(name->text, "text", 4) == 0
            && value->length < MOST_TEXT) {
            memcpy(text, value->text, value->length);
            text[value->length] = 0;
            return true;
        }
    }
    return false;
}

/** Does a call, with the interpreter's lock. False: an exception is set. */
static bool execute(xla_frame *f, void *stream)
{
    char text[MOST_TEXT];
    operand o[3];
    int const inputs = (int)f->arguments.count, device = cuda_current_device();
    if (inputs < 1 || inputs > 2 || f->results.count != 1 || !find_text(&f->attributes, text))
        return PyErr_SetString(PyExc_ValueError, "a call has one or two arrays, one result and a text"), false;
    if (device < 0)
        return false;
    for (int i = 0; i < inputs; ++i)
        if (!buffer_from_python(&f->arguments, i, device, stream, &o[i]))
            return false;
    return buffer_from_python(&f->results, 0, device, stream, &o[inputs]) && run(text, o, inputs);
}

/** The exception that is set as XLA's error. */
static xla_error *error_of(xla_frame const *f)
{
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *const words = value ? PyObject_Str(value) : NULL;
    PyObject *const bytes = words ? PyUnicode_AsUTF8String(words) : NULL;
    char const *const said = bytes ? PyBytes_AsString(bytes) : "tessera: an error without words";
    xla_error_create e = {sizeof e, NULL, said, INTERNAL};
    xla_error *const r = f->api->create_error(&e);
    Py_XDECREF(bytes);
    Py_XDECREF(words);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyErr_Clear();
    return r;
}

static xla_error *handle(xla_frame *f)
{
    xla_extension *const asked = f->extensions;
    if (asked && asked->type == XLA_METADATA) {
        xla_version *const version = &((xla_metadata_extension *)asked)->metadata->version;
        version->major = f->api ? f->api->version.major : 0; /* what is read is the same in all of them */
        version->minor = f->api ? f->api->version.minor : 1;
        return NULL;
    }
    if (f->stage != XLA_EXECUTE)
        return NULL;
    xla_stream_get s = {sizeof s, NULL, f->context, NULL};
    xla_error *e = f->api->get_stream(&s);
    if (e)
        return e;
    PyGILState_STATE const lock = PyGILState_Ensure();
    e = execute(f, s.stream) ? NULL : error_of(f);
    PyGILState_Release(lock);
    return e;
}

/** _cuda_xla(): the handler as a capsule for jax.ffi.register_ffi_target */
PyObject *cuda_xla(PyObject *module, PyObject *none)
{
    xla_error *(*const function)(xla_frame *) = handle;
    void *address = NULL;
    (void)module, (void)none;
    memcpy(&address, &function, sizeof address);
    return PyCapsule_New(address, "xla._CUSTOM_CALL_TARGET", NULL);
}
