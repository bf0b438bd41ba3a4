"""tessera.dist on GPUs without one: a stand-in for torch and its groups, whose ranks are threads, on the driver of
tests/mesh/fake_gpus.c, which runs the kernels of copies on this machine's CPU."""

import contextlib
import ctypes
import os
import random
import sys
import threading
import types
import unittest

if "TESSERA_FAKE_CUDA" not in os.environ:
    print("no driver that is this machine's CPU, redistribution between GPUs is not tried")
    sys.exit(77)

import tessera as t
from tessera import dist

from test_dist import grid, random_layout

SIZES = {"float32": 4, "float64": 8, "uint8": 1, "int16": 2}
rank_of = threading.local()


class Memory:
    def __init__(self, n):
        self.bytes = ctypes.create_string_buffer(n + 256)
        self.at = (ctypes.addressof(self.bytes) + 255) // 256 * 256
        self.n = n

    def nbytes(self):
        return self.n


class Tensor:
    """As torch's: strided elements of memory."""
    is_cuda, device = True, types.SimpleNamespace(index=0)

    def __init__(self, memory, dtype, shape, steps, offset=0):
        self.memory, self.dtype, self.shape, self.steps, self.offset = memory, dtype, tuple(shape), tuple(steps), offset

    def element_size(self):
        return SIZES[self.dtype]

    def data_ptr(self):
        return self.memory.at + self.offset * self.element_size()

    def stride(self):
        return self.steps

    def storage_offset(self):
        return self.offset

    def untyped_storage(self):
        return self.memory

    def set_(self, memory, at, shape, steps):
        return Tensor(memory, self.dtype, shape, steps, at)

    def detach(self):
        return self

    def __getitem__(self, part):
        return Tensor(self.memory, self.dtype, [part.stop - part.start], [1], self.offset + part.start)

    def place(self, index):
        return self.data_ptr() + self.element_size() * sum(i * d for i, d in zip(index, self.steps))

    def elements(self):
        return {i: ctypes.string_at(self.place(i), self.element_size()) for i in grid(self.shape)}

    def copy_(self, other):
        for index, x in other.elements().items():
            ctypes.memmove(self.place(index), x, len(x))
        return self


class Stream:
    cuda_stream = 4096

    def wait_stream(self, other):
        pass

    wait_event = wait_stream

    def record_event(self):
        return types.SimpleNamespace(query=lambda: group.answers)


class Group:
    """Ranks of threads; what one sends waits until the other one asks for it."""

    def __init__(self):
        self.mail, self.bytes, self.answers, self.come = {}, 0, True, threading.Condition()
        self.ranks = 1

    def begin(self, ops):
        works = []
        for op in ops:
            pair = (rank_of.rank, op.peer) if op.sends else (op.peer, rank_of.rank)
            n = op.tensor.shape[0]
            if op.sends:
                with self.come:
                    self.mail.setdefault(pair, []).append(ctypes.string_at(op.tensor.data_ptr(), n))
                    self.bytes += n
                    self.come.notify_all()
            else:
                works.append((pair, op.tensor.data_ptr(), n))
        return [types.SimpleNamespace(wait=lambda: self.take(works))]

    def take(self, works):
        while works:
            pair, to, n = works.pop(0)
            with self.come:
                self.come.wait_for(lambda: self.mail.get(pair), 20)
                data = self.mail[pair].pop(0)
            assert len(data) == n
            ctypes.memmove(to, data, n)


group = Group()


@contextlib.contextmanager
def nothing(*_):
    yield


def stand_in():
    torch = types.ModuleType("torch")
    everything = types.ModuleType("torch.distributed")
    torch.distributed, torch.Tensor = everything, Tensor
    torch.dtype, torch.bool = str, "bool"
    for name in SIZES:
        setattr(torch, name, name)
    torch.empty = lambda n, dtype, device: Tensor(Memory(n * SIZES[dtype]), dtype, [n], [1])
    torch.empty_strided = lambda shape, steps, dtype, device: Tensor(
        Memory(SIZES[dtype] * (1 + sum((n - 1) * d for n, d in zip(shape, steps)))), dtype, shape, steps)
    torch.no_grad = nothing
    torch.cuda = types.SimpleNamespace(device=nothing, stream=nothing, Stream=lambda _: Stream(), current_device=int,
                                       current_stream=lambda _: Stream(), is_initialized=bool)
    everything.is_available, everything.ProcessGroup = lambda: True, Group
    everything.get_rank, everything.get_world_size = lambda _: rank_of.rank, lambda _=None: group.ranks
    everything.get_backend, everything.barrier = lambda _: "nccl", lambda _: None
    everything.isend, everything.irecv = True, False
    everything.P2POp = lambda sends, tensor, peer, _: types.SimpleNamespace(sends=sends, tensor=tensor, peer=peer)
    everything.batch_isend_irecv = lambda ops: group.begin(ops)
    return torch


sys.modules["torch"] = stand_in()


def part_of(layout, shape, rank, kind, shift=0):
    """What a rank holds: the bytes of an element are those of its number."""
    part = t._tessera._dist_part(layout, rank)
    if part is None:
        return None
    x, numbers = sys.modules["torch"].empty_strided(*part, dtype=kind, device=0), grid(shape)
    if shift:
        x = Tensor(Memory(x.memory.n + shift * SIZES[kind]), kind, x.shape, x.steps, shift)
    for local in grid(part[0]):
        index = t.held(layout, rank, local)
        number = numbers[index if isinstance(index, tuple) else (index,)]
        ctypes.memmove(x.place(local), (number * 2654435761 % (1 << 64)).to_bytes(8, "little"), SIZES[kind])
    return x


def each(ranks, does):
    """The results of all ranks, or the first exception."""
    results, errors = [None] * ranks, []

    def run(rank):
        rank_of.rank = rank
        try:
            results[rank] = does(rank)
        except Exception as e:
            errors.append(e)

    group.ranks = ranks
    threads = [threading.Thread(target=run, args=(r,)) for r in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


class TestRedistribute(unittest.TestCase):
    def test_random(self):
        noise = random.Random(36)
        for _ in range(60):
            shape = tuple(noise.randrange(1, 9) for _ in range(noise.randrange(1, 4)))
            ranks, kind, shift = noise.randrange(1, 6), noise.choice(list(SIZES)), noise.randrange(3)
            old, new = random_layout(noise, shape, ranks), random_layout(noise, shape, ranks)
            before = group.bytes
            got = each(ranks, lambda r: dist.redistribute(part_of(old, shape, r, kind, shift), old, new, None,
                                                          dtype=kind))
            for r, x in enumerate(got):
                wanted = part_of(new, shape, r, kind)
                self.assertEqual(x and x.elements(), wanted and wanted.elements(), (str(old), str(new), r))
            self.assertEqual(group.bytes - before, dist.simulate(old, new, itemsize=SIZES[kind])["bytes"])

    def test_large(self):
        """Several stages, whose halves of the buffer are used again."""
        shape, ranks = (1500, 12288), 2
        old, new = dist.dtensor(shape, (ranks,), ["S(0)"]), dist.dtensor(shape, (ranks,), ["S(1)"])
        locals_ = [sys.modules["torch"].empty_strided(*t._tessera._dist_part(old, r), dtype="float64", device=0)
                   for r in range(ranks)]
        noise = random.Random(1)
        for x in locals_:
            ctypes.memmove(x.data_ptr(), noise.randbytes(x.memory.n), x.memory.n)
        got = each(ranks, lambda r: dist.redistribute(locals_[r], old, new, None))
        for i, j in [(0, 0), (749, 6143), (750, 6143), (0, 6144), (1499, 12287), (1000, 5), (3, 12000)]:
            x, y = locals_[i // 750], got[j // 6144]
            self.assertEqual(ctypes.string_at(x.place((i % 750, j)), 8), ctypes.string_at(y.place((i, j % 6144)), 8))

    def test_nccl(self):
        """A communicator of our own; its ranks are threads, too."""
        noise = random.Random(7)
        for ranks in (1, 3):
            ids = []
            everything = sys.modules["torch"].distributed

            def share(given, source, _):
                if rank_of.rank == source:
                    ids.append(given[0])
                gate.wait()
                given[0] = ids[0]

            gate, everything.broadcast_object_list = threading.Barrier(ranks), share
            all_ = each(ranks, lambda r: dist.Nccl(timeout=20))
            for _ in range(20):
                shape = tuple(noise.randrange(1, 9) for _ in range(2))
                old, new = random_layout(noise, shape, ranks), random_layout(noise, shape, ranks)
                for shift in (0, 1):
                    got = each(ranks, lambda r: dist.redistribute(part_of(old, shape, r, "float32", shift), old, new,
                                                                  all_[r], dtype="float32"))
                    for r, x in enumerate(got):
                        wanted = part_of(new, shape, r, "float32")
                        self.assertEqual(x and x.elements(), wanted and wanted.elements(), (str(old), str(new), r))

    def test_nothing_changes(self):
        layout = dist.dtensor((4, 4), (2,), ["S(0)"])
        x = part_of(layout, (4, 4), 0, "float32")
        rank_of.rank, group.ranks = 0, 2
        self.assertIs(dist.redistribute(x, layout, dist.dtensor((4, 4), (2,), ["S(0)"]), None), x)

    def test_another_order(self):
        """A local tensor that lies otherwise is copied first."""
        layout, new = dist.dtensor((4, 6), (1,), ["R"]), dist.hpf((4, 6), ["BLOCK", "*"], (1,))
        x = part_of(layout, (4, 6), 0, "float32")
        y = Tensor(Memory(96), "float32", (4, 6), (1, 4)).copy_(x)
        got = each(1, lambda r: dist.redistribute(y, layout, new, None))[0]
        self.assertEqual(got.elements(), x.elements())

    def test_refusals(self):
        old, new = dist.dtensor((4,), (2,), ["S(0)"]), dist.dtensor((4,), (2,), ["R"])
        x = part_of(old, (4,), 0, "float32")
        rank_of.rank, group.ranks = 0, 1
        for words, call in [
                ("on 2 ranks, and the group has 1", lambda: dist.redistribute(x, old, new, None)),
                ("the extents", lambda: dist.redistribute(x, dist.dtensor((8,), (1,), ["R"]), new, None)),
                ("None holds none", lambda: dist.redistribute(None, old, new, None, dtype="float32")),
                ("dtype=", lambda: dist.redistribute(None, old, new, None))]:
            with self.assertRaisesRegex(Exception, words):
                call()

    def test_timeout(self):
        layout, new = dist.dtensor((4,), (1,), ["R"]), dist.hpf((4,), ["CYCLIC"], (1,))
        x = part_of(layout, (4,), 0, "float32")
        each(1, lambda r: dist.redistribute(x, layout, new, None, timeout=5))
        group.answers = False
        try:
            with self.assertRaisesRegex(TimeoutError, "rank 0 of 1 cannot end its messages: no answer .* for 0.1 s"):
                each(1, lambda r: dist.redistribute(x, layout, new, None, timeout=0.1))
        finally:
            group.answers = True


if __name__ == "__main__":
    unittest.main()
