"""Redistributions of torch's tensors on GPUs (tessera.dist.redistribute): kernels of tessera pack and unpack, messages of
the group or of NCCL move. While one stage is moved, the next one is packed."""

from __future__ import annotations

import functools as _functools
import importlib as _importlib
import time as _time
import typing as _typing

import torch as _module

from . import _tessera
from . import cuda as _cuda  # noqa: F401  the folder of kernels
from ._tessera import operations as _operations

if _typing.TYPE_CHECKING:
    from typing import Any

_torch: _typing.Any = _module
_all: _typing.Any = _torch.distributed

_TYPES = {"uint8": "uint8", "int8": "int8", "u16": "uint16", "i16": "int16", "u32": "uint32", "i32": "int32", "u64": "uint64",
          "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64",
          "c128": "complex128", "f8_e4m3fn": "float8_e4m3fn", "f8_e5m2": "float8_e5m2", "bool": "bool"}
_NAMES = {getattr(_torch, word): name for name, word in _TYPES.items() if hasattr(_torch, word)}

_MOST_KEPT = 64  # plans of a communicator, each with a buffer
_met: set[Any] = set()  # groups whose ranks have met: a group's first message must be one of all ranks


class _Plan:
    """A rank's stages for parts of one alignment, at any address."""

    def __init__(self, from_, to, host, rank, ranks, kind, device, low):
        most = max(_operations["ranks"](from_), _operations["ranks"](to))
        if most > ranks:
            raise ValueError(f"the parts are on {most} ranks, and the group has {ranks}")
        ends = [0 if n is None else (1 << 44 + i) + n for i, n in enumerate(low)]  # apart: nothing is there
        self.handle, self.bytes, self.stages = _tessera._dist_packed(from_, to, host, rank, kind, device, *ends, 0)
        self.in_place = [any(p[3] for stage in self.stages for p in stage[side]) for side in (2, 3)]
        self.device = device

    def copies(self, what, stage, from_, to, stream):
        _tessera._dist_copies(self.handle, self.device, what, stage, from_, to, stream.cuda_stream)


_plan = _functools.lru_cache(maxsize=1024)(_Plan)


@_functools.lru_cache(maxsize=4096)
def _parts(from_, to, rank):
    """Extents and strides of both parts; None: it has no elements."""
    return _tessera._dist_part(from_, rank), _tessera._dist_part(to, rank)


@_functools.lru_cache(maxsize=64)
def _streams(device):
    return [_torch.cuda.Stream(device) for _ in range(2)]


def _meet(group):
    if group not in _met:
        _met.add(group)
        _all.barrier(group)


def _placed(local, part, rank):
    """The local elements as they lie in a part: themselves, or a copy."""
    if part is None or local is None:
        if part is not None:
            raise TypeError(f"rank {rank} holds {part[0]} elements, and None holds none")
        return None
    if tuple(local.shape) != tuple(part[0]):
        raise ValueError(f"the local tensor has the extents {tuple(local.shape)}, and the part of rank {rank} {part[0]}")
    if all(n == 1 or d == e for n, d, e in zip(part[0], local.stride(), part[1])):
        return local.detach()
    return _torch.empty_strided(*part, dtype=local.dtype, device=local.device).copy_(local.detach())


def _bytes(x):
    """All bytes from the first element of a tensor on."""
    if x is None:
        return None
    at = x.storage_offset() * x.element_size()
    memory = x.untyped_storage()
    return _torch.empty(0, dtype=_torch.uint8, device=x.device).set_(memory, at, (memory.nbytes() - at,), (1,))


def _exchange(sends, receives, old, new, buffer, group):
    """Begins the messages of a stage; what is to be waited for."""
    moves = [(_all.isend, p, old) for p in sends] + [(_all.irecv, p, new) for p in receives]
    if not moves:
        return []
    ops = []
    for does, (peer, at, n, in_place), part in moves:
        peer = peer if group is None else _all.get_global_rank(group, peer)
        ops.append(_all.P2POp(does, (part if in_place else buffer)[at:at + n], peer, group))
    return _all.batch_isend_irecv(ops)


def _run_short(plan, from_, to, old, new, buffer, group, current):
    """One stage at most, behind the current stream."""
    room = buffer.data_ptr()
    works = []
    for packs, _, sends, receives in plan.stages:
        if packs:
            plan.copies("p", 0, from_, room, current)
        works = _exchange(sends, receives, old, new, buffer, group)
    plan.copies("k", 0, from_, to, current)
    for work in works:
        work.wait()
    for _, unpacks, _, _ in plan.stages:
        if unpacks:
            plan.copies("u", 0, room, to, current)


def _run(plan, from_, to, old, new, buffer, group, current):
    """Stages that overlap: one is packed on a stream while another one is unpacked on a second."""
    room = buffer.data_ptr()
    pack, unpack = _streams(plan.device)
    works, emptied = [], []
    pack.wait_stream(current)
    unpack.wait_stream(current)
    for s, (packs, unpacks, sends, receives) in enumerate(plan.stages):
        with _torch.cuda.stream(pack):
            if s >= 2:
                for work in works[s - 2]:
                    work.wait()
                pack.wait_event(emptied[s - 2])
            if packs:
                plan.copies("p", s, from_, room, pack)
            works.append(_exchange(sends, receives, old, new, buffer, group))
        if s == 0:
            unpack.wait_stream(pack)
            plan.copies("k", 0, from_, to, unpack)
        with _torch.cuda.stream(unpack):
            for work in works[s]:
                work.wait()
            if unpacks:
                plan.copies("u", s, room, to, unpack)
            emptied.append(unpack.record_event())
    current.wait_stream(pack)
    current.wait_stream(unpack)


def _wait(current, timeout, rank, ranks):
    """Waits for the stream; a rank that does not answer is an error."""
    done, began = current.record_event(), _time.monotonic()
    while not done.query():
        if _time.monotonic() - began > timeout:
            raise TimeoutError(f"rank {rank} of {ranks} cannot end its messages: no answer from another rank for "
                               f"{timeout:g} s")
        _time.sleep(5e-5)


def _new_part(local, from_, to, rank, dtype):
    """The local part as it must lie, the new part, their addresses, and the element type."""
    if local is None and dtype is None:
        raise TypeError(f"rank {rank} has no element yet: say the type of the new ones, dtype=")
    kind = local.dtype if local is not None else dtype if isinstance(dtype, _torch.dtype) else getattr(
        _torch, _TYPES[_tessera._type(dtype)])
    if kind not in _NAMES:
        raise TypeError(f"tessera has no element type {kind}")
    device = local.device.index if local is not None else _torch.cuda.current_device()
    old, new = _parts(from_, to, rank)
    local = _placed(local, old, rank)
    result = None if new is None else _torch.empty_strided(*new, dtype=kind, device=device)
    return local, result, *(0 if x is None else x.data_ptr() for x in (local, result)), _NAMES[kind], device


def redistribute(local: Any, from_: Any, to: Any, group: Any = None, host: int = 1, dtype: Any = None,
                 timeout: float = 0) -> Any:
    """tessera.dist.redistribute for tensors on a GPU, between the ranks of a group."""
    if from_ == to:
        return local
    rank, ranks = _all.get_rank(group), _all.get_world_size(group)
    _meet(group)
    with _torch.no_grad():
        local, result, a, b, kind, device = _new_part(local, from_, to, rank, dtype)
        low = tuple(x % 16 if x else None for x in (a, b))
        plan = _plan(from_, to, host, rank, ranks, kind, device, low)
        with _torch.cuda.device(device):
            current = _torch.cuda.current_stream(device)
            buffer = _torch.empty(plan.bytes, dtype=_torch.uint8, device=device)
            old = _bytes(local) if plan.in_place[0] else None
            new = _bytes(result) if plan.in_place[1] else None
            run = _run if len(plan.stages) > 1 else _run_short
            run(plan, a, b, old, new, buffer, group, current)
            if timeout:
                _wait(current, timeout, rank, ranks)
    return result


class Nccl:
    """tessera.dist.Nccl."""

    def __init__(self, group: Any = None, timeout: float = 0):
        self.rank, self.ranks, self._timeout = _all.get_rank(group), _all.get_world_size(group), timeout
        self.device = _torch.cuda.current_device()
        ids = [_tessera._nccl_id() if self.rank == 0 else None]
        _all.broadcast_object_list(ids, 0 if group is None else _all.get_global_rank(group, 0), group)
        self._moves: dict[Any, Any] = {}  # before the communicator in every order of ending
        self._all = _tessera._nccl_open(self.device, ids[0], self.rank, self.ranks, timeout)
        self.far = _tessera._nccl_p2p_why(self._all)

    def __del__(self):
        getattr(self, "_moves", {}).clear()

    def redistribute(self, local: Any, from_: Any, to: Any, host: int = 1, dtype: Any = None) -> Any:
        """tessera.dist.redistribute."""
        if from_ == to:
            return local
        with _torch.no_grad():
            local, result, a, b, kind, device = _new_part(local, from_, to, self.rank, dtype)
        if device != self.device:
            raise ValueError(f"the tensor is on GPU {device}, and the communicator on GPU {self.device}")
        key = from_, to, host, kind, a % 16 if a else -1, b % 16 if b else -1
        moves = self._moves.get(key)
        if moves is None:
            if len(self._moves) == _MOST_KEPT:
                self._moves.clear()
            moves = self._moves[key] = _tessera._nccl_plan(self._all, from_, to, host, self.rank, kind, a, b, 0)
        stream = _torch.cuda.current_stream(device).cuda_stream
        _tessera._nccl_run(moves, device, a, b, stream)
        if self._timeout:
            _tessera._nccl_wait(self._all, device, stream)
        return result


def redistribute_dtensor(x: Any, placements: Any, comm: Any = None, timeout: float = 0) -> Any:
    """tessera.dist.redistribute_dtensor."""
    from . import dist
    mesh = x.device_mesh
    if mesh.size() != _all.get_world_size():
        raise ValueError(f"the mesh has {mesh.size()} ranks, and there are {_all.get_world_size()}")
    old, new = dist.of_dtensor(x), dist.of_dtensor(x, placements)
    local = x.to_local()
    held = local if _parts(old, new, _all.get_rank())[0] is not None else None
    part = dist.redistribute(held, old, new, comm, 1, local.dtype, timeout)
    if part is None:
        utils: Any = _importlib.import_module("torch.distributed.tensor._utils")
        part = local.new_empty(utils.compute_local_shape_and_global_offset(x.shape, mesh, placements)[0])
    return type(x).from_local(part, mesh, placements, run_check=False, shape=x.shape, stride=x.stride())
