"""einsum of any number of tensors: NumPy's rules, by the library's products, reductions and copies.

The text gives each mode a letter. A letter that stands twice for one tensor is a diagonal, one that neither another
tensor nor the result has is summed at once; tensors are then multiplied two by two in the order that costs least."""

from __future__ import annotations

import functools as _functools
import itertools as _itertools
import math as _math
import typing as _typing

from . import _tessera
from ._tessera import Refused, Tensor
from .dtypes import ROWS, between, promote

if _typing.TYPE_CHECKING:
    from typing import Any, Iterable, Sequence

Labels = _typing.Tuple[_typing.Any, ...]  # a letter or an integer for each mode; (-n,) is mode n under `...`, from the last
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTIMAL = 6  # tensors: of more the order is greedy


class Problem(_typing.NamedTuple):
    """A problem: the tensors, and the labels of each and of the result."""
    tensors: list[Tensor]
    labels: list[Labels]
    result: Labels


def _labels(text: str, whole: str) -> list[Any]:
    """Letters, and None for `...`"""
    labels: list[Any] = []
    text = text.replace(" ", "")
    while text:
        dots = text.startswith("...")
        if not dots and not (text[0].isascii() and text[0].isalpha()):
            raise ValueError(f"einsum: {text[0]!r} in {whole!r} is not a letter")
        labels.append(None if dots else text[0])
        text = text[3 if dots else 1:]
    if labels.count(None) > 1:
        raise ValueError(f"einsum: one tensor has two `...` in {whole!r}")
    return labels


def _listed(labels: Iterable[Any]) -> list[Any]:
    """The same of a list of integers, where Ellipsis is `...`"""
    r = [None if x is Ellipsis else x.__index__() for x in labels]
    if any(x is not None and not 0 <= x < 52 for x in r) or r.count(None) > 1:
        raise ValueError(f"einsum: a list of modes has integers from 0 to 51 and one Ellipsis, not {r}")
    return r


def _parse(text: Any, operands: Sequence[Any]) -> tuple[list[Any], list[list[Any]], list[Any] | None]:
    """The tensors, the labels of each, and those of the result or None."""
    if not isinstance(text, str):
        every = [text, *operands]
        count = len(every) // 2
        every[1::2] = [x.tolist() if hasattr(x, "tolist") else x for x in every[1::2]]
        if not count or not all(isinstance(x, (list, tuple)) and all(i is Ellipsis or hasattr(i, "__index__") for i in x)
                                for x in every[1::2]):
            raise TypeError(f"einsum takes a text such as 'mk,kn->mn', not {text!r:.80}")
        result = _listed(every[-1]) if len(every) % 2 else None
        return every[0:2 * count:2], [_listed(x) for x in every[1:2 * count:2]], result
    inputs, arrow, output = text.replace(" ", "").partition("->")
    named = inputs.split(",")
    if len(named) != len(operands):
        raise ValueError(f"einsum: {text!r} names {len(named)} tensors, {len(operands)} are given"
                         + "; the result goes to out=" * (len(operands) == len(named) + 1))
    return list(operands), [_labels(x, text) for x in named], _labels(output, text) if arrow else None


def problem(text: Any, operands: Sequence[Any], tensor: Any) -> Problem:
    """Reads the text: `...` becomes one label for each mode that it stands for, counted from the last."""
    arrays, given, result = _parse(text, operands)
    where = f" in {text!r}" if isinstance(text, str) else ""
    tensors = [tensor(x) for x in arrays]
    labels, most = [], 0
    for i, (t, named) in enumerate(zip(tensors, given)):
        more = t.rank - len(named) + (None in named)
        if more < 0 or (more and None not in named):
            raise ValueError(f"einsum: tensor {i} has {t.rank} modes, and {len(named) - (None in named)} letters{where}")
        most = max(most, more)
        labels.append(_spread(named, more))
    if result is None:
        every = [x for named in given for x in named if x is not None]
        result = [None] * bool(most) + sorted(x for x in set(every) if every.count(x) == 1)
    elif most and None not in result:
        raise ValueError("einsum: `...` of a tensor stands for modes that the result leaves out; write them as letters")
    found = set(_itertools.chain(*labels))
    out = _spread(result, most)
    for x in out:
        if x not in found:
            raise ValueError(f"einsum: the result has the letter {x!r}, and no tensor has it{where}")
        if out.count(x) > 1:
            raise ValueError(f"einsum: the result has the letter {x!r} twice{where}")
    return Problem(tensors, labels, out)


def _spread(labels: Sequence[Any], more: int) -> Labels:
    dots = [(-i,) for i in range(more, 0, -1)]
    return tuple(_itertools.chain(*([x] if x is not None else dots for x in labels)))


class Term(_typing.NamedTuple):
    """A tensor and the labels of its modes, each once and none of extent 1."""
    tensor: Tensor
    labels: Labels


def _sizes(p: Problem) -> dict[Any, int]:
    """The extent of each label: a mode of extent 1 is repeated."""
    sizes: dict[Any, int] = {}
    for i, (t, labels) in enumerate(zip(p.tensors, p.labels)):
        extents = _tessera._extents(t)
        for x, n in zip(labels, extents):
            if n != extents[labels.index(x)]:
                raise ValueError(f"einsum: a diagonal of tensor {i} needs modes of one extent, {x!r} has {n} and "
                                 f"{extents[labels.index(x)]}")
            if n != 1 and sizes.get(x, 1) not in (1, n):
                raise ValueError(f"einsum: mode {x!r} of tensor {i} has {n} elements, and {sizes[x]} before")
            sizes[x] = max(n, sizes.get(x, 1))
    return sizes


def shape(text: Any, operands: Sequence[Any], tensor: Any) -> list[int]:
    """The extents of the result."""
    p = problem(text, operands, tensor)
    sizes = _sizes(p)
    return [sizes[x] for x in p.result]


def _term(t: Tensor, labels: Labels) -> Term:
    """Diagonals as one mode, without the modes of extent 1."""
    modes: dict[Any, list[int]] = {}
    for i, (x, n) in enumerate(zip(labels, _tessera._extents(t))):
        if n > 1:
            modes.setdefault(x, []).append(i)
    return Term(_tessera._view(t, tuple(tuple(m) if len(m) > 1 else m[0] for m in modes.values())), tuple(modes))


def _reduced(term: Term, keep: Any, sizes: dict[Any, int], new: Any, dtype: str) -> Term:
    """Summed over the labels that are not kept."""
    kept = tuple(x for x in term.labels if x in keep)
    if len(kept) == len(term.labels):
        return term
    to = new([sizes[x] for x in kept], dtype)
    _sum(term, Term(to, kept), sizes)
    return Term(to, kept)


def _sum(term: Term, to: Term, sizes: dict[Any, int]) -> None:
    view = tuple(to.labels.index(x) if x in to.labels else -sizes[x] for x in term.labels)
    _tessera._reduce(0, term.tensor, _tessera._view(to.tensor, view))


def _multiply(a: Term, b: Term, c: Term) -> None:
    if {*a.labels, *b.labels} == {*c.labels}:  # nothing is summed
        _tessera._combine(1, _spread_to(a, c), _spread_to(b, c), c.tensor, None)  # the product
        return
    letters = dict(zip(dict.fromkeys(a.labels + b.labels + c.labels), _LETTERS))
    names = ["".join(letters[x] for x in term.labels) for term in (a, b, c)]
    _tessera._product(f"{names[0]},{names[1]}->{names[2]}", a.tensor, b.tensor, c.tensor, 1.0, 0.0, None, False)


def _spread_to(term: Term, to: Term) -> Tensor:
    """The tensor with the modes of another one, repeated along those that it has not."""
    sizes = _tessera._extents(to.tensor)
    return _tessera._view(term.tensor, tuple(term.labels.index(x) if x in term.labels else -n
                                             for x, n in zip(to.labels, sizes)))


def _converted(term: Term, sizes: dict[Any, int], new: Any, dtype: str) -> Tensor:
    to = new([sizes[x] for x in term.labels], dtype)
    _tessera._copy(term.tensor, to)
    return to


def _cost(labels: Iterable[Any], sizes: dict[Any, int]) -> int:
    return _math.prod(sizes[x] for x in labels)


def _order(terms: Sequence[frozenset[Any]], result: frozenset[Any], sizes: dict[Any, int]) -> Any:
    """The cheapest tree of products of two, ((0,1),2): all trees are tried of a few tensors."""
    def labels_of(some: frozenset[int]) -> frozenset[Any]:
        inside = frozenset().union(*(terms[i] for i in some))
        outside = result.union(*(x for i, x in enumerate(terms) if i not in some))
        return inside & outside

    @_functools.lru_cache(maxsize=None)
    def best(some: tuple[int, ...]) -> tuple[int, Any]:
        if len(some) == 1:
            return 0, some[0]
        tried: list[tuple[int, int, Any]] = []
        for n in range(len(some) - 1):  # the first tensor is on the left
            for rest in _itertools.combinations(some[1:], n):
                left = (some[0], *rest)
                right = tuple(i for i in some if i not in left)
                (cost_left, tree_left), (cost_right, tree_right) = best(left), best(right)
                both = labels_of(frozenset(left)) | labels_of(frozenset(right))
                tried.append((cost_left + cost_right + _cost(both, sizes), len(tried), (tree_left, tree_right)))
        cost, _, tree = min(tried)
        return cost, tree

    if len(terms) <= _OPTIMAL:
        return best(tuple(range(len(terms))))[1]
    trees: list[tuple[frozenset[int], Any]] = [(frozenset([i]), i) for i in range(len(terms))]
    while len(trees) > 1:
        a, b = min(_itertools.combinations(trees, 2),
                   key=lambda pair: _cost(labels_of(pair[0][0]) | labels_of(pair[1][0]), sizes))
        trees = [x for x in trees if x is not a and x is not b] + [(a[0] | b[0], (a[1], b[1]))]
    return trees[0][1]


def path_of(optimize: Any) -> list[Any] | None:
    """The steps of a path of np.einsum_path, and None of another value of `optimize`, which tessera does not need."""
    if optimize is None or isinstance(optimize, (bool, str)):
        return None
    if isinstance(optimize, (list, tuple)) and len(optimize) > 0 and isinstance(optimize[0], str):
        return list(optimize[1:]) if optimize[0] == "einsum_path" else None  # ("greedy", a bound of memory)
    raise TypeError(f"einsum: optimize is True, False, a word or a path of np.einsum_path, not {optimize!r:.80}")


def _tree(path: list[Any], count: int) -> Any:
    """The tree of a path: each step takes tensors out of the list and puts their product at its end."""
    trees: list[Any] = list(range(count))
    for step in path:
        if not isinstance(step, (list, tuple)) or not step or len(set(step)) != len(step) \
                or not set(step) <= set(range(len(trees))):
            raise ValueError(f"einsum: step {step!r} of the path does not name tensors from 0 to {len(trees) - 1}")
        product = _functools.reduce(lambda a, b: (a, b), [trees[i] for i in sorted(step)])
        trees = [x for i, x in enumerate(trees) if i not in step] + [product]
    if len(trees) > 1:
        raise ValueError(f"einsum: the path leaves {len(trees)} of {count} tensors apart")
    return trees[0]


def contract(p: Problem, new: Any, out: Tensor | None, dtype: str | None, path: list[Any] | None = None) -> Tensor:
    """Computes into a tensor of new(extents, dtype), or into `out`. Without a sum and a product it is a view."""
    sizes = _sizes(p)
    terms = [_term(t, labels) for t, labels in zip(p.tensors, p.labels)]
    if dtype:  # what it cannot hold is converted first, as in NumPy
        terms = [x if promote(x.tensor.dtype, dtype) == dtype else Term(_converted(x, sizes, new, dtype), x.labels)
                 for x in terms]
    type_of = dtype or (out.dtype if out is not None else _functools.reduce(promote, (t.dtype for t in p.tensors)))
    kept = tuple(x for x in p.result if sizes[x] > 1)
    if len(terms) == 1 and len(kept) == len(terms[0].labels) and out is None and type_of == terms[0].tensor.dtype:
        return _tessera._view(terms[0].tensor,
                              tuple(terms[0].labels.index(x) if sizes[x] > 1 else -1 for x in p.result))
    whole = out if out is not None else new([sizes[x] for x in p.result], type_of)
    if out is not None and tuple(sizes[x] for x in p.result) != _tessera._extents(out):
        raise ValueError(f"einsum: the result has the shape {tuple(sizes[x] for x in p.result)}, "
                         f"out has {_tessera._extents(out)}")
    whole_numbers = all([ROWS[x.dtype].kind in "biu" for x in (*p.tensors, whole)])
    middle = "i64" if whole_numbers else between(type_of)
    sets = [frozenset(term.labels) for term in terms]
    tree = _order(sets, frozenset(kept), sizes) if path is None else _tree(path, len(terms))
    to = Term(_tessera._view(whole, tuple(i for i, x in enumerate(p.result) if sizes[x] > 1)), kept)
    if not _is_computed(tree, terms, to, sizes, new, middle):
        beside = new([sizes[x] for x in kept], type_of)
        _compute(tree, terms, Term(beside, kept), sizes, new, middle)
        _tessera._copy(beside, to.tensor)
    return whole


def _is_computed(tree: Any, terms: list[Term], to: Term, sizes: dict[Any, int], new: Any, dtype: str) -> bool:
    """Computes, unless the result overlaps an operand."""
    try:
        _compute(tree, terms, to, sizes, new, dtype)
    except Refused as refused:
        if refused.status == "OVERLAP":
            return False
        raise
    return True


def _compute(tree: Any, terms: list[Term], to: Term, sizes: dict[Any, int], new: Any, dtype: str) -> None:
    if len(terms) == 1:
        term = terms[0]
        if len(term.labels) > len(to.labels):
            _sum(term, to, sizes)
        else:
            _tessera._copy(_tessera._view(term.tensor, tuple(term.labels.index(x) for x in to.labels)), to.tensor)
        return
    _run(tree, terms, [frozenset(term.labels) for term in terms], to, sizes, new, dtype)


def _run(tree: Any, terms: list[Term], sets: list[frozenset[Any]], to: Term, sizes: dict[Any, int], new: Any,
         dtype: str) -> tuple[frozenset[int], Term]:
    """The product of a tree: which tensors are in it, and the result. No closure, whose cycle would keep the tensors."""
    if isinstance(tree, int):
        elsewhere = frozenset(to.labels).union(*(x for i, x in enumerate(sets) if i != tree))
        return frozenset([tree]), _reduced(terms[tree], elsewhere, sizes, new, dtype)
    (left, a), (right, b) = (_run(part, terms, sets, to, sizes, new, dtype) for part in tree)
    done = left | right
    if len(done) == len(terms):
        _multiply(a, b, to)
        return done, to
    outside = frozenset(to.labels).union(*(x for i, x in enumerate(sets) if i not in done))
    labels = tuple(x for x in dict.fromkeys(a.labels + b.labels) if x in outside)
    c = Term(new([sizes[x] for x in labels], dtype), labels)
    _multiply(a, b, c)
    return done, c
