"""The fragments of a tile program: those of some values are given, those of the others are found."""

import typing as _typing
from typing import Any

from . import _tessera


class Move(_typing.NamedTuple):
    """A value that is needed in another fragment, for `user`; the elements that threads have, get by shuffles, and get
    through shared memory."""

    value: str
    user: str
    fragment: Any
    own: int
    shuffled: int
    shared: int


class Inference(_typing.NamedTuple):
    """What `infer` finds. `least`: every candidate was tried, and no assignment costs less."""

    fragments: "dict[str, Any]"
    moves: "list[Move]"
    cost: int
    least: bool


def infer(program: str) -> Inference:
    """The fragments of a program with the fewest moves between threads.

    >>> program = '''
    ... x: (8,8) @ linear{register=((0,1));lane=((0,2),(0,4),(1,0),(2,0),(4,0)) -> dim0=8;dim1=8}
    ... m = reduce<1>(x)
    ... y = elementwise(x, m)'''
    >>> infer(program).fragments["m"]
    V("linear{register=();lane=((0,0),(0,0),(1,0),(2,0),(4,0));warp=() -> dim0=8;dim1=1}")
    >>> infer(program).cost
    64
    """
    fragments, moves, cost, least = _tessera._infer(program)
    return Inference({name: _tessera.Value(text) for name, text in fragments},
                     [Move(value, user, _tessera.Value(text), *count) for value, user, text, *count in moves], cost,
                     least)
