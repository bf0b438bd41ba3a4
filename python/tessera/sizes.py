"""Layouts whose sizes have names, (M,K):(K,1): results as expressions, and the guards under which they hold."""

from typing import Any

from . import _tessera
from ._tessera import Layout


class Given:
    """The result of an expression over sizes with names.

    >>> tiles = given("zipped_divide((M,K):(K,1), (128,32))", "M % 128 == 0")
    >>> tiles
    ((128,32),(M/128,K/32)):((K,1),(128*K,32)) if M % 128 == 0 && K % 32 == 0
    >>> tiles(M=256, K=64)
    L("((128,32),(2,2)):((64,1),(8192,32))")
    """

    __slots__ = ("text", "guards", "names", "_read")

    def __init__(self, expression: str, guards: str = "") -> None:
        self.text: str
        self.guards: str
        self.names: "tuple[str, ...]"
        self.text, conditions, self.names = _tessera._given(expression, guards)
        self.guards = "" if conditions == "1" else conditions
        self._read = (expression, guards)  # what gives it again

    def __repr__(self) -> str:
        return f"{self.text} if {self.guards}" if self.guards else self.text

    def __call__(self, **sizes: int) -> Any:
        """The layout, or the number, of these sizes. Refused where they break a guard."""
        unknown = [name for name in sizes if name not in self.names] + [x for x in self.names if x not in sizes]
        if unknown:
            raise TypeError(f"a number for each of {', '.join(self.names)}, and no other: not of {', '.join(unknown)}")
        at = _tessera._given_at(*self._read, tuple(sizes[name] for name in self.names))
        return Layout(at) if isinstance(at, str) else at

    def code(self, language: str = "c") -> str:
        """The functions guards and offset, in c, cuda, hip, python or triton."""
        text: str = _tessera._given_code(*self._read, language)
        return text


def given(expression: str, guards: str = "") -> Given:
    """The result of an expression over sizes with names, under guards such as "M % 128 == 0, K % 32 == 0"."""
    return Given(expression, guards)
