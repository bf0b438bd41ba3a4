"""Pictures of values, and of operations on them: in a notebook by themselves, else by draw()."""

from __future__ import annotations

import html as _html
import struct as _struct
import typing as _typing
import zlib as _zlib

from . import _tessera
from ._tessera import Operation, Refused, Value, dynamic

if _typing.TYPE_CHECKING:
    from os import PathLike
    from typing import Any


def _text(x):
    """An argument of a call as text, tuples as the calculator writes them."""
    if isinstance(x, (tuple, list)):
        inside = ",".join(map(_text, x))
        return f"<{inside}>" if any(c in inside for c in ":<") else f"({inside})"
    if hasattr(x, "__array_interface__") and not isinstance(x, Value) and len(x.shape):
        raise TypeError(f"{type(x)} is not a layout: tensor(x) makes a tensor of an array, tensor(x).layout is its layout")
    return "_" if x is None or (isinstance(x, slice) and x == slice(None)) else f"{int(x)}?" if isinstance(x, dynamic) else x.text if isinstance(x, Value) else str(x)


def _png(ppm: bytes) -> bytes:
    """The pixels of a PPM (P6) as a PNG."""
    _, size, _, pixels = ppm.split(b"\n", 3)
    width, height = map(int, size.split())
    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return _struct.pack(">I", len(data)) + kind + data + _struct.pack(">I", _zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", _struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", _zlib.compress(rows)) + chunk(b"IEND", b""))


class Picture:
    """The picture of a value, of the text of an expression, or of an operation on arguments.

    label: what stands in the cells: own, coord, index, offset, bank; dtype: the type of the elements, for banks;
    thread: the one that is framed; panel: names or numbers of panels; alone: the result only."""

    def __init__(self, x: Any, *arguments: Any, label: str = "own", dtype: str | None = None, thread: int = -1,
                 panel: str | None = None, alone: bool = False) -> None:
        if isinstance(x, Operation):
            x = f"{x.text}({', '.join(map(_text, arguments))})"
        elif not isinstance(x, (str, Value)):
            x = _text(x)
        self._what = (x, label, dtype, thread, panel, alone)

    def as_bytes(self, format: str) -> bytes:
        """Drawn as svg, html, tex, json, png, ppm, or as text: unicode, ascii, cute."""
        x, *options = self._what
        if format == "png":
            return _png(_tessera._draw(x, "ppm", *options))
        return _tessera._draw(x, format, *options)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file in the format of its ending."""
        path = str(path)
        format = path.rpartition(".")[2]
        with open(path, "wb") as file:
            file.write(self.as_bytes({"txt": "cute", "asc": "ascii", "utf8": "unicode"}.get(format, format)))

    def __str__(self) -> str:
        return self.as_bytes("unicode").decode().rstrip("\n")

    def _repr_svg_(self) -> str:
        return self.as_bytes("svg").decode()

    def _repr_html_(self) -> str:
        page = _html.escape(self.as_bytes("html").decode())
        return f'<iframe srcdoc="{page}" sandbox="allow-scripts" style="width:100%;height:30em;border:0"></iframe>'


def draw(x: Any, *arguments: Any, **options: Any) -> Picture:
    """The picture of a value, an expression's text, or an operation and its arguments: draw(zipped_divide, a, 2)."""
    return Picture(x, *arguments, **options)


def _drawn(of):
    """The first picture that there is: some values are their own, and have none."""
    def shown(form):
        def method(self):
            for x in of(self):
                try:
                    return getattr(Picture(x), form)()
                except Refused:
                    pass
            return None
        return method
    return shown


for _kind, _of in ((Value, lambda self: [self]), (Operation, lambda self: [row[3] for row in self.rows])):
    for _form in ("_repr_svg_", "_repr_html_"):
        setattr(_kind, _form, _drawn(_of)(_form))
