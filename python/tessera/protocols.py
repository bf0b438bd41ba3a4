"""What Python and NumPy's users ask of an array beside arithmetic: its truth, its format, copies and pickles of it, and
words for what a tensor does not have."""

from __future__ import annotations

import math as _math
import sys as _sys
import typing as _typing

from . import _tessera
from ._tessera import Layout, Tensor, Value
from .arrays import _extents, _is_type, _numbers, cpu, elements, relayout, tensor
from .compute import item, permute, transpose
from .dtypes import ROWS

if _typing.TYPE_CHECKING:
    from typing import Any


def _has_memory(t: Tensor) -> bool:
    """Are its elements in memory? Those of a counting tensor are coordinates."""
    return getattr(t, "dtype", None) is not None


def _count(t: Tensor) -> int:
    return _math.prod(_extents(t))


def _bool(t: Tensor) -> bool:
    n = _count(t)
    if n != 1:
        raise ValueError(f"a tensor of {n} elements is neither true nor false: take one element, or ask its numpy()")
    return not _has_memory(t) or bool(item(t))


def _index(t: Tensor) -> int:
    if _count(t) != 1 or not _has_memory(t) or ROWS[t.dtype].kind not in "iu":
        raise TypeError("only one integer is an index, and no range or list of them")
    index: int = item(t)
    return index


def _iter(t: Tensor) -> _typing.Iterator[Any]:
    if not _extents(t):
        raise TypeError("a tensor without modes has no elements to go through: item() is its number")
    return (t[i] for i in range(len(t)))


def _contains(t: Tensor, x: Any) -> bool:
    if not _numbers(x):
        raise TypeError(f"a tensor contains numbers, not {type(x)}")
    return x in elements(t)


def _format(t: Tensor, how: str) -> str:
    if not how:
        return str(t)
    if _count(t) != 1 or not _has_memory(t):
        raise TypeError(f"the format {how!r} is for one number, and the tensor has {_count(t)} elements")
    return format(item(t), how)


def _copy(t: Tensor) -> Tensor:
    """New memory with the elements. A tensor without memory is its own copy."""
    return relayout(t) if _has_memory(t) else t


def _deepcopy(t: Tensor, kept: dict[int, Any]) -> Tensor:
    return _copy(t)


def _from_bytes(data: bytes, layout: str, dtype: str) -> Tensor:
    """A pickled tensor, in memory of its own."""
    return _tessera._as(tensor(bytearray(data)), Layout(layout), dtype)


def _reduce(t: Tensor) -> Any:
    """The bytes of its elements, packed, and their layout: strides in the same order."""
    if not _has_memory(t):
        return Value.__reduce__(t)
    packed = relayout(cpu(t))
    n = (_count(t) * ROWS[t.dtype].bits + 7) // 8
    return _from_bytes, (bytes(elements(_tessera._as(packed, Layout(n), "uint8"))), str(packed.layout), packed.dtype)


def _transpose(t: Tensor, *axes: Any) -> Tensor:
    """The modes in the opposite order, or in the order of axes: a view."""
    return transpose(t) if not axes or (len(axes) == 1 and axes[0] is None) else permute(t, *axes)


def _itemsize(t: Tensor) -> int:
    bits = ROWS[t.dtype].bits
    if bits % 8:
        raise TypeError(f"an element of the type {t.dtype} has {bits} bits, and no whole bytes")
    return bits // 8


def _nbytes(t: Tensor) -> int:
    return (_count(t) * ROWS[t.dtype].bits + 7) // 8


_MAKERS = {"array": "tensor(x)", "asarray": "tensor(x)", "arange": "tensor(range(n))", "zeros_like": "empty(x.layout, x.dtype)",
           "empty_like": "empty(x.layout, x.dtype)"}


def missing(name: str) -> str:
    """What helps where tessera has no name that NumPy's users know."""
    numpy = _sys.modules.get("numpy")
    if name in _MAKERS:
        return f"; tessera.{_MAKERS[name]} makes a tensor"
    if _is_type(name):
        return f'; an element type is a text: "{name}"'
    if numpy is not None and callable(getattr(numpy, name, None)):
        return f"; NumPy has numpy.{name}, which takes tensors"
    return ""


def _getattr(t: Tensor, name: str) -> Any:
    numpy = None if name.startswith("_") else _sys.modules.get("numpy")
    more = f"; an array of NumPy has it: x.numpy().{name}" if numpy and hasattr(numpy.ndarray, name) else ""
    error = AttributeError(f"{type(t).__name__!r} object has no attribute {name!r}{more}")
    error.name, error.obj = name, t
    raise error


def _install() -> None:
    for name, f in (("bool", _bool), ("index", _index), ("iter", _iter), ("contains", _contains), ("format", _format),
                    ("copy", _copy), ("pos", _copy), ("deepcopy", _deepcopy), ("reduce", _reduce), ("getattr", _getattr)):
        setattr(Tensor, f"__{name}__", f)
    setattr(Tensor, "transpose", _transpose)
    setattr(Tensor, "ndim", property(lambda t: len(_extents(t))))
    setattr(Tensor, "itemsize", property(_itemsize))
    setattr(Tensor, "nbytes", property(_nbytes))


_install()
