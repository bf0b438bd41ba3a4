"""Checkpoints of models from N files to M files."""

import os as _os
import typing as _typing
from typing import Any, Callable

from . import _tessera
from ._tessera import Refused

_REPLICAS = ("small", "all", "none")


class Problem(_typing.NamedTuple):
    """What is wrong with a checkpoint: a tensor that is missing, twice, unequal between ranks, .., in one sentence."""

    kind: str
    tensor: str
    text: str


class Resharding(_typing.NamedTuple):
    """What `reshard` has done, or would do. Bytes are those of tensors; `kept` files an ended run had left, whole."""

    tensors: int
    ranks: "tuple[int, int]"
    sources: int
    bytes_there: int
    bytes_read: int
    bytes_written: int
    bytes_compared: int
    kept: int
    files: "list[str]"
    problems: "list[Problem]"


def reshard(sources: Any, target: Any, from_spec: str = "hf", to_spec: str = "hf", *, cast: Any = None,
            memory: int = 0, shard_size: int = 0, replicas: str = "small", dry_run: bool = False,
            verify: bool = False, progress: "Callable[[int, int], Any] | None" = None) -> Resharding:
    """Writes the checkpoint in `sources`, a folder, a file or several of them, to `target`, as the specs say:
    docs/reshard.md has their grammar. `cast` is a type, or a dictionary of patterns of names and types; `memory` and
    `shard_size` are bytes, 0 for 512 MB and 5 GB. `progress(done, all)` is called with bytes; what it raises ends the
    run, which the same call goes on with. A checkpoint with problems is refused, and with `dry_run` described.

    >>> import tempfile, tessera as t
    >>> folder = tempfile.mkdtemp()
    >>> t.save_file(folder + "/model.safetensors", {"w": t.ones((6, 4), "f64"), "norm": t.ones((4,), "f64")})
    >>> two = "mesh tp:2\\nfiles rank{rank}.safetensors\\nw S(0)\\n* R"
    >>> done = reshard(folder, folder + "/two", to_spec=two, verify=True)
    >>> done.ranks, done.bytes_written
    ((1, 2), 256)
    >>> t.load_file(folder + "/two/rank1.safetensors")["w"].shape
    (3, 4)
    """
    if replicas not in _REPLICAS:
        raise ValueError(f"replicas is {replicas!r}, and may be {', '.join(_REPLICAS)}")
    paths = [sources] if isinstance(sources, (str, bytes, _os.PathLike)) else list(sources)
    casts = {} if cast is None else cast if isinstance(cast, dict) else {"*": cast}
    made = _tessera._reshard(tuple(_os.fsencode(path) for path in paths), _os.fsencode(target), from_spec, to_spec,
                             tuple((_os.fsencode(name), dtype) for name, dtype in casts.items()), memory, shard_size,
                             _REPLICAS.index(replicas), not dry_run, verify, progress)
    *numbers, problems = made
    done = Resharding._make([*numbers, [Problem(*p) for p in problems]])
    if done.problems and not dry_run:
        more = len(done.problems) - 1
        raise Refused(f"{done.problems[0].kind}: {done.problems[0].text}"
                      + (f"; and {more} more (dry_run=True lists them)" if more else ""))
    return done


def presets() -> "dict[str, str]":
    """The specs of common checkpoints, to be edited.

    >>> print(presets()["fsdp"], end="")
    # Fully sharded data parallel: each rank has rows of every tensor, as torch's chunk cuts them.
    mesh fsdp:8
    files rank{rank}.safetensors
    * S(0)
    """
    return {name: _tessera._reshard_preset(name) for name in _tessera._reshard_presets()}
