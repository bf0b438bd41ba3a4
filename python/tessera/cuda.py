"""Tensors in the memory of a GPU.

`tessera.copy`, `gemm`, `einsum` and `relayout` take arrays of torch, CuPy and JAX that lie on a GPU, and tensors made of
them. They launch on the stream that the array's library works on and do not wait. The driver and NVRTC are looked for by
the first call; without them that call says so. Kernels are compiled once and kept in the user's cache folder, which
TESSERA_CACHE names, too; "off": nowhere.
"""

from __future__ import annotations

import contextlib as _contextlib
import functools as _functools
import glob as _glob
import os as _os
import sys as _sys
import typing as _typing

from . import _tessera
from ._tessera import Layout, Tensor
from .parameters import kinds_of

if _typing.TYPE_CHECKING:
    from typing import Any

_folder: str | None = None
_LAUNCHES = 256  # of a kernel that are kept

__all__ = ["Kernel", "Kernels", "compile", "empty", "folder", "tma_map", "use_folder"]


def _compilers():
    """Where NVRTC may be that no search path names: in the wheels of NVIDIA, and in CUDA's own folder."""
    folders = [_os.path.join(p, "nvidia") for p in _sys.path if _os.path.isdir(_os.path.join(p, "nvidia"))]
    names = [name for f in folders for name in _glob.glob(_os.path.join(f, "*", "lib", "libnvrtc.so.*"))]
    home = _os.environ.get("CUDA_HOME") or _os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    return sorted(names, reverse=True) + _glob.glob(_os.path.join(home, "lib64", "libnvrtc.so*"))


def _stream(device):
    """The stream of tensors that do not name one: that of torch, of CuPy, or the device's own."""
    torch = _sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        return torch.cuda.current_stream(device).cuda_stream
    cupy = _sys.modules.get("cupy")
    return cupy.cuda.get_current_stream(device).ptr if cupy is not None else 0


def _memory(size, device):
    """Bytes on a device, of torch's or CuPy's allocator where one of them is in use, else the driver's."""
    torch, cupy = _sys.modules.get("torch"), _sys.modules.get("cupy")
    if torch is not None and torch.cuda.is_initialized():
        return torch.empty(size, dtype=torch.uint8, device=f"cuda:{device}")
    if cupy is not None:
        from .arrays import tensor
        with cupy.cuda.Device(device):
            return tensor(cupy.empty(size, dtype=cupy.uint8))
    return _tessera._cuda_empty(device, Layout(size, 1), "uint8")


def use_folder(path: str | None) -> None:
    """Keeps compiled kernels in a folder, which must be the user's own and exist; None: only in this process."""
    global _folder
    _folder = path
    _tessera._cuda_setup(path, _stream, _memory)


def folder() -> str | None:
    """Where compiled kernels are kept."""
    return _folder


def empty(layout: Any, dtype: str = "f32", device: int = 0) -> Tensor:
    """A tensor of a layout and a type on a GPU; its elements are not set. The memory is that of torch's or CuPy's
    allocator where one of them is in use, else the driver's."""
    from .arrays import tensor
    layout = Layout(layout)
    return tensor(_memory(int(_tessera.operations["size_in_bytes"][_tessera._type(dtype)](layout)), device), layout, dtype)


@_functools.lru_cache(maxsize=256)
def _tile(text):
    return Layout(text)


def tma_map(x: Any, smem: Any, parts: int = 1) -> bytes:
    """The tensor map of an array on the GPU, of two to five modes, in tiles of the layout `smem` of shared memory, which
    `parts` CTAs share: an argument for a kernel's `tsr_tma_map`. Maps are kept by the array's address, type and layout and
    by the tile, so that a call for every launch costs little."""
    tile = smem if isinstance(smem, Layout) else _tile(smem) if isinstance(smem, str) else Layout(smem)
    return _tessera._cuda_map(x, tile, parts)


def _dimensions(x):
    return (x,) if hasattr(x, "__index__") else tuple(x)


class Kernel:
    """A compiled kernel: k[grid, block](arguments), k[grid, block, cluster, shared](arguments).

    Grid, block and cluster are an integer or up to three; shared is the dynamic shared memory in bytes. An argument is an
    array on the GPU, whose address is passed, an int or a float, which take the size of the kernel's parameter, or a
    scalar of NumPy's, which is passed as the int or float of its value, or bytes, which are a struct as it is. A float for an integer or a pointer is refused
    where the parameter's type is known: from the kernel's lowered name, or of extern "C" from its source. Where it is not,
    of a parameter of a template or a type with a name, write 1.0 for a float. A launch f = k[grid, block] may be kept."""

    def __init__(self, name: str, handle: Any, kinds: str | None = None) -> None:
        self.name, self._handle, self._kinds = name, handle, kinds
        self._launches: dict[Any, Any] = {}

    def __getitem__(self, launch: Any) -> Any:
        try:
            found = self._launches.get(launch)
        except TypeError:  # a list is no key
            found = None
        return found or self._launch(launch)

    def _launch(self, launch):
        """The function of the arguments, kept for the next call."""
        if not isinstance(launch, tuple) or not 2 <= len(launch) <= 4:
            raise TypeError(f"a launch is {self.name}[grid, block], [grid, block, cluster] or "
                            "[grid, block, cluster, shared]")
        grid, block, cluster, shared = launch + ((), 0)[len(launch) - 2:]
        dimensions = [_dimensions(x) for x in (grid, block, cluster or ())]
        made = _tessera._cuda_launch(self._handle, *dimensions, shared, self._kinds)
        if len(self._launches) >= _LAUNCHES:
            self._launches.clear()
        with _contextlib.suppress(TypeError):
            self._launches[launch] = made
        return made

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"


class Kernels(dict[str, Kernel]):
    """Kernels by name, as attributes too."""

    def __getattr__(self, name: str) -> Kernel:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no kernel {name!r}; there are {', '.join(self)}") from None


def compile(source: str, constants: dict[str, Any] | None = None, kernels: list[str] | tuple[str, ...] = (),
            options: tuple[str, ...] = (), device: int = 0) -> Kernels:
    """The kernels of a source in CUDA C++, by their names in it; `constants` are layouts that it knows by name. All
    headers of tessera are there. A mistake in the source is a RuntimeError with the compiler's lines."""
    if isinstance(kernels, str) or not kernels:
        raise TypeError("kernels is a list of the names of the kernels in the source")
    layouts = [(name, Layout(x)) for name, x in (constants or {}).items()]
    handles = _tessera._cuda_compile(device, source, layouts, [k.encode() for k in kernels], [o.encode() for o in options])
    return Kernels((name, Kernel(name, handle, kinds_of(lowered or "", source)))
                   for name, (handle, lowered) in zip(kernels, handles))


use_folder(_tessera._cuda_folder())
