"""What the host does for calls of several launches on a GPU, without one (standin.py): they are noted and done again."""

import ctypes
import random
import sys
import types
import unittest

from standin import (BASE, UINT, Array, Books, again, elsewhere, fresh, makes, matrix, places, streams,
                     torch_on_device)

import tessera as t
import tessera.cuda
from tessera import _tessera


class Chains(unittest.TestCase):
    """einsum of every kind: its launches are noted, and done again at other addresses."""

    def setUp(self):
        torch = torch_on_device(self)
        torch.empty = lambda n, dtype, device: Array(BASE * next(places), (n,), (1,), 8, code=UINT)
        sys.modules.pop("tessera.torch", None)
        import tessera.torch
        self.tt, self.torch = tessera.torch, torch
        self.addCleanup(sys.modules.pop, "tessera.torch")
        self.books = Books.in_dll(ctypes.CDLL("libcuda.so.1"), "fake")

    def counted(self, f):
        before = self.books.launches
        return f(), self.books.launches - before

    def test_every_kind(self):
        rng, letters = random.Random(3), "abcdef"
        texts = ["ij->i", "ij->", "ii->i", "ii->", "ij->ji", "iji->j", "ij,jk,kl->il", "ij,jk->k", "i,i->", "ij,ij->i",
                 "...ij->...i"]
        for _ in range(30):
            names = ["".join(rng.choices(letters, k=rng.randint(1, 3))) for _ in range(rng.randint(1, 4))]
            every = sorted(set("".join(names)))
            result = "".join(rng.sample(every, rng.randint(0, min(2, len(every)))))
            if names != [result]:  # whose bytes the driver would copy, and they are nowhere
                texts.append(",".join(names) + "->" + result)
        kept = 0
        for text in texts:
            names = text.partition("->")[0].replace("...", "").split(",")
            sizes = {x: 17 + 3 * i for i, x in enumerate(sorted(set("".join(names))))}
            shapes = [[sizes[x] for x in name] for name in names]

            def operands():
                return [Array(BASE * next(places), n, Array.rows(n)) for n in shapes]
            with self.subTest(text):
                first = operands()
                y, launches = self.counted(lambda: self.tt.einsum(text, *first))
                makes.clear()
                z, again_launched = self.counted(lambda: fresh(text, None, *operands()))
                self.assertEqual(again_launched, launches)
                self.assertEqual((z.shape, z.strides), (y.shape, y.strides))
                between = [x for x in makes if x[2] == 8]
                self.assertLessEqual(len(between), 1)
                kept += len(between)
                self.assertTrue(again(text, *operands(), y))
                self.assertFalse(again(text, *operands(), Array(y.tensor.data + 8, y.shape, y.strides)))
        self.assertGreater(kept, 5)

    def test_what_is_written(self):
        x, y = matrix(0, 40, 40), Array(2 * BASE, (40,), (1,))
        for out in (y, Array(BASE, (40,), (1,))):  # the second one is in x
            self.assertIs(self.tt.einsum("ij->i", x, out=out), out)
        self.assertTrue(again("ij->i", x, y))
        self.assertFalse(again("ij->i", x, Array(BASE, (40,), (1,))) or again("ij->j", x, y))
        streams.append(8192)
        self.assertFalse(again("ij->i", x, y))
        streams.pop()

    def test_a_mode_of_one_element_is_repeated(self):
        a, b = matrix(0, 30, 1, bits=16), matrix(1, 40, 20, bits=16)
        for _ in range(2):
            self.assertEqual(self.tt.einsum("ij,jk->ik", a, b).shape, (30, 20))
        self.assertRaisesRegex(ValueError, "'j' is 2 and 40", self.tt.einsum, "ij,jk->ik", matrix(0, 30, 2, bits=16), b)
        self.assertRaisesRegex(TypeError, "torch's tensors", self.tt.einsum, "ij,jk->ik", a, None)

    def test_a_result_that_requires_gradients(self):
        x, y = matrix(0, 41, 40), Array(2 * BASE, (41,), (1,))
        y.requires_grad = True
        self.torch.einsum = lambda text, *x: "torch's"
        y.copy_ = lambda x: (x, "copied")
        self.assertEqual(self.tt.einsum("ij->i", x, out=y), ("torch's", "copied"))

    def test_memory_elsewhere(self):
        x = [matrix(i, 48, 48) for i in range(3)]
        text = "ij,jk,kl->il"
        self.tt.einsum(text, *x)
        self.assertIsNotNone(fresh(text, None, *x))
        elsewhere.append((1, 0))  # the current device of torch; memory of the other one is asked for
        self.assertIsNotNone(fresh(text, None, *x))
        elsewhere[-1] = 0, 64
        self.assertIsNone(fresh(text, None, *x))
        elsewhere.pop()
        self.assertIsNotNone(fresh(text, None, *x))

    def test_planned_while_a_stream_is_captured(self):
        a, b, c = (matrix(i, 1111, 1111, bits=16) for i in range(3))  # neither kernels nor memory of theirs is there
        self.books.capturing = 1
        self.addCleanup(setattr, self.books, "capturing", 0)
        self.assertRaises(RuntimeError, _tessera._cuda_empty, 0, t.L("4:1"), "f32")
        self.assertRaisesRegex(ValueError, "before the capture", self.tt.mm, a, b, c, tune=True)
        self.assertIs(self.tt.mm(a, b, c), c)
        self.assertEqual(self.tt.einsum("ij->", a).shape, ())
        self.assertEqual(self.tt.contiguous(matrix(5, 777, 555, turned=True)).shape, (777, 555))
        self.assertTrue(self.books.strict and again("mk,kn->mn", a, b, c))
        self.assertIs(self.tt.mm(a, b, c), c)

    def test_failures(self):
        x = matrix(0, 56, 40)
        for wrong in (lambda: self.tt.einsum("ij->k", x), lambda: self.tt.einsum("i->i", x),
                      lambda: self.tt.einsum("ij", x, x)):
            self.assertRaises(ValueError, wrong)
        for wrong in (lambda: self.tt.einsum(None, x), lambda: self.tt.einsum("ij->i"), lambda: self.tt.einsum(3, x)):
            self.assertRaisesRegex(TypeError, "takes a text", wrong)
        noted = _tessera._cuda_record
        self.assertRaises(ZeroDivisionError, noted, "a", lambda: 1 // 0, (x, x), x, x)
        self.assertEqual(noted("a", lambda: 5, (x, x), x, x), 5)
        self.assertRaises(TypeError, noted, "a", lambda: 5, 3, x, x)
        self.assertRaises(TypeError, noted, "a", lambda: 5)
        many = [Array(BASE * next(places), (8,), (1,)) for _ in range(9)]
        self.assertEqual(self.tt.einsum(",".join("a" * 9) + "->a", *many).shape, (8,))


if __name__ == "__main__":
    tessera.cuda.use_folder(None)
    unittest.main()
