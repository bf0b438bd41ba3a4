"""Layouts, their algebra and tensors of CuTe, TMA and CK Tile: the C library tessera for Python.

    >>> from tessera import L, zipped_divide
    >>> zipped_divide(L("(4,8):(8,1)"), (2, 4))
    L("((2,4),(2,2)):((8,1),(16,4))")

Every operation of the library's table is a function here and a method of values; what the table writes in brackets,
take<1,3>(L), is take[1, 3](L), and a name of Python has an underscore behind it, pass_. docs/python.md has the rest.
"""

import builtins as _builtins
import keyword as _keyword
import os as _os
import sys as _sys
import typing as _typing


from . import _tessera, signatures
from ._tessera import Layout, Operation, Refused, Tensor, Value, dynamic, operations
from .arrays import (asnumpy, copy, elements, empty, full, load_file, ones, relayout, save_file, tensor, tolist,
                     zeros)
from .compute import (add, astype, divide, einsum, gemm, item, matmul, max, maximum, min, minimum, multiply, negative,
                      permute, reshape, subtract, sum)
from .bridges import convert, emit, fit
from .checkpoints import Problem, Resharding, presets, reshard
from .fragments import Inference, Move, infer
from . import protocols as _protocols
from .pictures import Picture, draw
from .sizes import Given, given

__version__: str = _tessera.__version__
L, V = Layout, Value
S = Static = int  # of programs that said which integers are known: all are, but dynamic(8)
LayoutLeft, LayoutRight = "LayoutLeft", "LayoutRight"  # in the place of a stride
_ = None  # keeps a mode, in coordinates and tilers
IntTuple = _typing.Union[int, tuple]  # for annotations: what the stubs say of them is narrower
Crd = _typing.Union[int, None, slice, tuple, list]


def include_dir() -> str:
    """The folder of the library's headers: -I of a compiler, for kernels and programs in C."""
    return _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "include")


def _publish():
    for name, operation in operations.items():
        name += "_" * _keyword.iskeyword(name)
        globals().setdefault(name, operation)
        if not hasattr(Value, name):
            setattr(Value, name, operation)
        yield name


__all__ = ["L", "V", "S", "Layout", "LayoutLeft", "LayoutRight", "Value", "Static", "Tensor", "dynamic", "Operation",
           "Refused", "Picture", "operations", "add", "asnumpy", "astype", "convert", "copy", "divide", "draw", "einsum",
           "elements", "emit", "empty", "fit", "full", "gemm", "Given", "given", "include_dir",
           "infer", "Inference", "item", "Move", "load_file", "matmul", "maximum",
           "minimum", "multiply", "negative", "ones", "permute", "presets", "Problem", "relayout",
           "reshape", "reshard", "Resharding", "save_file", "subtract", "tensor", "tolist", "zeros"]
__all__ += [name for name in _publish() if name not in __all__ and not hasattr(_builtins, name)]


def __getattr__(name: str) -> _typing.Any:
    error = AttributeError(f"module 'tessera' has no attribute {name!r}{_protocols.missing(name)}")
    error.name, error.obj = name, _sys.modules[__name__]
    raise error
