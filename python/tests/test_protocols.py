"""What Python asks of an array beside arithmetic, and what people of NumPy type first: each as there, or refused in a
sentence that helps."""

import copy
import itertools
import pickle
import random
import sys
import unittest

import tessera as t
from tessera import L

try:
    import numpy as np
except ImportError:
    np = None
needs_numpy = unittest.skipUnless(np, "this Python has no NumPy")


class Protocols(unittest.TestCase):
    def setUp(self):
        self.m, self.one = t.tensor([[1, 2, 3], [4, 5, 6]]), t.tensor(5)

    def refused(self, error, words, f, *args):
        with self.assertRaisesRegex(error, words):
            f(*args)

    def test_truth(self):
        self.assertEqual([bool(x) for x in (self.one, t.tensor(0), t.tensor([[0.5]]), t.tensor([False]))],
                         [True, False, True, False])
        self.refused(ValueError, "6 elements is neither true nor false", bool, self.m)
        self.refused(ValueError, "neither true nor false", lambda: self.m and 1)

    def test_members(self):
        self.assertEqual((3 in self.m, 9 in self.m, 3.0 in self.m, self.m in [self.m]), (True, False, True, True))
        self.refused(TypeError, "contains numbers", lambda: "3" in self.m)

    def test_iteration(self):
        v = t.tensor([1, 2, 3])
        self.assertEqual((list(v), list(reversed(v)), [r.tolist() for r in reversed(self.m)]),
                         ([1, 2, 3], [3, 2, 1], [[4, 5, 6], [1, 2, 3]]))
        self.refused(TypeError, "without modes", list, self.one)

    def test_index(self):
        self.assertEqual((self.m[t.tensor(1), t.tensor([2])], list(range(self.one)), "abcdef"[self.one]), (6, [0, 1, 2, 3, 4], "f"))
        for wrong in (self.m, t.tensor(1.0), t.tensor([1, 2])):
            self.refused(TypeError, "only one integer is an index", wrong.__index__)
        for wrong in ([0, 1], [True, False], True, t.tensor([0, 1]), t.tensor([True]), t.tensor(1.0)):
            self.refused(TypeError, r"NumPy's copy: x\.numpy\(\)\[\.\.\]", lambda: self.m[wrong])

    def test_format(self):
        self.assertEqual((f"{self.one:03d}", f"{t.tensor([2.5]):.2f}", f"{self.m}"), ("005", "2.50", str(self.m)))
        self.refused(TypeError, "for one number, and the tensor has 6", format, self.m, ".2f")

    def test_copies(self):
        for twin in (copy.copy(self.m), copy.deepcopy(self.m), +self.m, pickle.loads(pickle.dumps(self.m))):
            self.assertEqual((twin.tolist(), twin.layout, twin.dtype), (self.m.tolist(), self.m.layout, "i64"))
            twin[0, 0] = 100
            self.assertEqual(self.m[0, 0], 1)

    def test_pickles(self):
        """Of each type and of random views: the elements, in strides of the same order."""
        dice = random.Random(33)
        for name, row in t.dtypes.ROWS.items():
            for _ in range(4 if name != "u128" else 0):  # which has no numbers
                shape = dice.randint(1, 4), dice.randint(1, 5), 2
                x = t.empty(shape, name)
                for c in itertools.product(*map(range, shape)):
                    x[c] = dice.choice([0, 1]) if row.mantissa or row.kind != "f" else 1
                y = x[dice.randint(0, shape[0] - 1)::dice.choice([1, -1]), :, ::dice.choice([1, -1])].permute(2, 0, 1)
                twin = pickle.loads(pickle.dumps(y, dice.randint(2, pickle.HIGHEST_PROTOCOL)))
                self.assertEqual((twin.tolist(), twin.dtype), (y.tolist(), name))
        counting = t.V("make_identity_tensor((2,3))")
        self.assertEqual(pickle.loads(pickle.dumps(counting)), counting)

    def test_properties(self):
        self.assertEqual((self.m.ndim, self.m.itemsize, self.m.nbytes, self.one.ndim), (2, 8, 48, 0))
        self.assertEqual(t.empty(5, "int4").nbytes, 3)
        self.refused(TypeError, "4 bits", lambda: t.empty(5, "int4").itemsize)
        self.assertEqual((self.m.transpose().tolist(), self.m.transpose(1, 0).tolist(), self.m.transpose((0, 1)).tolist()),
                         (self.m.T.tolist(), self.m.T.tolist(), self.m.tolist()))

    def test_makers(self):
        self.assertEqual((t.zeros((2, 2)).tolist(), t.ones(2, "int8").tolist(), t.full("(2,2):(2,1)", 7).layout),
                         ([[0.0, 0.0], [0.0, 0.0]], [1, 1], L("(2,2):(2,1)")))
        self.assertEqual((t.full(2, True).dtype, t.full(2, 1.5).dtype, t.full((), 3).item()), ("bool", "f64", 3))
        self.assertEqual(t.tensor(range(1, 6, 2)).tolist(), [1, 3, 5])
        self.assertEqual((t.tensor([2 ** 63]).dtype, t.tensor([2 ** 64 - 1, 0]).tolist(), t.tensor([2 ** 63, -1]).dtype),
                         ("u64", [2 ** 64 - 1, 0], "f64"))
        self.refused(OverflowError, "outside the range of 64-bit", t.tensor, 2 ** 70)
        self.refused(OverflowError, "outside the range of 64-bit", t.tensor, -2 ** 64)
        self.refused(TypeError, r"a shape is one argument, empty\(\(2, 3\)\)", t.empty, 2, 3)
        self.refused(ValueError, "no tensor without elements", t.tensor, [])
        self.refused(ValueError, "'nope' is neither a layout nor an element type", t.tensor, [1, 2], "nope")
        self.refused(ValueError, "'i3' is not an element type", t.empty, 2, "i3")
        for wrong in ((2 ** 62,), (2 ** 59,)):
            self.refused(MemoryError, "memory", t.empty, wrong)

    def test_lists_beside(self):
        self.assertEqual(((self.m + [1, 2, 3]).tolist(), ([10, 20, 30] - self.m).tolist(), (self.m * (1, 0, 2)).tolist(),
                          (self.m @ [1, 1, 1]).tolist()),
                         ([[2, 4, 6], [5, 7, 9]], [[9, 18, 27], [6, 15, 24]], [[1, 0, 6], [4, 0, 12]], [6, 15]))
        self.refused(TypeError, "unsupported operand", lambda: self.m + "a")

    def test_results_fit(self):
        """A result goes to an out of its kind, as in NumPy; astype converts to any."""
        for name, allowed in (("uint8", False), ("int8", True), ("f16", True), ("c64", True)):
            out = t.empty((2, 3), name)
            if allowed:
                t.add(self.m, 1, out=out)
                self.assertEqual(out.tolist(), (self.m + 1).tolist())
            else:
                self.refused(TypeError, "use astype", lambda: t.add(self.m, 1, out=out))
        self.refused(TypeError, "use astype", lambda: t.add(self.m, 0.5, out=t.empty((2, 3), "i64")))
        self.assertEqual((self.m + 0.5).astype("i32", out=t.empty((2, 3), "i32")).tolist(), self.m.tolist())
        self.refused(TypeError, "an axis is an integer, not 1.5", lambda: self.m.sum(axis=1.5))

    def test_what_is_missing(self):
        self.refused(AttributeError, r"no attribute 'array'; tessera\.tensor\(x\) makes", lambda: t.array)
        self.refused(AttributeError, "an element type is a text: \"float32\"", lambda: t.float32)
        self.assertFalse(hasattr(t, "no_such_name") or hasattr(self.m, "no_such_name") or hasattr(self.m, "__array__"))
        if np:
            self.refused(AttributeError, r"numpy\.exp, which takes tensors", lambda: t.exp)
            self.refused(AttributeError, r"x\.numpy\(\)\.mean", lambda: self.m.mean)

    @needs_numpy
    def test_scalars_in_lists(self):
        for kind in (np.float32, np.int8, np.uint64, np.bool_, np.complex64, np.float16):
            x = t.tensor([[kind(1), kind(0)]])
            self.assertEqual((x.numpy().dtype, x.tolist()), (np.dtype(kind), [[1, 0]]))
        self.assertEqual(t.tensor([np.float32(1), 2.5]).dtype, "f64")
        self.refused(TypeError, r"numpy\.stack\(x\) makes one array", t.tensor, [np.arange(3), np.arange(3)])
        self.refused(TypeError, "masks", lambda: self.m[np.array([0, 1])])
        self.refused(TypeError, "masks", lambda: self.m[np.array([[True, False, True]] * 2)])

    @needs_numpy
    def test_numpy_takes_tensors(self):
        n = self.m.numpy()
        for f in (np.exp, np.sum, np.argsort, lambda x: np.concatenate([x, x]), lambda x: np.stack([x, x]), np.atleast_3d,
                  lambda x: np.where(np.asarray(x) > 2, x, 0), lambda x: np.matmul(x, x.T), lambda x: np.float32(2) * x,
                  lambda x: x / np.ones(3), lambda x: np.asarray(x)[[0, 1]], lambda x: np.array(list(x)[0])):
            self.assertTrue(np.array_equal(f(self.m), f(n)))
        np.testing.assert_array_equal(self.m, n)
        np.testing.assert_allclose(self.m, n)

    def test_torch_takes_tensors(self):
        if "torch" not in sys.modules:
            try:
                import torch
            except ImportError:
                self.skipTest("this Python has no torch")
        torch = sys.modules["torch"]
        for f in (torch.from_dlpack, torch.as_tensor, torch.tensor):
            self.assertEqual(f(self.m).tolist(), self.m.tolist())


if __name__ == "__main__":
    unittest.main()
