"""Tensors as arrays: sums, products, elementwise arithmetic and views, each a new tensor or written to `out`.

All of it is computed by the library: an element is computed in 64-bit integers or in double, and rounded once."""

from __future__ import annotations

import math as _math
import typing as _typing

from . import _tessera
from ._tessera import Layout, Refused, Tensor, operations
from .arrays import _extents, _numbers, compact, copy, empty, empty_beside, like, listed, relayout, target, tensor
from .dtypes import ROWS, of_sum, promote, with_number
from .einsum import Plan, contract, path_of, plan
from .kept import kept, kept_for_any_number

if _typing.TYPE_CHECKING:
    from typing import Any, Sequence


def _new(shape: Sequence[int], dtype: str, beside: Tensor) -> Tensor:
    """A new tensor where another one is."""
    return empty_beside(beside, compact(tuple(shape)), dtype)


def _like(t: Tensor, dtype: str) -> Tensor:
    """A new tensor of the shape of another one, its strides in the same order."""
    return empty_beside(t, like(t), dtype)


def _number(t: Tensor) -> Any:
    """A tensor without modes as the number that it is."""
    return t if _extents(t) else t[()]


def _broadcast(t: Tensor, shape: Sequence[int]) -> Tensor:
    """Its modes of extent 1 repeated, and new ones in front."""
    own = _extents(t)
    if own == tuple(shape):
        return t
    first = len(shape) - len(own)
    if first < 0 or any(n not in (1, shape[first + i]) for i, n in enumerate(own)):
        raise ValueError(f"the shapes {own} and {tuple(shape)} do not fit together")
    return _tessera._view(t, tuple(-n if i < first or (own[i - first] == 1 and n > 1) else i - first
                                   for i, n in enumerate(shape)))


def _common(a: Tensor, b: Tensor) -> tuple[int, ...]:
    x, y = _extents(a), _extents(b)
    n = len(x) if len(x) > len(y) else len(y)
    x, y = (1,) * (n - len(x)) + x, (1,) * (n - len(y)) + y
    if any(i != j and 1 not in (i, j) for i, j in zip(x, y)):
        raise ValueError(f"the shapes {_extents(a)} and {_extents(b)} do not fit together")
    return tuple(i if i > j else j for i, j in zip(x, y))


_KINDS = "buifc"  # each holds what the ones before it are: signs, fractions, imaginary parts


def _into(result: Tensor, out: Any) -> Tensor:
    """The result, or `out` with its elements, whose type has numbers of that kind, as in NumPy."""
    if out is None:
        return result
    out = target(out)
    kinds = [ROWS[x.dtype].kind for x in (result, out)]
    if _KINDS.index(kinds[0]) > _KINDS.index(kinds[1]):
        raise TypeError(f"a result of the type {result.dtype} is not put into elements of the type {out.dtype}: use astype")
    if _extents(result) != _extents(out):
        raise Refused(f"the result has the shape {_extents(result)}, out has {_extents(out)}")
    copy(result, out)
    return out


def _fits(x: Any, dtype: str) -> None:
    row = ROWS[dtype]
    if isinstance(x, int) and row.kind in "iu":
        low, high = (-1 << row.bits - 1, (1 << row.bits - 1) - 1) if row.kind == "i" else (0, (1 << row.bits) - 1)
        if not low <= x <= high:
            raise OverflowError(f"{x} does not fit into elements of the type {dtype}")


def _pair(x: Any, y: Any) -> tuple[Tensor | None, Tensor | None, Tensor, str, tuple[int, ...]]:
    """Two operands as tensors, None for a number; one that is a tensor; their common type and shape."""
    a, b = (None if _numbers(x) else tensor(x)), (None if _numbers(y) else tensor(y))
    of = a if a is not None else b
    assert of is not None
    if a is not None and b is not None:
        return a, b, of, promote(a.dtype, b.dtype), _common(a, b)
    return a, b, of, with_number(of.dtype, x if a is None else y), _extents(of)


def _operand(x: Any, t: Tensor | None, shape: Sequence[int]) -> Any:
    """A tensor in the shape of the result, or the number that it is."""
    return x if t is None else _broadcast(t, shape)


def _at_once(sign: int, x: Any, y: Any, out: Any) -> Any:
    """`out` with x sign y, where no element has to wait elsewhere; None: it is computed beside and copied. Without `out`
    what the sign of Python makes of them."""
    return _tessera._two(sign, x, y, out if out is None or isinstance(out, Tensor) else target(out))


@kept_for_any_number
def _sum_of(x: Any, y: Any, sign: int, out: Any) -> Any:
    """x + sign y"""
    a, b, of, dtype, shape = _pair(x, y)
    if sign < 0 and dtype == "bool":
        raise TypeError("bool has no difference: compare, or convert with astype")
    result = _like(of, dtype) if shape == _extents(of) else _new(shape, dtype, of)
    _tessera._sum(_operand(x, a, shape), sign, _operand(y, b, shape), result, dtype)
    return _into(result, out)


def add(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """x + y, element by element; modes of extent 1 are repeated, as in NumPy. Of tuples the operation of the calculator:
    the sum of coordinates."""
    if not isinstance(x, Tensor) and not _is_array(x) and not _is_array(y):
        return operations["add"](x, y)
    result = _at_once(0, x, y, out)
    return _sum_of(x, y, 1, out) if result is None else result


def subtract(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """x - y, element by element."""
    result = _at_once(1, x, y, out)
    return _sum_of(x, y, -1, out) if result is None else result


_PRODUCT, _QUOTIENT, _LEAST, _GREATEST = "product", "quotient", "least", "greatest"
_COMBINERS = {_PRODUCT: 1, _QUOTIENT: 2, _LEAST: 3, _GREATEST: 4}  # as in TSR_COMBINER_LIST


def _as_real(dtype: str) -> str:
    """The type of a quotient: of integers f64."""
    return dtype if ROWS[dtype].kind in "fc" else "f64"


@kept_for_any_number
def _combined(op: str, x: Any, y: Any, out: Any) -> Any:
    """x op y, of which one may be a number."""
    a, b, of, dtype, shape = _pair(x, y)
    if op != _PRODUCT and ROWS[dtype].kind == "c":
        raise TypeError(f"complex numbers ({dtype}) have a sum, a difference and a product here: no quotient, and no order")
    to = _as_real(dtype) if op == _QUOTIENT else dtype
    result = _like(of, to) if shape == _extents(of) else _new(shape, to, of)
    _tessera._combine(_COMBINERS[op], _operand(x, a, shape), _operand(y, b, shape), result, dtype)
    return _into(result, out)


def multiply(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """x * y, element by element."""
    result = _at_once(2, x, y, out)
    return _product_of(x, y, out) if result is None else result


@kept_for_any_number
def _product_of(x: Any, y: Any, out: Any) -> Any:
    if _numbers(x):
        x, y = y, x
    if not _numbers(y):
        return _combined(_PRODUCT, x, y, out)
    a = tensor(x)
    dtype = with_number(a.dtype, y)
    _fits(y, dtype)
    result = _like(a, dtype)
    _tessera._axpby(y, a, 0, result, dtype)
    return _into(result, out)


def divide(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """x / y, element by element; of integers in f64."""
    result = _at_once(3, x, y, out)
    return _combined(_QUOTIENT, x, y, out) if result is None else result


def minimum(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """The lesser one of two elements each; NaN where one of them is."""
    result = _at_once(4, x, y, out)
    return _combined(_LEAST, x, y, out) if result is None else result


def maximum(x: Any, y: Any, out: Any = None) -> Tensor | Any:
    """The greater one of two elements each; NaN where one of them is."""
    result = _at_once(5, x, y, out)
    return _combined(_GREATEST, x, y, out) if result is None else result


@kept
def negative(x: Any, out: Any = None) -> Any:
    """-x, element by element."""
    a = tensor(x)
    if a.dtype == "bool":
        raise TypeError("bool has no negative: convert with astype")
    result = _like(a, a.dtype)
    _tessera._axpby(-1, a, 0, result, None)
    return _into(result, out)


@kept_for_any_number
def _update(t: Tensor, y: Any, sign: int) -> Tensor:
    """t += sign y, in place."""
    own = t.dtype
    dtype = with_number(own, y) if _numbers(y) else promote(own, tensor(y).dtype)
    _fits_into(dtype, t)
    if own == "bool":
        copy(_sum_of(t, y, sign, None), t)
        return t
    if _numbers(y):
        _tessera._sum(t, sign, y, t, own)
        return t
    y = _broadcast(tensor(y), _extents(t))
    try:
        _tessera._sum(t, sign, y, t, own)
    except Refused as refused:
        if refused.status != "OVERLAP":
            raise
        _tessera._sum(t, sign, relayout(y), t, own)
    return t


def _fits_into(dtype: str, t: Tensor) -> bool:
    """Whether a result of a type is of that of t, and not one that is converted to it."""
    if dtype != t.dtype and ROWS[dtype].kind != ROWS[t.dtype].kind:
        raise TypeError(f"a result of the type {dtype} is not put into elements of the type {t.dtype}: use astype")
    return dtype == t.dtype


def _combine_in_place(op: str, t: Tensor, y: Any, dtype: str) -> None:
    """t = t op y, of a tensor or a number of a type."""
    y = y if _numbers(y) else _broadcast(tensor(y), _extents(t))
    try:
        _tessera._combine(_COMBINERS[op], t, y, t, dtype)
    except Refused as refused:
        if refused.status != "OVERLAP":
            raise
        _tessera._combine(_COMBINERS[op], t, relayout(y), t, dtype)


@kept_for_any_number
def _scale(t: Tensor, y: Any) -> Tensor:
    """t *= y, in place."""
    number = _numbers(y)
    if not _fits_into(with_number(t.dtype, y) if number else promote(t.dtype, tensor(y).dtype), t):
        copy(multiply(t, y), t)
    elif number:
        _fits(y, t.dtype)
        _tessera._axpby(y, t, 0, t, t.dtype)
    else:
        _combine_in_place(_PRODUCT, t, y, t.dtype)
    return t


@kept_for_any_number
def _shrink(t: Tensor, y: Any) -> Tensor:
    """t /= y, in place."""
    dtype = with_number(t.dtype, y) if _numbers(y) else promote(t.dtype, tensor(y).dtype)
    if _fits_into(_as_real(dtype), t) and ROWS[dtype].kind != "c":
        _combine_in_place(_QUOTIENT, t, y, dtype)
    else:
        copy(divide(t, y), t)
    return t


def _axes(axis: Any, rank: int) -> tuple[int, ...]:
    several = listed(axis)
    axes = tuple(range(rank)) if axis is None else (axis,) if several is None else tuple(several)
    for i in axes:
        if not hasattr(i, "__index__"):
            raise TypeError(f"an axis is an integer, not {i!r}")
        if not -rank <= i < rank:
            raise IndexError(f"axis {i} is out of range: the tensor has {rank} modes")
    axes = tuple(i % rank for i in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"an axis occurs twice in {axis}")
    return axes


@kept
def _reduced(op: int, x: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Tensor:
    t = tensor(x)
    shape, axes = _extents(t), _axes(axis, t.rank)
    modes = [i for i in range(t.rank) if i not in axes]
    result = _new([shape[i] for i in modes], dtype or (of_sum(t.dtype) if op == 0 else t.dtype), t)
    _tessera._reduce(op, t, _tessera._view(result, tuple(modes.index(i) if i in modes else -shape[i]
                                                         for i in range(t.rank))))
    if keepdims:
        result = _tessera._view(result, tuple(modes.index(i) if i in modes else -1 for i in range(t.rank)))
    return _into(result, out)


def _reduce(op: int, x: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    if dtype is None and out is None and not keepdims:
        here = _tessera._reduce_new(op, x, axis)
        if here is not None:
            return here
    result = _reduced(op, x, axis, dtype, out, keepdims)
    return _number(result) if out is None else result


def _is_array(x: Any) -> bool:
    return isinstance(x, Tensor) or hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__")


def sum(x: Any, *more: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Tensor | Any:
    """The sum of the elements of an array along some axes or all; integers in 64 bits. Of a tuple the operation of the
    calculator: the sum of all leaves."""
    if not _is_array(x):
        return operations["sum"](x, *more)
    return _reduce(0, x, *_one(axis, more), dtype, out, keepdims)


def min(x: Any, *more: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Tensor | Any:
    """The least element of an array along some axes or all. Of integers and tuples the operation of the calculator."""
    if not _is_array(x):
        return operations["min"](x, *more)
    return _reduce(1, x, *_one(axis, more), None, out, keepdims)


def max(x: Any, *more: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Tensor | Any:
    """The greatest element of an array along some axes or all. Of integers and tuples the operation of the
    calculator."""
    if not _is_array(x):
        return operations["max"](x, *more)
    return _reduce(2, x, *_one(axis, more), None, out, keepdims)


def _one(axis: Any, more: tuple[Any, ...]) -> tuple[Any]:
    if len(more) > 1 or (more and axis is not None):
        raise TypeError("one axis, or a tuple of them, is given behind an array")
    return (more[0] if more else axis,)


def einsum(text: Any, *operands: Any, out: Any = None, dtype: Any = None, optimize: Any = True, alpha: float = 1.0,
           beta: float = 0.0, bias: Any = None, activation: str | None = None) -> Tensor | Any:
    """einsum of any number of arrays, "mk,kn->mn" or NumPy's lists of integers; as there with diagonals, sums, `...` and
    a result that is implied. The order of the products is the cheapest one, or that of the path of np.einsum_path in
    `optimize`.

    With alpha, beta, a bias or an activation the result of two tensors is activation(alpha sum + beta out + bias).
    Where nothing is summed, multiplied and converted, the result is a view; without modes it is a number."""
    if out is None and dtype is None and optimize is True and (alpha, beta, bias, activation) == _NO_EPILOGUE:
        here = _tessera._einsum_new(text, *operands)
        return _number(_plain_einsum(text, *operands)) if here is None else here
    result = _einsum(out, dtype, optimize, alpha, beta, bias, activation, text, *operands)
    return _number(result) if out is None and (alpha, beta, bias, activation) == _NO_EPILOGUE else result


_NO_EPILOGUE = (1.0, 0.0, None, None)


@kept
def _plain_einsum(text: Any, *operands: Any) -> Tensor:
    return _einsum(None, None, True, *_NO_EPILOGUE, text, *operands)


@kept_for_any_number
def _einsum(out: Any, dtype: Any, optimize: Any, alpha: float, beta: float, bias: Any, activation: str | None, text: Any,
            *operands: Any) -> Tensor:
    p = plan(text, operands, tensor, path_of(optimize))
    to = None if out is None else target(out)
    if (alpha, beta, bias, activation) != _NO_EPILOGUE:
        return _with_epilogue(text, p, to, dtype, alpha, beta, bias, activation)
    def new(shape: Sequence[int], dtype: str) -> Tensor:
        return _new(shape, dtype, p.tensors[0])

    result = contract(p, new, to, None if dtype is None else _named(dtype))
    return result if to is None else to


def _named(dtype: Any) -> str:
    name: str = _tessera._type(dtype)
    return name


def _with_epilogue(text: Any, p: Plan, out: Tensor | None, dtype: Any, alpha: float, beta: float, bias: Any,
                   activation: str | None) -> Tensor:
    if not isinstance(text, str) or "->" not in text or "." in text or len(p.tensors) != 2:
        raise ValueError("alpha, beta, bias and activation are for a text of two tensors and a result, 'mk,kn->mn'")
    a, b = p.tensors
    if out is None:
        if beta:
            raise ValueError("beta scales the old elements of out, and out is not given")
        out = _new(p.shape(), dtype or promote(a.dtype, b.dtype), a)
    _product(text, a, b, out, alpha, beta, bias, activation)
    return out


def _product(text: str | None, a: Tensor, b: Tensor, c: Tensor, alpha: float, beta: float, bias: Any,
             activation: str | None, tune: bool = False, not_run_on_silicon: bool = False) -> None:
    if activation not in (None, "none", "relu"):
        raise ValueError(f"there is no activation {activation!r}: none or relu")
    _tessera._product(text, a, b, c, alpha, beta, None if bias is None else tensor(bias), activation == "relu",
                      tune, not_run_on_silicon)


def _gemm(a: Tensor, b: Tensor, c: Tensor, alpha: float, beta: float, bias: Any, activation: str | None,
          tune: bool, not_run_on_silicon: bool) -> None:
    """gemm of tensors, with words of where the shapes stand."""
    try:
        _product(None, a, b, c, alpha, beta, bias, activation, tune, not_run_on_silicon)
    except Refused as refused:
        if refused.status not in ("GEMM_SIZE", "GEMM_RANK"):
            raise
        said = Refused(f"{refused}; gemm adds to C(m,n) the sum over k of A(m,k) B(n,k), so B is (N,K): the shapes are "
                       f"{_extents(a)}, {_extents(b)} and {_extents(c)}. matmul takes B as (K,N)")
        said.status, said.mode, said.numbers = refused.status, refused.mode, refused.numbers
        raise said from None


@kept_for_any_number
def gemm(a: Any, b: Any, c: Any = None, alpha: float = 1.0, beta: float = 1.0, bias: Any = None,
         activation: str | None = None, tune: bool = False, not_run_on_silicon: bool = False) -> Tensor | Any:
    """C(m,n) = f(alpha * sum over k of A(m,k) B(n,k) + beta C(m,n) + bias(m,n)), which adds to C as it is: B is (N,K),
    and beta=0 overwrites. Without C a new tensor, which is returned. matmul takes B as (K,N). On a GPU `tune` with beta=0
    measures some plans and keeps the fastest; `not_run_on_silicon` allows kernels that no GPU has run: tcgen05.mma."""
    a, b = tensor(a), tensor(b)
    given = c is not None
    if c is None:
        if a.rank != b.rank or a.rank not in (2, 3):
            raise TypeError(f"gemm of the ranks {a.rank} and {b.rank} needs C: without it A is (M,K) and B (N,K), or "
                            "with batches (V,M,K) and (V,N,K)")
        c, beta = _new((*_extents(a)[:-1], _extents(b)[-2]), promote(a.dtype, b.dtype), a), 0.0
    c = target(c)
    _gemm(a, b, c, alpha, beta, bias, activation, tune, not_run_on_silicon)
    return None if given else c


_PLAIN = {(2, 2): "mk,kn->mn", (2, 1): "mk,k->m", (1, 2): "k,kn->n", (3, 3): "vmk,vkn->vmn"}


@kept
def matmul(a: Any, b: Any, out: Any = None, dtype: Any = None) -> Tensor | Any:
    """a @ b as in NumPy: (M,K) by (K,N), vectors on either side, and batches in front."""
    a, b = tensor(a), tensor(b)
    if not a.rank or not b.rank:
        raise ValueError("matmul takes tensors with modes; * multiplies by a number")
    m, k = _extents(a)[-1], _extents(b)[-2 if b.rank > 1 else -1]
    if m != k:
        raise ValueError(f"matmul: the shapes {_extents(a)} and {_extents(b)} do not fit: {m} columns on the left, "
                         f"{k} rows on the right")
    plain = _PLAIN.get((a.rank, b.rank))
    if plain and out is None and dtype is None and (a.rank < 3 or _extents(a)[0] == _extents(b)[0]):
        c = _new((*_extents(a)[:a.rank - 1], *_extents(b)[b.rank - 1:] * (b.rank > 1)), promote(a.dtype, b.dtype), a)
        _product(plain, a, b, c, 1.0, 0.0, None, None)
        return c
    left = [Ellipsis, *([0] if a.rank > 1 else []), 1]
    right = [Ellipsis, 1, *([2] if b.rank > 1 else [])]
    return einsum(a, left, b, right, [Ellipsis, *([0] if a.rank > 1 else []), *([2] if b.rank > 1 else [])], out=out,
                  dtype=dtype)


# Views, and other types


def permute(t: Any, *axes: Any) -> Tensor:
    """The modes in another order: permute(m, 1, 0). A view."""
    here = _tessera._permuted(t, *axes)
    if here is not None:
        return here
    t = tensor(t)
    order = (listed(axes[0]) if len(axes) == 1 else None) or axes
    if sorted(_axes(tuple(order), t.rank)) != list(range(t.rank)):
        raise ValueError(f"{tuple(order)} is not an order of {t.rank} modes")
    return _tessera._view(t, _axes(tuple(order), t.rank))


def transpose(t: Any) -> Tensor:
    """The modes in the opposite order, as NumPy's .T: a view."""
    t = tensor(t)
    return _tessera._view(t, tuple(reversed(range(t.rank))))


def reshape(t: Any, *shape: Any) -> Tensor:
    """The elements in C order (the last mode fastest) in another shape, of which one extent may be -1: a view. Refused
    where no layout gives it; t.relayout() copies to a layout that has one."""
    here = _tessera._reshaped(t, *shape)
    return _reshape(t, *shape) if here is None else here


def _reshape(t: Any, *shape: Any) -> Tensor:
    t = tensor(t)
    one = listed(shape[0]) if len(shape) == 1 else None
    wanted = list(shape) if one is None else one
    size = _math.prod(_extents(t))
    if wanted.count(-1) == 1:
        wanted[wanted.index(-1)] = size // (-_math.prod(wanted) or 1)
    if any(n < 1 for n in wanted) or _math.prod(wanted) != size:
        raise ValueError(f"{size} elements have no shape {tuple(wanted)}")
    turned = transpose(t).layout
    if not wanted or not t.rank:
        return _tessera._view(_tessera._as(t, Layout(1, 1), None), (-1,) * len(wanted))
    steps = tuple(_math.prod(wanted[i + 1:]) for i in range(len(wanted)))
    view = _tessera._as(t, turned.composition(Layout(tuple(reversed(wanted)), tuple(reversed(steps)))), None)
    return transpose(view)


def astype(t: Any, dtype: Any, out: Any = None) -> Tensor:
    """The elements converted to another type."""
    here = _tessera._relayout(t, dtype) if out is None else None
    return _converted(t, dtype, out) if here is None else here


@kept
def _converted(t: Any, dtype: Any, out: Any) -> Tensor:
    t = relayout(tensor(t), dtype=dtype)
    if out is None:
        return t
    copy(t, out)
    return target(out)


def item(t: Any) -> Any:
    """The one element of a tensor as a number."""
    n = _math.prod(_extents(t))
    if n != 1:
        raise ValueError(f"a tensor of {n} elements is not a number")
    return t[(0,) * t.rank]


def _copied(t: Any) -> Tensor:
    """A tensor of the same elements in memory of its own."""
    return relayout(t)


def _operators() -> None:
    def operand(x: Any) -> bool:
        return isinstance(x, Tensor) or _numbers(x) or _is_array(x) or isinstance(x, (list, tuple))

    def row(f: Any, *behind: Any, before: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        return f.__wrapped__, before, behind

    out = None
    _tessera._set_signs(operand, promote, (
        row(_sum_of, 1, out), row(_sum_of, -1, out), row(_product_of, out), row(_combined, out, before=(_QUOTIENT,)),
        row(_combined, out, before=(_LEAST,)), row(_combined, out, before=(_GREATEST,)), row(negative), row(matmul),
        row(_update, 1), row(_update, -1), row(_scale), row(_shrink)))
    setattr(Tensor, "__float__", lambda t: float(item(t)))
    setattr(Tensor, "__int__", lambda t: int(item(t)))
    setattr(Tensor, "__complex__", lambda t: complex(item(t)))
    for method in (sum, min, max, matmul, gemm, permute, reshape, astype, item, relayout):
        setattr(Tensor, method.__name__, method)
    setattr(Tensor, "copy", _copied)


_operators()
