"""The signs + - * / between tensors, least and greatest: of floats of the host they are computed apart from the functions."""

import math
import operator
import random
import unittest
import warnings

import tessera as t
import tessera.compute

try:
    import numpy as np
except ImportError:
    np = None


@unittest.skipUnless(np, "this Python has no NumPy")
class Signs(unittest.TestCase):
    def test_signs_are_the_functions(self):
        """Signs of floats that lie side by side are computed in another place than the functions."""
        rng = random.Random(7)
        special = [0.0, -0.0, 1.0, -1.0, 0.1, 1 / 3, 1e-45, 3e38, -1e-310, float("inf"), float("-inf"), float("nan")]
        signs = [("__add__", t.add), ("__sub__", t.subtract), ("__mul__", t.multiply), ("__truediv__", t.divide)]
        one, other = t.compute._combined.__wrapped__, t.compute._sum_of.__wrapped__
        functions = {t.add: lambda a, b: other(a, b, 1, None), t.subtract: lambda a, b: other(a, b, -1, None),
                     t.multiply: lambda a, b: t.compute._product_of.__wrapped__(a, b, None),
                     t.divide: lambda a, b: one("quotient", a, b, None),
                     t.minimum: lambda a, b: one("least", a, b, None), t.maximum: lambda a, b: one("greatest", a, b, None)}
        for case in range(300):
            shape = rng.choice([(7,), (16,), (33, 2), (4, 5, 6), (3, 1, 4), (1,), (300,), (1100,)])
            size, dtype = math.prod(shape), rng.choice(["f4", "f4", "f8"])
            a, b = (t.tensor(np.array([rng.choice(special) if rng.random() < 0.5 else rng.uniform(-9, 9)
                                          for _ in range(size)]).astype(dtype).reshape(shape)) for _ in range(2))
            if rng.random() < 0.3:
                a, b = a.T, b.T
            x, y = rng.choice([(a, b), (a, b), (a, rng.choice(special)), (rng.choice(special), a), (a, 3), (-2, b), (a, a)])
            name, f = rng.choice(signs + [("", t.minimum), ("", t.maximum)])
            with self.subTest(case=case, shape=shape, dtype=dtype, name=name, x=x, y=y):
                right = functions[f](x, y)
                mine = (getattr(operator, name) if name else f)(x, y)
                self.assertEqual((str(mine.layout), mine.dtype), (str(right.layout), right.dtype))
                self.assertEqual(np.asarray(mine).tobytes(), np.asarray(right).tobytes())
                self.assertEqual(np.asarray(-a).tobytes(), np.asarray(t.negative(a)).tobytes())
                for out in (t.empty(mine.layout, dtype), t.empty(np.asarray(mine).shape, dtype)):  # of its order, and of another one
                    self.assertIs(f(x, y, out=out), out)
                    self.assertEqual(out.tolist().__repr__(), right.tolist().__repr__())
                if name and isinstance(x, t.Tensor):
                    z = x.copy()
                    self.assertIs(getattr(operator, "__i" + name[2:])(z, y), z)
                    self.assertEqual(np.asarray(z).tobytes(), np.asarray(right).tobytes())

    def test_signs_of_all_types(self):
        """Types, mixed ones, numbers, shapes that are repeated, layouts and `out`: values, types and layouts are the functions'."""
        rng = random.Random(8)
        kinds = ["i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "?"]
        shapes = [(2, 3, 4), (3, 4), (1, 4), (3, 1), (4,), (1,), (2, 1, 4), (70, 3, 4), (2, 3, 40)]
        of = t.compute
        signs = [(operator.add, lambda a, b: of._sum_of.__wrapped__(a, b, 1, None)), (operator.sub, lambda a, b: of._sum_of.__wrapped__(a, b, -1, None)),
                 (operator.mul, lambda a, b: of._product_of.__wrapped__(a, b, None))]
        signs += [(f, lambda a, b, name=name: of._combined.__wrapped__(name, a, b, None)) for f, name in
                  ((operator.truediv, "quotient"), (t.minimum, "least"), (t.maximum, "greatest"))]

        def operand():
            if rng.random() < 0.2:
                return rng.choice([3, -2, 0.5, 2.5, 1j, True, 300, -1])
            shape = rng.choice(shapes)
            x = np.array([rng.uniform(-90, 90) for _ in range(math.prod(shape))]).reshape(shape)
            kind = rng.choice(kinds)
            x = t.tensor((x + 1j * x[..., ::-1] if kind[0] == "c" else np.abs(x) if kind[0] == "u" else x).astype(kind))
            return x.T.relayout().T if rng.random() < 0.3 else x[..., ::-1] if rng.random() < 0.2 else x

        def outcome(f, *operands):
            try:
                r = f(*operands)
                return str(r.layout), r.dtype, np.asarray(r).tobytes()
            except (TypeError, ValueError, OverflowError) as error:
                return type(error), str(error)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for case in range(1500):
                x, y = operand(), operand()
                sign, function = rng.choice(signs)
                if not isinstance(x, t.Tensor) and not isinstance(y, t.Tensor):
                    continue
                right = outcome(function, x, y)
                with self.subTest(case=case, x=x, y=y, sign=sign):
                    self.assertEqual(outcome(sign, x, y), right)
                    if isinstance(right[0], str) and isinstance(sign, type(operator.add)):
                        named = {"add": t.add, "sub": t.subtract, "mul": t.multiply, "truediv": t.divide}[sign.__name__]
                        out = t.empty(np.asarray(function(x, y)).shape, right[1])
                        self.assertIs(named(x, y, out=out), out)
                        self.assertEqual(np.asarray(out).tolist().__repr__(), np.asarray(function(x, y)).tolist().__repr__())

    def test_signs_in_place(self):
        """What reaches into the elements that are written, and memory that is only read."""
        whole = np.arange(40, dtype="f4")
        a, b = t.tensor(whole[:32]), t.tensor(whole[8:])
        right = whole[:32] + whole[8:]
        a += b
        self.assertEqual(np.asarray(a).tolist(), right.tolist())
        fixed = whole.copy()
        fixed.flags.writeable = False
        with self.assertRaisesRegex(t.Refused, "only be read"):
            x = t.tensor(fixed)
            x += 1.0
        with self.assertRaisesRegex(t.Refused, "only be read"):
            t.add(t.tensor(whole), 1.0, out=t.tensor(fixed))
        self.assertRaises(TypeError, lambda: a + None)
        c, d = t.tensor(whole[:32]), t.tensor(whole[8:])
        right = whole[:32] * whole[8:]
        t.multiply(c, d, out=d)
        self.assertEqual(np.asarray(d).tolist(), right.tolist())
        self.assertRaises(TypeError, lambda: "a" * a)
        self.assertRaises(OverflowError, lambda: a * 10 ** 400)
        self.assertEqual((a * 10 ** 30).tolist(), (a * 1e30).tolist())
        self.assertEqual((a + [1.0] * 32).dtype, "f64")
        self.assertRaises(ValueError, t._tessera._two, 6, a, a)
        self.assertRaises(ValueError, t._tessera._set_signs, None, None, ())


if __name__ == "__main__":
    unittest.main()
