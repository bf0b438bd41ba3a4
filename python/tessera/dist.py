"""Distributed tensors: layouts in the words of other systems, plans, and redistribution over MPI or torch.distributed.

    from tessera import dist

    old = dist.dtensor((8, 6), (2,), ["S(0)"])
    new = dist.dtensor((8, 6), (2,), ["S(1)"])
    print(dist.plan(old, new))                       # bytes a pair, the lower bound, a time
    x = dist.redistribute(local, old, new, comm)     # comm of mpi4py or torch.distributed, or a transport

A transport is an object with `rank`, `ranks` and three methods, none of which waits:

    send(slot, to, bytes)        begins to send a message
    receive(slot, source, n)     begins to receive n bytes
    done(slot)                   False: not yet; the bytes of a message that has arrived; True of one that is sent
"""

from __future__ import annotations

import sys as _sys
import time as _time
import typing as _typing

from . import _tessera, arrays as _arrays
from ._tessera import Layout, Tensor, Value, operations

if _typing.TYPE_CHECKING:
    from typing import Any, Iterable, Sequence

__all__ = ["Loopback", "Mpi", "Nccl", "Run", "Torch", "darray", "distributed", "dtensor", "hpf", "intervals",
           "of_dtensor", "plan", "redistribute", "redistribute_dtensor", "scalapack", "simulate", "xla"]


# Layouts

def _listed(x: Iterable[Any], brackets: str = "()") -> str:
    return brackets[0] + ",".join(str(item) for item in x) + brackets[1]


def _behind(first: int) -> str:
    return f"@{first}" if first else ""


def scalapack(m: int, n: int, mb: int, nb: int, p: int, q: int, rsrc: int = 0, csrc: int = 0, lld: int = 0,
              by_columns: bool = False, first: int = 0) -> Value:
    """ScaLAPACK's descriptor of an m by n matrix in blocks of mb by nb on p by q ranks; lld 0: the rows of a rank."""
    words = [m, n, mb, nb, p, q, rsrc, csrc] + [lld] * bool(lld) + ["C"] * by_columns
    return Value("scalapack" + _listed(words) + _behind(first))


def _placement(x: Any) -> str:
    """A placement as a text, or as torch has it."""
    if isinstance(x, str):
        return x
    if getattr(x, "is_replicate", bool)():
        return "R"
    if getattr(x, "is_partial", bool)():
        if getattr(x, "reduce_op", "sum") != "sum":
            raise ValueError(f"a partial tensor is a sum here, not {x.reduce_op}")
        return "P"
    factor = getattr(x, "split_factor", None)
    return f"S({x.dim})" if factor is None else f"SS({x.dim},{factor})"


def dtensor(shape: Sequence[int], mesh: Sequence[int], placements: Sequence[Any], first: int = 0) -> Value:
    """DTensor's placements, one an axis of the mesh: texts as "S(0)", "SS(0,2)", "R", "P", or torch's own objects.
    "S(0)[1]" is the second to cut mode 0."""
    words = [_listed(shape), _listed(mesh), _listed(map(_placement, placements), "[]")]
    return Value("dtensor" + _listed(words) + _behind(first))


def xla(shape: Sequence[int], sharding: str, first: int = 0) -> Value:
    """A sharding of XLA, as JAX prints it: "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"."""
    return Value("xla" + _listed([_listed(shape), sharding]) + _behind(first))


def hpf(shape: Sequence[int], formats: Sequence[str], grid: Sequence[int], first: int = 0) -> Value:
    """HPF's DISTRIBUTE: formats "*", "BLOCK", "BLOCK(4)", "CYCLIC", "CYCLIC(2)", "GEN_BLOCK(2,3,4)", and the ranks of
    those that cut."""
    return Value("hpf" + _listed([_listed(shape), _listed(formats), _listed(grid)]) + _behind(first))


def darray(shape: Sequence[int], formats: Sequence[str], grid: Sequence[int], fortran: bool = False,
           first: int = 0) -> Value:
    """MPI_Type_create_darray: formats as of `hpf`, "NONE" for a whole mode, and the ranks of each mode."""
    words = [_listed(shape), _listed(formats), _listed(grid)] + ["F"] * fortran
    return Value("darray" + _listed(words) + _behind(first))


def intervals(shape: Sequence[int], tables: Sequence[Any], grid: Sequence[int], first: int = 0) -> Value:
    """Any sizes: of each mode None, or (rank, length) of its intervals in order; and the ranks of those that are cut."""
    listed = ["*" if table is None else _listed(f"{rank}:{length}" for rank, length in table) for table in tables]
    return Value("intervals" + _listed([_listed(shape), _listed(listed), _listed(grid)]) + _behind(first))


def distributed(layout: Any, extents: Any = None) -> Value:
    """What a layout into (rank, offset) is: strides along _1@0 and _1@1; with extents where the layout is padded."""
    more = {} if extents is None else {"extents": tuple(extents)}
    return operations["distributed"](layout, **more)


# Plans

def plan(from_: Any, to: Any, dtype: Any = "f32", host: int = 1) -> Value:
    """The plan from one layout to another, of at most 1,024 ranks: its text has bytes a pair, the lower bound and the
    time of the model. `host` ranks in a row share a host."""
    return operations["redistribute"][_tessera._type(dtype)](from_, to, host=host)


def simulate(from_: Any, to: Any, itemsize: int = 4, latency: float = 2e-6, bandwidth: float = 1e10, host: int = 1,
             check: bool = False) -> dict[str, Any]:
    """The plans of all ranks against a clock, up to 65,536 of them: bytes, lower_bound, messages, rounds, seconds ..
    With `check` every element is followed to its new place."""
    return _tessera._dist_simulate(from_, to, itemsize, latency, bandwidth, host, check)


# Transports

class Mpi:
    """A communicator of mpi4py. Its messages have the tag 7411."""

    def __init__(self, comm: Any):
        from mpi4py import MPI
        self._comm, self._byte = comm, MPI.BYTE
        self._slot: dict[int, tuple[Any, Any]] = {}
        self.rank, self.ranks = comm.Get_rank(), comm.Get_size()

    def send(self, slot: int, to: int, data: bytes) -> None:
        self._slot[slot] = self._comm.Isend([data, self._byte], dest=to, tag=7411), data

    def receive(self, slot: int, source: int, n: int) -> None:
        data = bytearray(n)
        self._slot[slot] = self._comm.Irecv([data, self._byte], source=source, tag=7411), data

    def done(self, slot: int) -> Any:
        request, data = self._slot[slot]
        return request.Test() and data


class Torch:
    """A group of torch.distributed that sends memory of the host, as gloo does; None: all ranks."""

    def __init__(self, group: Any = None):
        import torch
        module: Any = torch
        self._torch: Any = module
        self._all: Any = module.distributed
        self._group = group
        self._slot: dict[int, tuple[Any, Any]] = {}
        self.rank, self.ranks = self._all.get_rank(group), self._all.get_world_size(group)

    def _global(self, rank):
        return rank if self._group is None else self._all.get_global_rank(self._group, rank)

    def send(self, slot: int, to: int, data: bytes) -> None:
        x = self._torch.frombuffer(bytearray(data), dtype=self._torch.uint8)
        self._slot[slot] = self._all.isend(x, self._global(to), group=self._group), x

    def receive(self, slot: int, source: int, n: int) -> None:
        data = bytearray(n)
        x = self._torch.frombuffer(data, dtype=self._torch.uint8)
        self._slot[slot] = self._all.irecv(x, self._global(source), group=self._group), data

    def done(self, slot: int) -> Any:
        work, data = self._slot[slot]
        return work.is_completed() and data


class Loopback:
    """Ranks of one process: loopback[rank] is the transport of each. `bytes` counts what was sent."""

    def __init__(self, ranks: int):
        self.ranks, self.bytes = ranks, 0
        self._mail: dict[tuple[int, int], list[bytes]] = {}
        self._rank = [_End(self, rank) for rank in range(ranks)]

    def __getitem__(self, rank: int) -> _End:
        return self._rank[rank]


class _End:
    """One rank of a loopback."""

    def __init__(self, all: Loopback, rank: int):
        self._all, self.rank, self.ranks = all, rank, all.ranks
        self._slot: dict[int, int] = {}  # whence a message comes; this rank: it is sent
        self._waits: dict[int, list[int]] = {}  # slots that wait for a rank, in the order of their messages

    def send(self, slot: int, to: int, data: bytes) -> None:
        self._all._mail.setdefault((self.rank, to), []).append(data)
        self._all.bytes += len(data)
        self._slot[slot] = self.rank

    def receive(self, slot: int, source: int, n: int) -> None:
        self._slot[slot] = source
        self._waits.setdefault(source, []).append(slot)

    def done(self, slot: int) -> Any:
        source = self._slot[slot]
        if source == self.rank:
            return True
        mail = self._all._mail.get((source, self.rank))
        if not mail or self._waits[source][0] != slot:
            return False
        self._waits[source].pop(0)
        return mail.pop(0)


def _transport(comm: Any) -> Any:
    if all(hasattr(comm, name) for name in ("send", "receive", "done", "rank", "ranks")):
        return comm
    if hasattr(comm, "Isend"):
        return Mpi(comm)
    return Torch(comm)


# Runs

class Run:
    """A redistribution that goes on step by step; `result` is the new part of this rank, None where it has none."""

    def __init__(self, local: Any, from_: Any, to: Any, comm: Any, host: int = 1, dtype: Any = None):
        transport = _transport(comm)
        old = _part(from_, transport.rank)
        tensor = None if old is None else _placed(local, old)
        new = _part(to, transport.rank)
        kind = dtype or (tensor.dtype if tensor is not None else None)
        if new is not None and kind is None:
            raise TypeError(f"rank {transport.rank} has no element yet: say the type of the new ones, dtype=")
        self.result: Tensor | None = None if new is None else _arrays.empty(new, kind)
        self._run = _tessera._dist_begin(from_, to, host, transport, tensor, self.result)

    def step(self) -> bool:
        """Does what can be done without waiting; True: the run has ended."""
        return _tessera._dist_step(self._run)


def _part(layout: Any, rank: int) -> Any:
    """The layout of a rank's part; None: the part has no elements."""
    part = _tessera._dist_part(layout, rank)
    return None if part is None else Layout(*part)


def _placed(local: Any, part: Any) -> Tensor:
    """The local elements as they lie in a part: themselves, or a copy."""
    if local is None:
        raise TypeError(f"this rank holds {part.shape} elements, and None holds none")
    x = _arrays.tensor(local)
    steps: Any = x.stride
    if operations["product_each"](x.shape) != part.shape:
        raise ValueError(f"the local array has the extents {x.shape}, and the part of this rank {part.shape}")
    if all(n == 1 or d == e for n, d, e in zip(part.shape, steps, part.stride)):
        return x
    copy = _arrays.empty(part, x.dtype)
    _arrays.copy(x, copy)
    return copy


def _on_gpu(local: Any, comm: Any) -> bool:
    """Is a group of torch asked to move tensors on a GPU?"""
    torch = _sys.modules.get("torch")
    if torch is None or not hasattr(torch, "Tensor") or not torch.distributed.is_available():
        return False
    if comm is not None and not isinstance(comm, torch.distributed.ProcessGroup):
        return False
    if local is not None:
        return isinstance(local, torch.Tensor) and local.is_cuda
    return "nccl" in torch.distributed.get_backend(comm)


def redistribute(local: Any, from_: Any, to: Any, comm: Any, host: int = 1, dtype: Any = None,
                 timeout: float = 0) -> Any:
    """Moves a distributed tensor: each rank gives its part of `from_`, an array, and gets its part of `to`, a tensor.

    `comm` is a communicator of mpi4py, a group of torch.distributed (None: all ranks), or a transport. All its ranks
    call this. A rank without old elements gives None and `dtype`; one without new elements gets None.

    Tensors of torch on a GPU are moved by their group, or by an Nccl, behind the current stream, and the part is one of
    torch. Where nothing changes it is `local` itself. With `timeout` the call waits so many seconds for other ranks at
    most; end the program then by os._exit, for the group's other calls wait for the lost rank, too."""
    if hasattr(comm, "redistribute"):
        return comm.redistribute(local, Value(from_), Value(to), host, dtype)
    if _on_gpu(local, comm):
        from . import dist_cuda
        return dist_cuda.redistribute(local, Value(from_), Value(to), comm, host, dtype, timeout)
    run = Run(local, from_, to, comm, host, dtype)
    began = _time.monotonic()
    while not run.step():
        if timeout and _time.monotonic() - began > timeout:
            raise TimeoutError(f"no answer from another rank for {timeout:g} s")
        _time.sleep(0)
    return run.result


def of_dtensor(x: Any, placements: Any = None) -> Value:
    """The distribution of a DTensor, or that of the same tensor and mesh with other placements."""
    mesh, spec = x.device_mesh, x._spec
    ranks = mesh.mesh.flatten().tolist()
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        raise ValueError(f"the ranks of the mesh do not follow each other: {ranks[:16]}")
    words = [_placement(p) for p in (spec.placements if placements is None else placements)]
    words = [w.replace("(-", f"({x.dim()}-") if "(-" in w else w for w in words]
    for entry in getattr(spec, "shard_order", None) or () if placements is None else ():
        for k, axis in enumerate(entry.mesh_dims):
            if len(entry.mesh_dims) > 1 and words[axis].startswith("S("):
                words[axis] += f"[{k}]"
    return dtensor(tuple(x.shape), tuple(mesh.shape), words, ranks[0])


def redistribute_dtensor(x: Any, placements: Any, comm: Any = None, timeout: float = 0) -> Any:
    """As x.redistribute(placements=..) of a DTensor on GPUs, whose mesh has all ranks: packed once, sent once."""
    from . import dist_cuda
    return dist_cuda.redistribute_dtensor(x, placements, comm, timeout)


def Nccl(group: Any = None, timeout: float = 0) -> Any:
    """A communicator of NCCL between the ranks of a group of torch.distributed, on their current GPUs. As `comm` it makes
    a redistribution one call of C. All ranks call this. With `timeout` a call waits so many seconds for the others at
    most, and the communicator is aborted then. Its `far` says why NCCL sends all messages, or is empty: then GPUs reach each
    other."""
    from . import dist_cuda
    return dist_cuda.Nccl(group, timeout)
