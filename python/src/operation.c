/** Operations: the rows of the table that share a name, as a callable. op[2, "f32"](..) is op<2,f32>(..), and a label
 *  is a keyword. As an attribute of a value it is bound to it like a method. */
#include "module.h"

#include <string.h>

typedef struct op_object {
    holder as_holder; /* of the first argument */
    char const *name;
    int first; /* row of its name */
    bracketed bracket[MAX_BRACKET];
    int brackets;
} op_object;

PyTypeObject *operation_type;

/** Of each row the next one of its name, -1 for none. */
static short *next_row;
static PyObject *by_name;

enum { FEW = 8 }; /* arguments on the stack */

/** The same operation of a first argument, or NULL. */
static op_object *new_op(op_object const *like, PyObject *first)
{
    op_object *const r = (op_object *)PyType_GenericAlloc(operation_type, 0);
    if (!r)
        return NULL;
    r->name = like->name;
    r->first = like->first;
    r->brackets = like->brackets;
    memcpy(r->bracket, like->bracket, sizeof r->bracket);
    Py_XINCREF(first);
    r->as_holder.held = first;
    return r;
}

/** name<2>(arguments), kept. */
static char const *call_text(call const *c, unsigned flags)
{
    size_t size = 0;
    char *text = NULL;
    for (int i = 0; i < 2; ++i) {
        writer w;
        writer_open(&w, text, size);
        tsr_call_write_name_(&w, c);
        put(&w, "(");
        tsr_call_write_arguments_(&w, c, flags);
        put(&w, ")");
        size = w.used + 1;
        if (!text && !(text = (char *)tsr_memory_take_(c->kept, size)))
            break;
    }
    return text;
}

/** Raises why an operation was refused, in the words of the calculator, which also tries static numbers. */
static void refuse_call(call const *c, tsr_tuple const *why)
{
    char plain[TSR_TEXT_SIZE], more[TSR_TEXT_SIZE];
    char const *const text = call_text(c, 0);
    writer w;
    writer_open(&w, plain, sizeof plain);
    tsr_write_reason_(&w, why);
    bool const same = text && !tsr_calc(text, 0, more, sizeof more) && strncmp(plain, more, strlen(plain)) == 0;
    refuse(why, same ? more : plain);
}

/** Evaluates a call whose arguments are values, and gives them back. */
static PyObject *evaluate(op_object const *op, value *arg, int args, memory *kept, PyObject *from)
{
    content place[MAX_PARAMETERS];
    tsr_text answer = {NULL, 0, 0};
    value result;
    tsr_message error;
    call c;
    memset(&c, 0, sizeof c);
    memcpy(c.name, op->name, strlen(op->name) + 1);
    memcpy(c.bracket, op->bracket, (size_t)op->brackets * sizeof c.bracket[0]);
    c.brackets = op->brackets;
    c.arg = arg;
    c.args = args;
    c.next = next_row;
    c.first = op->first;
    c.place = place;
    c.kept = kept;
    c.answer = &answer;
    bool const fits = tsr_call_evaluate_(&c, &result, &error);
    bool const valid = fits && tsr_value_ok_(&result);
    bool known = valid;
    for (int i = 0; known && i < args; ++i)
        known = !value_is_dynamic(&arg[i]);
    if (known) /* of known numbers nothing unknown comes */
        value_make_known(&result);
    if (valid && tsr_value_is_as_written_(result.kind))
        result.text = call_text(&c, NOTATION);
    if (kept->failed) {
        PyErr_NoMemory();
    } else if (!fits && !tsr_value_ok_(&result)) {
        refuse(&result.as.answer, error.text);
    } else if (!fits) {
        PyErr_SetString(PyExc_TypeError, error.text);
    } else if (valid) {
        return value_to_python(&result, kept, from);
    } else {
        tsr_tuple const why = tsr_value_reason_(&result);
        refuse_call(&c, &why);
    }
    tsr_memory_free_(kept);
    return NULL;
}

/** Is a keyword the next argument of make_layout by its name? */
static bool is_shape_or_stride(op_object const *op, PyObject *key, Py_ssize_t next)
{
    return strcmp(op->name, "make_layout") == 0 && next < 2
           && PyUnicode_CompareWithASCIIString(key, next == 0 ? "shape" : "stride") == 0;
}

static bool take_keyword(PyObject *key, PyObject *x, value *v, memory *kept, PyObject **from)
{
    PyObject *const name = PyUnicode_AsUTF8String(key);
    PyObject *const text = name && PyUnicode_Check(x) ? PyUnicode_AsUTF8String(x) : NULL;
    bool ok = name && (!PyUnicode_Check(x) || text);
    if (ok && strlen(PyBytes_AsString(name)) >= sizeof v->label) {
        PyErr_Format(PyExc_TypeError, "no operation has an argument %R", key);
        ok = false;
    }
    if (ok)
        ok = text ? value_from_word(PyBytes_AsString(name), PyBytes_AsString(text), v, kept)
                  : value_from_python(x, v, kept, from);
    if (ok)
        snprintf(v->label, sizeof v->label, "%s", PyBytes_AsString(name));
    Py_XDECREF(name);
    Py_XDECREF(text);
    return ok;
}

static PyObject *op_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    op_object const *const op = (op_object *)self;
    Py_ssize_t const own = op->as_holder.held != NULL, n = PyTuple_Size(args),
                     more = keywords ? PyDict_Size(keywords) : 0;
    value few[FEW], *arg = few;
    memory kept = {NULL, false};
    PyObject *from = NULL, *key = NULL, *x = NULL;
    Py_ssize_t count = 0, at = 0;
    if (own + n + more > MAX_ARGUMENTS)
        return PyErr_Format(PyExc_TypeError, "more than %d arguments", MAX_ARGUMENTS);
    if (own + n + more > FEW && !(arg = (value *)tsr_memory_take_(&kept, (size_t)(own + n + more) * sizeof *arg)))
        return PyErr_NoMemory();
    bool ok = !own || value_from_python(op->as_holder.held, &arg[count++], &kept, &from);
    for (Py_ssize_t i = 0; ok && i < n; ++i)
        ok = value_from_python(PyTuple_GetItem(args, i), &arg[count++], &kept, &from);
    while (ok && keywords && PyDict_Next(keywords, &at, &key, &x))
        if (is_shape_or_stride(op, key, count))
            ok = value_from_python(x, &arg[count++], &kept, &from);
        else
            ok = take_keyword(key, x, &arg[count++], &kept, &from);
    if (ok)
        return evaluate(op, arg, (int)count, &kept, from);
    tsr_memory_free_(&kept);
    return NULL;
}

/** One integer or type in brackets. */
static bool take_bracket(op_object *op, PyObject *x)
{
    if (op->brackets == MAX_BRACKET) {
        PyErr_Format(PyExc_TypeError, "more than %d entries in brackets", MAX_BRACKET);
        return false;
    }
    bracketed *const b = &op->bracket[op->brackets++];
    memset(b, 0, sizeof *b);
    b->is_type = !PyIndex_Check(x);
    if (b->is_type)
        return type_in_brackets_from_python(x, &b->type);
    PyObject *const n = PyNumber_Index(x);
    b->number = n ? PyLong_AsLongLong(n) : -1;
    Py_XDECREF(n);
    return !PyErr_Occurred();
}

static PyObject *op_brackets(PyObject *self, PyObject *key)
{
    op_object *const r = new_op((op_object *)self, ((holder *)self)->held);
    bool ok = r != NULL;
    if (ok && !PyTuple_Check(key))
        ok = take_bracket(r, key);
    for (Py_ssize_t i = 0; ok && PyTuple_Check(key) && i < PyTuple_Size(key); ++i)
        ok = take_bracket(r, PyTuple_GetItem(key, i));
    if (!ok)
        Py_XDECREF(r);
    return ok ? (PyObject *)r : NULL;
}

static PyObject *op_bind(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)type;
    if (!instance || instance == Py_None) {
        Py_INCREF(self);
        return self;
    }
    return (PyObject *)new_op((op_object *)self, instance);
}

/** take<1,3> */
static PyObject *op_text(PyObject *self, void *closure)
{
    op_object const *const op = (op_object *)self;
    char text[64 * (MAX_BRACKET + 1)];
    writer w;
    call c;
    (void)closure;
    memset(&c, 0, sizeof c);
    memcpy(c.name, op->name, strlen(op->name) + 1);
    memcpy(c.bracket, op->bracket, sizeof c.bracket);
    c.brackets = op->brackets;
    writer_open(&w, text, sizeof text);
    tsr_call_write_name_(&w, &c);
    return PyUnicode_FromString(text);
}

static PyObject *op_repr(PyObject *self)
{
    PyObject *const text = op_text(self, NULL), *const r = text ? PyUnicode_FromFormat("<operation %U>", text) : NULL;
    Py_XDECREF(text);
    return r;
}

static PyObject *op_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((op_object *)self)->name);
}

/** (how it is called, kind of the result, what it does, example, its value, signature, labels, function in C, names of
 *  the parameters, the value as Python writes it), of each row */
static PyObject *op_rows(PyObject *self, void *closure)
{
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    PyObject *const list = PyList_New(0);
    (void)closure;
    for (int i = ((op_object *)self)->first; list && i >= 0; i = next_row[i]) {
        char title[128], names[128], known[TSR_TEXT_SIZE];
        tsr_op const *const row = &rows[i];
        writer w;
        tsr_format_op(title, sizeof title, row);
        writer_open(&w, names, sizeof names);
        tsr_op_write_names_(&w, row);
        bool const out_of_memory =
            !tsr_calc(row->example, NOTATION, known, sizeof known) && strncmp(known, "out of memory", 13) == 0;
        PyObject *const item =
            out_of_memory ? PyErr_NoMemory()
                          : Py_BuildValue("(sCssssssss)", title, row->result, row->help, row->example, row->value,
                                          row->signature, row->labels, row->function, names, known);
        if (!item || PyList_Append(list, item) != 0) {
            Py_XDECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(item);
    }
    return list;
}

/** What a function of tessera/signatures.py says of an operation. */
static PyObject *told(char const *function, PyObject *self, PyObject *more)
{
    PyObject *const module = PyImport_ImportModule("tessera.signatures");
    PyObject *const f = module ? PyObject_GetAttrString(module, function) : NULL;
    PyObject *const r = f ? PyObject_CallFunctionObjArgs(f, self, more, NULL) : NULL;
    Py_XDECREF(f);
    Py_XDECREF(module);
    return r;
}

static PyObject *op_doc(PyObject *self, void *closure)
{
    (void)closure;
    return told("document", self, NULL);
}

static PyObject *op_signature(PyObject *self, void *closure)
{
    (void)closure;
    return told("signature", self, ((holder *)self)->held ? Py_True : Py_False);
}

PyObject *operation(char const *name)
{
    PyObject *const op = item_named(by_name, name);
    if (!op && !PyErr_Occurred())
        PyErr_Format(PyExc_AttributeError, "there is no operation `%s`", name);
    return op;
}

PyObject *run_on(char const *name, PyObject *self, PyObject *args)
{
    PyObject *const op = operation(name);
    PyObject *const all = op ? PyTuple_New(1 + (args ? PyTuple_Size(args) : 0)) : NULL;
    for (Py_ssize_t i = 0; all && i < PyTuple_Size(all); ++i) {
        PyObject *const x = i == 0 ? self : PyTuple_GetItem(args, i - 1);
        Py_INCREF(x);
        PyTuple_SetItem(all, i, x);
    }
    PyObject *const r = all ? PyObject_Call(op, all, NULL) : NULL;
    Py_XDECREF(all);
    return r;
}

/** Finds the rows of each name. */
static bool trace_rows(tsr_op const *rows, int count)
{
    next_row = (short *)PyMem_Malloc((size_t)count * sizeof *next_row);
    by_name = PyDict_New();
    if (!next_row || !by_name)
        return PyErr_NoMemory() != NULL;
    for (int i = 0; i < count; ++i) {
        op_object op;
        PyObject *const before = item_named(by_name, rows[i].name);
        if (PyErr_Occurred())
            return false;
        int last = before ? ((op_object *)before)->first : -1;
        next_row[i] = -1;
        while (last >= 0 && next_row[last] >= 0)
            last = next_row[last];
        if (last >= 0) {
            next_row[last] = (short)i;
            continue;
        }
        memset(&op, 0, sizeof op);
        op.name = rows[i].name;
        op.first = i;
        PyObject *const o = (PyObject *)new_op(&op, NULL);
        bool const ok = o && PyDict_SetItemString(by_name, op.name, o) == 0;
        Py_XDECREF(o);
        if (!ok)
            return false;
    }
    return true;
}

/** An operation is a row of the table, and Python makes none. */
static PyObject *op_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type, (void)args, (void)keywords;
    return PyErr_Format(PyExc_TypeError,
                        "an operation is one of the table: tessera.logical_divide, or tessera.operations[\"max\"]");
}

bool operations(PyObject *module)
{
    static PyGetSetDef members[] = {
        {"__name__", op_name, NULL, NULL, NULL},
        {"text", op_text, NULL, "the name with what stands in brackets", NULL},
        {"__doc__", op_doc, NULL, NULL, NULL},
        {"__signature__", op_signature, NULL, NULL, NULL},
        {"rows", op_rows, NULL,
         "of each row of the table: how it is called, the kind of its result, what it does, an example, its value, "
         "its "
         "signature, its labels, its function in C, the names of its parameters, its value with known numbers",
         NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, (void *)op_new},
                                  {Py_tp_dealloc, (void *)holder_dealloc},
                                  {Py_tp_call, (void *)op_call},
                                  {Py_tp_repr, (void *)op_repr},
                                  {Py_tp_descr_get, (void *)op_bind},
                                  {Py_mp_subscript, (void *)op_brackets},
                                  {Py_tp_getset, members},
                                  {0, NULL}};
    static PyType_Spec spec = {"tessera.Operation", sizeof(op_object), 0, Py_TPFLAGS_DEFAULT, slots};
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    operation_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!operation_type || !trace_rows(rows, count) || !add(module, "Operation", (PyObject *)operation_type))
        return false;
    PyObject *const table = PyDictProxy_New(by_name);
    bool const ok = table && add(module, "operations", table);
    Py_XDECREF(table);
    return ok;
}
