"""Layouts of other systems, index functions as code, and the layout that a function of Python is."""

from __future__ import annotations

import itertools as _itertools
import typing as _typing

from . import _tessera
from ._tessera import Layout, Refused, Value, operations
from .pictures import _text

if _typing.TYPE_CHECKING:
    from typing import Any


@_typing.overload
def convert(x: Any, to: str, *, shape: Any = None, dtype: str = "f32") -> str: ...
@_typing.overload
def convert(x: Any, to: None = None, *, shape: Any = None, dtype: str = "f32") -> Layout | Value: ...
def convert(x: Any, to: str | None = None, *, shape: Any = None, dtype: str = "f32") -> str | Layout | Value:
    """A layout, or the text of one in any system, in the words of the system `to`: triton, ttg, ttg_named, gluon, numpy, ..
    Without `to` it is a Layout, or the Value of a linear map.

    shape: the extents of the tensor, where the text has none; dtype: of the elements, for strides in bytes."""
    text = _tessera._convert(_text(x), "" if shape is None else _text(shape), to or "", dtype)
    return text if to else Value(text)


def emit(language: str, x: Any, to: Any = None, *, dtype: str = "f32") -> str:
    """The index function of a layout as code in c, cuda, hip, python, triton or cute; of two layouts a copy from the
    first to the second, of elements of a type."""
    return _tessera._emit(language, _text(x), "" if to is None else _text(to), dtype)


def _coordinates(shape: Any) -> Any:
    """All coordinates of a shape, the first mode fastest."""
    if not isinstance(shape, (tuple, list)):
        return range(int(shape))
    return (tuple(reversed(c)) for c in _itertools.product(*(list(_coordinates(n)) for n in reversed(shape))))


def fit(f: Any, shape: Any = None, **extents: int) -> Layout | Value | tuple[Layout, ...]:
    """What explains the offsets f(i, j, ..) of all coordinates of a shape: a Layout, a Value (a linear map, or a
    descriptor), or two layouts whose sum it is. Refused names the sample that breaks each of them.

    f: a function; or a formula of C with an extent for each variable, fit("i*8 + (j^i%8)", i=8, j=8); or the offsets
    in a list, the first mode fastest, with None where there is no sample."""
    if isinstance(f, str) and extents:
        found = _tessera._explain(f, ",".join(f"{name}=0..{n - 1}" for name, n in extents.items()))
    elif callable(f) and not isinstance(f, Value):
        several = isinstance(shape, (tuple, list))
        found = _tessera._explain([int(f(*c) if several else f(c)) for c in _coordinates(shape)], _text(shape))
    elif isinstance(f, list):
        found = _tessera._explain(f, str(len(f)) if shape is None else _text(shape))
    else:
        return operations["fit"](f) if shape is None else operations["fit"](f, shape)
    for form, ok, text in found:
        if ok:
            return tuple(map(Layout, text.split(" + "))) if form == "a sum of layouts" else Value(text)
    if len({text for _, _, text in found}) == 1:  # of the samples, and not of a form
        raise Refused(found[0][2])
    raise Refused("; ".join(f"not {form}: {text}" for form, _, text in found))
