"""Layouts, their algebra and tensors of CuTe, TMA and CK Tile: the C library tessera for Python.

    >>> from tessera import L, zipped_divide
    >>> zipped_divide(L("(_4,_8):(_8,_1)"), (2, 4))
    L("((2,4),(2,2)):((_8,_1),(16,4))")

Every operation of the library's table is a function here and a method of values; what the table writes in brackets,
take<1,3>(L), is take[1, 3](L), and a name of Python has an underscore behind it, pass_. docs/python.md has the rest.
"""

import builtins as _builtins
import keyword as _keyword
import typing as _typing

from ._tessera import Layout, Operation, Refused, Static, Tensor, Value, operations
from .arrays import asnumpy, copy, einsum, elements, empty, gemm, load_file, relayout, save_file, tensor
from .pictures import Picture, draw

L, V, S = Layout, Value, Static
_ = None  # keeps a mode, in coordinates and tilers
IntTuple = _typing.Union[int, tuple]  # for annotations: what the stubs say of them is narrower
Crd = _typing.Union[int, None, slice, tuple, list]


def _publish():
    for name, operation in operations.items():
        name += "_" * _keyword.iskeyword(name)
        globals().setdefault(name, operation)
        if not hasattr(Value, name):
            setattr(Value, name, operation)
        yield name


__all__ = ["L", "V", "S", "Layout", "Value", "Static", "Tensor", "Operation", "Refused", "Picture", "operations",
           "asnumpy", "copy", "draw", "einsum", "elements", "empty", "gemm", "load_file", "relayout", "save_file",
           "tensor"]
__all__ += [name for name in _publish() if name not in __all__ and not hasattr(_builtins, name)]
