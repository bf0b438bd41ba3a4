"""tessera for JAX: moves and products inside of jit, by XLA's foreign function interface.

    import tessera.jax as tj

    y = jax.jit(lambda x: tj.permute(x, (0, 2, 3, 1)))(x)
    c = jax.jit(lambda a, b: tj.einsum("mk,kn->mn", a, b))(a, b)

The kernels run on XLA's stream. On other platforms than CUDA the same functions are those of jax.numpy. They have
gradients.
"""

from __future__ import annotations

import functools as _functools
import typing as _typing

import jax as _module  # type: ignore

from . import _tessera
from . import cuda as _cuda  # noqa: F401  the folder of kernels

if _typing.TYPE_CHECKING:
    from typing import Any, Sequence

_jax: _typing.Any = _module
_ffi: _typing.Any = getattr(_jax, "ffi", None)
if not hasattr(_ffi, "register_ffi_target") or not hasattr(_ffi, "ffi_call"):
    raise ImportError(f"tessera.jax needs jax.ffi (JAX 0.5), this is {_jax.__version__}")

__all__ = ["einsum", "permute"]

_NAME = "tessera_einsum"
_ffi.register_ffi_target(_NAME, _tessera._cuda_xla(), platform="CUDA")


def _letters(text: str, operands: Sequence[Any]) -> tuple[list[str], str]:
    """The letters of each operand and of the result, checked against the shapes."""
    left, arrow, result = text.replace(" ", "").partition("->")
    names = left.split(",")
    if not arrow or len(names) != len(operands):
        raise ValueError(f"einsum takes a text such as 'mk,kn->mn' with {len(operands)} operands, not {text!r}")
    extents: dict[str, int] = {}
    for i, (name, x) in enumerate(zip(names, operands)):
        if len(name) != x.ndim or len(set(name)) != len(name):
            raise ValueError(f"einsum {text!r}: operand {i} has {x.ndim} dimensions, its letters are {name!r}")
        for letter, n in zip(name, x.shape):
            if extents.setdefault(letter, n) != n:
                raise ValueError(f"einsum {text!r}: {letter!r} is {extents[letter]} and {n}")
    if not set(result) <= set(extents) or len(set(result)) != len(result):
        raise ValueError(f"einsum {text!r}: the result names each of its dimensions once, as an operand does")
    if len(names) == 1 and len(result) != len(names[0]):
        raise ValueError(f"einsum {text!r}: one operand changes the order of its dimensions")
    return names, result


@_functools.partial(_jax.custom_vjp, nondiff_argnums=(0, 1))
def _call(text: str, dtype: Any, *operands: Any) -> Any:
    names, result = _letters(text, operands)
    extents = {x: n for name, a in zip(names, operands) for x, n in zip(name, a.shape)}
    shape = tuple(extents[x] for x in result)

    def ours(*given: Any) -> Any:
        return _ffi.ffi_call(_NAME, _jax.ShapeDtypeStruct(shape, dtype), vmap_method="sequential")(
            *given, text=f"{','.join(names)}->{result}")

    def theirs(*given: Any) -> Any:
        return _jax.numpy.einsum(text, *given).astype(dtype)

    if len(operands) == 2 and {*names[0], *names[1]} == {*result}:  # nothing is summed: XLA multiplies elements
        return theirs(*operands)
    return _jax.lax.platform_dependent(*operands, cuda=ours, default=theirs)


def _forward(text: str, dtype: Any, *operands: Any) -> Any:
    return _call(text, dtype, *operands), operands


def _backward(text: str, dtype: Any, operands: Any, g: Any) -> Any:
    """A product's gradients are products: of each operand that of the result and the other one."""
    names, result = _letters(text, operands)
    if len(operands) == 1:
        return (_call(f"{result}->{names[0]}", operands[0].dtype, g),)
    (a, b), (first, second) = operands, names
    g = g.astype(a.dtype)
    return (_call(f"{result},{second}->{first}", a.dtype, g, b), _call(f"{result},{first}->{second}", b.dtype, g, a))


_call.defvjp(_forward, _backward)


def einsum(text: str, *operands: Any, dtype: Any = None) -> Any:
    """The product of two arrays whose dimensions are named by letters, "mk,kn->mn", or one array in another order of
    its dimensions, "abc->cab"; of the type of the first one, or of another."""
    if len(operands) not in (1, 2):
        raise ValueError(f"einsum takes one or two arrays, not {len(operands)}")
    arrays = [_jax.numpy.asarray(x) for x in operands]
    return _call(text, _jax.numpy.dtype(dtype or arrays[0].dtype), *arrays)


def permute(x: Any, axes: Sequence[int], dtype: Any = None) -> Any:
    """jax.numpy.transpose, in one pass with a conversion."""
    x = _jax.numpy.asarray(x)
    letters = "abcdefghijklmnop"[:x.ndim]
    if sorted(i % max(x.ndim, 1) for i in axes) != list(range(x.ndim)):
        raise ValueError(f"{tuple(axes)} is not an order of {x.ndim} dimensions")
    return einsum(f"{letters}->{''.join(letters[i] for i in axes)}", x, dtype=dtype)
