"""Writes what python/tessera/__init__.pyi is, the types of the operations, from the table. A test compares them.

    PYTHONPATH=build/check/python python3 tools/stubs.py >python/tessera/__init__.pyi
"""

import inspect
import keyword
import re
import sys

import tessera
from tessera import signatures

RESULTS = {"T": "IntTuple", "L": "Layout", "G": "Tensor", "s": "tuple[int, ...]", "a": "str"}
# What an argument of a kind may be: Crd, Layout, Tensor, another Value; a text stands for any.
ARGUMENTS = {"T": "C", "L": "L", "G": "G", "R": "CL"}
REST = {"U": "C", "V": "C", "i": "C", "Q": "CL", "M": "L", "l": ""}

HEAD = '''# Written by tools/stubs.py from the table of operations.
import builtins
from typing import Any, Generic, Iterator, Mapping, TypeVar, final, overload

from .arrays import asnumpy as asnumpy, copy as copy, elements as elements, empty as empty, full as full
from .arrays import load_file as load_file, ones as ones, relayout as relayout, save_file as save_file
from .arrays import tensor as tensor, tolist as tolist, zeros as zeros
from .bridges import convert as convert, emit as emit, fit as fit
from .checkpoints import Problem as Problem, Resharding as Resharding, presets as presets, reshard as reshard
from .compute import add as add, astype as astype, divide as divide, einsum as einsum, gemm as gemm, item as item
from .compute import matmul as matmul, max as max, maximum as maximum, min as min, minimum as minimum
from .compute import multiply as multiply, negative as negative, permute as permute
from .compute import reshape as reshape, subtract as subtract, sum as sum
from .fragments import Inference as Inference, Move as Move, infer as infer
from .pictures import Picture as Picture, draw as draw
from .sizes import Given as Given, given as given

__version__: str
LayoutLeft: str
LayoutRight: str

def include_dir() -> str: ...

IntTuple = int | tuple[IntTuple, ...]
Crd = int | None | builtins.slice | tuple[Crd | Value | str, ...] | list[Any]

@final
class dynamic(int): ...

class Refused(ValueError):
    status: str | None
    mode: int
    numbers: tuple[int, ...]

_R = TypeVar("_R", covariant=True)

@final
class Operation(Generic[_R]):
    @property
    def __name__(self) -> str: ...
    @property
    def __signature__(self) -> Any: ...
    rows: list[tuple[str, ...]]
    text: str
    def __call__(self, *arguments: Any, **labels: Any) -> _R: ...
    def __getitem__(self, brackets: int | str | tuple[int | str, ...]) -> Operation[_R]: ...

class Value:
    shape: IntTuple
    stride: IntTuple
    size: int
    cosize: int
    rank: int
    depth: int
    layout: Layout
    modes: tuple[Any, ...]
    text: str
    kind: str
    dtype: str
    def __new__(cls, x: Any) -> Any: ...
    def __call__(self, *coordinate: Crd) -> Any: ...
    def __getitem__(self, coordinate: Crd) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __matmul__(self, other: Crd | Layout) -> Any: ...
METHODS
@final
class Layout(Value):
    def __new__(cls, shape: Any, stride: Crd = ...) -> Layout: ...
    def __call__(self, *coordinate: Crd) -> int | Any: ...
    def __getitem__(self, coordinate: Crd) -> Layout | Any: ...
    def __matmul__(self, other: Crd | Layout) -> Layout: ...
OF_LAYOUTS
@final
class Tensor(Value):
    __array_interface__: dict[str, Any]
    def __new__(cls, x: Any) -> Tensor: ...
    @property
    def T(self) -> Tensor: ...
    @property
    def ndim(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __getitem__(self, key: Any) -> Tensor | Any: ...
    def __setitem__(self, key: Any, x: Any) -> None: ...
    def __add__(self, other: Any) -> Tensor: ...
    def __radd__(self, other: Any) -> Tensor: ...
    def __iadd__(self, other: Any) -> Tensor: ...
    def __sub__(self, other: Any) -> Tensor: ...
    def __rsub__(self, other: Any) -> Tensor: ...
    def __isub__(self, other: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...
    def __rmul__(self, other: Any) -> Tensor: ...
    def __imul__(self, other: Any) -> Tensor: ...
    def __truediv__(self, other: Any) -> Tensor: ...
    def __rtruediv__(self, other: Any) -> Tensor: ...
    def __itruediv__(self, other: Any) -> Tensor: ...
    def __matmul__(self, other: Any) -> Tensor | Any: ...
    def __rmatmul__(self, other: Any) -> Tensor | Any: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __bool__(self) -> bool: ...
    def __index__(self) -> int: ...
    def __contains__(self, x: Any) -> bool: ...
    def __format__(self, how: str) -> str: ...
    def __copy__(self) -> Tensor: ...
    def __deepcopy__(self, kept: dict[int, Any]) -> Tensor: ...
    def __float__(self) -> float: ...
    def __int__(self) -> int: ...
    def __complex__(self) -> complex: ...
    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
OF_TENSORSOF_ARRAYS

L = Layout
V = Value
S = int
Static = int
_: None
operations: Mapping[str, Operation[Any]]

'''


def accepted(row):
    """What a row takes: the kinds of each parameter, those of the rest or None, and of each label; and the names, that
    of the rest last."""
    plain, rest, named, names, rest_name = [], None, {}, [], "rest"
    for name, kind, label in signatures.parameters(row):
        if kind in REST:
            rest, rest_name = frozenset(REST[kind]), name
        elif label is None:
            plain.append(frozenset(ARGUMENTS.get(kind, "VLG")))
            names.append(name)
        else:
            named[label] = frozenset(ARGUMENTS.get(kind, "VLG"))
    return tuple(plain), rest, tuple(named.items()), (*names, rest_name)


def loosely(row):
    """The same with texts, and with values in the place of tuples."""
    plain, rest, named, names = row

    def loose(kinds):
        return kinds | set("SVLG" if "C" in kinds else "S")
    return (tuple(map(loose, plain)), None if rest is None else loose(rest),
            tuple((name, loose(kinds)) for name, kinds in named), names)


def related(a, b, how):
    """Do the kinds of all parameters stand in a relation, for some number of them that both rows take?"""
    for n in range(max(len(a[0]), len(b[0])) + 2):
        lists = [row[0] + (row[1],) * (n - len(row[0])) for row in (a, b)]
        if all(len(x) == n and None not in x for x in lists) and all(map(how, *lists)):
            return True
    return False


def covered(a, b):
    """Does b take whatever a takes?"""
    return ((b[1] is not None or a[1] is None and len(a[0]) == len(b[0])) and len(a[0]) >= len(b[0])
            and dict(a[2]).items() <= dict(b[2]).items() and related(a, b, frozenset.issubset))


def without_covered(rows):
    kept = []
    for row in rows:
        if not any(covered(row, other) for other in kept):
            kept = [other for other in kept if not covered(other, row)] + [row]
    return kept


def written(kinds):
    names = [("C", "Crd"), ("V", "Value"), ("L", "Layout"), ("G", "Tensor"), ("S", "str")]
    return " | ".join(name for kind, name in names if kind in kinds and not (kind in "LG" and "V" in kinds))


def parameters(row):
    """The parameters of a row as Python has them."""
    plain = [f"{name}: {written(kinds)}" for name, kinds in zip(row[3], row[0])]
    named = [f"{name}: {written(kinds)} = ..." for name, kinds in row[2]]
    rest = ["*" if row[1] is None else f"*{row[3][-1]}: {written(row[1])}"] if row[1] is not None or named else []
    return ", ".join(plain + ["/"] * bool(plain) + rest + named)


def overloads(rows):
    """[(row, result)]: where the results differ, exact rows come first, then those with texts, whose result is Any."""
    results = {result for _, result in rows}
    if len(results) == 1:
        return [(row, *results) for row in without_covered(loosely(row) for row, _ in rows)]
    exact = []
    for row, result in sorted(rows, key=lambda item: sum(map(len, item[0][0])) + len(item[0][1] or "")):
        clash = [r for other, r in exact if r != result and related(row, other, lambda x, y: bool(x & y))]
        if any(covered(row, other) for other, _ in exact):
            continue
        if clash:
            result = "Any" if {result, *clash} & {"IntTuple", "str", "Any", RESULTS["s"]} else "Value"
        exact.append((row, result))
    return exact + [(row, "Any") for row in without_covered(loosely(row) for row, _ in rows)]


def result_of(op):
    """What all rows give, or Any."""
    results = {RESULTS.get(row[1], "Value") for row in op.rows}
    return results.pop() if len(results) == 1 else "Any"


def methods(kinds):
    """Those of a layout or a tensor, whose rows that begin with one give one thing, where others give another."""
    lines = []
    for name, op in vars(tessera.Value).items():
        if not isinstance(op, tessera.Operation) or result_of(op) != "Any" or name in vars(tessera.Tensor):
            continue
        results = {RESULTS.get(row[1], "Value") for row in op.rows
                   if [kind for _, kind, _ in signatures.parameters(row)][:1] in kinds}
        if len(results) == 1:
            lines.append(f"    {name}: Operation[{results.pop()}]\n")
    return "".join(lines)


def operation(name, op):
    public = name + "_" * keyword.iskeyword(name)
    if public in ("tensor", "copy", "sum", "min", "max", "add", "fit"):
        return ""
    if any(c in row[5] for row in op.rows for c in "NPB"):
        return f"{public}: Operation[{result_of(op)}]\n"
    lines = overloads([(accepted(row), RESULTS.get(row[1], "Value")) for row in op.rows])
    several = "@overload\n" if len(lines) > 1 else ""
    return "".join(f"{several}def {public}({parameters(row)}) -> {result}: ...\n" for row, result in lines)


def written_of(match):
    return f": {match[1]}" if match[1] else f"-> {match[2]}"


def array_methods():
    """What Python defines of tensors, as it is written there."""
    lines = []
    for name, f in vars(tessera.Tensor).items():
        if inspect.isfunction(f) and not name.startswith("__"):
            hides = "  # type: ignore[override]" if hasattr(tessera.Value, name) else ""
            written = re.sub(": '(.*?)'|-> '(.*?)'", written_of, str(inspect.signature(f)))
            lines.append(f"    def {name}{written}: ...{hides}\n")
    return "".join(lines) + "\n"


def stubs():
    of_all = [(name, result_of(x)) for name, x in vars(tessera.Value).items() if isinstance(x, tessera.Operation)]
    head = HEAD.replace("METHODS", "".join(f"    {name}: Operation[{result}]\n" for name, result in of_all))
    head = head.replace("OF_LAYOUTS\n", methods([["L"], ["R"]]) + "\n").replace("OF_TENSORS", methods([["G"]]))
    head = head.replace("OF_ARRAYS\n", array_methods())
    return head + "".join(operation(*item) for item in tessera.operations.items())


if __name__ == "__main__":
    sys.stdout.write(stubs())
