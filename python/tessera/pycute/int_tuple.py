"""Integers and tuples of them."""

from .. import _tessera
from .typing import Integer

_ops = _tessera.operations


def _run(name, *arguments):
    """An operation on integers that are known, as plain integers."""
    return _tessera._plain(_ops[name](*map(_tessera._known, arguments)))


def is_int(x):
    return isinstance(x, Integer)


def is_tuple(x):
    return isinstance(x, tuple)


def flatten(t):
    return () if t == () else _run("flatten_to_tuple", t)


def signum(a):
    return _run("signum", a)


def product(a):
    return 1 if a == () else _run("product", a)


def inner_product(a, b):
    return _run("inner_product", a, b)


def tuple_max(a):
    return _run("max", a)


def elem_scale(a, b):
    return _run("elem_scale", a, b)


def shape_div(a, b):
    return _run("shape_div", a, b)


def prefix_product(a, init=1):
    """The compact strides of a shape, the first mode fastest; a tuple of first strides stands for one of each mode."""
    if is_tuple(a) and is_tuple(init):
        if len(a) != len(init):
            raise ValueError(f"{a} and {init} differ in rank")
        return tuple(map(prefix_product, a, init))
    return _tessera._plain(_ops["compact_col_major"](_tessera._dynamic(a), init))  # a static 1 would have stride 0


def idx2crd(idx, shape, stride=None):
    return _run("idx2crd", idx, shape, *([] if stride is None else [stride]))


def crd2idx(crd, shape, stride=None):
    return _run("crd2idx", _numbers(crd), shape, *([] if stride is None else [stride]))


def crd2crd(crd, dst_shape, src_shape=None):
    return _run("crd2crd", crd, dst_shape if src_shape is None else src_shape, dst_shape)


def slice_(crd, trg):
    if crd is None:
        return (trg,)
    return _run("slice", crd, trg) if is_tuple(crd) else ()


def has_none(a):
    return any(map(has_none, a)) if is_tuple(a) else a is None


def _numbers(crd):
    """A coordinate with 0 for None."""
    return tuple(map(_numbers, crd)) if is_tuple(crd) else 0 if crd is None else crd
