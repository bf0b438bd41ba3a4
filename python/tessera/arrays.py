"""Arrays of others as tensors without copying, and what runs on them.

An array is whatever has __array_interface__ (NumPy), __dlpack__ (torch, JAX, CuPy; also on a GPU, where the elements
are not touched) or a buffer (bytes, bytearray, array.array, memoryview). Dimension i is mode i. The tensor keeps the
array alive.
"""

from __future__ import annotations

import functools
import math as _math
import sys as _sys
import typing as _typing
from os import fsdecode as _fsdecode

from . import _tessera
from ._tessera import Layout, Refused, Tensor, Value, operations
from .dtypes import ROWS, of_number, promote
from .kept import kept, kept_for_any_number

if _typing.TYPE_CHECKING:
    from os import PathLike
    from typing import Any

_CODES = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQNc", "u"), **dict.fromkeys("efd", "f"), "?": "b",
          "Zf": "c", "Zd": "c"}


def _compact(shape):
    """The strides of a compact array, the last dimension fastest."""
    return tuple(_math.prod(shape[i + 1:]) for i in range(len(shape)))


def compact(shape: tuple[int, ...]) -> Layout:
    """The layout of a new array of NumPy's."""
    return Layout(shape, _compact(shape))


def _steps(shape, strides, size):
    """Strides of bytes as strides of elements."""
    if strides is None:
        return _compact(shape)
    if any(d % size for d in strides):
        raise ValueError(f"strides {tuple(strides)} are no multiples of the {size} bytes of an element")
    return tuple(d // size for d in strides)


def _integers(interface, key):
    """A tuple of integers of an interface."""
    x = interface[key]
    if not isinstance(x, (tuple, list)) or not all(hasattr(n, "__index__") for n in x):
        raise TypeError(f"__array_interface__: {key} is a tuple of integers, not {x!r:.80}")
    return tuple(n.__index__() for n in x)


def _place(x, interface):
    """Where the first element is: its address, whether it is only read, what holds it; its place in a buffer and the
    bytes of that, or None."""
    data = interface["data"]
    if isinstance(data, tuple):
        if len(data) != 2 or not hasattr(data[0], "__index__") or not 0 < data[0].__index__() < 1 << 64:
            raise TypeError(f"__array_interface__: data is (address, read only) or a buffer, not {data!r:.80}")
        return data[0].__index__(), bool(data[1]), x, 0, None
    offset = interface.get("offset", 0)
    try:
        address, length, constant, memory = _tessera._buffer(data)
        return address + offset, constant, memory, offset.__index__(), length
    except (TypeError, AttributeError):
        raise TypeError(f"__array_interface__: data is (address, read only) or a buffer, not {data!r:.80}, and offset an "
                        f"integer, not {offset!r:.80}") from None


def _named_tensor(*given):
    """The tensor, or why there is none, in the name of the protocol. A function of its own: without memory CPython 3.11
    leaves no handler far behind a function's begin."""
    try:
        return _tessera._tensor(*given)
    except (TypeError, OverflowError) as wrong:
        raise type(wrong)(f"__array_interface__: {wrong}") from None
    except Refused as refused:
        said = Refused(f"__array_interface__: {refused}")
        said.status, said.mode, said.numbers = refused.status, refused.mode, refused.numbers
        raise said from None


def _of_interface(x, interface):
    missing = [key for key in ("data", "typestr", "shape") if interface.get(key) is None]
    if missing or interface.get("mask") is not None:
        raise TypeError(f"an __array_interface__ with {f'no {missing[0]}' if missing else 'a mask'} is not a tensor")
    descr, shape = interface["typestr"], _integers(interface, "shape")
    if not isinstance(descr, str) or not descr[2:].isdigit() or len(descr) > 8:
        raise TypeError(f"__array_interface__: there is no element type {descr!r:.80}")
    size = int(descr[2:])
    strides = None if interface.get("strides") is None else _integers(interface, "strides")
    if strides is not None and len(strides) != len(shape):
        raise ValueError(f"__array_interface__: {len(shape)} extents have {len(strides)} strides")
    address, constant, owner, offset, length = _place(x, interface)
    steps = _steps(shape, strides, size)
    if length is not None:
        ends = [(n - 1) * d * size for n, d in zip(shape, steps)]
        if offset + sum(d for d in ends if d < 0) < 0 or offset + sum(d for d in ends if d > 0) + size > length:
            raise ValueError(f"__array_interface__: elements of the shape {shape} from byte {offset} on leave the buffer of "
                             f"{length} bytes")
    return _named_tensor(owner, address, descr, shape, steps, constant)


def _interface_of(x):
    """The __array_interface__ of an object, its own or its type's; None: it has none. A type has that of its objects."""
    interface = None if isinstance(x, type) or _is_scalar(x) else getattr(x, "__array_interface__", None)
    if interface is not None and not isinstance(interface, dict):
        raise TypeError(f"an __array_interface__ is a dictionary, not {interface!r:.80}")
    return interface


def _is_scalar(x):
    """A scalar of NumPy, whose __array_interface__ names memory that is gone already; its buffer is its own."""
    return getattr(x, "shape", None) == () and not hasattr(x, "__len__")


def _of_dlpack(x):
    if getattr(x, "is_neg", bool)():  # of torch, whose capsule does not say so
        raise ValueError("the elements are kept with the other sign; resolve_neg() writes them")
    forward = _sys.modules.get("torch.autograd.forward_ad")
    if forward is not None and forward._current_level >= 0 and hasattr(x, "requires_grad") \
            and forward.unpack_dual(x).tangent is not None:
        raise ValueError("this tensor carries a derivative forward, and this function does not: take unpack_dual(x).primal, "
                         "or the functions of tessera.torch")
    try:
        capsule = x.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = x.__dlpack__()
    return _tessera._from_dlpack(capsule)


def _of_buffer(x):
    try:
        view = memoryview(x)
    except TypeError:
        raise TypeError(f"{type(x)} is not an array: it has no __array_interface__, no __dlpack__, no buffer, and it "
                        "is not a list of numbers") from None
    with view:
        format = view.format.lstrip("@=")
        order = ">" if format[0] in ">!" else "<"
        code = _CODES.get(format.lstrip("<>!"))
        shape, strides, size = view.shape, view.strides, view.itemsize
    if not code:
        raise TypeError(f"there is no element type of the format {format!r}")
    address, _, constant, memory = _tessera._buffer(x)
    return _tessera._tensor(memory, address, f"{order}{code}{size}", shape, _steps(shape, strides, size), constant)


def _numbers(x: Any) -> bool:
    """Is it a number of Python's? One of NumPy's is an array, whose type it keeps."""
    return isinstance(x, (int, float, complex)) and not hasattr(x, "__array_interface__")


def _extents(t: Tensor) -> tuple[int, ...]:
    """How many elements each mode has."""
    return _tessera._extents(t)


def _flat(x: Any, shape: list[int], depth: int, numbers: list[Any], types: set[str]) -> None:
    """The numbers of nested lists, their types, and the shape of the lists. A scalar of NumPy has a type of its own."""
    if not isinstance(x, (list, tuple)):
        own = tensor(x).dtype if _is_scalar(x) else ""
        x = x.item() if own else x
        if not _numbers(x):
            stacked = "; numpy.stack(x) makes one array of several" if hasattr(x, "__len__") and hasattr(x, "shape") else ""
            raise TypeError(f"a list of numbers is a tensor, one with a {type(x)} is not{stacked}")
        if depth != len(shape):
            raise ValueError("the lists differ in depth")
        numbers.append(x)
        types.add(own or of_number(x))
        return
    if depth == len(shape) and not numbers:
        shape.append(len(x))
    if not x or depth >= len(shape) or shape[depth] != len(x):
        raise ValueError("a list is empty, and there is no tensor without elements" if not x
                         else "the lists differ in length or depth")
    if depth > 16:
        raise ValueError("lists nest more than 16 levels deep")
    for item in x:
        _flat(item, shape, depth + 1, numbers, types)


def _of_list(x: Any, layout: Any, dtype: Any) -> Tensor:
    """New memory with the numbers of nested lists."""
    shape: list[int] = []
    numbers: list[Any] = []
    types: set[str] = set()
    _flat(x, shape, 0, numbers, types)
    if dtype is None:
        dtype = "u64" if types == {"i64", "u64"} and min(numbers) >= 0 else functools.reduce(promote, types)
    t = _tessera._new(compact(tuple(shape)), dtype)
    _tessera._set_elements(_tessera._view(t, tuple(reversed(range(len(shape))))), numbers)
    return t if layout is None else relayout(t, layout)


def _is_type(x: Any) -> bool:
    """Does it name an element type? Layouts, shapes and their texts do not."""
    if x is None or isinstance(x, (Layout, Tensor, int, tuple, list)):
        return False
    try:
        _tessera._type(x)
    except (TypeError, ValueError):
        return False
    return True


def tensor(x: Any, layout: Any = None, dtype: Any = None) -> Tensor:
    """The elements of an array as a tensor: nothing is copied. With a layout its memory is read in that layout, whose
    offsets count from the first element and must stay inside of the array; with a type as elements of that type.

    Of lists of numbers, and of a number, new memory: integers as i64, others as f64, or of the type; in C order, or in
    the layout. A type may also stand in the place of the layout: `tensor([[1, 2], [3, 4]], "f32")`."""
    if layout is None and dtype is None:
        here = x if type(x) is Tensor else _tessera._array(x)
        if here is not None:
            return here
    if dtype is None and _is_type(layout):
        layout, dtype = None, layout
    elif dtype is None and isinstance(layout, str) and layout.isidentifier():
        raise ValueError(f"{layout!r} is neither a layout nor an element type")
    x = list(x) if isinstance(x, range) else x
    if isinstance(x, Tensor):
        t = x
    elif isinstance(x, (list, tuple)) or _numbers(x):
        return _of_list(x, layout, dtype)
    elif (interface := _interface_of(x)) is not None:
        t = _of_interface(x, interface)
    elif hasattr(x, "__dlpack__"):
        t = _of_dlpack(x)
    else:
        t = _of_buffer(x)
    if layout is not None:
        return _tessera._as(t, Layout(layout), dtype)
    return operations["recast"][_tessera._type(dtype)](t) if dtype is not None else t


def empty(layout: Any, dtype: Any = "f32") -> Tensor:
    """A tensor of a layout and a type in memory of its own, all 0."""
    if isinstance(dtype, int):
        raise TypeError(f"a shape is one argument, empty(({layout}, {dtype})), and the next one is an element type")
    return _tessera._new(Layout(layout), dtype)


def full(layout: Any, x: Any, dtype: Any = None) -> Tensor:
    """A tensor of a layout in memory of its own, whose elements are all the number x; of its type, or of another one."""
    own = tensor(x).dtype if _is_scalar(x) else ""
    number = x.item() if own else x
    if not _numbers(number):
        raise TypeError(f"full takes one number, not {type(x)}: t[...] = x spreads an array")
    t = empty(layout, (own or of_number(number)) if dtype is None else dtype)
    _tessera._fill(t, number)
    return t


def zeros(layout: Any, dtype: Any = "f32") -> Tensor:
    """A tensor of a layout and a type in memory of its own, all 0: `empty`, whose memory is 0, too."""
    return empty(layout, dtype)


def ones(layout: Any, dtype: Any = "f32") -> Tensor:
    """A tensor of a layout and a type in memory of its own, all 1."""
    return full(layout, 1, dtype)


def asnumpy(t: Tensor) -> Any:
    """A tensor as an array of NumPy that shares its memory: each mode is a dimension. From a GPU the elements are
    copied."""
    import numpy
    return numpy.asarray(cpu(t))


def is_on_gpu(t: Tensor) -> bool:
    """Is it in the memory of a CUDA device?"""
    return t.__dlpack_device__()[0] == 2


def cpu(t: Any) -> Tensor:
    """The tensor in the memory of the host: itself, or a new one with the elements of a GPU, which is waited for."""
    t = tensor(t)
    if not is_on_gpu(t):
        return t
    host, why = empty(compact(_extents(t)), t.dtype), ""
    try:
        _tessera._cuda_fetch(relayout(t, host.layout), host)
    except RuntimeError as without:
        why = str(without)
    if why:
        raise Refused(f"the elements are in the memory of a device: {why}")
    return host


def elements(t: Any) -> list[Any]:
    """The elements of a tensor as a list, in the order of the 1-D coordinate, whose first mode is the fastest."""
    return _tessera._elements(cpu(t))


def tolist(t: Any) -> Any:
    """The elements as nested lists, as of NumPy: a list for each index of the first mode."""
    t = cpu(t)
    shape = _extents(t)
    flat = _tessera._elements(_tessera._view(t, tuple(reversed(range(len(shape))))))
    for n in reversed(shape[1:]):
        flat = [flat[i:i + n] for i in range(0, len(flat), n)]
    return flat if shape else flat[0]


def _same_extents(a: Tensor, b: Tensor, what: str) -> None:
    if _extents(a) != _extents(b):
        raise Refused(f"{what} of the shape {_extents(a)} to the shape {_extents(b)}: by_index=True copies in the order "
                      "of indices, the first mode the fastest; reshape uses C order")


@kept
def copy(source: Any, destination: Any = None, by_index: bool = False) -> Tensor | Any:
    """Each element of the source to the same coordinate of the destination, converted to its type; without one to a new
    tensor, which is returned. By index, to a destination of another shape of as many elements."""
    s = tensor(source)
    if destination is None:
        return relayout(s)
    d = target(destination)
    if not by_index:
        _same_extents(s, d, "copy")
    _tessera._copy(s, d)
    return None


def target(x: Any) -> Tensor:
    """The tensor of memory that is written to: a list and a number of Python have none."""
    if isinstance(x, (list, tuple, int, float, complex)):
        raise TypeError(f"{type(x)} has no memory to write to: tensor(..) makes a tensor with memory of its own")
    return tensor(x)


def listed(x: Any) -> Any:
    """A shape or axes as a list: of a list, a tuple or an array of one dimension; None of anything else."""
    if isinstance(x, (list, tuple)):
        return list(x)
    return list(x.tolist()) if hasattr(x, "__array_interface__") and len(x.shape) == 1 else None


@kept_for_any_number
def _assign(view: Tensor, x: Any) -> None:
    """view[...] = x"""
    if _numbers(x):
        fill(view, x)
        return
    s, shape = tensor(x), _extents(view)
    own = _extents(s)
    first = len(shape) - len(own)
    if first < 0 or any(n not in (1, shape[first + i]) for i, n in enumerate(own)):
        raise ValueError(f"elements of the shape {own} do not fit into the shape {shape}")
    s = _tessera._view(s, tuple(-n if i < first or own[i - first] != n else i - first for i, n in enumerate(shape)))
    try:
        _tessera._copy(s, view)
    except Refused as refused:
        if refused.status != "OVERLAP":
            raise
        _tessera._copy(relayout(s), view)


def _repeats(shape: Any, stride: Any) -> bool:
    """Is a stride 0 where there is more than one element?"""
    if isinstance(shape, tuple):
        return any(map(_repeats, shape, stride))
    return shape > 1 and stride == 0


def like(t: Tensor) -> Layout:
    """A layout of the shape of a tensor, its strides in the same order; in C order where elements are repeated."""
    shape, stride = t.shape, t.stride
    return compact(_extents(t)) if not t.rank or _repeats(shape, stride) else t.layout.make_layout_like()


def empty_beside(t: Tensor, layout: Layout, dtype: Any) -> Tensor:
    """A new tensor where another one is: in the memory of the host, or of its device."""
    if not is_on_gpu(t):
        return empty(layout, dtype)
    from . import cuda
    return cuda.empty(layout, dtype, t.__dlpack_device__()[1])


@kept_for_any_number
def fill(t: Tensor, x: Any) -> None:
    """All elements are x."""
    _tessera._fill(t, x)


def relayout(source: Any, layout: Any = None, dtype: Any = None, in_place: bool = False, by_index: bool = False) -> Tensor:
    """A new tensor with the elements of an array in another layout or type. In place they come back to the memory of
    the array, which holds them in the layout then; the tensor shares it, and of the array this changes the order."""
    here = _tessera._relayout(source, dtype) if layout is None and not in_place else None
    return _relayout(source, layout, dtype, in_place, by_index) if here is None else here


@kept
def _relayout(source: Any, layout: Any, dtype: Any, in_place: bool, by_index: bool) -> Tensor:
    t = tensor(source)
    to = like(t) if layout is None else Layout(layout)
    if in_place:
        result = tensor(t, t.layout if layout is None else layout, dtype)
        copy(relayout(t), result, by_index)
        return result
    result = empty_beside(t, to, dtype or t.dtype)
    if not by_index and t.rank != 1:
        _same_extents(t, result, "relayout")
    _tessera._copy(t, result)
    return result


class Tensors(dict[str, Tensor]):
    """The tensors of a file by name. `refused` says of each tensor without a layout (empty, quantised, of more than 16
    dimensions) why it has none, and so does asking for it."""

    def __init__(self, tensors: dict[str, Tensor], refused: dict[str, str]) -> None:
        super().__init__(tensors)
        self.refused = refused

    def __missing__(self, name: str) -> Tensor:
        raise KeyError(self.refused.get(name, name))


def load_file(path: str | PathLike[str], dtype: Any = None, field: str | None = None) -> Any:
    """The array of an .npy file, or those of a .safetensors, .gguf or .npz file by name; mapped, and only read. The type is
    that of the raw bytes of an .npy file, whose header names none: of float8, which NumPy does not know. The field is
    that of an array of structures: "x", or "z.u" of a structure in a field z."""
    name = _fsdecode(path)
    if name.endswith((".safetensors", ".gguf", ".npz")):
        if dtype is not None or field is not None:
            raise TypeError(f"the tensors of {name} have types and names of their own: take one, and astype or recast it")
        return Tensors(*_tessera._load_model(path))
    return _tessera._load_npy(path, dtype, field)


def _to_be_written(x: Any) -> Any:
    """The tensor of an array, or the type and the shape of one without elements, which is no tensor."""
    shape = getattr(x, "shape", ())
    empty = isinstance(shape, tuple) and 0 in shape and hasattr(x, "dtype")
    return (_tessera._type(x.dtype), tuple(shape)) if empty else tensor(x)


def save_file(path: str | PathLike[str], x: Any, metadata: dict[str, str] | None = None) -> None:
    """Writes an array as an .npy file, whose dimensions are its modes; a dictionary of arrays as a .safetensors,
    .gguf or .npz file, with a text for each key of `metadata`. An array may have an extent of 0."""
    if isinstance(path, dict):
        raise TypeError("save_file takes the path first: save_file(path, tensors)")
    model = _fsdecode(path).endswith((".safetensors", ".gguf", ".npz"))
    if model != isinstance(x, dict):
        raise TypeError("a .safetensors, .gguf or .npz file takes a dictionary of arrays, an .npy file one array")
    if metadata and (not model or _fsdecode(path).endswith(".npz")):
        raise TypeError("an .npy or .npz file has no metadata")
    if model:
        _tessera._save_model(path, {name: _to_be_written(value) for name, value in x.items()}, metadata or {})
    else:
        _tessera._save_npy(path, _to_be_written(x))


_SHOWN = 128  # elements of a tensor that its repr shows


def _digits(x: float, mantissa: int) -> str:
    """The shortest decimal that is nearer to a number than to the next one of a type with this mantissa."""
    fraction, exponent = _math.frexp(x)
    near = _math.ldexp(0.5 if abs(fraction) > 0.5 else 0.25, exponent - 1 - mantissa)
    for n in range(1, 17):
        text = repr(float(f"{x:.{n}g}"))
        if x != x or abs(float(text) - x) < near:
            return text
    return repr(x)


def _written(x: Any, mantissa: int) -> str:
    if isinstance(x, list):
        items = [_written(item, mantissa) for item in x]
        return f"[{', '.join(items)}]"
    if isinstance(x, float):
        return _digits(x, mantissa).join(["float('", "')"] if x in (_math.inf, -_math.inf) or x != x else ["", ""])
    return repr(x)


def _shown(t: Tensor) -> str:
    """tensor([[..]], layout, type): an expression that gives the elements again; of many elements no expression."""
    try:
        if _math.prod(_extents(t)) > _SHOWN:
            t[(0,) * t.rank]  # where it cannot be read, its address is shown
            return f"<tensor of {t.dtype}, {t.layout}>"
        return f"tensor({_written(tolist(t), ROWS[t.dtype].mantissa)}, \"{t.layout}\", \"{t.dtype}\")"
    except (Refused, AttributeError):
        return Value.__repr__(t)


def _print(t: Tensor) -> str:
    shown = _shown(t)
    return t.text if shown == Value.__repr__(t) else shown


setattr(Tensor, "__repr__", _shown)
setattr(Tensor, "__str__", _print)
setattr(Tensor, "numpy", asnumpy)
setattr(Tensor, "cpu", cpu)
setattr(Tensor, "elements", elements)
setattr(Tensor, "tolist", tolist)
