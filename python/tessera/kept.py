"""Functions whose calls on tensors of a GPU are kept: the launches of one are noted, and done again for the next call of
the same arguments but for the elements, which takes the host some microseconds instead of some hundred."""

from __future__ import annotations

import functools as _functools
import typing as _typing

from . import _tessera

_Function = _typing.TypeVar("_Function", bound=_typing.Callable[..., _typing.Any])


def kept(f: _Function) -> _Function:
    """f, which depends on its arguments alone and returns a tensor or None. It reads no elements on the host."""
    return _kept(f, False)


def kept_for_any_number(f: _Function) -> _Function:
    """The same, and another number among its arguments makes the same launches. f hands numbers on as they are, asks of
    them no more than the type, the range of integers and whether they are 0, 1 or -1, and has no others of its own."""
    return _kept(f, True)


def _kept(f: _Function, any_number: bool) -> _Function:
    call = _tessera._cuda_call

    @_functools.wraps(f)
    def kept_function(*arguments: _typing.Any, **named: _typing.Any) -> _typing.Any:
        return call(f, arguments, named, any_number)

    return _typing.cast(_Function, kept_function)
