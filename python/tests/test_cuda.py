"""Tensors on a GPU: torch's, CuPy's and JAX's beside their own results; streams, threads, graphs, torch.compile, refusals."""

import random
import sys
import threading
import unittest

try:
    import torch
except ImportError:
    print("this Python has no torch, tensors of a GPU are not tried")
    sys.exit(77)
if not torch.cuda.is_available():
    print("no GPU, tensors of one are not tried")
    sys.exit(77)

import tessera as t
import tessera.torch as tt

SEED = 1
FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16]
GPU = "cuda"


def numbers(shape, dtype=torch.float32, seed=0):
    generator = torch.Generator(device=GPU).manual_seed(seed)
    x = torch.randint(-8, 9, shape, generator=generator, device=GPU)
    return x.to(dtype)


def strided(rng, shape, dtype):
    """A tensor of a shape with its dimensions in memory in a random order, some of them with gaps."""
    order = list(range(len(shape)))
    rng.shuffle(order)
    room = [shape[i] + (rng.randint(0, 3) if rng.random() < 0.3 else 0) for i in order]
    x = numbers(room, dtype, rng.randint(0, 1 << 30))
    x = x[tuple(slice(0, shape[i]) for i in order)]
    return x.permute([order.index(i) for i in range(len(shape))])


class Copies(unittest.TestCase):
    def test_random(self):
        rng = random.Random(SEED)
        for case in range(16):
            shape = [rng.choice([1, 2, 3, 5, 16, 33, 64]) for _ in range(rng.randint(1, 5))]
            types = rng.choice([[torch.float32] * 2, [torch.float16] * 2, [torch.float32, torch.bfloat16],
                                [torch.uint8, torch.float32], [torch.int64, torch.int32]])  # a kernel is compiled for each
            x = strided(rng, shape, types[0]).abs()
            y = strided(rng, shape, types[1])
            with self.subTest(case=case, shape=shape, x=x.stride(), y=y.stride(), types=types):
                rest = y.clone()
                tt.copy_(y, x)
                rest.copy_(x)
                self.assertTrue(torch.equal(y, rest))
                self.assertTrue(torch.equal(tt.contiguous(x, types[1]), x.to(types[1])))

    def test_what_tessera_copies(self):
        x, y = numbers((64, 48)), torch.zeros(48, 64, device=GPU)
        t.copy(x.T, y)
        self.assertTrue(torch.equal(y, x.T))
        z = t.relayout(x, "(64,48):(1,64)")
        back = torch.from_dlpack(z)
        self.assertEqual((back.device.type, back.stride()), (GPU, (1, 64)))
        self.assertTrue(torch.equal(back, x))
        half = torch.from_dlpack(t.relayout(t.tensor(x), dtype="f16"))
        self.assertTrue(torch.equal(half, x.half()))

    def test_updates_of_strided_memory_touch_nothing_else(self):
        y = numbers((100, 130))
        before = y.clone()
        tt.copy_(y[1:99:3, 5:125:2], numbers((33, 60), torch.float16))
        before[1:99:3, 5:125:2] = numbers((33, 60), torch.float16)
        self.assertTrue(torch.equal(y, before))


class Products(unittest.TestCase):
    def close(self, mine, a, b, text, dtype):
        right = torch.einsum(text, a.double(), b.double())
        scale = torch.einsum(text, a.double().abs(), b.double().abs()).max().item() + 1
        step = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}[dtype]
        self.assertLess((mine.double() - right).abs().max().item(), step * scale)

    def test_random(self):
        rng = random.Random(SEED)
        for case in range(30):
            dtype = rng.choice(FLOATS)
            m, n, k, v = (rng.choice([1, 7, 16, 64, 100, 256]) for _ in range(4))
            v = min(v, 16)
            text = rng.choice(["mk,kn->mn", "km,kn->mn", "mk,nk->nm", "vmk,vkn->vmn", "vmk,vnk->mvn"])
            extent = {"m": m, "n": n, "k": k, "v": v}
            first, second = text.split("->")[0].split(",")
            a = strided(rng, [extent[x] for x in first], dtype)
            b = strided(rng, [extent[x] for x in second], dtype)
            with self.subTest(case=case, text=text, extent=extent, dtype=dtype):
                for _ in range(2):  # made, and found again
                    self.close(tt.einsum(text, a, b), a, b, text, dtype)

    def test_gemm_adds(self):
        a, b, c = numbers((64, 32)), numbers((48, 32), seed=1), numbers((64, 48), seed=2)
        right = c + a @ b.T
        t.gemm(a, b, c)
        self.assertTrue(torch.equal(c, right))

    def test_tune(self):
        a, b = numbers((640, 512), torch.float16), numbers((512, 768), torch.float16, 1)
        right = a @ b
        for tune in (True, False, True):
            self.assertTrue(torch.equal(tt.mm(a, b, tune=tune), right))
        c = numbers((640, 768), torch.float16, 2)
        self.assertIs(tt.mm(a, b, c, tune=True), c)
        self.assertTrue(torch.equal(c, right))
        t.gemm(a, b.T, c, beta=0.0, tune=True)
        self.assertTrue(torch.equal(c, right))

    def test_operands_that_overlap(self):
        x = numbers((64, 64))
        self.assertRaises(t.Refused, tt.mm, x, numbers((64, 64)), x)
        for _ in range(2):
            y = torch.empty_like(x)
            tt.mm(x, x.T, y)
            self.assertTrue(torch.equal(y, x @ x.T))


class Reductions(unittest.TestCase):
    def test_random(self):
        rng = random.Random(SEED)
        for case in range(24):
            dtype = rng.choice([torch.float32, torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int32,
                                torch.uint8])
            shape = [rng.choice([1, 2, 3, 8, 33, 64, 100]) for _ in range(rng.randint(1, 4))]
            x = strided(rng, shape, dtype).abs()
            axes = tuple(i for i in range(len(shape)) if rng.random() < 0.5)
            with self.subTest(case=case, dtype=dtype, shape=shape, strides=x.stride(), axes=axes):
                for f, theirs in ((t.sum, torch.sum), (t.max, torch.amax), (t.min, torch.amin)):
                    mine, right = f(x, axis=axes), theirs(x.double(), dim=axes) if axes else x.double()
                    mine = torch.from_dlpack(mine) if isinstance(mine, t.Tensor) else torch.tensor(mine)
                    self.assertTrue(torch.allclose(mine.double().cpu(), right.cpu(), rtol=1e-2), (mine, right))

    def test_large(self):
        for shape, axis in (((1 << 24,), 0), ((4096, 8192), 0), ((4096, 8192), 1), ((64, 512, 1024), (0, 2))):
            for dtype in (torch.float32, torch.bfloat16):
                x = numbers(shape, dtype)
                mine, right = t.sum(x, axis=axis), x.double().sum(axis)
                mine = torch.from_dlpack(mine) if isinstance(mine, t.Tensor) else torch.tensor(mine)
                self.assertTrue(torch.allclose(mine.double().cpu(), right.cpu(), rtol=1e-2, atol=1))
                self.assertEqual(float(t.max(x)), 8)

    def test_einsum(self):
        a, b, c = numbers((12, 12)), numbers((12, 20), seed=1), numbers((20, 7), seed=2)
        for text, operands in (("ii->i", [a]), ("ii->", [a]), ("ij->j", [b]), ("ij->ji", [b]), ("ij,jk,kl->il", [a, b, c]),
                               ("ij,jk,kl->", [a, b, c]), ("ij,kl->i", [a, c]), ("ijx,jk->ik", [numbers((5, 12, 3)), b]),
                               ("...j,jk->...k", [a, b]), ("ii,ij->j", [a, b])):
            with self.subTest(text):
                mine, right = tt.einsum(text, *operands), torch.einsum(text, *operands)
                self.assertEqual(mine.shape, right.shape)
                self.assertTrue(torch.allclose(mine, right, rtol=1e-4, atol=1e-2))
        x = a.clone().requires_grad_()
        tt.einsum("ii->", x).backward()
        self.assertTrue(torch.equal(x.grad, torch.eye(12, device=GPU)))
        self.assertEqual(t.einsum("ii->", a), float(torch.einsum("ii->", a)))

    def test_elements(self):
        x = numbers((5, 7))
        y = t.tensor(x)
        self.assertEqual((y[2, 3], y.tolist()), (x[2, 3].item(), x.tolist()))
        y[2, 3] = 99
        self.assertEqual(x[2, 3].item(), 99)
        self.assertEqual(repr(y), repr(y.cpu()))
        self.assertEqual(y[1:3, ::2].tolist(), x[1:3, ::2].tolist())
        y[1] = 4
        self.assertEqual(x[1].tolist(), [4] * 7)
        self.assertTrue(torch.equal(torch.from_dlpack(y + y), x + x))
        self.assertTrue(torch.equal(torch.from_dlpack(2 * y), 2 * x))
        self.assertTrue(torch.equal(torch.from_dlpack(y - 1), x - 1))
        self.assertTrue(torch.equal(torch.from_dlpack(y @ y.T), x @ x.T))


class Verbs(unittest.TestCase):
    """tessera's own functions: a call, and calls that find its launches, at other addresses and with other elements."""

    def check(self, f, theirs, make, rounds=4):
        for _ in range(rounds):
            x = make()
            right = theirs(*x)
            y = f(*(t.tensor(v) for v in x))
            y = torch.from_dlpack(y) if isinstance(y, t.Tensor) else y
            if y is not None:
                self.assertTrue(torch.allclose(y.double(), right.double(), rtol=2e-2, atol=1e-2), (y, right))

    def test_random(self):
        rng = random.Random(SEED)
        verbs = [(lambda a, b: a + b, lambda a, b: a + b), (lambda a, b: a - b, lambda a, b: a - b),
                 (lambda a, b: -a, lambda a, b: -a), (lambda a, b: a * b, lambda a, b: a * b),
                 (lambda a, b: b[:1] * a, lambda a, b: b[:1] * a),
                 (lambda a, b: a + 2.5, lambda a, b: a + 2.5), (lambda a, b: 1 - b, lambda a, b: 1 - b),
                 (lambda a, b: 0.5 * a + b * 3, lambda a, b: 0.5 * a + b * 3),
                 (lambda a, b: a.astype("f64"), lambda a, b: a.double()), (lambda a, b: a.copy(), lambda a, b: a),
                 (lambda a, b: a + b[:1], lambda a, b: a + b[:1]), (lambda a, b: t.sum(b, 0, keepdims=True) - a,
                                                                   lambda a, b: b.sum(0, keepdim=True) - a),
                 (lambda a, b: t.max(a, -1), lambda a, b: a.amax(-1)), (lambda a, b: t.einsum("...i,...i->...", a, b),
                                                                        lambda a, b: (a * b).sum(-1))]
        for case in range(40):
            dtype = rng.choice([torch.float32, torch.float16, torch.bfloat16, torch.float64])
            shape, order = [rng.choice([1, 3, 8, 33]) for _ in range(rng.randint(2, 4))], rng.randrange(1 << 30)
            f, theirs = verbs[case % len(verbs)]

            def make():
                return [strided(random.Random(order + i), shape, dtype) for i in range(2)]
            with self.subTest(case=case, shape=shape, dtype=dtype):
                self.check(f, theirs, make)

    def test_products(self):
        def make():
            return [numbers((96, 96), torch.float16, random.randrange(1 << 30)) for _ in range(3)]

        def add_in_place(a, b, c):
            a += b
            a -= 1
            a *= 2
            return a

        for f, theirs in ((lambda a, b, c: a @ b, lambda a, b, c: a @ b), (lambda a, b, c: a @ b.T + c, lambda a, b, c: a @ b.T + c),
                          (lambda a, b, c: t.einsum("ij,jk,kl->il", a, b, c), lambda a, b, c: (a.double() @ b.double() @ c.double())),
                          (lambda a, b, c: t.gemm(a, b, c), lambda a, b, c: None), (lambda a, b, c: t.gemm(a, b), lambda a, b, c: a @ b.T),
                          (lambda a, b, c: t.einsum("mk,kn->mn", a, b, alpha=0.5, bias=c, activation="relu"),
                           lambda a, b, c: (0.5 * (a.double() @ b.double()) + c).relu()),
                          (add_in_place, lambda a, b, c: (a + b - 1) * 2)):
            self.check(f, theirs, make)
        for _ in range(3):
            a, b, c = make()
            right = c.double() + a.double() @ b.double().T
            t.gemm(t.tensor(a), t.tensor(b), t.tensor(c))
            self.assertTrue(torch.allclose(c.double(), right, rtol=2e-3, atol=1))
            t.tensor(a)[:, :8] = t.tensor(b)[:, 8:16]
            self.assertTrue(torch.equal(a[:, :8], b[:, 8:16]))

    def test_two_tensors_as_on_the_host(self):
        """Sums, differences and products of any types and layouts, backward, repeated and in place, are those of the
        engine of the CPU."""
        rng = random.Random(SEED)
        types = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int32,
                 torch.int64, torch.bool, torch.complex64]
        verbs = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a[::-1] * b, lambda a, b: a * b[..., :1],
                 lambda a, b: b[:1] - a, lambda a, b: a.__iadd__(b), lambda a, b: a.__imul__(b), lambda a, b: a.__imul__(a),
                 lambda a, b: a / b, lambda a, b: a.__itruediv__(b), lambda a, b: 2 / b, lambda a, b: t.maximum(a, b),
                 lambda a, b: t.minimum(a, b[:1]), lambda a, b: t.maximum(a, 1), lambda a, b: a.__isub__(a), lambda a, b: a.__imul__(3), lambda a, b: a.__iadd__(2), lambda a, b: 5 - b,
                 lambda a, b: t.add(a, b, out=a.copy()), lambda a, b: a.T * b.T]
        for case in range(70):
            shape = [rng.choice([1, 2, 7, 16, 40, 65]) for _ in range(rng.randint(1, 4))]
            two = [rng.choice(types)] * 2 if rng.random() < 0.7 else [rng.choice(types), rng.choice(types)]
            x = [strided(rng, shape, v) * rng.choice([1, 1, 9]) for v in two]
            if rng.random() < 0.3:
                x[1] = x[1][:1].expand(shape)
            for v in x:
                if v.is_floating_point() and v.is_contiguous():
                    v.view(-1)[0], v.view(-1)[-1] = float("nan"), float("-inf")
            f = rng.choice(verbs)
            with self.subTest(case=case, shape=shape, types=two, verb=verbs.index(f), strides=[v.stride() for v in x]):
                near, right = [v.cpu() for v in x], None
                try:
                    right = f(*(t.tensor(v) for v in near))
                except (TypeError, ValueError) as error:
                    self.assertRaises(type(error), f, *(t.tensor(v) for v in x))
                if right is not None:
                    mine, right = torch.from_dlpack(f(*(t.tensor(v) for v in x))), torch.from_dlpack(right)
                    self.assertEqual((mine.shape, mine.dtype), (right.shape, right.dtype))
                    self.assertTrue(torch.allclose(mine.cpu(), right, rtol=0, atol=0, equal_nan=True))

    def test_numbers_as_on_the_host(self):
        """Numbers that differ in every call, of all kinds, through the launches of one call, are those of the CPU."""
        rng = random.Random(SEED)
        verbs = [lambda a, n: a * n, lambda a, n: n * a, lambda a, n: a + n, lambda a, n: a - n, lambda a, n: n - a,
                 lambda a, n: a / n, lambda a, n: n / a, lambda a, n: t.maximum(a, n), lambda a, n: t.minimum(n, a),
                 lambda a, n: a.__iadd__(n), lambda a, n: a.__isub__(n), lambda a, n: a.__imul__(n),
                 lambda a, n: a.__itruediv__(n), lambda a, n: t.add(a, n, out=a.copy()), lambda a, n: (t.arrays.fill(a, n), a)[1],
                 lambda a, n: a[::-1] * n, lambda a, n: (a.__setitem__((Ellipsis, 0), n), a)[1]]
        numbers_of = {"f": [0.1, 2.5, -3.75, 1e-30, 1e30, -1e-50, 0.0, -0.0, 1.0, -1.0, 65519.0, float("inf"), float("nan")],
                      "i": [0, 1, -1, 2, 3, 5, 7, -6, 100, 127, 200, 255, 256, 1 << 20, 1 << 62, -(1 << 63)],
                      "c": [1j, 0.5 + 0.25j, -1 + 0j, 3 - 2j, 0j]}
        others = [torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.uint8, torch.int32, torch.int64, torch.bool,
                  torch.complex64]
        for f in verbs:
            for dtype in [torch.float32, *rng.sample(others, 3)]:
                x = strided(rng, [16, 40], dtype)
                for n in [n for kind in "fic" for n in numbers_of[kind] + numbers_of[kind][::-1]]:
                    with self.subTest(dtype=dtype, verb=verbs.index(f), number=n):
                        near, far = x.clone(), x.clone()
                        try:
                            right = torch.from_dlpack(f(t.tensor(near.cpu()), n))
                        except (TypeError, ValueError, OverflowError) as error:
                            self.assertRaises(type(error), f, t.tensor(far), n)
                            continue
                        mine = torch.from_dlpack(f(t.tensor(far), n)).cpu()
                        self.assertEqual((mine.shape, mine.dtype), (right.shape, right.dtype))
                        self.assertTrue(torch.allclose(mine, right, rtol=0, atol=0, equal_nan=True))
                        if right.is_floating_point() and not right.isnan().any():
                            self.assertTrue(torch.equal(mine.signbit(), right.signbit()))

    def test_factors_of_products(self):
        a, b, c = (numbers((64, 64), dtype=torch.float16, seed=i) / 4 for i in range(3))
        for alpha in (0.5, 1.0, 2.0, -3.5, 0.0, 0.25):
            for beta in (0.0, 1.0, 0.75, -2.0, 1.5):
                mine = c.clone()
                t.gemm(a, b, mine, alpha=alpha, beta=beta)
                right = alpha * (a.double() @ b.double().T) + beta * c.double()
                self.assertLessEqual((mine.double() - right).abs().max().item(), 2e-3 * right.abs().max().item() + 1e-3)
                other = torch.from_dlpack(t.einsum("mk,nk->mn", a, b, alpha=alpha))
                right = alpha * (a.double() @ b.double().T)
                self.assertLessEqual((other.double() - right).abs().max().item(), 2e-3 * right.abs().max().item() + 1e-3)

    def test_einsum_without_a_sum(self):
        """As torch's, into a tensor of another order, too; repeated, and on operands that are one tensor."""
        a, b, v = numbers((48, 33)), numbers((33, 48), seed=1), numbers((33,), seed=2)
        c, d = numbers((5, 48, 33), seed=3), numbers((5, 48), seed=4)
        for text, x in (("ij,ij->ij", (a, a)), ("ij,ji->ij", (a, b)), ("ij,ji->ji", (a, b)), ("ij,j->ij", (a, v)),
                        ("j,ij->ji", (v, a)), ("bij,bi->bij", (c, d)), ("bij,ij->jbi", (c, a)), ("i,j->ij", (v, v)),
                        ("i,j->ji", (v, d[0])), ("ij,ij,j->ij", (a, a, v)), ("ij,ij->ij", (a.half(), a[:1].half()))):
            with self.subTest(text):
                right = torch.einsum(text, *x)
                for _ in range(3):
                    mine, out = tt.einsum(text, *x), torch.empty_like(right)
                    self.assertIs(tt.einsum(text, *x, out=out), out)
                    self.assertTrue(torch.equal(mine, right) and torch.equal(out, right))
                    self.assertTrue(torch.equal(torch.from_dlpack(t.einsum(text, *x)), right))
        x = a.clone().requires_grad_()
        tt.einsum("ij,j->ij", x, v).sum().backward()
        self.assertTrue(torch.equal(x.grad, v.expand(48, 33)))
        self.assertEqual(tt.einsum("ij,j->ij", a[:0], v).shape, (0, 33))
        half, whole = torch.compile(lambda x, y: tt.einsum("ij,j->ij", x, y)), a * v
        self.assertTrue(torch.equal(half(a, v), whole))

    def test_streams_and_graphs(self):
        side, x = torch.cuda.Stream(), t.tensor(numbers((64, 64)))
        y = torch.empty(64, 64, device=GPU)

        def work():
            t.copy(x @ x + 2.0, y)

        with torch.cuda.stream(side):
            for _ in range(2):
                work()
        torch.cuda.synchronize()
        right = y.clone()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=side):
            work()
        y.zero_()
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(y, right))


class Torch(unittest.TestCase):
    def test_gradients(self):
        a = numbers((3, 8, 5), torch.float64).requires_grad_()
        b = numbers((3, 5, 6), torch.float64, 1).requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(tt.mm, (a, b)))
        self.assertTrue(torch.autograd.gradcheck(lambda x: tt.contiguous(x.permute(2, 0, 1)), (a,)))
        self.assertRaisesRegex((ValueError, BufferError), "detach", t.copy, a, torch.empty_like(a))

    def test_compile(self):
        def f(x, w):
            return tt.mm(tt.contiguous(x.T), w).relu()

        x, w = numbers((64, 32)), numbers((64, 16), seed=1)
        compiled = torch.compile(f, fullgraph=True)
        self.assertTrue(torch.equal(compiled(x, w), f(x, w)))

    def test_graph(self):
        x, w = numbers((256, 128), torch.float16), numbers((256, 64), torch.float16, 1)
        y = torch.empty(128, 256, dtype=torch.float16, device=GPU)
        z = torch.empty(128, 64, dtype=torch.float16, device=GPU)

        def work():
            tt.copy_(y, x.T)
            tt.mm(y, w, z)

        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            work()  # plans and kernels are made outside of the capture
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=side):
            work()
        for seed in range(3):
            x.copy_(numbers((256, 128), torch.float16, seed + 5))
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(y, x.T))
            self.assertTrue(torch.equal(z, x.T @ w))

    def test_graph_of_new_sizes(self):
        """A graph keeps the kernel of the call before, though it is not the best one: nothing is compiled in its place."""
        w = numbers((1024, 1000), torch.bfloat16)
        tt.mm(numbers((64, 1024), torch.bfloat16), w)
        side = torch.cuda.Stream()
        for rows in (3000, 1312, 520):
            x, y = numbers((rows, 1024), torch.bfloat16, rows), torch.empty(rows, 1000, dtype=torch.bfloat16, device=GPU)
            with torch.cuda.stream(side):
                tt.mm(x, w, y)
            torch.cuda.synchronize()
            first, graph = y.clone(), torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=side):
                tt.mm(x, w, y)
            y.zero_()
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(y, first))  # the bits of the kernel that stood in
            self.assertTrue(torch.allclose(y, x @ w, rtol=1e-2, atol=1))

    def test_compiled_for_any_size(self):
        """Operations of a compiled graph by a kernel that is there, and by the best; with gradients and without."""
        def f(x, w):
            return tt.einsum("bnk,ko->bno", tt.contiguous(x.transpose(1, 2)).transpose(1, 2), w).relu()

        compiled, w = torch.compile(f, dynamic=True), numbers((96, 40), torch.float16)
        for n in (33, 64, 200, 64, 33, 64, 1024):
            x = numbers((4, n, 96), torch.float16, n)
            right = torch.einsum("bnk,ko->bno", x, w).relu()
            for _ in range(3):
                self.assertTrue(torch.allclose(compiled(x, w), right, rtol=1e-2, atol=1e-1))
            a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
            compiled(a, w).sum().backward()
            torch.einsum("bnk,ko->bno", b, w).relu().sum().backward()
            self.assertTrue(torch.allclose(a.grad, b.grad, rtol=1e-2, atol=1e-1))
            with torch.inference_mode():
                self.assertTrue(torch.allclose(compiled(x, w), right, rtol=1e-2, atol=1e-1))

    def test_streams(self):
        streams = [torch.cuda.Stream() for _ in range(2)]
        x = [numbers((2048, 1024), seed=i) for i in range(2)]
        torch.cuda.synchronize()
        for _ in range(20):
            y = []
            for s, v in zip(streams, x):
                with torch.cuda.stream(s):
                    y.append(tt.mm(tt.contiguous(v.T), v))
            torch.cuda.synchronize()
            for s, v in zip(y, x):
                self.assertTrue(torch.allclose(s, v.T @ v, atol=1))

    def test_threads(self):
        wrong = []

        def work(seed):
            rng = random.Random(seed)
            for _ in range(50):
                x = strided(rng, [rng.randint(1, 80), rng.randint(1, 80)], rng.choice(FLOATS))
                w = numbers((x.shape[1], 24), x.dtype, seed)
                if not torch.equal(tt.contiguous(x.T), x.T) or not torch.allclose(tt.mm(x, w), x @ w, rtol=1e-2, atol=4):
                    wrong.append((seed, tuple(x.shape), x.dtype))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Others(unittest.TestCase):
    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no CuPy")
        x = cupy.arange(64 * 48, dtype=cupy.float32).reshape(64, 48)
        y = cupy.zeros((48, 64), dtype=cupy.float32)
        with cupy.cuda.Stream():
            t.copy(x.T, y)
            self.assertTrue(bool((y == x.T).all()))

    def test_jax(self):
        try:
            import jax
        except ImportError:
            self.skipTest("no JAX")
        x = jax.numpy.arange(64 * 48, dtype=jax.numpy.float32).reshape(64, 48)
        z = torch.from_dlpack(t.relayout(x, "(64,48):(1,64)"))
        self.assertTrue(torch.equal(z, torch.arange(64 * 48, dtype=torch.float32, device=GPU).reshape(64, 48)))


    def test_jax_jit(self):
        try:
            import jax
            import tessera.jax as tj
        except ImportError as without:
            self.skipTest(str(without))
        if jax.default_backend() != "gpu":
            self.skipTest("JAX has no GPU")
        np = jax.numpy
        x = np.arange(3 * 40 * 24, dtype=np.float32).reshape(3, 40, 24)
        turned = jax.jit(lambda x: tj.permute(x + 1, (2, 0, 1), np.bfloat16) * 2)
        for _ in range(2):
            self.assertTrue(bool((turned(x) == np.transpose(x + 1, (2, 0, 1)).astype(np.bfloat16) * 2).all()))
        a, b = np.ones((64, 32), np.float16) * 3, np.ones((32, 48), np.float16) / 4
        product = jax.jit(lambda a, b: tj.einsum("mk,kn->mn", a, b))
        self.assertTrue(bool((product(a, b) == a @ b).all()))
        y, w = np.ones((8, 16), np.float32), np.arange(16 * 4, dtype=np.float32).reshape(16, 4)
        mine = jax.grad(lambda y, w: (tj.einsum("mk,kn->mn", y, w) ** 2).sum(), (0, 1))(y, w)
        right = jax.grad(lambda y, w: ((y @ w) ** 2).sum(), (0, 1))(y, w)
        for m, r in zip(mine, right):
            self.assertTrue(bool(np.allclose(m, r, rtol=1e-3)))
        scaled = jax.jit(lambda y: tj.einsum("ij,j->ji", y, y[0] + 2))(y * 3)
        self.assertTrue(bool((scaled == (y * 3 * 5).T).all()))
        batch = jax.vmap(lambda m: tj.permute(m, (1, 0)))(x)
        self.assertTrue(bool((batch == np.transpose(x, (0, 2, 1))).all()))
        self.assertRaises(Exception, jax.jit(lambda a: tj.einsum("mk,kn->mn", a, a)), a)


class Refusals(unittest.TestCase):
    def test_sentences(self):
        x = numbers((4, 6))
        for wrong, words in (
            (lambda: t.copy(x, torch.zeros(4, 6)), "one call works in one place"),
            (lambda: tt.copy_(torch.zeros(6, 4, device=GPU), x), "shapes differ"),
            (lambda: tt.einsum("mk,kn->mn", x, x), "'k' is 6 and 4"),
            (lambda: t.copy(x, torch.zeros(5, 6, device=GPU)), r"shape \(4, 6\) to the shape \(5, 6\)"),
            (lambda: t.copy(x[:1].expand(4, 6), numbers((1, 6)).expand(4, 6)), ""),
        ):
            with self.subTest(words):
                self.assertRaisesRegex(ValueError, words, wrong)


if __name__ == "__main__":
    unittest.main()
