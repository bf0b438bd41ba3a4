/** Brackets of a tensor as NumPy has them: an integer takes one element of a mode, a range some of them, `...` all of
 *  the modes between. What is taken is a view: nothing is copied.
 *
 *  Law  m[i,j] is the element at (i,j); m[a:b:s] at i is m at a + s i. */
#include "host.h"

#include <string.h>

/** What a key takes of a mode: the element `start`, or the range start, start + step, .. of `count` elements. */
typedef struct part {
    bool range;
    Py_ssize_t start, step, count;
} part;

typedef struct selection {
    tsr_layout const *layout;
    int rank, given; /* modes of the tensor, and those that the key names so far */
    part mode[TSR_MAX_LEAVES];
    tsr_layout at[TSR_MAX_LEAVES]; /* the modes */
    bool nested;                   /* the key has the coordinate of a nested mode */
} selection;

static Py_ssize_t extent(tsr_layout const *mode) { return (Py_ssize_t)tsr_layout_size(*mode); }

static char const no_list[] = "masks and lists of indices make no layout; brackets take integers, ranges and `...`; "
                              "NumPy's copy: x.numpy()[..]";

/** An integer of the key, which may count from the end. */
static bool select_one(selection *s, PyObject *item)
{
    Py_ssize_t const n = extent(&s->at[s->given]), i = PyNumber_AsSsize_t(item, PyExc_IndexError);
    part *const p = &s->mode[s->given];
    if (i == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) /* an array of them says so in words of its own */
            PyErr_SetString(PyExc_TypeError, no_list);
        return false;
    }
    p->range = false;
    p->count = 1;
    p->step = 0;
    p->start = i < 0 ? i + n : i;
    if (p->start >= 0 && p->start < n)
        return true;
    PyErr_Format(PyExc_IndexError, "index %zd is out of range: mode %d has %zd elements", i, s->given, n);
    return false;
}

static bool select_range(selection *s, PyObject *item)
{
    Py_ssize_t stop = 0;
    part *const p = &s->mode[s->given];
    p->range = true;
    if (PySlice_Unpack(item, &p->start, &stop, &p->step) < 0)
        return false;
    p->count = PySlice_AdjustIndices(extent(&s->at[s->given]), &p->start, &stop, p->step);
    if (p->count > 0)
        return true;
    refuse(NULL, "the range takes no element, and there is no empty tensor");
    return false;
}

static void select_all(selection *s, int modes)
{
    for (; modes > 0; --modes) {
        part *const p = &s->mode[s->given];
        p->range = true;
        p->start = 0;
        p->step = 1;
        p->count = extent(&s->at[s->given++]);
    }
}

static bool select_item(selection *s, PyObject *item)
{
    bool ok = false;
    if (PyBool_Check(item) || PyList_Check(item))
        PyErr_SetString(PyExc_TypeError, no_list);
    else if (item == Py_None)
        PyErr_SetString(PyExc_TypeError,
                        "None is a new mode in NumPy and a whole mode in CuTe: write `:` for a whole "
                        "mode, and reshape() for a new one");
    else if (PyIndex_Check(item))
        ok = select_one(s, item);
    else if (Py_TYPE(item) == &PySlice_Type)
        ok = select_range(s, item);
    else
        PyErr_Format(PyExc_TypeError, "brackets of a tensor take integers, ranges and `...`, not %R",
                     (PyObject *)Py_TYPE(item));
    ++s->given;
    return ok;
}

static bool read_key(selection *s, PyObject *key)
{
    bool const several = PyTuple_Check(key);
    Py_ssize_t const items = several ? PyTuple_Size(key) : 1;
    Py_ssize_t named = 0, dots = 0;
    bool ok = true;
    s->given = 0;
    s->nested = false;
    for (Py_ssize_t i = 0; i < items; ++i) {
        PyObject *const item = several ? PyTuple_GetItem(key, i) : key;
        dots += item == Py_Ellipsis;
        named += item != Py_Ellipsis;
        s->nested = s->nested || (several && PyTuple_Check(item))
                    || (PyObject_TypeCheck(item, value_type) && !PyObject_TypeCheck(item, tensor_type));
    }
    if (dots > 1)
        return PyErr_Format(PyExc_IndexError, "brackets have one `...` at most") != NULL;
    if (named > s->rank)
        return PyErr_Format(PyExc_IndexError, "%zd indices are too many: the tensor has %d modes", named, s->rank)
               != NULL;
    if (s->nested)
        return true;
    for (int i = 0; i < s->rank; ++i)
        s->at[i] = tsr_mode(tsr_layout_inner(*s->layout), i);
    for (Py_ssize_t i = 0; ok && i < items; ++i) {
        PyObject *const item = several ? PyTuple_GetItem(key, i) : key;
        if (item == Py_Ellipsis)
            select_all(s, s->rank - (int)named);
        else
            ok = select_item(s, item);
    }
    if (ok)
        select_all(s, s->rank - s->given);
    return ok;
}

/** Does the layout of some elements of a mode give their offsets? */
static bool is_range_of(tsr_layout const *candidate, tsr_layout const *mode, part const *p)
{
    enum { MOST = 1 << 16 };
    int64_t const first = tsr_layout_offset(mode, p->start);
    bool same = !candidate->shape.status && p->count <= MOST;
    for (Py_ssize_t i = 0; same && i < p->count; ++i)
        same = tsr_layout_offset(candidate, i) == tsr_layout_offset(mode, p->start + i * p->step) - first;
    return same;
}

/** The layout of a range of a mode, or an exception. */
static bool range_of(selection const *s, int i, tsr_layout *r)
{
    part const *const p = &s->mode[i];
    tsr_layout const one = tsr_coalesce(tsr_static_all(s->at[i]));
    *r = s->at[i];
    if (p->start == 0 && p->step == 1 && p->count == extent(r))
        return true;
    if (tsr_is_leaf(&r->shape) || tsr_is_leaf(&one.shape)) {
        tsr_leaf const n = tsr_is_leaf(&r->shape) ? r->shape.leaf[0] : one.shape.leaf[0];
        tsr_layout const line = tsr_is_leaf(&r->shape) ? *r : one;
        r->shape = tsr_from_leaf(tsr_leaf_make((tsr_kind)n.kind, p->count));
        r->stride = line.stride;
        if (p->count > 1)
            r->stride.leaf[0].value *= p->step;
        return true;
    }
    if (p->step > 0)
        *r = tsr_composition(one, tsr_make_layout_from(tsr_s(p->count), tsr_s(p->step)));
    if (p->step > 0 && is_range_of(r, &one, p))
        return true;
    char shape[256], text[512];
    tsr_format_tuple(shape, sizeof shape, s->at[i].shape, TSR_TEXT_STATIC);
    snprintf(text, sizeof text, "elements %zd to %zd by %zd of mode %d, of the shape %s, have no layout of their own",
             p->start, p->start + (p->count - 1) * p->step, p->step, i, shape);
    refuse(NULL, text);
    return false;
}

/** The tensor of what is selected. */
static PyObject *selected(object const *o, selection const *s)
{
    tsr_tuple at = TSR_ZERO, shape = TSR_ZERO, stride = TSR_ZERO;
    value v = o->v;
    memory kept = {NULL, false};
    bool moved = false;
    for (int i = 0; i < s->rank; ++i) {
        tsr_layout part_of;
        tsr_tuple const start = tsr_s(s->mode[i].start);
        moved = moved || s->mode[i].start != 0;
        tsr_tuple_push(&at, &start);
        if (!s->mode[i].range)
            continue;
        if (!range_of(s, i, &part_of))
            return NULL;
        tsr_tuple_push(&shape, &part_of.shape);
        tsr_tuple_push(&stride, &part_of.stride);
    }
    v.as.tensor.engine = tsr_bounded(v.as.tensor.engine, s->layout);
    if (moved)
        v.as.tensor =
            tsr_tensor_domain_offset(tsr_is_leaf(&s->layout->shape) ? at : tsr_tuple_close(at), v.as.tensor);
    bool const some = shape.status || shape.leaves > 0;
    v.as.tensor.layout = tsr_with_(v.as.tensor.layout, some ? tsr_tuple_close(shape) : tsr_unit(),
                                   some ? tsr_tuple_close(stride) : tsr_unit());
    return value_to_python(&v, &kept, o->owner);
}

/** Are all modes fixed? Then their coordinate. */
static bool is_element(selection const *s, tsr_tuple *at)
{
    tsr_tuple r = TSR_ZERO;
    for (int i = 0; i < s->rank; ++i) {
        tsr_tuple const x = tsr_s(s->mode[i].start);
        if (s->mode[i].range)
            return false;
        tsr_tuple_push(&r, &x);
    }
    *at = s->rank == 0 ? tsr_unit() : tsr_is_leaf(&s->layout->shape) ? r : tsr_tuple_close(r);
    return true;
}

static selection selection_of(object const *o)
{
    selection s;
    s.layout = &o->v.as.tensor.layout;
    s.rank = tsr_mode_count(&s.layout->shape);
    return s;
}

/** A coordinate of integers is an element, whatever else is in the key: m[...] of a tensor without modes is itself. */
static bool keeps(PyObject *key) { return key == Py_Ellipsis; }

/* Tensors of the host, by integers and ranges */

/** What a key takes: an offset in elements, and modes. */
typedef struct taken {
    int64_t offset;
    int rank;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
} taken;

/** One item of a key, for mode i. False, without an exception: that is left to read_key. */
static bool take_item(taken *t, host const *h, int i, PyObject *item)
{
    Py_ssize_t const n = (Py_ssize_t)h->extent[i];
    Py_ssize_t start = 0, stop = 0, step = 1, count = n;
    bool const one = PyLong_CheckExact(item);
    if (one) {
        start = PyLong_AsSsize_t(item);
        start += start < 0 ? n : 0;
    } else if (Py_TYPE(item) != &PySlice_Type || PySlice_Unpack(item, &start, &stop, &step) < 0) {
        PyErr_Clear();
        return false;
    } else {
        count = PySlice_AdjustIndices(n, &start, &stop, step);
    }
    if (PyErr_Occurred() || start < 0 || start >= n || count < 1) {
        PyErr_Clear();
        return false;
    }
    t->offset += start * h->stride[i];
    t->extent[t->rank] = count;
    t->stride[t->rank] = h->stride[i] * (count > 1 ? step : 1);
    t->rank += !one;
    return true;
}

/** What a key of integers and ranges takes of a tensor of the host; false, without an exception: it is another one. */
static bool take(PyObject *self, PyObject *key, host *h, taken *t)
{
    bool const several = PyTuple_Check(key);
    Py_ssize_t const n = several ? PyTuple_Size(key) : key == Py_Ellipsis ? 0 : 1;
    if (!host_from_python(self, h) || n > h->rank || (several && n == 0))
        return false;
    t->offset = 0;
    t->rank = 0;
    for (int i = 0; i < (int)n; ++i)
        if (!take_item(t, h, i, several ? PyTuple_GetItem(key, i) : key))
            return false;
    for (int i = (int)n; i < h->rank; ++i) {
        t->extent[t->rank] = h->extent[i];
        t->stride[t->rank++] = h->stride[i];
    }
    return true;
}

static unsigned char *place_of(host const *h, taken const *t)
{
    return h->at + t->offset * (tsr_dtype_bits(h->type) / 8);
}

/** The tensor that is put into the elements that are taken, its modes of extent 1 repeated; false: it does not fit. */
static bool source_of(PyObject *x, taken const *t, tsr_tensor *from)
{
    host s;
    bool fits = host_from_python(x, &s) && s.rank <= t->rank;
    for (int i = 0; fits && i < s.rank; ++i)
        fits = s.extent[i] == 1 || s.extent[i] == t->extent[t->rank - s.rank + i];
    if (fits)
        *from = host_tensor(&s, t->rank, t->extent);
    return fits;
}

/** Whether all elements of a small tensor are taken. */
static bool is_whole(host const *h, taken const *t)
{
    enum { FEW = 4096 };
    int64_t count = 1;
    for (int i = 0; i < t->rank; ++i)
        count *= t->extent[i];
    return count == h->count && count <= FEW;
}

/** Puts a number into all elements, which lie side by side. */
static void fill_few(host const *h, tsr_number x)
{
    int64_t const bytes = tsr_dtype_bits(h->type) / 8, all = h->count * bytes;
    tsr_store(h->type, h->at, 0, x);
    for (int64_t n = bytes; n < all; n *= 2)
        memcpy(h->at + n, h->at, (size_t)(n < all - n ? n : all - n));
}

/** Puts a number, or the elements of a tensor of the host, into what is taken. 0; 1, without an exception: that is left
 *  to the function of the package; -1: an exception is set. */
static int put_into(host const *h, taken const *t, PyObject *x)
{
    bool const is_number = PyFloat_CheckExact(x) || PyLong_CheckExact(x);
    tsr_number n = TSR_ZERO;
    tsr_tensor from;
    if (!h->writable || (is_number ? !fitting_from_python(x, h->type, &n) : !source_of(x, t, &from))) {
        PyErr_Clear();
        return 1;
    }
    if (is_number && t->rank == 0) {
        tsr_store(h->type, place_of(h, t), 0, n);
        return 0;
    }
    if (is_number && h->side_by_side && is_whole(h, t)) {
        fill_few(h, n);
        return 0;
    }
    tsr_tensor const to = host_part(h, t->offset, t->rank, t->extent, t->stride);
    PyThreadState *const state = host_unlock(h->count);
    tsr_reason const why = is_number ? tsr_fill(to, n) : tsr_copy(from, to);
    host_lock(state);
    return why.status != 0;
}

PyObject *tensor_subscript(PyObject *self, PyObject *key)
{
    object *const o = (object *)self;
    tsr_tuple at;
    host h;
    taken t;
    if (take(self, key, &h, &t))
        return t.rank > 0 ? host_view(&h, t.offset, t.rank, t.extent, t.stride)
                          : number_to_python(tsr_load(h.type, place_of(&h, &t), 0));
    selection s = selection_of(o);
    if (!read_key(&s, key))
        return NULL;
    if (s.nested) {
        PyObject *const args = PyTuple_Check(key) ? (Py_INCREF(key), key) : PyTuple_Pack(1, key);
        PyObject *const r = args ? value_call(self, args, NULL) : NULL;
        Py_XDECREF(args);
        return r;
    }
    if (keeps(key) || !is_element(&s, &at))
        return selected(o, &s);
    return o->v.as.tensor.engine.kind == TSR_POINTER ? read_element(o, at) : element_of(o, at);
}

/** m[key] = x: a number into each element, or the elements of an array, whose modes of extent 1 are repeated. */
int tensor_assign(PyObject *self, PyObject *key, PyObject *x)
{
    object *const o = (object *)self;
    host h;
    taken t;
    int const rest = x && take(self, key, &h, &t) ? put_into(&h, &t, x) : 1;
    if (rest <= 0)
        return rest;
    selection s = selection_of(o);
    tsr_tuple at;
    if (!x) {
        PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
        return -1;
    }
    if (!read_key(&s, key))
        return -1;
    if (!s.nested && is_element(&s, &at) && !keeps(key) && PyNumber_Check(x) && !PyObject_TypeCheck(x, value_type))
        return write_element(o, at, x);
    PyObject *const to = tensor_subscript(self, s.nested || !is_element(&s, &at) ? key : Py_Ellipsis);
    if (s.nested && to && !PyObject_TypeCheck(to, tensor_type)) {
        Py_DECREF(to);
        return write_coordinate(o, key, x);
    }
    PyObject *const arrays = to ? PyImport_ImportModule("tessera.arrays") : NULL;
    PyObject *const done = arrays ? PyObject_CallMethod(arrays, "_assign", "OO", to, x) : NULL;
    Py_XDECREF(to);
    Py_XDECREF(arrays);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

Py_ssize_t tensor_length(PyObject *self)
{
    selection s = selection_of((object *)self);
    if (s.rank > 0)
        return (Py_ssize_t)tsr_layout_size(tsr_mode(tsr_layout_inner(*s.layout), 0));
    PyErr_SetString(PyExc_TypeError, "a tensor without modes has no length");
    return -1;
}

/** m[i], for iteration. */
PyObject *tensor_item(PyObject *self, Py_ssize_t i)
{
    PyObject *const key = PyLong_FromSsize_t(i), *const r = key ? tensor_subscript(self, key) : NULL;
    Py_XDECREF(key);
    return r;
}

/* Views by whole modes */

/** Adds the strides of a mode to those of a mode of the same shape: the diagonal of both. */
static bool add_strides(tsr_layout *sum, tsr_layout const *mode)
{
    bool same = sum->shape.leaves == mode->shape.leaves;
    for (int i = 0; same && i < mode->shape.leaves; ++i) {
        tsr_leaf const a = sum->shape.leaf[i], b = mode->shape.leaf[i];
        same = a.value == b.value && a.open == b.open && a.close == b.close
               && tsr_add64(sum->stride.leaf[i].value, mode->stride.leaf[i].value, &sum->stride.leaf[i].value);
    }
    return same;
}

/** A mode of a view: one of the tensor's by its number, the diagonal of several in a tuple, and -n for n times the
 *  same element. */
static bool take_mode(PyObject *item, tsr_layout const *inner, tsr_layout *mode)
{
    int const rank = tsr_mode_count(&inner->shape);
    bool const several = PyTuple_Check(item);
    for (Py_ssize_t k = 0; k < (several ? PyTuple_Size(item) : 1); ++k) {
        long long const i = PyLong_AsLongLong(several ? PyTuple_GetItem(item, k) : item);
        if (i == -1 && PyErr_Occurred())
            return false;
        if (i >= rank || (several && i < 0))
            return PyErr_Format(PyExc_IndexError, "mode %lld does not exist, the tensor has %d", i, rank) != NULL;
        tsr_layout const one = i < 0 ? tsr_make_layout_from(tsr_s(-i), tsr_s(0)) : tsr_mode(*inner, i);
        if (k == 0)
            *mode = one;
        else if (!add_strides(mode, &one))
            return refuse(NULL, "a diagonal needs modes of the same shape") != NULL;
    }
    return true;
}

/** _view(tensor, modes): the tensor of these modes. */
static PyObject *view(PyObject *module, PyObject *args)
{
    PyObject *x = NULL, *modes = NULL;
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    memory kept = {NULL, false};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!", tensor_type, &x, &PyTuple_Type, &modes))
        return NULL;
    object const *const o = (object *)x;
    value v = o->v;
    tsr_layout const inner = tsr_layout_inner(v.as.tensor.layout);
    for (Py_ssize_t i = 0; i < PyTuple_Size(modes); ++i) {
        tsr_layout mode;
        if (!take_mode(PyTuple_GetItem(modes, i), &inner, &mode))
            return NULL;
        tsr_tuple_push(&shape, &mode.shape);
        tsr_tuple_push(&stride, &mode.stride);
    }
    bool const some = shape.status || shape.leaves > 0;
    v.as.tensor.engine = tsr_bounded(v.as.tensor.engine, &v.as.tensor.layout);
    v.as.tensor.layout = tsr_with_(v.as.tensor.layout, some ? tsr_tuple_close(shape) : tsr_unit(),
                                   some ? tsr_tuple_close(stride) : tsr_unit());
    return value_to_python(&v, &kept, o->owner);
}

/** t.T: the modes in the opposite order. */
PyObject *tensor_transposed(PyObject *self, void *closure)
{
    host h;
    int64_t extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
    (void)closure;
    if (host_from_python(self, &h)) {
        for (int i = 0; i < h.rank; ++i) {
            extent[i] = h.extent[h.rank - 1 - i];
            stride[i] = h.stride[h.rank - 1 - i];
        }
        return host_view(&h, 0, h.rank, extent, stride);
    }
    PyObject *const compute = PyImport_ImportModule("tessera.compute");
    PyObject *const r = compute ? PyObject_CallMethod(compute, "transpose", "O", self) : NULL;
    Py_XDECREF(compute);
    return r;
}

/** _extents(tensor): the number of elements of each mode. */
static PyObject *extents(PyObject *module, PyObject *x)
{
    int64_t n[TSR_MAX_LEAVES];
    (void)module;
    if (!PyObject_TypeCheck(x, tensor_type))
        return PyErr_Format(PyExc_TypeError, "%R is not a tensor", x);
    tsr_layout const inner = tsr_layout_inner(((object *)x)->v.as.tensor.layout);
    int const rank = tsr_mode_count(&inner.shape);
    for (int i = 0; i < rank; ++i)
        n[i] = tsr_layout_size(tsr_mode(inner, i));
    return integers_to_python(n, rank);
}

PyMethodDef index_functions[] = {
    {"_view", view, METH_VARARGS, NULL}, {"_extents", extents, METH_O, NULL}, {NULL, NULL, 0, NULL}};
