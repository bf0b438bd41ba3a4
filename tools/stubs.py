"""Writes what python/tessera/__init__.pyi is, the types of the operations, from the table. A test compares them.

    PYTHONPATH=build/check/python python3 tools/stubs.py >python/tessera/__init__.pyi
"""

import keyword
import sys

import tessera

RESULTS = {"T": "IntTuple", "L": "Layout", "G": "Tensor", "s": "tuple[int, ...]", "a": "str"}
ARGUMENTS = {"T": "Crd", "L": "ALayout", "G": "Tensor | str", "R": "Tiler"}
REST = {"U": "Crd", "V": "Crd", "i": "Crd", "Q": "Tiler", "M": "ALayout", "l": "str"}

HEAD = '''# Written by tools/stubs.py from the table of operations.
import builtins
from typing import Any, Iterator, Mapping, Protocol, overload

from .arrays import asnumpy as asnumpy, copy as copy, einsum as einsum, elements as elements, empty as empty
from .arrays import gemm as gemm, load_file as load_file, relayout as relayout, save_file as save_file, tensor as tensor
from .pictures import Picture as Picture, draw as draw

ALayout = Layout | str
IntTuple = int | tuple[IntTuple, ...]
Crd = int | None | builtins.slice | str | Value | tuple[Crd, ...] | list[Crd]
Tiler = Crd | Layout | tuple[Tiler, ...] | list[Tiler]

class Static(int): ...

class Refused(ValueError):
    status: str | None
    mode: int
    numbers: tuple[int, ...]

class Operation(Protocol):
    __name__: str
    rows: list[tuple[str, ...]]
    text: str
    def __call__(self, *arguments: Any, **labels: Any) -> Any: ...
    def __getitem__(self, brackets: int | str | tuple[int | str, ...]) -> Operation: ...

class Value:
    shape: IntTuple
    stride: IntTuple
    size: int
    cosize: int
    rank: int
    depth: int
    layout: Layout
    kind: str
    dtype: str
    def __new__(cls, x: Any) -> Any: ...
    def __call__(self, *coordinate: Crd) -> Any: ...
    def __getitem__(self, coordinate: Crd) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __matmul__(self, other: Tiler) -> Any: ...
    def __getattr__(self, operation: str) -> Operation: ...

class Layout(Value):
    def __new__(cls, shape: Any, stride: Crd = ...) -> Layout: ...

class Tensor(Value):
    __array_interface__: dict[str, Any]
    def __new__(cls, x: Any) -> Tensor: ...
    def __setitem__(self, coordinate: Crd, x: complex) -> None: ...
    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def numpy(self) -> Any: ...
    def elements(self) -> list[Any]: ...

L = Layout
V = Value
S = Static
_: None
operations: Mapping[str, Operation]

'''


def parameters(signature, labels):
    """The parameters of a row as Python has them."""
    names = labels.split() + ["-"] * 8
    plain, named, rest = [], [], ""
    for kind, label in zip(signature.strip("()").replace(" ", "").split(","), names):
        if kind == "o":
            continue
        if kind in REST:
            rest = f"*rest: {REST[kind]}"
        elif label == "-":
            plain.append(f"{'abcdefgh'[len(plain)]}: {ARGUMENTS.get(kind, 'Any')}")
        else:
            named.append(f"{label}: {ARGUMENTS.get(kind, 'Any')} = ...")
    return ", ".join(plain + (["/"] if plain else []) + ([rest or "*"] if rest or named else []) + named)


def operation(name, op):
    rows = [row for row in op.rows]
    public = name + "_" * keyword.iskeyword(name)
    if public in ("tensor", "copy"):
        return ""
    if any(c in row[5] for row in rows for c in "NPB"):
        return f"{public}: Operation\n"
    several = "@overload\n" if len({parameters(row[5], row[6]) for row in rows}) > 1 else ""
    seen, text = set(), ""
    for title, result, words, example, value, signature, labels, _ in rows:
        line = parameters(signature, labels)
        if line not in seen:
            text += f"{several}def {public}({line}) -> {RESULTS.get(result, 'Value')}: ...\n"
        seen.add(line)
    return text


def stubs():
    return HEAD + "".join(operation(*item) for item in tessera.operations.items())


if __name__ == "__main__":
    sys.stdout.write(stubs())
