"""Tensors of the host: what is computed without the functions of the package gives what these give, and what NumPy gives."""

import math
import random
import unittest

import tessera as t
import tessera.arrays
import tessera.compute

try:
    import numpy as np
except ImportError:
    np = None

KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "?"]


def bytes_of(x):
    return np.array(t.elements(x)).tobytes()


def outcome(f, *arguments, **named):
    try:
        r = f(*arguments, **named)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        return type(error), str(error)
    return (str(r.layout), r.dtype, bytes_of(r)) if isinstance(r, t.Tensor) else (type(r), repr(r))


@unittest.skipUnless(np, "this Python has no NumPy")
class Host(unittest.TestCase):
    def setUp(self):
        self.dice = random.Random(3)

    def array(self, shape=None, kind=None):
        """An array of NumPy in some order of its dimensions."""
        dice = self.dice
        shape = shape or tuple(dice.choice([1, 2, 3, 5, 17]) for _ in range(dice.randint(1, 4)))
        kind = kind or dice.choice(KINDS)
        x = np.array([dice.uniform(-90, 90) for _ in range(math.prod(shape))]).reshape(shape)
        x = (x + 1j * x[..., ::-1] if kind[0] == "c" else np.abs(x) if kind[0] == "u" else x).astype(kind)
        order = dice.sample(range(x.ndim), x.ndim)
        x = x.transpose(order).copy().transpose(np.argsort(order))
        return np.broadcast_to(x[..., :1], shape) if dice.random() < 0.1 else x[..., ::-1] if dice.random() < 0.2 else x

    def test_copies(self):
        long = t.arrays._relayout.__wrapped__
        for case in range(400):
            x, dtype = t.tensor(self.array()), self.dice.choice([None, "f16", "bf16", "f32", "f64", "i32", "uint8", "bool", "c128", "f8_e4m3"])
            with self.subTest(case=case, x=x, dtype=dtype):
                right = outcome(long, x, None, dtype, False, False)
                self.assertEqual(outcome(x.relayout, dtype=dtype), right)
                if dtype:
                    self.assertEqual(outcome(x.astype, dtype), right)

    def test_arrays(self):
        for case in range(300):
            x = self.array()
            with self.subTest(case=case, x=x):
                a, b = t.tensor(x), t.arrays._of_interface(x, x.__array_interface__)
                self.assertEqual((a.text.partition(" o ")[2], a.dtype, np.asarray(a).tobytes()),
                                 (b.text.partition(" o ")[2], b.dtype, np.asarray(b).tobytes()))
                self.assertEqual(np.asarray(a).flags.writeable, x.flags.writeable)
                self.assertEqual(np.asarray(a).ctypes.data, x.ctypes.data)

    def test_sums(self):
        for case in range(400):
            x = t.tensor(self.array())
            axis = self.dice.choice([None, 0, -1, 1, 2, 7])
            op, f = self.dice.choice(list(enumerate((t.sum, t.min, t.max))))
            with self.subTest(case=case, x=x, axis=axis, f=f):
                long = lambda: t.compute._number(t.compute._reduced.__wrapped__(op, x, axis, None, None, False))
                self.assertEqual(outcome(f, x, axis=axis), outcome(long))

    def test_views(self):
        for case in range(400):
            x = self.array()
            a, rank = t.tensor(x), x.ndim
            axes = [self.dice.randint(-rank - 1, rank) if self.dice.random() < 0.1 else i for i in self.dice.sample(range(rank), rank)]
            n = self.dice.choice([1, 2, 3, 5])
            with self.subTest(case=case, x=a, axes=axes, n=n):
                self.assertEqual(outcome(a.reshape, -1, n), outcome(t.compute._reshape, a, -1, n))
                self.assertEqual(outcome(a.reshape, (n, x.size // n)), outcome(t.compute._reshape, a, (n, x.size // n)))
                self.assertEqual(outcome(lambda: a.T), outcome(t.compute.transpose, a))
                if sorted(axes) == list(range(rank)):
                    self.assertEqual(outcome(a.permute, *axes), outcome(t._tessera._view, a, tuple(axes)))

    def index(self, n):
        dice = self.dice
        return dice.randint(-n - 1, n) if dice.random() < 0.4 else slice(*(dice.choice([None, dice.randint(-n - 2, n + 2)]) for _ in range(2)),
                                                                        dice.choice([None, 1, 2, -1, -2, 3]))

    def test_brackets(self):
        """Values, strides, what is written and what is refused, as in NumPy."""
        for case in range(3000):
            x = self.array(kind=self.dice.choice(["f4", "i2", "c16"]))
            x = x.copy() if not x.flags.writeable else x
            key = tuple(self.index(n) for n in x.shape[:self.dice.randint(1, x.ndim)])
            key = key[0] if len(key) == 1 and self.dice.random() < 0.5 else ... if self.dice.random() < 0.1 else key
            a = t.tensor(x)
            with self.subTest(case=case, x=a, key=key):
                try:
                    right = x[key]
                except IndexError:
                    self.assertRaises((IndexError, t.Refused), lambda: a[key])
                    continue
                if right.size == 0:
                    self.assertRaises(t.Refused, lambda: a[key])
                    continue
                mine = a[key]
                self.assertEqual(np.asarray(mine).tolist(), right.tolist())
                if right.ndim:
                    self.assertEqual([d for n, d in zip(right.shape, np.asarray(mine).strides) if n > 1],
                                     [d for n, d in zip(right.shape, right.strides) if n > 1])
                value = self.dice.choice([3, 1.5, right[..., :1] * 2 if right.ndim else 5, right * 2])
                if isinstance(value, float) and x.dtype.kind == "i":
                    value = 1
                wanted = x.copy()
                wanted[key] = value
                a[key] = t.tensor(value.copy()) if isinstance(value, np.ndarray) and value.ndim else value
                self.assertEqual(x.tolist(), wanted.tolist())

    def test_einsums(self):
        texts = ["ii", "ii->i", "ij->ji", "ij->i", "ij->", "ij", "ji", "i->i", "iij->ij", "ij,jk->ik", "ij,jk", "ij,ij->ij", "ij,ij->", "ij,j->i", "i,j->ij",
                 "i,i", "bij,bjk->bik", "bij,bij->b", "bij,bjk->bk", "abij,abjk->abik", "aij,bij->ab", "ij,kj->k", "ii,ij->j", "ij,i->ij", "ijk->kji", "Ab,bA",
                 "ij,jk->kz", "ij->ii", "i j->ji", "...i->i", "ij,jk,kl->il"]
        long = t.compute._einsum.__wrapped__
        for case in range(800):
            text = self.dice.choice(texts)
            sizes = {c: self.dice.choice([1, 2, 3, 5, 40]) for c in "abijkAlz"}
            kind = self.dice.choice(["f4", "f8", "i4", "c8", "c16", "f2", "?"])
            shapes = [tuple(sizes[c] for c in part if c.isalpha()) or (2,) for part in text.partition("->")[0].split(",")]
            operands = [t.tensor(self.array(shape, kind)) for shape in shapes]
            with self.subTest(case=case, text=text, operands=operands):
                right = outcome(lambda: t.compute._number(long(None, None, True, 1.0, 0.0, None, None, text, *operands)))
                mine = outcome(t.einsum, text, *operands)
                self.assertEqual(mine[:-1], right[:-1])
                exact = kind in ("i4", "?") or mine[-1] == right[-1] or isinstance(mine[0], type) and issubclass(mine[0], Exception)
                if not exact:
                    x, y = (np.frombuffer(m[-1], "c16" if kind[0] == "c" else "f8") if isinstance(m[0], str) else np.array(eval(m[-1]))
                            for m in (mine, right))
                    np.testing.assert_allclose(x, y, rtol=2e-2 if kind == "f2" else 2e-4, atol=1 if kind == "f2" else 2e-2)
                else:
                    self.assertEqual(mine, right)

    def test_products(self):
        for case in range(300):
            kind, (m, k, n, b) = self.dice.choice(["f4", "f8", "c8", "c16", "i4"]), (self.dice.choice([1, 2, 3, 33, 70]) for _ in range(4))
            left, right = self.dice.choice([((m, k), (k, n)), ((m, k), (k,)), ((k,), (k, n)), ((k,), (k,)), ((b, m, k), (b, k, n))])
            x, y = self.array(left, kind), self.array(right, kind)
            with self.subTest(case=case, kind=kind, left=left, right=right):
                np.testing.assert_allclose(np.asarray(t.tensor(x) @ t.tensor(y)), x @ y, rtol=1e-3, atol=1e-1)

    def test_memory_that_serves_again(self):
        """Large results take the memory of those that are gone, and none that is still read."""
        x = t.tensor(np.arange(1 << 19, dtype="f4"))
        kept = [x + i for i in range(3)]
        view = (x * 2)[5:]
        for i in range(20):
            y = x * 3 - x
        self.assertEqual([float(k[7]) for k in kept], [7.0, 8.0, 9.0])
        self.assertEqual((view[1], y[9], t.zeros(1 << 19)[9]), (12.0, 18.0, 0.0))


if __name__ == "__main__":
    unittest.main()
