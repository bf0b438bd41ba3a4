"""tessera for torch: moves and products of torch's tensors, with gradients, kept by torch.compile.

    import tessera.torch as tt

    y = tt.contiguous(x.permute(0, 2, 3, 1))        # as .contiguous(), on a GPU 2 to 5 times as fast
    tt.copy_(y, x)                                  # as y.copy_(x)
    c = tt.mm(a, b)                                 # as a @ b
    c = tt.einsum("bik,bkj->bij", a, b)             # as torch.einsum

Results are torch's tensors, from torch's allocator, on the current stream. Nothing waits for the GPU. Tensors that are no
memory of their own go to torch's functions: those of vmap and of compilers, subclasses, and all while derivatives are
carried forward.
"""

from __future__ import annotations

import functools as _functools
import types as _types
import typing as _typing

import torch as _module

from . import _tessera
from . import arrays as _arrays
from . import compute as _compute
from . import cuda as _cuda  # noqa: F401  the streams and the folder of kernels
from .einsum import plan as _plan

if _typing.TYPE_CHECKING:
    from typing import Any
    from torch import Tensor

_torch: _typing.Any = _module
_registry: _typing.Any = getattr(_torch, "library", None)
if not hasattr(_torch, "compiler") or not hasattr(_registry, "register_autograd"):
    raise ImportError(f"tessera.torch needs torch 2.4 or later, this is {_torch.__version__}")

__all__ = ["contiguous", "copy_", "einsum", "mm"]

_compiling = _torch.compiler.is_compiling
_tracing = getattr(_torch.compiler, "is_dynamo_compiling", _compiling)  # which costs the host less
_replay = _tessera._cuda_replay  # launches a call whose like was planned; False: it was not, or is no such call
_replay_new = _tessera._cuda_replay_new  # the same of a call that makes its result; None: it is not kept
_maker = getattr(getattr(getattr(_torch._C, "_dynamo", None), "guards", None), "_empty_strided_cuda", None)


def _keep(text, dtype, y, *x):
    """Keeps how y was made, for the next call on such arrays. The maker is the one that torch's compiler calls."""
    if _maker is not None:
        _tessera._cuda_keep(text, dtype, y, _maker, (tuple(y.shape), tuple(y.stride()), y.dtype), *x)


# Whose tensors and whose moments are torch's own.
_wrapped = getattr(getattr(_torch._C, "_functorch", None), "is_functorch_wrapped_tensor", lambda x: False)
_forward = getattr(getattr(_torch, "autograd", None), "forward_ad", None)
_casts = getattr(_torch, "is_autocast_enabled", lambda kind: False)


def _cached(f):
    """f of one argument, whose results are kept; torch's compiler, which warns of a cache, reads f itself."""
    kept = _functools.lru_cache(maxsize=256)(f)
    return lambda x: f(x) if _compiling() else kept(x)


@_cached
def _is_special(kind):
    """Whether a subclass of tensors takes operations itself: it has a method where others have a function of torch's."""
    found = (getattr(kind, name, None) for name in ("__torch_function__", "__torch_dispatch__"))
    return kind is not _torch.Tensor and any(f is not None and not isinstance(f, _types.BuiltinFunctionType) for f in found)


def _by_torch(*x):
    """Whether torch's own functions do it, for what is more than elements in memory."""
    for v in x:
        if not isinstance(v, _torch.Tensor):
            raise TypeError(f"tessera.torch takes torch's tensors, not {type(v).__name__}")
    return (_forward is not None and _forward._current_level >= 0
            or any(_is_special(type(v)) or v.is_meta or v.is_neg() or v.is_conj() or _wrapped(v) for v in x))


def _cast(a, b):
    """Operands as torch's autocast wants them; None: it wants nothing."""
    if not _casts(a.device.type):
        return None
    to = _torch.get_autocast_dtype(a.device.type)
    return [x.to(to) if x.is_floating_point() and x.dtype != _torch.float64 else x for x in (a, b)]


def _records(a, b):
    return (a.requires_grad or b.requires_grad) and _torch.is_grad_enabled()


def _apart(x):
    """The tensor outside of the graph of gradients."""
    return x.detach() if x.requires_grad else x


def _move(x, y):
    """y = x, both of the same size."""
    x, y = _apart(x), _apart(y)
    if x.numel() and not _tessera._cuda_copy(x, y, None, None):
        _arrays.copy(x, y)


def _multiply(text, a, b, c, tune=False):
    a, b, c = _apart(a), _apart(b), _apart(c)
    if c.numel() == 0:
        return
    if a.numel() == 0:
        c.zero_()
    elif not _tessera._cuda_product(text, a, b, c, 1.0, 0.0, None, False, tune):
        _tessera._product(text, _arrays.tensor(a), _arrays.tensor(b), _arrays.tensor(c), 1.0, 0.0, None, False)


# Operations of compiled graphs

_disable = _torch.compiler.disable
# torch's compiler then leaves frames of a code alone, which costs nothing where it is not at work, as disable does.
_skip = getattr(getattr(getattr(_torch._C, "_dynamo", None), "eval_frame", None), "skip_code", lambda code: None)
_modes = getattr(_torch._C, "_len_torch_dispatch_stack", lambda: 0)  # which take operations themselves
_library: _typing.Any = _registry.Library("tessera", "FRAGMENT")
# Operands may have any strides, which need no copies then.
_tags = [getattr(_torch.Tag, name) for name in ("pt2_compliant_tag", "flexible_layout") if hasattr(_torch.Tag, name)]


def _operation(schema, work, fake, gradients, keep, again, note):
    """An operation of torch's dispatcher. What custom_op would check in every call takes longer than a launch, and so does
    what register_autograd does where nothing is recorded: a call whose like was noted is launched before both."""
    name = schema.partition("(")[0]
    _library.define(schema, tags=_tags)
    _library.impl(name, _disable(work), "CompositeExplicitAutograd")
    _registry.register_fake(f"tessera::{name}", fake, lib=_library)
    operation = getattr(_torch.ops.tessera, name).default

    def below(*x):
        with _torch._C._AutoDispatchBelowAutograd():
            return operation(*x)

    class Recorded(_torch.autograd.Function):
        @staticmethod
        def forward(ctx, *x):
            y = below(*x)
            keep(ctx, x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            return gradients(ctx, g)

    @_disable
    def first(*x):
        tensors = [v for v in x if isinstance(v, _torch.Tensor)]
        if _torch.is_grad_enabled() and any(v.requires_grad for v in tensors):
            return Recorded.apply(*x)
        y = below(*x)
        if not _modes():
            note(y, *x)
        return y

    def call(*x):
        y = again(*x)
        return first(*x) if y is None else y

    for f in call, again:
        _skip(f.__code__)
    _library.impl(name, call, "Autograd")
    return operation


# Moves


def copy_(to: Tensor, source: Tensor) -> Tensor:
    """Writes the elements of `source` to `to`, of the same shape and any strides and type; returns `to`."""
    if not _tracing() and _replay(None, source, to):
        return to
    by_torch = _compiling() or _by_torch(to, source)
    if to.shape != source.shape:
        raise ValueError(f"copy_ from {tuple(source.shape)} to {tuple(to.shape)}: the shapes differ")
    if by_torch or _records(to, source):
        return to.copy_(source)
    if to is source:
        return to
    _move(source, to)
    return to


def _contiguous_like(x, dtype):
    return _torch.empty(x.shape, dtype=dtype, device=x.device)


def _make_contiguous(x, dtype):
    y = _contiguous_like(x, dtype)
    if not _replay(None, x, y):
        _move(x, y)
    return y


def _keep_type(ctx, inputs, output):
    ctx.type = inputs[0].dtype


_contiguous = _operation("contiguous(Tensor x, ScalarType dtype) -> Tensor", _make_contiguous, _contiguous_like,
                         lambda ctx, g: (g.to(ctx.type), None), _keep_type,
                         lambda x, dtype: None if _modes() else _replay_new(None, dtype, x),
                         lambda y, x, dtype: x.is_contiguous() and x.dtype == dtype or _keep(None, dtype, y, x))


def contiguous(x: Tensor, dtype: _module.dtype | None = None) -> Tensor:
    """The tensor in row-major order, of another type if one is given: x itself where it is that already."""
    if not _tracing():
        y = _replay_new(None, dtype, x)
        if y is not None:
            return y
        if _by_torch(x):
            return x.to(dtype or x.dtype).contiguous()
    to = dtype or x.dtype
    if to == x.dtype and x.is_contiguous():
        return x
    if _compiling() or _records(x, x):
        return _contiguous(x, to)
    y = _torch.empty_like(x, dtype=to, memory_format=_torch.contiguous_format)
    if not _replay(None, x, y):
        _move(x, y)
    _keep(None, dtype, y, x)
    return y


# Products of two


@_cached
def _parts(text):
    """The letters of both operands, and of the result."""
    left, arrow, result = text.replace(" ", "").partition("->")
    names = left.split(",")
    if not arrow or len(names) != 2:
        raise ValueError(f"einsum takes a text such as 'mk,kn->mn', not {text!r}")
    return names, result


def _letters(text, a, b):
    """The letters of both operands and of the result, checked against the shapes, and the extents."""
    names, result = _parts(text)
    extents = {}
    for i, (name, x) in enumerate(zip(names, (a, b))):
        if len(name) != x.dim():
            raise ValueError(f"einsum {text!r}: operand {i} has {x.dim()} dimensions, its text {name!r} names {len(name)}")
        for letter, n in zip(name, x.shape):
            if extents.setdefault(letter, n) != n:
                raise ValueError(f"einsum {text!r}: {letter!r} is {extents[letter]} and {n}")
    for letter in result:
        if letter not in extents:
            raise ValueError(f"einsum {text!r}: no operand has {letter!r} of the result")
    return names[0], names[1], result, extents


def _result_like(text, a, b):
    _, _, result, extents = _letters(text, a, b)
    return _torch.empty([extents[x] for x in result], dtype=a.dtype, device=a.device)


def _make_product(text, a, b):
    c = _result_like(text, a, b)
    if not _replay(text, a, b, c):
        _multiply(text, a, b, c)
    return c


def _keep_operands(ctx, inputs, output):
    ctx.text = inputs[0]
    ctx.save_for_backward(inputs[1], inputs[2])


def _gradients(ctx, g):
    """A product's gradients are products: of each operand that of the result and the other one."""
    a, b = ctx.saved_tensors
    first, second, result, _ = _letters(ctx.text, a, b)
    da = einsum(f"{result},{second}->{first}", g, b) if ctx.needs_input_grad[1] else None
    db = einsum(f"{result},{first}->{second}", g, a) if ctx.needs_input_grad[2] else None
    return None, da, db


_einsum = _operation("einsum(str text, Tensor a, Tensor b) -> Tensor", _make_product, _result_like, _gradients,
                     _keep_operands, lambda text, a, b: None if _modes() else _replay_new(text, None, a, b),
                     lambda y, text, a, b: _keep(text, None, y, a, b))


@_cached
def _is_product(text):
    """Whether a text is that of a product of two: each letter once in an operand, and in another one or the result, and
    some are summed. Where none are, products of one element each are no work for the kernels of products."""
    left, arrow, result = text.replace(" ", "").partition("->")
    names = left.split(",")
    if not arrow or len(names) != 2 or any(len(set(x)) != len(x) or not x.isalpha() for x in names):
        return False
    return set(names[0]) ^ set(names[1]) <= set(result) and not set(names[0]) <= set(result)


def _repeats(text, *operands):
    """Whether a letter of a product has one element in an operand and more in the other one, as torch allows."""
    extents = {}
    return any(n != extents.setdefault(letter, n) and 1 in (n, extents[letter])
               for name, x in zip(_parts(text)[0], operands) for letter, n in zip(name, getattr(x, "shape", ())))


def _einsum_any(text, operands, out):
    """einsum of other texts: products of elements, diagonals, sums, more operands. torch records its gradients, and compiles it. What it
    launches is noted for the next call."""
    every = operands if out is None else (*operands, out)
    if _compiling() or _by_torch(*every) or any(_records(x, x) or not x.numel() or _casts(x.device.type) for x in every):
        result = _torch.einsum(text, *operands)
        return result if out is None else out.copy_(result)
    given = [_apart(x) for x in operands]
    result = given[0].new_empty(_plan(text, given, _arrays.tensor).shape()) if out is None else out
    given.append(_apart(result))
    tensors = tuple(_arrays.tensor(x) for x in given)
    _tessera._cuda_record(text, lambda: _compute.einsum(text, *tensors[:-1], out=tensors[-1]), tensors, *given)
    if out is None:
        _keep(text, None, result, *given[:-1])
    return result


def einsum(text: str, *operands: Tensor, out: Tensor | None = None, tune: bool = False) -> Tensor:
    """torch.einsum: of two tensors whose dimensions are named by letters, "mk,kn->mn", a product in one launch, or one
    for each step of what is asked for. The result is of the type of the first one, or in `out`. `tune` is that of mm."""
    if not isinstance(text, str) or not operands:
        raise TypeError(f"einsum takes a text such as 'mk,kn->mn' and tensors, not {text!r:.80} and {len(operands)} of them")
    if not tune and not _tracing():
        if out is None:
            found = _replay_new(text, None, *operands)
            if found is not None:
                return found
        elif _replay(text, *operands, out):
            return out
    if len(operands) != 2 or not _is_product(text) or _repeats(text, *operands):
        return _einsum_any(text, operands, out)
    a, b = operands
    return _planned(text, a, b, out, tune)


def _planned(text, a, b, out, tune):
    if not _compiling():
        if _by_torch(a, b, a if out is None else out):
            result = _torch.einsum(text, a, b)
            return result if out is None else out.copy_(result)
        cast = _cast(a, b) if out is None else None
        if cast:
            with _torch.autocast(a.device.type, enabled=False):
                return einsum(text, *cast, tune=tune)
        if out is not None and (_records(a, b) or _records(out, out)):
            raise ValueError("with out= no gradients are recorded, and an operand requires some: take the result, or "
                             "detach()")
    if out is None and (_compiling() or _records(a, b)):
        return _einsum(text, a, b)
    _, _, result, extents = _letters(text, a, b)
    shape = [extents[x] for x in result]
    if out is not None:
        if list(out.shape) != shape:
            raise ValueError(f"einsum {text!r}: out has the shape {tuple(out.shape)}, the result {tuple(shape)}")
        _multiply(text, a, b, out, tune)
        return out
    out = a.new_empty(shape)
    if tune or not _replay(text, a, b, out):
        _multiply(text, a, b, out, tune)
    _keep(text, None, out, a, b)
    return out


_PRODUCTS = "mk,kn->mn", "vmk,vkn->vmn"  # of two dimensions, of three


def mm(a: Tensor, b: Tensor, out: Tensor | None = None, tune: bool = False) -> Tensor:
    """The product of two matrices, or of batches of them, as torch.matmul of 2 or 3 dimensions each. With `tune` the
    first call of its kind measures some plans, and keeps the fastest for it and for calls without `tune`."""
    if not tune and not _tracing():
        if out is None:
            found = _replay_new(_PRODUCTS, None, a, b)
            if found is not None:
                return found
        elif _replay(_PRODUCTS, a, b, out):
            return out
    if not _compiling():
        _by_torch(a, b)
    rank = a.dim()
    if rank == b.dim() and (rank == 2 or rank == 3):
        return _planned(_PRODUCTS[rank - 2], a, b, out, tune)
    raise ValueError(f"mm takes two matrices or two batches of them, not {rank} and {b.dim()} dimensions")
