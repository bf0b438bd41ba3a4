"""Tensors as arrays: brackets, arithmetic, sums, products, shapes: each as NumPy has it, on random views."""

import os
import random
import tempfile
import unittest

import tessera as t
from tessera import L, Refused

try:
    import numpy as np
except ImportError:
    np = None


class Plain(unittest.TestCase):
    """Without NumPy."""

    def setUp(self):
        self.m = t.tensor([[6 * i + j for j in range(6)] for i in range(4)])

    def test_brackets(self):
        m = self.m
        self.assertEqual((m[1].tolist(), len(m), [row[0] for row in m]), ([6, 7, 8, 9, 10, 11], 4, [0, 6, 12, 18]))
        self.assertEqual(m[1:3, ::2].tolist(), [[6, 8, 10], [12, 14, 16]])
        self.assertEqual((m[-1, -1], m[..., 0].tolist(), m[::-1, 1].tolist()), (23, [0, 6, 12, 18], [19, 13, 7, 1]))
        m[1, :] = 5
        m[2:, 0] = [7, 8]
        m[0] = m[3]
        self.assertEqual(m.tolist(), [[8, 19, 20, 21, 22, 23], [5] * 6, [7, 13, 14, 15, 16, 17],
                                      [8, 19, 20, 21, 22, 23]])
        m[:, 1:] = m[:, :-1]  # they overlap
        self.assertEqual(m[0].tolist(), [8, 8, 19, 20, 21, 22])
        self.assertEqual([x.layout for x in m.modes], [L("4:6"), L("6:1")])

    def test_wrong_brackets(self):
        m = self.m
        for key in (4, -5, (0, 6), (0, 0, 0), (..., ...), (0, -7), 1 << 70):
            self.assertRaises(IndexError, lambda: m[key])
            self.assertRaises(IndexError, m.__setitem__, key, 0)
        for key in (None, [1], True, "a", 1.5, (0, None), {}):
            self.assertRaises(TypeError, lambda: m[key])
        self.assertRaises(Refused, lambda: m[3:3])
        for x in ([1, 2], "text", None, t.empty((2, 6))):
            self.assertRaises((TypeError, ValueError), m.__setitem__, slice(None), x)
        small = t.tensor([1, 2], dtype="uint8")
        for x in (256, -1):
            self.assertRaises(OverflowError, small.__setitem__, 0, x)
            self.assertRaises(OverflowError, small.__setitem__, ..., x)
        with self.assertRaises(TypeError):
            del m[0]

    def test_nested(self):
        n = t.tensor(bytearray(range(24)), "((2,2),6):((1,12),2)")
        self.assertEqual((n[(1, 1), 2], n[3, 2], n[2:].layout), (17, 17, L("(2,6):(1,2)")))
        self.assertRaises(Refused, lambda: n[1:3])

    def test_numbers(self):
        m = self.m
        self.assertEqual((m.sum(), m.max(), m.min(), t.max(m, axis=0).tolist()), (276, 23, 0, [18, 19, 20, 21, 22, 23]))
        self.assertEqual((t.sum((1, 2)), t.min(3, 2), t.max((1, 5))), (3, 2, 5))
        self.assertEqual((1 - m)[0, 2], -1)
        self.assertEqual(((m + 0.5).dtype, (m * 2).dtype, (m @ m.T)[1, 1], float(m[:1, 2:3])), ("f64", "i64", 451, 2.0))
        row = m[0]
        row += 1
        row *= 2
        self.assertEqual(m[0].tolist(), [2, 4, 6, 8, 10, 12])
        self.assertRaises(TypeError, lambda: m.__iadd__(0.5))
        self.assertRaises(OverflowError, lambda: t.tensor([1], dtype="int8") * 300)
        self.assertRaises(ValueError, lambda: m + m.T)
        self.assertRaises(IndexError, m.sum, 2)
        self.assertRaises(ValueError, m.sum, (0, 0))
        for other in ("x", None, object()):
            self.assertRaises(TypeError, lambda: m + other)

    def test_complex_infinities(self):
        """A real factor multiplies both parts: no infinity becomes NaN, and zeros keep their signs."""
        infinity = float("inf")
        x = t.tensor([complex(infinity, 1), complex(1, -infinity), complex(2, -0.0)])
        self.assertEqual(str((x + (1 + 1j)).tolist()), "[(inf+2j), (2-infj), (3+1j)]")
        self.assertEqual(str((-x).tolist()), "[(-inf-1j), (-1+infj), (-2+0j)]")
        self.assertEqual(str((x - t.tensor([1j] * 3)).tolist()), "[(inf+0j), (1-infj), (2-1j)]")

    def test_quotients_and_order(self):
        m = t.tensor([[1, 2], [4, -8]])
        self.assertEqual((m / 2).tolist(), [[0.5, 1.0], [2.0, -4.0]])
        self.assertEqual((2 / m).dtype, "f64")
        self.assertEqual((m.astype("f16") / 3).dtype, "f16")
        self.assertEqual(t.maximum(m, 2).tolist(), [[2, 2], [4, 2]])
        self.assertEqual(t.minimum(m, m.T).tolist(), [[1, 2], [2, -8]])
        x = m.astype("f32")
        x /= m
        self.assertEqual(x.tolist(), [[1.0, 1.0], [1.0, 1.0]])
        c = m.astype("c64")
        for wrong in (lambda: c / 2, lambda: t.maximum(c, c), lambda: m.__itruediv__(2), lambda: c.__itruediv__(2.0),
                      lambda: t.divide(m, m, out=t.zeros((2, 2), "i32"))):
            self.assertRaises(TypeError, wrong)
        self.assertRaises(ValueError, lambda: m / t.tensor([1, 2, 3]))
        self.assertRaisesRegex(ValueError, "combiners 0 to 4, and not 5", t._tessera._combine, 5, m, m, m, None)

    def test_out(self):
        m, out = self.m, t.empty((4, 6), "f64")
        self.assertIs(t.add(m, 1, out=out), out)
        self.assertEqual(out[1, 1], 8)
        self.assertIs(t.einsum("ij->ij", m, out=out), out)
        square = t.empty((4, 4), "i64")
        self.assertIs(t.matmul(m, m.T, out=square), square)
        t.einsum("ij,jk->ik", square, square, out=square)  # it is written over
        self.assertEqual(square.tolist(), (m @ m.T @ (m @ m.T)).tolist())
        self.assertRaises(Refused, t.add, m, 1, t.empty((6, 4)))
        self.assertRaises(ValueError, t.einsum, "ij->ji", m, out=out)

    def test_shapes(self):
        m = self.m
        self.assertEqual((m.T.tolist()[1], m.permute(1, 0).layout), ([1, 7, 13, 19], m.T.layout))
        self.assertEqual(m.reshape(2, -1, 3)[1, 2].tolist(), [18, 19, 20])
        self.assertEqual(m.T.reshape(24)[5], 7)
        for wrong in ((5, 5), (-1, -1), (0, 24), (-1, 7)):
            self.assertRaises(ValueError, m.reshape, *wrong)
        self.assertRaises((ValueError, IndexError), m.permute, 0, 0)
        with self.assertRaisesRegex(Refused, r"\(4, 6\) to the shape \(6, 4\): by_index=True"):
            t.copy(m, t.empty((6, 4)))
        turned = t.empty((6, 4), "i64")
        t.copy(m, turned, by_index=True)
        self.assertEqual(turned[4, 0], 1)
        self.assertEqual(t.add((1, 2), (3, 4)), (4, 6))  # the calculator's
        with self.assertRaisesRegex(Refused, r"gemm adds to C.*B is \(N,K\)"):
            t.gemm(m, m.T)
        self.assertEqual(t.gemm(m, m)[0, 1], 145)

    def test_repr(self):
        for x in (self.m, t.tensor([0.1, 1e30, float("inf")], dtype="f32"), t.tensor([[0.3], [2.5]], dtype="bf16"),
                  t.tensor([True, False]), t.tensor([1 + 2j]), t.relayout(self.m, "((2,2),6):((1,12),2)")):
            again = eval(repr(x), {"tensor": t.tensor, "float": float})
            self.assertEqual((again.tolist(), again.layout, again.dtype), (x.tolist(), x.layout, x.dtype))
            self.assertEqual(str(x), repr(x))
        self.assertEqual(repr(t.tensor([0.1, 0.3], dtype="f32")), 'tensor([0.1, 0.3], "(2):(1)", "f32")')
        self.assertEqual(repr(t.empty((100, 100))), "<tensor of f32, (100,100):(1,100)>")

    def test_lists(self):
        self.assertEqual([t.tensor(x).dtype for x in (3, 1.5, True, 1j, [1, 2.5])], ["i64", "f64", "bool", "c128", "f64"])
        for wrong in ([], [[]], [[1], [1, 2]], [1, [2]], [[1], 2]):
            self.assertRaises(ValueError, t.tensor, wrong)
        around = []
        around.append(around)
        self.assertRaises(ValueError, t.tensor, around)
        self.assertRaises(OverflowError, t.tensor, [300], None, "uint8")

    def test_types(self):
        names = {"float16": "f16", "bfloat16": "bf16", "int8": "int8", "uint64": "u64", "complex64": "c64", "bool": "bool",
                 "float8_e4m3fn": "f8_e4m3fn", float: "f64", int: "i64", bool: "bool", complex: "c128", "f32": "f32"}
        for name, own in names.items():
            self.assertEqual(t.empty(2, name).dtype, own)
        self.assertEqual(self.m.astype("float32").dtype, "f32")
        for wrong in (None, "f7", object, 3.5, "float", ""):
            if wrong != "float":  # C's name of f32
                self.assertRaises((TypeError, ValueError), t.empty, 2, wrong)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.safetensors")
            t.save_file(path, {"w": self.m.T, "b": t.tensor([0.5], dtype="bf16")}, {"format": "pt"})
            read = t.load_file(path)
            self.assertEqual((read["w"].tolist(), read["b"].dtype), (self.m.T.tolist(), "bf16"))
            for wrong in ((path, self.m), (os.path.join(folder, "x.npy"), {}), ({}, path), (path, {1: self.m}),
                          (path, {"w": self.m}, {"a": 1}), (path, {"w": "text"})):
                self.assertRaises(TypeError, t.save_file, *wrong)
            self.assertRaises(OSError, t.save_file, os.path.join(folder, "none", "m.safetensors"), {"w": self.m})
            self.assertEqual(t.load_file(path)["w"].tolist(), self.m.T.tolist())  # as it was

    def test_makers(self):
        self.assertEqual(t.make_layout((4, 8), stride=(8, 1)), L([4, 8], [8, 1]))
        self.assertEqual(L((4, 8), stride="LayoutRight"), L("(4,8):(8,1)"))
        self.assertEqual(t.make_layout((4, 8), t.LayoutRight), L((4, 8), t.LayoutRight))
        self.assertEqual(t.make_layout((4, 8), stride=t.LayoutLeft), L("(4,8):(1,4)"))
        self.assertTrue(t.draw(L("(2,4):(4,1)")).as_bytes("png").startswith(b"\x89PNG"))
        self.assertTrue(os.path.exists(os.path.join(t.include_dir(), "tessera", "tessera.h")))
        self.assertRegex(t.__version__, r"^\d+\.\d+\.\d+$")


@unittest.skipUnless(np, "this Python has no NumPy")
class AsNumPy(unittest.TestCase):
    def view(self, dice, dtype="i8"):
        """A random view of an array."""
        x = np.arange(2 * 3 * 4 * 5, dtype=dtype).reshape(2, 3, 4, 5)
        x = x.transpose(dice.sample(range(4), 4))
        return x[tuple(slice(*sorted(dice.sample(range(n + 1), 2)), dice.choice([1, 1, 2]))
                       for n in x.shape)][dice.choice([..., 0])]

    def key(self, dice, shape):
        key = [dice.choice([slice(None), dice.randrange(-n, n), slice(None, None, -1), slice(dice.randrange(n), None)])
               for n in shape[:dice.randrange(len(shape) + 1)]]
        if dice.random() < 0.3:
            key.insert(dice.randrange(len(key) + 1), ...)
        return tuple(key)

    def test_brackets(self):
        dice = random.Random(1)
        for _ in range(1500):
            x = self.view(dice)
            key = self.key(dice, x.shape)
            try:
                wanted = x[key]
            except IndexError:
                self.assertRaises(IndexError, lambda: t.tensor(x)[key])
                continue
            if not wanted.size:
                self.assertRaises((Refused, IndexError), lambda: t.tensor(x)[key])
                continue
            got = t.tensor(x)[key]
            if not wanted.shape and isinstance(got, t.Tensor):
                got = got[()]
            self.assertEqual(got.tolist() if wanted.shape else got, wanted.tolist(), (x.strides, key))
            y = x.copy()
            y[key] = wanted * 2
            t.tensor(x)[key] = wanted * 2
            self.assertTrue(np.array_equal(x, y))

    def test_reals_to_complex(self):
        x, z = t.tensor([[1, 2], [3, 4]], dtype="i16"), t.tensor([1j, 2.0])
        self.assertEqual(t.sum(x, dtype="c64"), 10)
        self.assertEqual(t.einsum("ab,b->", x, z), 12 + 4j)
        self.assertEqual(t.einsum("ab,b->b", x, z).tolist(), [4j, 12])
        out = t.empty(2, "c128")
        t.sum(x, axis=0, out=out)
        self.assertEqual(out.tolist(), [4, 6])
        with self.assertRaisesRegex(ValueError, "complex"):
            t.max(z)

    def test_products_of_any_integers(self):
        dice = random.Random(8)
        for _ in range(120):
            m, k, n = dice.choice([1, 3, 9]), dice.choice([1, 5, 511, 513, 1100]), dice.choice([1, 2, 4, 5, 7])
            kinds = [dice.choice(["i8", "u8", "i4", "?", "f4", "u1"]) for _ in range(2)]
            x, y = (np.array([dice.randrange(2 ** 70) % 2 ** 15 - (2 ** 14 if kind[0] in "if" else 0)
                              for _ in range(a * b)]).astype(kind).reshape(a, b)
                    for kind, a, b in zip(kinds, (m, k), (k, n)))
            x, y = (a[::-1] if dice.random() < 0.3 else np.asfortranarray(a) if dice.random() < 0.3 else a for a in (x, y))
            got, wide = t.matmul(x, y).numpy(), "f8" if "f4" in kinds else "i8"
            wanted = x.astype(wide) @ y.astype(wide)
            size = np.abs(x.astype("f8")) @ np.abs(y.astype("f8"))
            near = np.all(np.abs(got - wanted) <= size * (1e-5 if got.dtype == "f4" else 1e-13)) if wide == "f8" else False
            self.assertTrue(near or np.array_equal(got, wanted.astype(got.dtype)), kinds)
        x = np.array([[2 ** 62 + 3, -5], [7, 2 ** 63 - 1]])
        self.assertTrue(np.array_equal(t.matmul(x, x).numpy(), x @ x))  # modulo 2^64

    def test_out_of_another_shape(self):
        x = t.tensor([[1.0, 2.0], [3.0, 4.0]])
        for f in (lambda out: t.add(x, x, out=out), lambda out: t.multiply(x, 2, out=out),
                  lambda out: t.sum(x, axis=0, out=out), lambda out: t.negative(x, out=out)):
            with self.assertRaisesRegex(ValueError, r"the result has the shape \(2.*, out has \(3, 1\)"):
                f(t.empty((3, 1), "f64"))

    def test_reductions(self):
        dice = random.Random(2)
        for _ in range(500):
            x = self.view(dice, dice.choice(["i4", "f4", "f8", "u1", "i2"]))
            axis = dice.choice([None, 0, -1, tuple(dice.sample(range(x.ndim), dice.randrange(1, x.ndim + 1)))])
            keep = dice.random() < 0.5
            for ours, its in ((t.sum, np.sum), (t.min, np.min), (t.max, np.max)):
                wanted = its(x, axis=axis, keepdims=keep)
                got = ours(x, axis=axis, keepdims=keep)
                self.assertEqual(got.tolist() if isinstance(got, t.Tensor) else got, wanted.tolist())
                if isinstance(got, t.Tensor):
                    self.assertEqual(got.numpy().dtype, wanted.dtype)

    def test_arithmetic(self):
        dice = random.Random(3)
        types = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
        for _ in range(600):
            x, y = (self.view(dice, dice.choice(types)) for _ in range(2))
            y = y if dice.random() < 0.3 else x[..., :1].real.astype(y.dtype)
            for op in ("__add__", "__sub__", "__mul__"):
                try:
                    wanted = getattr(x, op)(y)
                except ValueError:
                    self.assertRaises(ValueError, getattr(t.tensor(x), op), y)
                    continue
                got = getattr(t.tensor(x), op)(y).numpy()
                self.assertEqual((got.dtype, got.shape), (wanted.dtype, wanted.shape), (x.dtype, y.dtype))
                self.assertTrue(np.allclose(got, wanted, rtol=1e-2 if got.dtype == "f2" else 1e-6))

    def test_shapes(self):
        dice = random.Random(4)
        for _ in range(500):
            x = self.view(dice)
            order = dice.sample(range(x.ndim), x.ndim)
            self.assertEqual(t.permute(x, order).tolist(), x.transpose(order).tolist())
            self.assertEqual(t.tensor(x).T.tolist(), x.T.tolist())
            shape = dice.choice([(-1,), (x.size,), (1, -1), (-1, 1, x.shape[-1])])
            try:
                got = t.reshape(x, shape)
            except Refused:
                continue  # no layout gives it
            self.assertEqual(got.tolist(), x.reshape(shape).tolist(), (x.shape, x.strides, shape))

    def test_matmul(self):
        dice = random.Random(5)
        for a, b in (((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 5)),
                     ((2, 3, 4), (2, 4, 5)), ((1, 3, 4), (2, 4, 5)), ((3, 1), (1, 5)), ((2, 1, 3, 4), (7, 4, 2))):
            x, y = (np.random.default_rng(dice.randrange(99)).integers(-9, 9, s) for s in (a, b))
            got, wanted = t.matmul(x, y), x @ y
            self.assertEqual(got.tolist() if wanted.shape else got, wanted.tolist())
        self.assertRaises(ValueError, t.matmul, np.ones((3, 4)), np.ones((3, 4)))

    def test_types(self):
        for kind in (np.float16, np.dtype("u2"), np.int64, np.bool_, np.complex64):
            self.assertEqual(t.empty(3, kind).numpy().dtype, np.dtype(kind))
        for wrong in (np.longdouble, np.dtype(">f4"), np.object_, np.dtype("U3")):
            self.assertRaises(TypeError, t.empty, 3, wrong)
        self.assertRaisesRegex(TypeError, "an array is not a layout", L, np.arange(3))
        self.assertEqual(L((np.int64(4), 2)), L("(4,2)"))

    def test_einsum_of_many(self):
        x = [np.random.default_rng(i).integers(-3, 4, (2, 2)) for i in range(9)]
        text = "ab,bc,cd,de,ef,fg,gh,hi,ij"
        self.assertEqual(t.einsum(text, *x).tolist(), np.einsum(text, *x, optimize=True).tolist())
        for wrong, words in (("ab,bc->ax", '"ab,bc->ax": the letter at character 8 of the result is in no operand'),
                             ("abc,bc", "operand 0 has 2 modes, but 3 letters"),
                             ("ab,bc->aa", "character 8 repeats the one at character 7")):
            self.assertRaisesRegex(ValueError, words, t.einsum, wrong, *x[:2])
        path = np.einsum_path(text, *x, optimize="optimal")[0]
        self.assertEqual(t.einsum(text, *x, optimize=path).tolist(), np.einsum(text, *x, optimize=path).tolist())
        self.assertEqual(t.einsum("ab,bc", *x[:2], optimize=["einsum_path", (0, 1)]).tolist(), (x[0] @ x[1]).tolist())
        self.assertEqual(t.einsum("ab,bc", *x[:2], optimize=("greedy", 9)).tolist(), (x[0] @ x[1]).tolist())
        for steps, words in (((0, 2), "from 0 to 1"), ((0,), "leaves 2 of 2"), ((0, 0), "from 0 to 1"), (3, "step 3")):
            self.assertRaisesRegex(ValueError, words, t.einsum, "ab,bc", *x[:2], optimize=["einsum_path", steps])
        self.assertRaisesRegex(TypeError, "a path of np.einsum_path", t.einsum, "ab,bc", *x[:2], optimize=[(0, 1)])


if __name__ == "__main__":
    unittest.main()
