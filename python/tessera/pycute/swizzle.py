"""Swizzles, and layouts behind them."""

from .. import _tessera
from .layout import *
from .layout import _ops


def shiftr(a, s):
    return _ops["shiftr"](a, s)


def shiftl(a, s):
    return _ops["shiftl"](a, s)


class Swizzle:
    """Sw<bits,base,shift>"""

    def __init__(self, bits, base, shift):
        self.tessera = _tessera.Value(f"Sw<{bits},{base},{shift}>")
        self.bits, self.base, self.shift = bits, base, shift
        mask = (1 << bits) - 1 << base
        self.yyy_msk, self.zzz_msk = mask << max(shift, 0), mask << max(-shift, 0)

    def __eq__(self, other):
        return isinstance(other, Swizzle) and self.tessera == other.tessera

    def __hash__(self):
        return hash(self.tessera)

    def __call__(self, offset):
        return _ops["swizzle"](self.tessera, offset)

    def size(self):
        return 1 << self.bits + self.base + abs(self.shift)

    def cosize(self):
        return self.size()

    def __str__(self):
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self):
        return f"Swizzle({self.bits},{self.base},{self.shift})"


class ComposedLayout(LayoutBase):
    """layoutB(offset + layoutA(c))"""

    def __init__(self, layoutB, offset, layoutA):
        self.layoutB, self.offset, self.layoutA = layoutB, offset, layoutA

    def _parts(self):
        return self.layoutB, self.offset, self.layoutA

    @property
    def tessera(self):
        """The same as one layout, where layoutB is a swizzle."""
        return _ops["make_composed_layout"](self.layoutB.tessera, self.offset, self.layoutA.tessera)

    def __eq__(self, other):
        return self._parts() == other._parts()

    def __hash__(self):
        return hash(self._parts())

    def __len__(self):
        return len(self.layoutA)

    def __call__(self, *args):
        return self.layoutB(self.offset + self.layoutA(*args))

    def __getitem__(self, i):
        return ComposedLayout(self.layoutB, self.offset, self.layoutA[i])

    def size(self):
        return size(self.layoutA)

    def cosize(self):
        return cosize(self.layoutB)

    def __str__(self):
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self):
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
