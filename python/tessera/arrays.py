"""Arrays of others as tensors without copying, and what runs on them.

An array is whatever has __array_interface__ (NumPy), __dlpack__ (torch, JAX, CuPy; also on a GPU, where the elements
are not touched) or a buffer (bytes, bytearray, array.array, memoryview). Dimension i is mode i. The tensor keeps the
array alive.
"""

from __future__ import annotations

import math as _math
import typing as _typing
from os import fsdecode as _fsdecode

from . import _tessera
from ._tessera import Layout, Tensor, operations

if _typing.TYPE_CHECKING:
    from os import PathLike
    from typing import Any

_CODES = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQNc", "u"), **dict.fromkeys("efd", "f"), "?": "b",
          "Zf": "c", "Zd": "c"}


def _compact(shape):
    """The strides of a compact array, the last dimension fastest."""
    return tuple(_math.prod(shape[i + 1:]) for i in range(len(shape)))


def _steps(shape, strides, size):
    """Strides of bytes as strides of elements."""
    if strides is None:
        return _compact(shape)
    if any(d % size for d in strides):
        raise ValueError(f"strides {tuple(strides)} are no multiples of the {size} bytes of an element")
    return tuple(d // size for d in strides)


def _of_interface(x, interface):
    missing = [key for key in ("data", "typestr", "shape") if interface.get(key) is None]
    if missing or interface.get("mask") is not None:
        raise TypeError(f"an __array_interface__ with {'a mask' if not missing else f'no {missing[0]}'} is no tensor")
    (address, constant), descr, shape = interface["data"], interface["typestr"], tuple(interface["shape"])
    size = descr[2:]
    if not size.isdigit():
        raise TypeError(f"there is no element type {descr}")
    return _tessera._tensor(x, address, descr, shape, _steps(shape, interface.get("strides"), int(size)), constant)


def _is_scalar(x):
    """A scalar of NumPy, whose __array_interface__ names memory that is gone already; its buffer is its own."""
    return getattr(x, "shape", None) == () and not hasattr(x, "__len__")


def _of_dlpack(x):
    if getattr(x, "is_neg", bool)():  # of torch, whose capsule does not say so
        raise ValueError("the elements are kept with the other sign; resolve_neg() writes them")
    try:
        capsule = x.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = x.__dlpack__()
    return _tessera._from_dlpack(capsule)


def _of_buffer(x):
    try:
        view = memoryview(x)
    except TypeError:
        raise TypeError(f"{type(x)} is no array: it has no __array_interface__, no __dlpack__ and no buffer") from None
    with view:
        format = view.format.lstrip("@=")
        order = ">" if format[0] in ">!" else "<"
        code = _CODES.get(format.lstrip("<>!"))
        shape, strides, size = view.shape, view.strides, view.itemsize
    if not code:
        raise TypeError(f"there is no element type of the format {format!r}")
    address, _, constant, memory = _tessera._buffer(x)
    return _tessera._tensor(memory, address, f"{order}{code}{size}", shape, _steps(shape, strides, size), constant)


def tensor(x: Any, layout: Any = None, dtype: str | None = None) -> Tensor:
    """The elements of an array as a tensor: nothing is copied. With a layout its memory is read in that layout, whose
    offsets count from the first element and must stay inside of the array; with a type as elements of that type."""
    if isinstance(x, Tensor):
        t = x
    elif getattr(type(x), "__array_interface__", None) is not None and not _is_scalar(x):
        t = _of_interface(x, x.__array_interface__)
    elif hasattr(x, "__dlpack__"):
        t = _of_dlpack(x)
    else:
        t = _of_buffer(x)
    if layout is not None:
        return _tessera._as(t, Layout(layout), dtype)
    return operations["recast"][dtype](t) if dtype is not None and dtype != t.dtype else t


def empty(layout: Any, dtype: str = "f32") -> Tensor:
    """A tensor of a layout and a type in memory of its own, all 0."""
    layout = Layout(layout)
    return tensor(bytearray(int(operations["size_in_bytes"][dtype](layout))), layout, dtype)


def asnumpy(t: Tensor) -> Any:
    """A tensor as an array of NumPy that shares its memory: each mode is a dimension."""
    import numpy
    return numpy.asarray(t)


def elements(t: Any) -> list[Any]:
    """The elements of a tensor as a list, in the order of the 1-D coordinate."""
    return _tessera._elements(tensor(t))


def copy(source: Any, destination: Any) -> None:
    """Element i of the source to element i of the destination, converted to its type."""
    _tessera._copy(tensor(source), tensor(destination))


def _product(text, a, b, c, alpha, beta, bias, activation):
    if activation not in (None, "none", "relu"):
        raise ValueError(f"there is no activation {activation!r}: none or relu")
    _tessera._product(text, tensor(a), tensor(b), tensor(c), alpha, beta, None if bias is None else tensor(bias),
                             activation == "relu")


def gemm(a: Any, b: Any, c: Any, alpha: float = 1.0, beta: float = 1.0, bias: Any = None,
         activation: str | None = None) -> None:
    """C(m,n) = f(alpha * sum over k of A(m,k) B(n,k) + beta C(m,n) + bias(m,n))."""
    _product(None, a, b, c, alpha, beta, bias, activation)


def einsum(text: str, a: Any, b: Any, c: Any, alpha: float = 1.0, beta: float = 0.0, bias: Any = None,
           activation: str | None = None) -> None:
    """The product whose modes are named by letters, "mk,kn->mn", into C."""
    if not isinstance(text, str):
        raise TypeError(f"einsum takes a text such as 'mk,kn->mn', not {text!r:.80}")
    _product(text, a, b, c, alpha, beta, bias, activation)


def relayout(source: Any, layout: Any = None, dtype: str | None = None, in_place: bool = False) -> Tensor:
    """A new tensor with the elements of an array in another layout or type. In place they come back to the memory of
    the array, which holds them in the layout then; the tensor shares it, and of the array this changes the order."""
    t = tensor(source)
    if in_place:
        result = tensor(t, t.layout if layout is None else layout, dtype)
        copy(relayout(t), result)
        return result
    if layout is None:
        layout = t.layout.make_layout_like() if t.rank else t.layout
    result = empty(layout, dtype or t.dtype)
    copy(t, result)
    return result


class Tensors(dict[str, Tensor]):
    """The tensors of a file by name. `refused` says of each tensor without a layout (empty, quantised, of more than 16
    dimensions) why it has none, and so does asking for it."""

    def __init__(self, tensors: dict[str, Tensor], refused: dict[str, str]) -> None:
        super().__init__(tensors)
        self.refused = refused

    def __missing__(self, name: str) -> Tensor:
        raise KeyError(self.refused.get(name, name))


def load_file(path: str | PathLike[str]) -> Any:
    """The array of an .npy file, or those of a .safetensors or .gguf file by name; mapped, and only read."""
    name = _fsdecode(path)
    if name.endswith((".safetensors", ".gguf")):
        return Tensors(*_tessera._load_model(path, name.endswith(".gguf")))
    return _tessera._load_npy(path)


def save_file(path: str | PathLike[str], x: Any) -> None:
    """Writes an array as an .npy file, whose dimensions are its modes."""
    _tessera._save_npy(path, tensor(x))


setattr(Tensor, "numpy", asnumpy)
setattr(Tensor, "elements", elements)
