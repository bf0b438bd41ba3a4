"""Tensors of torch: the same memory both ways, engines on it, relaid out in place, refused where it has no meaning."""

import sys
import unittest

import tessera as t
from tessera import L, Refused

try:
    import torch
except ImportError:
    print("this Python has no torch, its tensors are not tried")
    sys.exit(77)

TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
         "i32": torch.int32, "i16": torch.int16, "int8": torch.int8, "uint8": torch.uint8, "c64": torch.complex64,
         "c128": torch.complex128}


def numbers(*shape, dtype=torch.float32):
    """0, 1, .. in row-major order."""
    return torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)


class Memory(unittest.TestCase):
    def assert_same(self, x):
        a = t.tensor(x)
        back = torch.from_dlpack(a)
        self.assertEqual((back.data_ptr(), back.dtype, back.shape), (x.data_ptr(), x.dtype, x.shape))
        self.assertEqual([d for n, d in zip(x.shape, back.stride()) if n > 1],
                         [d for n, d in zip(x.shape, x.stride()) if n > 1])
        self.assertTrue(torch.equal(back, x))
        self.assertEqual(a.elements(), x.permute(tuple(reversed(range(x.dim())))).reshape(-1).tolist())

    def test_types(self):
        for name, dtype in TYPES.items():
            with self.subTest(name):
                x = numbers(3, 4, dtype=dtype)
                self.assertEqual((t.tensor(x).dtype, t.tensor(x).layout), (name, L("(3,4):(4,1)")))
                self.assert_same(x)
                t.tensor(x)[1, 2] = 100
                self.assertEqual(x[1, 2].item(), 100)

    def test_strides(self):
        x = numbers(4, 6, 5)
        for y in (x, x.permute(2, 0, 1), x[::2, 1::2], x[1], x[:, 3:4], x[0, 0, 0], x.flip(0),
                  numbers(5).expand(4, 5), x.unfold(1, 3, 1)):  # one step is 0; windows overlap
            with self.subTest(y.stride()):
                self.assert_same(y)

    def test_refused(self):
        dense = torch.eye(3)
        for wrong in (torch.empty(0, 3), torch.zeros((1,) * 17), dense.to_sparse(), torch.zeros(3, device="meta"),
                      torch.ones(3, requires_grad=True), dense.cfloat().conj(), dense.cfloat().conj().imag):
            self.assertRaises((RuntimeError, ValueError, BufferError), t.tensor, wrong)  # newer ones: BufferError
        # torch has no negative steps, and ends the process where a capsule has some
        backwards = t.tensor(memoryview(bytearray(8))[::-1])
        self.assertRaisesRegex(BufferError, "dimension 0 is -1", torch.from_dlpack, backwards)
        constant = t.tensor(b"abc")
        self.assertRaises(BufferError, constant.__dlpack__)  # which an older torch calls, and would write to it
        try:
            self.assertEqual(torch.from_dlpack(constant).tolist(), list(b"abc"))  # a newer one is told by a flag
        except BufferError:
            pass

    def test_tangents(self):
        """A tensor that carries a derivative forward is refused: it would be lost."""
        forward = torch.autograd.forward_ad
        x, y = numbers(3, 4), numbers(3, 4)
        with forward.dual_level():
            dual = forward.make_dual(x, torch.ones(3, 4))
            for wrong in (lambda: t.copy(dual, y), lambda: t.copy(y, dual), lambda: t.tensor(dual.T)):
                self.assertRaisesRegex(ValueError, "derivative", wrong)
            t.copy(x, y)  # carries none
        t.copy(dual, y)  # and none outside of the level
        for wrong in (lambda v: torch.from_dlpack(t.relayout(v, "(3,4):(1,3)")), t.sum) if hasattr(torch, "func") else ():
            self.assertRaises((ValueError, RuntimeError, BufferError), torch.func.jvp, wrong, (x,), (y,))

    def test_alive(self):
        part = torch.from_dlpack(t.local_tile(t.tensor(numbers(8, 8)), (2, 4), (1, 1)))
        self.assertEqual(part.tolist(), [[20, 21, 22, 23], [28, 29, 30, 31]])
        tile = t.local_tile(t.tensor(numbers(8, 8)), (2, 4), (1, 1))
        self.assertEqual(tile[1, 3], 31)


class Engines(unittest.TestCase):
    def test_tile_is_written(self):
        x = numbers(8, 8)
        torch.from_dlpack(t.local_tile(t.tensor(x), (2, 4), (1, 1))).zero_()
        expected = numbers(8, 8)
        expected[2:4, 4:8] = 0
        self.assertTrue(torch.equal(x, expected))

    def test_relaid_out_in_place(self):
        for name in ("f32", "bf16", "i64", "uint8"):
            x = numbers(4, 6, dtype=TYPES[name])
            before, address = x.clone(), x.data_ptr()
            y = torch.from_dlpack(t.relayout(x, "(4,6):(1,4)", in_place=True))
            self.assertEqual((y.data_ptr(), y.stride()), (address, (1, 4)))
            self.assertTrue(torch.equal(y, before))  # the same matrix,
            self.assertEqual(x.reshape(-1).tolist(), before.T.reshape(-1).tolist())  # column-major where it was
            t.relayout(y, "(4,6):(6,1)", in_place=True)
            self.assertTrue(torch.equal(x, before))
        for wrong in ("(4,6):(0,1)", "(4,7):(7,1)", "(4,5):(5,1)"):
            self.assertRaises(Refused, t.relayout, x, wrong, in_place=True)
        self.assertTrue(torch.equal(x, before))

    def test_copy(self):
        x = numbers(3, 4, 5)
        for dtype in (torch.float64, torch.bfloat16, torch.float16, torch.int32):
            y = torch.zeros(5, 3, 4, dtype=dtype)
            t.copy(x, y.permute(1, 2, 0))
            self.assertTrue(torch.equal(y.permute(1, 2, 0), x.to(dtype)))
        self.assertRaises(Refused, t.copy, x[0, 0], torch.zeros(1).expand(5))  # all in one place
        self.assertRaises(Refused, t.copy, x[0], x[0].t())

    def test_products(self):
        torch.manual_seed(1)
        for dtype, close in ((torch.float64, 1e-12), (torch.float32, 1e-4), (torch.bfloat16, 1e-4)):
            a, b = torch.randn(33, 17).to(dtype), torch.randn(17, 29).to(dtype)
            c = torch.ones(29, 33, dtype=torch.float64 if dtype is torch.float64 else torch.float32).t()
            expected = a.to(c.dtype) @ b.to(c.dtype)
            t.gemm(a, b.t(), c)
            self.assertLess((c - 1 - expected).abs().max(), close)
            t.einsum("mk,kn->mn", a, b, out=c, alpha=2)
            self.assertLess((c - 2 * expected).abs().max(), close)
            d, e = torch.randn(2, 5, 7).to(dtype), torch.randn(2, 7, 6).to(dtype)
            f = torch.zeros(2, 5, 6, dtype=c.dtype)
            t.einsum("bmk,bkn->bmn", d, e, out=f)
            self.assertLess((f - torch.einsum("bmk,bkn->bmn", d.to(c.dtype), e.to(c.dtype))).abs().max(), close)


if __name__ == "__main__":
    unittest.main()
