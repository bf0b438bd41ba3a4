"""einsum of any number of tensors: NumPy's rules, by the library's plan (exec/einsum_plan.h), which reads the text and
finds the order that costs least. The host runs the plan at once, a GPU step by step."""

from __future__ import annotations

import functools as _functools
import typing as _typing

from . import _tessera
from ._tessera import Refused, Tensor
from .dtypes import ROWS, between, promote

if _typing.TYPE_CHECKING:
    from typing import Any, Sequence

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # in the order of a result that is implied


class Plan(_typing.NamedTuple):
    """The tensors of a text, an order of products or None, and what the library makes of them: the letters of each
    tensor and of the result; those of each value, without modes of extent 1; which values each step reads; extents."""
    text: str
    tensors: tuple[Tensor, ...]
    order: tuple[tuple[int, int], ...] | None
    given: tuple[str, ...]
    values: tuple[str, ...]
    steps: tuple[tuple[int, int], ...]
    sizes: dict[str, int]

    def shape(self) -> list[int]:
        """The extents of the result."""
        return [self.sizes[x] for x in self.given[-1]]


def _listed(labels: Any) -> str:
    """The letters of a list of integers, where Ellipsis is `...`"""
    r = [None if x is Ellipsis else x.__index__() for x in labels]
    if any(x is not None and not 0 <= x < 52 for x in r):
        raise ValueError(f"einsum: a list of modes has integers from 0 to 51 and one Ellipsis, not {r}")
    return "".join("..." if x is None else _LETTERS[x] for x in r)


def _parse(text: Any, operands: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """The text and the tensors, also of NumPy's lists behind each tensor."""
    if isinstance(text, str):
        if text.partition("->")[0].count(",") + 2 == len(operands):
            raise ValueError(f"einsum: {text!r} names {len(operands) - 1} tensors, {len(operands)} are given; the result "
                             "goes to out=")
        return text, operands
    every = [text, *operands]
    count = len(every) // 2
    every[1::2] = [x.tolist() if hasattr(x, "tolist") else x for x in every[1::2]]
    if not count or not all(isinstance(x, (list, tuple)) and all(i is Ellipsis or hasattr(i, "__index__") for i in x)
                            for x in every[1::2]):
        raise TypeError(f"einsum takes a text such as 'mk,kn->mn', not {text!r:.80}")
    result = "->" + _listed(every[-1]) if len(every) % 2 else ""
    return ",".join(_listed(x) for x in every[1:2 * count:2]) + result, every[0:2 * count:2]


def path_of(optimize: Any) -> list[Any] | None:
    """The steps of a path of np.einsum_path, and None of another value of `optimize`, which tessera does not need."""
    if optimize is None or isinstance(optimize, (bool, str)):
        return None
    if isinstance(optimize, (list, tuple)) and len(optimize) > 0 and isinstance(optimize[0], str):
        return list(optimize[1:]) if optimize[0] == "einsum_path" else None  # ("greedy", a bound of memory)
    raise TypeError(f"einsum: optimize is True, False, a word or a path of np.einsum_path, not {optimize!r:.80}")


def _order(path: list[Any], count: int) -> tuple[tuple[int, int], ...]:
    """The pairs of a path: each step takes tensors out of the list and puts their product at its end. Pair i makes
    value count + i."""
    values, pairs = list(range(count)), list[tuple[int, int]]()

    def multiply(a: int, b: int) -> int:
        pairs.append((a, b))
        return count + len(pairs) - 1

    for step in path:
        if not isinstance(step, (list, tuple)) or not step or len(set(step)) != len(step) \
                or not set(step) <= set(range(len(values))):
            raise ValueError(f"einsum: step {step!r} of the path does not name tensors from 0 to {len(values) - 1}")
        product = _functools.reduce(multiply, [values[i] for i in sorted(step)])
        values = [x for i, x in enumerate(values) if i not in step] + [product]
    if len(values) > 1:
        raise ValueError(f"einsum: the path leaves {len(values)} of {count} tensors apart")
    return tuple(pairs)


def plan(text: Any, operands: Sequence[Any], tensor: Any, path: list[Any] | None = None) -> Plan:
    """The plan of a text, or of NumPy's lists."""
    text, arrays = _parse(text, operands)
    tensors = tuple(tensor(x) for x in arrays)
    order = None if path is None else _order(path, len(tensors))
    return Plan(text, tensors, order, *_tessera._einsum_plan(text, tensors, order))


def contract(p: Plan, new: Any, out: Tensor | None, dtype: str | None) -> Tensor:
    """Computes into a tensor of new(extents, dtype), or into `out`. Without a sum and a product it is a view."""
    if dtype:  # what it cannot hold is converted first, as in NumPy
        p = p._replace(tensors=tuple(x if promote(x.dtype, dtype) == dtype else _converted(x, new, dtype)
                                     for x in p.tensors))
    type_of = dtype or (out.dtype if out is not None else _functools.reduce(promote, (t.dtype for t in p.tensors)))
    if len(p.tensors) == 1 and len(p.values[0]) == len(p.values[1]) and out is None and type_of == p.tensors[0].dtype:
        return _view(p, p.tensors[0], p.given[0], p.given[1])
    whole = out if out is not None else new(p.shape(), type_of)
    if out is not None and tuple(p.shape()) != _tessera._extents(out):
        raise ValueError(f"einsum: the result has the shape {tuple(p.shape())}, out has {_tessera._extents(out)}")
    try:
        _compute(p, whole, new, type_of)
    except Refused as refused:
        if refused.status != "OVERLAP":
            raise
        beside = new(p.shape(), type_of)
        _compute(p, beside, new, type_of)
        _tessera._copy(beside, whole)
    return whole


def _converted(t: Tensor, new: Any, dtype: str) -> Tensor:
    to: Tensor = new(_tessera._extents(t), dtype)
    _tessera._copy(t, to)
    return to


def _compute(p: Plan, to: Tensor, new: Any, type_of: str) -> None:
    if not _tessera._einsum(p.text, p.tensors, p.order, to):
        _launch(p, to, new, type_of)


# On a GPU


def _view(p: Plan, t: Tensor, given: str, wanted: str) -> Tensor:
    """The modes of some letters: the diagonal of those that have it, or repeated where no mode has it."""
    extents = _tessera._extents(t)
    modes = [tuple(i for i, n in enumerate(extents) if given[i] == x and n == p.sizes[x]) for x in wanted]
    return _tessera._view(t, tuple(m if len(m) > 1 else m[0] if m else -p.sizes[x] for x, m in zip(wanted, modes)))


def _launch(p: Plan, to: Tensor, new: Any, type_of: str) -> None:
    """Runs the steps."""
    whole_numbers = all([ROWS[x.dtype].kind in "biu" for x in (*p.tensors, to)])
    middle = "i64" if whole_numbers else between(type_of)
    values = dict(enumerate(zip(p.tensors, p.given)))
    for i, (left, right) in enumerate(p.steps):
        letters = p.values[len(p.tensors) + i]
        last = i + 1 == len(p.steps)
        made = (to, p.given[-1]) if last else (new([p.sizes[x] for x in letters], middle), letters)
        other = (*values.pop(right), p.values[right]) if right >= 0 else None
        _step(p, values.pop(left), p.values[left], other, made, letters)
        values[len(p.tensors) + i] = made


def _step(p: Plan, x: tuple[Tensor, str], a: str, other: tuple[Tensor, str, str] | None, to: tuple[Tensor, str],
          c: str) -> None:
    """A sum, a copy or a product."""
    if other is None and len(a) > len(c):
        _tessera._reduce(0, _view(p, *x, a), _view(p, *to, a))
    elif other is None:
        _tessera._copy(_view(p, *x, c), _view(p, *to, c))
    elif {*a, *other[2]} == {*c}:  # nothing is summed
        _tessera._combine(1, _view(p, *x, c), _view(p, other[0], other[1], c), _view(p, *to, c), None)  # the product
    else:
        y, given, b = other
        _tessera._product(f"{a},{b}->{c}", _view(p, *x, a), _view(p, y, given, b), _view(p, *to, c), 1.0, 0.0, None,
                          False)
