"""Numbers and element types as NumPy has them: a seeded random table of type x type x operation x number of Python's.

The rule is NumPy 2's (NEP 50), which earlier ones follow where both operands are arrays: a number of Python's becomes one
of the array's type, or of the next kind that has it."""

import operator
import random
import unittest
import warnings

import tessera as t
from tessera import L

try:
    import numpy as np
except ImportError:
    np = None
needs_numpy = unittest.skipUnless(np, "this Python has no NumPy")

SIGNS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
         "minimum": None, "maximum": None}
TYPES = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split()
NUMBERS = [0, 1, -1, 2, 3, 7, 100, 127, 128, -128, 255, 256, 300, -300, 65535, 2 ** 31 - 1, 2 ** 31, -2 ** 31, 2 ** 32, 2 ** 53 + 1,
           2 ** 62, 2 ** 63 - 1, 2 ** 63, -2 ** 63, 2 ** 64 - 1, 2 ** 64, 2 ** 70, 0.1, -0.1, 0.5, 1.5, 1e-3, 1 / 3, 65504.5, 70000.0,
           1e30, 1e300, -1e-300, float("inf"), float("nan"), 1j, 0.1 + 0.2j, -3 + 0j, True, False]


def type_with(dtype, x):
    """The type of a result of elements and a number."""
    kind = np.dtype(dtype).kind
    if isinstance(x, bool) or kind == "c" or (isinstance(x, int) and kind in "iuf") or (isinstance(x, float) and kind == "f"):
        return np.dtype(dtype)
    if isinstance(x, complex):
        return np.dtype("c8" if np.dtype(dtype) in ("f2", "f4") else "c16")
    return np.dtype("i8" if isinstance(x, int) else "f8")


def values(dice, dtype, count):
    """Elements of a type, its least and greatest ones among them."""
    d = np.dtype(dtype)
    if d.kind == "b":
        return np.array([dice.random() < 0.5 for _ in range(count)])
    if d.kind in "iu":
        ends = np.iinfo(d)
        some = [0, 1, ends.max, ends.min, ends.max - 1] + [dice.randint(ends.min, ends.max) for _ in range(5)]
        return np.array([dice.choice(some) for _ in range(count)], d)
    real = [dice.choice([0.0, 1.0, -1.5, 0.1, 1e-3, 300.0, 6e4, float("inf"), dice.gauss(0, 1), dice.gauss(0, 1)])
            for _ in range(2 * count)]
    x = np.array(real[:count])
    return (x if d.kind == "f" else np.where(np.isinf(x), 2, x) + 1j * np.array([min(i, 9.0) for i in real[count:]])).astype(d)


@needs_numpy
class Table(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def same(self, got, wanted, what, near=0.0):
        got = got.numpy() if isinstance(got, t.Tensor) else np.asarray(got)
        self.assertEqual(got.dtype, wanted.dtype, what)
        good = np.array_equal(got, wanted, equal_nan=wanted.dtype.kind in "fc")
        if not good and near:
            good = np.allclose(got, wanted, rtol=near, atol=0, equal_nan=True)
        self.assertTrue(good, f"{what}: {got!r}, NumPy {wanted!r}")

    def refused(self, errors, f, what):
        try:
            r = f()
        except errors:
            return
        self.fail(f"{what}: {r!r}, but it is refused in NumPy")

    def numbers(self, sign, dtype, x, n, turned):
        """One sign of an array and a number."""
        what = f"{sign} of {x!r} and {n!r}, turned {turned}"
        to = type_with(dtype, n)
        function = getattr(t, sign)
        f = SIGNS[sign] or function
        run = lambda: f(n, t.tensor(x)) if turned else f(t.tensor(x), n)
        if sign == "subtract" and to.kind == "b" or (to.kind == "c" and sign in ("divide", "minimum", "maximum")):
            return self.refused(TypeError, run, what)  # of complex ones only here
        if to.kind in "iu" and not np.iinfo(to).min <= n <= np.iinfo(to).max:
            return self.refused(OverflowError, run, what)
        number = np.array([n if to.kind in "iub" else complex(n) if to.kind == "c" else float(n)]).astype(to)
        pair = (number, x.astype(to)) if turned else (x.astype(to), number)
        self.same(run(), getattr(np, sign)(*pair), what, 1e-6 if to.kind == "c" else 0)
        return None

    def test_numbers(self):
        dice = random.Random(50)
        for _ in range(6000):
            dtype = dice.choice(TYPES)
            x = values(dice, dtype, dice.choice([1, 5, 40]))
            self.numbers(dice.choice(list(SIGNS)), dtype, x, dice.choice(NUMBERS), dice.random() < 0.4)

    def test_many(self):
        """As many elements as others may hold the lock for, and strided ones: the same numbers."""
        dice = random.Random(51)
        for dtype in ("f2", "f4", "f8", "i4", "u1"):
            for count in (1000, 1 << 16):
                x = values(dice, dtype, count)
                for view in (x, x[::3], x[::-1]):
                    for sign in ("add", "subtract", "multiply", "divide", "minimum"):
                        self.numbers(sign, dtype, view, dice.choice([0.1, 1 / 3, 3, 1e300]), False)

    def test_in_place(self):
        dice = random.Random(52)
        for _ in range(1500):
            dtype, n = dice.choice(TYPES[1:]), dice.choice(NUMBERS)
            x, sign = values(dice, dtype, 7), dice.choice(["iadd", "isub", "imul"])
            to = type_with(dtype, n)
            y = t.tensor(x.copy())
            run = lambda: getattr(operator, sign)(y, n)
            if to.kind != np.dtype(dtype).kind:
                self.refused((TypeError, OverflowError), run, (sign, x, n))
            elif to.kind in "iu" and not np.iinfo(to).min <= n <= np.iinfo(to).max:
                self.refused(OverflowError, run, (sign, x, n))
            else:
                number = np.array([n if to.kind in "iu" else complex(n) if to.kind == "c" else float(n)]).astype(to)
                wanted = getattr(operator, sign[1:])(x, number)
                self.same(run(), wanted.astype(dtype), (sign, x, n), 1e-6 if to.kind == "c" else 0)

    def test_arrays(self):
        dice = random.Random(53)
        for _ in range(6000):
            a, b, sign = dice.choice(TYPES), dice.choice(TYPES), dice.choice(list(SIGNS))
            x, y = values(dice, a, 6), values(dice, b, 6)
            to = np.promote_types(a, b)
            what = f"{sign} of {x!r} and {y!r}"
            run = lambda: (SIGNS[sign] or getattr(t, sign))(t.tensor(x), t.tensor(y))
            if sign == "subtract" and to.kind == "b" or (to.kind == "c" and sign in ("divide", "minimum", "maximum")):
                self.refused(TypeError, run, what)
            else:
                self.same(run(), getattr(np, sign)(x, y), what, 1e-6 if to.kind == "c" else 0)

    def test_sums(self):
        """Sums are made in the type of the result."""
        dice = random.Random(54)
        for _ in range(3000):
            dtype = dice.choice(TYPES)
            x = values(dice, dtype, dice.choice([1, 3, 100]))
            if x.dtype.kind in "fc":
                x = np.where(np.isfinite(x), x, 1).astype(dtype)
            to = dice.choice([d for d in TYPES if np.can_cast(dtype, d, "same_kind") and d not in ("?", "f2")])
            wanted = x.astype(to).sum(dtype=to)
            got = t.tensor(x).sum(dtype=to)
            if np.dtype(to).kind in "iu":
                self.assertEqual(got, wanted, (x, to))
            else:
                size = np.abs(x.astype("c16" if x.dtype.kind == "c" else "f8")).sum()
                self.assertLessEqual(abs(complex(got) - complex(wanted)), size * (1e-5 if to in ("f4", "c8") else 1e-13), (x, to))

    def test_einsum(self):
        dice = random.Random(55)
        for _ in range(2000):
            a, b = dice.choice(TYPES[1:]), dice.choice(TYPES[1:])
            x, y = values(dice, a, 6).reshape(2, 3), values(dice, b, 2)
            x, y = (np.where(np.isfinite(i), i, 1).astype(i.dtype) if i.dtype.kind in "fc" else i for i in (x, y))
            text = dice.choice(["ji,j->j", "ji,k->j", "ij,k->", "ji,j->ji", "ji,j->"])
            to = np.promote_types(a, b)
            if to == "f2":  # which NumPy sums in f2
                continue
            wanted = np.asarray(np.einsum(text, x.astype(to), y.astype(to)))
            got = np.asarray(t.einsum(text, t.tensor(x), t.tensor(y)), wanted.dtype)
            if to.kind in "iu":
                self.assertTrue(np.array_equal(got, wanted), (text, x, y, got, wanted))
            else:
                size = np.einsum(text, *(np.abs(i.astype("c16")) for i in (x, y))).real
                self.assertTrue(np.all(np.abs(got.astype("c16") - wanted) <= size * (1e-5 if to in ("f4", "c8") else 1e-13)),
                                (text, x, y, got, wanted))


class Names(unittest.TestCase):
    """A text that NumPy reads names the same type here."""

    def test_bytes(self):
        for word, ours in (("i1", "int8"), ("i2", "i16"), ("i4", "i32"), ("i8", "i64"), ("u1", "uint8"), ("u8", "u64"),
                           ("f2", "f16"), ("f4", "f32"), ("f8", "f64"), ("c8", "c64"), ("c16", "c128"), ("b1", "bool"),
                           ("?", "bool"), ("<i4", "i32"), ("|u1", "uint8"), ("=f8", "f64"), (">i1", "int8"), ("int", "i64"),
                           ("uint", "u64"), ("float", "f64"), ("complex", "c128"), ("int8", "int8"), ("int4", "int4"),
                           ("i16", "i16"), ("f16", "f16"), ("u6", "u6"), ("double", "f64"), ("half", "f16")):
            self.assertEqual(t.empty(2, word).dtype, ours, word)
        for wrong in (">i4", "<f16", "<int", "<>i4", "i3", "u16x", "<", "c32", "f3"):
            self.assertRaises((ValueError, TypeError), t.empty, 2, wrong)

    def test_own(self):
        """The name that a tensor gives is its type's, and no other one in NumPy."""
        for name in t.dtypes.ROWS:
            self.assertEqual((t.empty(2, name).dtype, t.empty(2, t.empty(2, name).dtype).dtype), (name, name))
            if name[0] in "iu" and name[1:].isdigit():
                self.assertNotIn(name[1:], ("1", "2", "4", "8"))

    @needs_numpy
    def test_numpy(self):
        for word in t.dtypes.ROWS.keys() | {k + n for k in "biufc" for n in ("1", "2", "4", "8", "16")} | {"int", "float", "bool"}:
            try:
                theirs = np.dtype(word)
                name = t.empty(2, word).dtype
            except (TypeError, ValueError):
                continue
            if word != "f16":  # long double in NumPy
                self.assertEqual(t.empty(2, word).numpy().dtype, theirs, (word, name))
        x = np.array([1, 200, 70000, -5, 2 ** 40])
        for word in ("i1", "u1", "i2", "i4", "u4", "i8", "u8", "int"):
            self.assertEqual(t.tensor(x).astype(word).tolist(), x.astype(word).tolist(), word)

    def test_plain(self):
        """Without NumPy: what the table says of a few."""
        x = t.tensor([16777216.0, 0.1], "f32")
        self.assertEqual((x * 0.1).tolist(), (x * t.tensor([0.1], "f32")).tolist())
        self.assertEqual((t.tensor([1 + 0j]) - t.tensor([2 ** 64 - 2], "u64")).tolist(), [1 - (2.0 ** 64 - 2)])
        self.assertEqual(t.tensor([2 ** 63, 2 ** 63, 5], "u64").sum(dtype="f64"), 2.0 ** 64)
        self.assertEqual(t.einsum("ji,j->j", t.tensor([[2 ** 62, 2 ** 62], [1, 1]]), t.tensor([.5, .5])).tolist(), [2.0 ** 62, 1.0])
        self.assertEqual(t.tensor([2 ** 62] * 3).sum(dtype="f64"), 3 * 2.0 ** 62)
        self.assertEqual((t.tensor([1.5]) + 2 ** 70).tolist(), [2.0 ** 70])
        self.assertRaises(OverflowError, lambda: t.tensor([1]) + 2 ** 70)
        self.assertRaises(OverflowError, lambda: t.tensor([1.0]) + 10 ** 400)


if __name__ == "__main__":
    unittest.main()
