"""tessera.dist: layouts by the words of other systems, plans, and redistributions of arrays over a loopback, over MPI
and over a stand-in for torch.distributed. `mpi` as the argument: a rank of mpirun."""

import array
import doctest
import pathlib
import random
import re
import sys
import types
import unittest

import tessera as t
from tessera import dist


def grid(shape):
    """{index: number} of all elements, the last mode fastest."""
    indices = [()]
    for n in shape:
        indices = [i + (k,) for i in indices for k in range(n)]
    return {index: number + 1 for number, index in enumerate(indices)}


def local_part(layout, shape, rank):
    """What a rank holds, as a tensor of f64 whose elements are their numbers."""
    part = t._tessera._dist_part(layout, rank)
    if part is None:
        return None
    numbers = grid(shape)
    x = t.empty(t.Layout(*part), "f64")
    for local in grid(part[0]):
        index = t.held(layout, rank, local)
        x[local] = numbers[index if isinstance(index, tuple) else (index,)]
    return x


class TestLayouts(unittest.TestCase):
    def test_words(self):
        pairs = [(dist.scalapack(9, 8, 2, 3, 2, 2), "scalapack(9,8,2,3,2,2,0,0)"),
                 (dist.scalapack(9, 8, 2, 3, 2, 2, 1, 0, 12, True, 4), "scalapack(9,8,2,3,2,2,1,0,12,C)@4"),
                 (dist.dtensor((8, 8), (2, 2), ["S(0)[1]", "S(0)[0]"]), "dtensor((8,8),(2,2),[S(0)[1],S(0)[0]])"),
                 (dist.xla((8, 8), "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"),
                  "xla((8,8),{devices=[2,1,2]<=[4] last_tile_dim_replicate})"),
                 (dist.hpf((9, 8), ["BLOCK", "CYCLIC(2)"], (2, 2)), "hpf((9,8),(BLOCK,CYCLIC(2)),(2,2))"),
                 (dist.darray((9, 8), ["BLOCK", "NONE"], (2, 1), True), "darray((9,8),(BLOCK,NONE),(2,1),F)"),
                 (dist.intervals((9, 8), [[(1, 2), (0, 7)], None], (2,)), "intervals((9,8),((1:2,0:7),*),(2))")]
        for made, text in pairs:
            self.assertEqual(made, t.V(text))
            self.assertEqual(made.kind, "a distributed layout")
            self.assertEqual(str(made), text)

    def test_placements_of_torch(self):
        shard = types.SimpleNamespace(dim=1, is_replicate=bool, is_partial=bool)
        strided = types.SimpleNamespace(dim=0, split_factor=2, is_replicate=bool, is_partial=bool)
        copies = types.SimpleNamespace(is_replicate=lambda: True)
        sums = types.SimpleNamespace(is_replicate=bool, is_partial=lambda: True)
        made = dist.dtensor((8, 8), (2, 2, 2, 2), [shard, strided, copies, sums])
        self.assertEqual(str(made), "dtensor((8,8),(2,2,2,2),[S(1),SS(0,2),R,P])")

    def test_refusals(self):
        with self.assertRaisesRegex(t.Refused, "9 elements together, and the mode has 8"):
            dist.hpf((8,), ["GEN_BLOCK(2,3,4)"], (3,))
        with self.assertRaisesRegex(t.Refused, "no rank 7"):
            t.part(dist.dtensor((9, 8), (4,), ["S(0)"]), 7)
        with self.assertRaisesRegex(t.Refused, "another order"):
            dist.scalapack(16, 16, 2, 2, 2, 2).to_dtensor()
        with self.assertRaisesRegex(TypeError, "does not take"):
            t.redistribute("(4,2):(1,2)", "(4,2):(1,2)")

    def test_plan(self):
        mesh = dist.dtensor((8, 8), (2, 2), ["S(0)", "S(1)"]), dist.dtensor((8, 8), (2, 2), ["S(1)", "S(0)"])
        plan = dist.plan(*mesh, "bf16")
        self.assertIn("64 bytes in 2 messages, lower bound 64", str(plan))
        self.assertEqual((t.traffic(plan), t.lower_bound(plan), t.sent(plan, 1, 2)), (64, 64, 32))
        found = dist.simulate(*mesh, itemsize=2, check=True)
        self.assertEqual((found["bytes"], found["lower_bound"], found["messages"], found["checked"]), (64, 64, 2, 64))
        with self.assertRaisesRegex(TypeError, "not a distributed layout"):
            dist.simulate("(4,2):(1,2)", mesh[1])


def random_layout(noise, shape, ranks):
    """A layout of a tensor on at most so many ranks."""
    while True:
        first = noise.randrange(1, ranks + 1)
        mesh = [first, noise.randrange(1, ranks // first + 1)]
        words = [noise.choice(["R", *(f"S({m})" for m in range(len(shape)))]) for _ in mesh]
        formats = [noise.choice(["BLOCK", f"CYCLIC({noise.randrange(1, 4)})"]) for _ in shape]
        try:
            if noise.random() < 0.5:
                return dist.dtensor(shape, mesh, words)
            return dist.hpf(shape, formats, (mesh + [1] * len(shape))[:len(shape)])
        except t.Refused:
            continue


def same(x, y):
    return x is y is None or (x is not None and y is not None and x.shape == y.shape and t.tolist(x) == t.tolist(y))


class TestPage(unittest.TestCase):
    def test_page(self):
        """What docs/mesh.md shows of Python."""
        page, said = pathlib.Path(__file__).resolve().parents[2] / "docs" / "mesh.md", []
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        self.assertTrue(blocks)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, None, 0)
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        self.assertEqual("".join(said), "")


class TestLoopback(unittest.TestCase):
    def test_random(self):
        noise = random.Random(35)
        for _ in range(100):
            shape = tuple(noise.randrange(1, 8) for _ in range(noise.randrange(1, 4)))
            ranks = noise.randrange(1, 7)
            old, new = random_layout(noise, shape, ranks), random_layout(noise, shape, ranks)
            loopback = dist.Loopback(ranks)
            runs = [dist.Run(local_part(old, shape, r), old, new, loopback[r], dtype="f64") for r in range(ranks)]
            waiting = list(runs)
            for _ in range(1000):
                waiting = [run for run in waiting if not run.step()]
            self.assertFalse(waiting, (old, new))
            for r, run in enumerate(runs):
                self.assertTrue(same(run.result, local_part(new, shape, r)), (old, new, r))
            self.assertEqual(loopback.bytes, dist.simulate(old, new, itemsize=8)["bytes"])

    def test_one_rank(self):
        """An array in another order is brought into that of the part; one that is right is not copied."""
        old, new = dist.hpf((2, 3), ["*", "*"], ()), dist.dtensor((2, 3), (1,), ["R"])
        x = t.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        y = dist.redistribute(x, old, new, dist.Loopback(1)[0])
        self.assertEqual(t.tolist(y), t.tolist(x))
        self.assertEqual((tuple(y.stride), y.dtype), ((3, 1), x.dtype))

    def test_refusals(self):
        old, new = dist.dtensor((4,), (2,), ["S(0)"]), dist.dtensor((4,), (2,), ["R"])
        end = dist.Loopback(2)[0]
        with self.assertRaisesRegex(ValueError, "the extents"):
            dist.Run(array.array("d", [1, 2, 3]), old, new, end)
        with self.assertRaisesRegex(TypeError, "None holds none"):
            dist.Run(None, old, new, end)
        with self.assertRaisesRegex(TypeError, "dtype="):
            dist.Run(None, dist.dtensor((4,), (1,), ["R"], first=1), new, end)
        with self.assertRaisesRegex(t.Refused, "extent"):
            dist.Run(array.array("d", [1, 2]), old, dist.dtensor((5,), (2,), ["R"]), end)

    def test_transports_that_fail(self):
        old, new = dist.dtensor((4,), (2,), ["S(0)"]), dist.dtensor((4,), (2,), ["R"])

        class Fails:
            rank, ranks = 0, 2

            def __init__(self, **methods):
                self.run = None
                for name in ("send", "receive", "done"):
                    setattr(self, name, methods.get(name, lambda *_: False))

        def lost(*_):
            raise OSError("the line is cut")

        cases = [({"send": lost}, "the line is cut"), ({"receive": lost}, "the line is cut"),
                 ({"done": lost}, "the line is cut"), ({"done": lambda _: b"12"}, "2 bytes arrived, not of 16"),
                 ({"done": lambda slot: slot or 7}, "")]
        for methods, words in cases:
            run = dist.Run(array.array("d", [1, 2]), old, new, Fails(**methods))
            with self.assertRaisesRegex(Exception, words):
                for _ in range(10):
                    run.step()

    def test_a_run_that_steps_itself(self):
        old, new = dist.dtensor((4,), (2,), ["S(0)"]), dist.dtensor((4,), (2,), ["R"])
        end = dist.Loopback(2)[0]
        run = dist.Run(array.array("d", [1, 2]), old, new, end)
        end.done = lambda slot: run.step()
        with self.assertRaisesRegex(t.Refused, "steps the run that calls it"):
            run.step()


class StandIn:
    """What tessera.dist calls of torch, over a loopback."""
    uint8 = "uint8"

    def __init__(self, end):
        self.end, self.distributed, self.slots = end, self, 0

    def frombuffer(self, data, dtype):
        return data

    def get_rank(self, group):
        return self.end.rank

    def get_world_size(self, group):
        return self.end.ranks

    def work(self, slot, data):
        def is_completed():
            got = self.end.done(slot)
            if isinstance(got, bytes):
                data[:] = got
            return bool(got)
        return types.SimpleNamespace(is_completed=is_completed)

    def isend(self, x, to, group):
        self.slots += 1
        self.end.send(self.slots, to, bytes(x))
        return self.work(self.slots, x)

    def irecv(self, x, source, group):
        self.slots += 1
        self.end.receive(self.slots, source, len(x))
        return self.work(self.slots, x)


class TestTorch(unittest.TestCase):
    def test_calls(self):
        """The calls that torch.distributed gets; torch itself is not needed."""
        old, new = dist.dtensor((6, 4), (3,), ["S(0)"]), dist.dtensor((6, 4), (3,), ["S(1)"])
        loopback, runs = dist.Loopback(3), []
        before = sys.modules.get("torch")
        try:
            for r in range(3):
                sys.modules["torch"] = StandIn(loopback[r])
                runs.append(dist.Run(local_part(old, (6, 4), r), old, new, dist.Torch(), dtype="f64"))
        finally:
            sys.modules.pop("torch")
            if before:
                sys.modules["torch"] = before
        for _ in range(100):
            ended = [run.step() for run in runs]
        self.assertTrue(all(ended))
        for r in range(3):
            self.assertTrue(same(runs[r].result, local_part(new, (6, 4), r)))


def main_of_mpi():
    """Random pairs between the ranks of mpirun."""
    try:
        from mpi4py import MPI
    except ImportError:
        print("no mpi4py, ranks of MPI are not tried")
        sys.exit(77)
    comm, noise = MPI.COMM_WORLD, random.Random(7)
    rank, ranks = comm.Get_rank(), comm.Get_size()
    for _ in range(40):
        shape = tuple(noise.randrange(1, 9) for _ in range(noise.randrange(1, 4)))
        old, new = random_layout(noise, shape, ranks), random_layout(noise, shape, ranks)
        got = dist.redistribute(local_part(old, shape, rank), old, new, comm, dtype="f64")
        if not same(got, local_part(new, shape, rank)):
            print("rank", rank, "has other elements:", old, new)
            comm.Abort(1)
    if rank == 0:
        print("40 redistributions on", ranks, "ranks")


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        main_of_mpi()
    else:
        unittest.main()
