"""Tensors of other kinds on a GPU: subclasses, transforms, modes, types, shapes of torch's; each is right or refused.

What the arrays are is asked of torch, so a GPU is needed. test_cuda_host asks the same of a stand-in."""

import os
import random
import sys
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
import torch.autograd.forward_ad as forward
from torch._subclasses.fake_tensor import FakeTensorMode

GPU = "cuda"


def numbers(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator(device=GPU).manual_seed(seed)
    return torch.randint(-8, 9, shape, generator=generator, device=GPU).to(dtype)


class Sub(torch.Tensor):
    pass


class Kinds(unittest.TestCase):
    def setUp(self):
        self.x, self.w = numbers(64, 48), numbers(48, 32, seed=1)

    def same(self, mine, right):
        """A call as often as it takes to be planned, kept and found again."""
        expected = right()
        for _ in range(3):
            got = mine()
            self.assertIs(type(got), type(expected))
            self.assertEqual((got.shape, got.dtype, got.device), (expected.shape, expected.dtype, expected.device))
            if not got.is_meta:
                wide = torch.complex128 if got.is_complex() else torch.float64
                self.assertTrue(torch.equal(got.to(wide), expected.to(wide)))

    def both(self, f=lambda x: x, products=True):
        """Moves and products of f(x), by tessera and by torch."""
        x, w = self.x, self.w
        self.same(lambda: tt.contiguous(f(x).T), lambda: f(x).T.contiguous())
        self.same(lambda: tt.copy_(torch.zeros_like(f(x).T), f(x).T), lambda: torch.zeros_like(f(x).T).copy_(f(x).T))
        if products:
            self.same(lambda: tt.mm(f(x), w), lambda: torch.mm(f(x), w))
            self.same(lambda: tt.einsum("mk,kn->nm", f(x), w), lambda: torch.einsum("mk,kn->nm", f(x), w))

    def test_requires_gradients_where_none_are_recorded(self):
        leaf = self.x.clone().requires_grad_()
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                self.both(lambda x: leaf)
        self.assertRaisesRegex((ValueError, BufferError), "detach", t.copy, leaf, torch.zeros_like(self.x))

    def test_inference(self):
        with torch.inference_mode():
            made = self.x * 1
            self.both()
            self.both(lambda x: made)
        self.both(lambda x: made, products=False)

    def test_out(self):
        x, w, right = self.x, self.w, self.x @ self.w
        for out in (torch.zeros(64, 64, device=GPU)[:, ::2], torch.zeros(32, 64, device=GPU).T, numbers(66, 33)[1:65, 1:]):
            for _ in range(3):
                self.assertIs(tt.mm(x, w, out), out)
                self.assertTrue(torch.equal(out, right))
                out.zero_()
        leaf = x.clone().requires_grad_()
        self.assertRaisesRegex(ValueError, "no gradients are recorded", tt.mm, leaf, w, torch.zeros(64, 32, device=GPU))
        self.assertRaises(RuntimeError, tt.copy_, leaf, x)

    def test_what_overlaps(self):
        z, expanded = numbers(64, 64), torch.zeros(1, 64, device=GPU).expand(64, 64)
        tall = numbers(128, 64)
        self.assertIs(tt.copy_(z, z), z)
        for _ in range(2):
            for wrong in (lambda: tt.mm(z, z.clone(), z), lambda: tt.mm(tall[:64], tall[64:], tall[32:96]),
                          lambda: tt.copy_(z[1:], z[:-1]), lambda: tt.copy_(z.T, z), lambda: tt.copy_(expanded, z),
                          lambda: tt.mm(z, z, expanded)):
                self.assertRaises(ValueError, wrong)

    def test_einsum_of_every_kind(self):
        rng = random.Random(5)
        texts = ["ij->i", "ij->j", "ij->", "ii->i", "ii->", "ij->ji", "iji->j", "ij,jk,kl->il", "ij,jk->k", "ij,ij->",
                 "ij,ij->i", "i,j->ij", "bij,bj->b", "...ij->...i", "ij,jk", "ij,jk,kl,lm->im", "ab,ab,ab->a", "ijk->kij"]
        self.same(lambda: tt.einsum("ij,jk->ik", numbers(6, 1), numbers(5, 4)),
                  lambda: torch.einsum("ij,jk->ik", numbers(6, 1), numbers(5, 4)))
        for _ in range(16):
            names = ["".join(rng.choices("abcd", k=rng.randint(1, 3))) for _ in range(rng.randint(1, 3))]
            every = sorted(set("".join(names)))
            texts.append(",".join(names) + "->" + "".join(rng.sample(every, rng.randint(0, len(every)))))
        for text in texts:
            names = text.partition("->")[0].replace("...", "").split(",")
            shapes = [[4 + ord(x) % 5 for x in name] for name in names]
            for dtype in (torch.float32, torch.float64, torch.float16):
                x = [numbers(*n, dtype=dtype, seed=i) / 4 for i, n in enumerate(shapes)]
                right = torch.einsum(text, *[v.double() for v in x])
                near = 1e-12 if dtype == torch.float64 else 2e-2 if dtype == torch.float16 else 1e-5
                scale = torch.einsum(text, *[v.double().abs() for v in x]).max().item() + 1
                with self.subTest(text, dtype=dtype):
                    for turn in range(3):  # planned, found, and found for arrays elsewhere
                        given = [v.clone() for v in x] if turn == 2 else x
                        mine, out = tt.einsum(text, *given), torch.full_like(right, 9, dtype=dtype)
                        self.assertIs(tt.einsum(text, *given, out=out), out)
                        for got in (mine, out):
                            self.assertEqual((got.shape, got.dtype), (right.shape, dtype))
                            self.assertLessEqual((got.double() - right).abs().max().item(), near * scale)
        x, side = numbers(64, 64), torch.cuda.Stream()
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            for _ in range(3):
                self.assertTrue(torch.equal(tt.einsum("ij,ij->i", x, x), (x * x).sum(1)))
                z = x.clone()
                self.assertTrue(torch.equal(tt.einsum("ii->i", z, out=z[0]), x.diagonal()))

    def test_empty(self):
        for shape in ((0, 5), (5, 0), (0, 0)):
            self.same(lambda: tt.contiguous(numbers(*shape).T), lambda: numbers(*shape).T.contiguous())
            self.same(lambda: tt.copy_(numbers(*shape), numbers(*shape)), lambda: numbers(*shape))
        for a, b in (((0, 48), (48, 32)), ((64, 0), (0, 32)), ((64, 48), (48, 0)), ((0, 4, 5), (0, 5, 6))):
            self.same(lambda: tt.mm(numbers(*a), numbers(*b)), lambda: numbers(*a) @ numbers(*b))
        out = numbers(64, 32)
        self.assertEqual(tt.mm(numbers(64, 0), numbers(0, 32), out).abs().max().item(), 0)

    def test_forms(self):
        """Without modes, of one element, in the order of channels, of memory that is somebody else's, of 17 modes."""
        image = numbers(2, 5, 6, 7).contiguous(memory_format=torch.channels_last)
        for x in (torch.tensor(3., device=GPU), numbers(1), numbers(1, 1, 1), image, image[:, 1:4], numbers(40).flip(0),
                  numbers(6, 8)[::2, ::3], torch.as_strided(numbers(50), (4, 5), (3, 2), 7), numbers(9)[4:4],
                  torch.from_dlpack(t.relayout(numbers(12, 5), "(12,5):(1,12)"))):
            self.same(lambda: tt.contiguous(x), x.contiguous)
            self.same(lambda: tt.contiguous(x, torch.float64), lambda: x.double().contiguous())
            self.same(lambda: tt.copy_(torch.zeros_like(x), x), lambda: x.clone())
        self.assertRaises(ValueError, tt.contiguous, torch.zeros((2,) * 17, device=GPU).permute(*range(16, -1, -1)))
        for wrong in (lambda: tt.mm(numbers(3), numbers(3)), lambda: tt.mm(self.x, self.x), lambda: tt.copy_(self.x, 3)):
            self.assertRaises((ValueError, TypeError), wrong)
        self.assertRaises((RuntimeError, ValueError), tt.contiguous, torch.eye(3, device=GPU).to_sparse())

    def test_expanded(self):
        rng = random.Random(1)
        for _ in range(6):
            extents, kept = [rng.randint(2, 7) for _ in range(5)], [rng.random() < 0.5 for _ in range(5)]
            x = numbers(*[n if k else 1 for n, k in zip(extents, kept)]).expand(extents).permute(rng.sample(range(5), 5))
            self.same(lambda: tt.contiguous(x), x.contiguous)
        self.same(lambda: tt.contiguous(numbers(20).unfold(0, 5, 1)), lambda: numbers(20).unfold(0, 5, 1).contiguous())
        self.both(lambda x: x[:1].expand(64, 48))

    def test_types(self):
        x = self.x.abs()
        for name in ("float8_e4m3fn", "float8_e5m2", "complex64", "complex128", "bool", "int8", "uint16", "uint64"):
            dtype = getattr(torch, name)
            y = x.to(torch.int32).to(torch.float32).to(dtype)
            with self.subTest(name):
                self.same(lambda: tt.contiguous(y.T), lambda: y.T.contiguous())
                if not dtype.is_complex:
                    self.same(lambda: tt.contiguous(y.T, torch.float32), lambda: y.T.float().contiguous())
        for name in ("complex64", "float8_e4m3fn", "int8"):
            a = x.to(getattr(torch, name))
            self.assertRaisesRegex(ValueError, "no kernel multiplies", tt.mm, a, a.T)
        self.same(lambda: tt.contiguous(x - 4, torch.bool), lambda: (x - 4).bool())

    def test_views_of_complex(self):
        z = torch.complex(self.x, numbers(64, 48, seed=3))
        self.same(lambda: tt.contiguous(z.conj().T), lambda: z.conj().T.contiguous())
        self.same(lambda: tt.contiguous(z.real.T), lambda: z.real.T.contiguous())
        self.both(lambda x: z.conj().imag)
        plain, negated = z.imag, z.conj().imag  # of one shape and strides
        for _ in range(3):
            self.assertTrue(torch.equal(tt.contiguous(plain.T), plain.T))
            self.assertTrue(torch.equal(tt.contiguous(negated.T), negated.T))
        self.assertRaisesRegex(ValueError, "resolve_neg", t.copy, negated, torch.zeros_like(self.x))

    def test_subclasses(self):
        self.both(lambda x: x.as_subclass(Sub))
        with torch.no_grad():
            self.both(torch.nn.Parameter)

    def test_no_memory(self):
        x, w = self.x.to("meta"), self.w.to("meta")
        self.same(lambda: tt.mm(x, w), lambda: x @ w)
        self.same(lambda: tt.contiguous(x.T), lambda: x.T.contiguous())
        with FakeTensorMode():
            x, w = torch.empty(64, 48, device=GPU), torch.empty(48, 32, device=GPU)
            self.assertEqual(tt.mm(x, w).shape, (64, 32))
            self.assertEqual(tt.contiguous(x.T, torch.float16).dtype, torch.float16)
            self.assertEqual(tt.einsum("ij,jk,kl->il", x, w, torch.empty(32, 8, device=GPU)).shape, (64, 8))
            self.assertEqual(tt.copy_(torch.empty(48, 64, device=GPU), x.T).shape, (48, 64))

    def test_transforms(self):
        w, batch, vmap = self.w, numbers(4, 64, 48), torch.func.vmap
        self.same(lambda: vmap(lambda x: tt.mm(x, w))(batch), lambda: batch @ w)
        self.same(lambda: vmap(lambda x: tt.contiguous(x.T))(batch), lambda: batch.mT.contiguous())
        self.same(lambda: torch.func.grad(lambda x: tt.mm(x, w).sum())(self.x),
                  lambda: torch.func.grad(lambda x: (x @ w).sum())(self.x))
        self.same(lambda: torch.func.jvp(lambda x: tt.mm(x, w), (self.x,), (self.x,))[1], lambda: self.x @ w)

    def test_forward(self):
        self.both()  # is kept
        with forward.dual_level():
            dual = forward.make_dual(self.x, torch.ones_like(self.x))
            for f, right in ((lambda x: tt.contiguous(x.T), lambda x: x.T.contiguous()),
                             (lambda x: tt.mm(x, self.w), lambda x: x @ self.w)):
                self.assertTrue(torch.equal(forward.unpack_dual(f(dual)).tangent, forward.unpack_dual(right(dual)).tangent))
        self.both()

    def test_autocast(self):
        self.both()
        for _ in range(2):
            with torch.autocast(GPU):
                self.assertEqual(tt.mm(self.x, self.w).dtype, torch.float16)
                self.assertEqual(tt.einsum("mk,kn->m", self.x, self.w).dtype, torch.float16)
                self.same(lambda: tt.contiguous(self.x.T), lambda: self.x.T.contiguous())
            self.both()

    def test_places(self):
        x, w = self.x, self.w
        for wrong in (lambda: tt.mm(x.cpu(), w), lambda: tt.mm(x, w.cpu()), lambda: tt.mm(x, w, torch.zeros(64, 32)),
                      lambda: tt.copy_(x, x.cpu()), lambda: tt.copy_(x.cpu(), x),
                      lambda: tt.einsum("ij,jk,kl->il", x, w.cpu(), numbers(32, 5))):
            self.assertRaisesRegex(ValueError, "one call works in one place", wrong)
        if torch.cuda.device_count() > 1:
            other = x.to("cuda:1")
            self.assertRaisesRegex(ValueError, "one call works in one place", tt.mm, other, w)
            self.same(lambda: tt.contiguous(other.T), lambda: other.T.contiguous())
            self.same(lambda: tt.mm(other, w.to("cuda:1")), lambda: other @ w.to("cuda:1"))
        for wrong in (None, [1, 2], w.cpu().numpy()):
            self.assertRaisesRegex(TypeError, "takes torch's tensors", tt.mm, x, wrong)
            self.assertRaisesRegex(TypeError, "takes torch's tensors", tt.contiguous, wrong)

    def test_a_graph_whose_tensors_are_gone(self):
        side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        w = numbers(64, 32, seed=4)
        with torch.cuda.stream(side):
            for _ in range(2):
                tt.mm(tt.contiguous(self.x.T), w)
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, stream=side):
            y = tt.mm(tt.contiguous(self.x.T), w)
        others = [torch.full((64, 64), 9., device=GPU) for _ in range(50)]
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(y, self.x.T @ w))
        del others

    def test_planned_in_a_capture(self):
        """Calls of new sizes: their kernels are loaded and their memory is taken while the stream is captured."""
        a, b, f = numbers(264, 136, dtype=torch.float16), numbers(136, 72, dtype=torch.float16, seed=1), numbers(130, 90)
        deep, wide = numbers(16, 8192, dtype=torch.float16, seed=2), numbers(8192, 24, dtype=torch.float16, seed=3)
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph):
            got = [tt.mm(a, b), tt.contiguous(f.T), tt.einsum("ij->j", f), tt.einsum("ij,jk,kl->il", f, f.T, f),
                   tt.mm(deep, wide), tt.mm(f, f.T)]
            self.assertRaisesRegex(ValueError, "before the capture", tt.mm, a, b[:, :64], tune=True)
        for _ in range(2):
            for x in got:
                x.fill_(3)
            graph.replay()
            torch.cuda.synchronize()
            right = [a @ b, f.T.contiguous(), f.sum(0), f @ f.T @ f, deep @ wide, f @ f.T]
            for x, y in zip(got, right):
                self.assertLessEqual((x.double() - y.double()).abs().max().item(), 2e-3 * y.abs().max().item())

    def test_streams_that_are_gone(self):
        a, b = numbers(200, 3000, dtype=torch.float16), numbers(3000, 56, dtype=torch.float16, seed=2)
        right = a @ b
        for _ in range(40):
            stream = torch.cuda.Stream()
            torch.cuda.synchronize()
            with torch.cuda.stream(stream):
                y = tt.mm(a, b)
            stream.synchronize()
            del stream
            self.assertTrue(torch.equal(y, right))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork(self):
        y = torch.zeros(48, 64, device=GPU)
        for _ in range(2):
            tt.copy_(y, self.x.T)
        torch.cuda.synchronize()
        child = os.fork()
        if child == 0:
            try:
                tt.copy_(y, self.x.T)
                os._exit(1)
            except RuntimeError:  # torch's own tensors do not work there, either
                os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
