"""pycute's names on tessera: `import tessera.pycute as pycute`.

Layouts here are pycute's: shape and stride are plain integers and tuples, size() and cosize() are methods. What an
operation answers is the library's, which refuses (tessera.Refused) what breaks its law."""

from .int_tuple import *
from .layout import *
from .swizzle import *
from .typing import *
