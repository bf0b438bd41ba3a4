"""Which element type holds the numbers of two others.

    >>> promote("int8", "uint8"), promote("f16", "bf16"), promote("i32", "f32")
    ('i16', 'f32', 'f64')
"""

from __future__ import annotations

import functools as _functools
import typing as _typing

from . import _tessera

if _typing.TYPE_CHECKING:
    from typing import Any


class Row(_typing.NamedTuple):
    """A row of the table of element types: base/dtype.h."""
    name: str
    code: int
    bits: int
    exponent: int
    mantissa: int
    numpy: str
    safetensors: str

    @property
    def kind(self) -> str:
        """i, u, b, c as in NumPy; f for all floats."""
        return {0: "i", 1: "u", 5: "c", 6: "b"}.get(self.code, "f")


ROWS = {row[0]: Row(*row) for row in _tessera._types()}
COMMON = ("uint8", "int8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "bf16", "f32", "f64", "c64", "c128")


def _holds(wide: Row, x: Row) -> bool:
    """Does a type hold every number of another one?"""
    if wide.name == x.name or x.kind == "b":
        return wide.name == x.name or wide.code < 128
    if wide.kind == "c":
        return x.bits < wide.bits if x.kind == "c" else _holds(ROWS[f"f{wide.bits // 2}"], x)
    if x.kind in "iu" and wide.kind in "iu":
        return wide.bits > x.bits - (wide.kind == x.kind) and (wide.kind == "i" or x.kind == "u")
    if x.kind in "iu" and wide.kind == "f":
        return x.bits - (x.kind == "i") <= min(wide.mantissa + 1, 1 << wide.exponent - 1) and wide.mantissa > 0
    return (x.kind == wide.kind == "f" and wide.bits > x.bits
            and wide.exponent >= x.exponent and wide.mantissa >= x.mantissa)


@_functools.lru_cache(maxsize=None)
def promote(a: str, b: str) -> str:
    """The smallest type that holds the numbers of both; where none does, f64 or c128."""
    x, y = ROWS[a], ROWS[b]
    for name in (a, b, *COMMON):
        if _holds(ROWS[name], x) and _holds(ROWS[name], y):
            return name
    return "c128" if "c" in (x.kind, y.kind) else "f64"


def with_number(dtype: str, x: Any) -> str:
    """The type of what is computed of elements and a number of Python's, which has no size of its own."""
    row = ROWS[dtype]
    if isinstance(x, complex):
        return dtype if row.kind == "c" else "c64" if row.kind == "f" and row.bits <= 32 else "c128"
    if isinstance(x, bool) or row.kind in "fc":
        return dtype
    if isinstance(x, int):
        return "i64" if row.kind == "b" else dtype
    return "f64"


def of_sum(dtype: str) -> str:
    """The type of a sum: integers are summed in 64 bits."""
    return {"b": "i64", "i": "i64", "u": "u64"}.get(ROWS[dtype].kind, dtype)


def of_number(x: Any) -> str:
    """The type of a number of Python's alone."""
    if isinstance(x, bool):
        return "bool"
    if isinstance(x, int):
        return "u64" if x > 2 ** 63 - 1 else "i64"
    return "f64" if isinstance(x, float) else "c128"


def between(dtype: str) -> str:
    """The type of results that are still computed with: of short floats f32."""
    row = ROWS[dtype]
    return "f32" if row.kind == "f" and row.bits < 32 else dtype
