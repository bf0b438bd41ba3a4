"""convert, emit and fit: random layouts there and back, functions of Python, refusals."""

import random
import unittest

import tessera as t
from tessera import L, Refused


class Bridges(unittest.TestCase):
    def test_convert(self):
        self.assertEqual(t.convert(L("(4,8):(8,1)"), "numpy"), "shape=(4, 8), strides=(32, 4)")
        self.assertEqual(t.convert("ne=(8, 4), nb=(2, 16)", dtype="f16"), L("(4,8):(8,1)"))
        text = "BlockedLayout([1, 2], [8, 4], [2, 1], [1, 0])"
        self.assertEqual(t.convert(text, shape=(16, 16)).kind, t.V("linear{i=(1) -> o=2}").kind)
        self.assertIn("reg_bases=[[0, 1], [0, 8]]", t.convert(text, "gluon", shape=(16, 16)))
        for arguments in [("(2,2):(1,", None), ("((2,2),2):((1,4),2)", "numpy"), (text, "triton")]:
            self.assertRaises(Refused, t.convert, *arguments)
        self.assertRaisesRegex(ValueError, "no system fortran: triton, .* or ttg_named", t.convert, L("4:1"), "fortran")

    def test_emit(self):
        dice = random.Random(1)
        for _ in range(200):
            shape = tuple(dice.choice([1, 2, 3, 4, 8]) for _ in range(3))
            stride = tuple(dice.choice([0, 1, 2, 5, 8, 64]) for _ in range(3))
            a, place = L(shape, stride), {}
            exec(t.emit("python", a), place)
            self.assertEqual([place["offset"](i) for i in range(a.size)], [a(i) for i in range(a.size)])
        self.assertIn("to[to_offset(i)]", t.emit("cuda", "8:1", "8:2", dtype="f16"))
        self.assertRaises(Refused, t.emit, "c", "8:1", "4:1")
        self.assertRaises(ValueError, t.emit, "fortran", "8:1")

    def test_fit(self):
        self.assertEqual(t.fit(lambda i, j: i * 8 + (j ^ i), (8, 8)), L("Sw<3,0,3> o 0 o (8,8):(8,1)"))
        self.assertEqual(t.fit(lambda i: 3 * i, 7), L("7:3"))
        self.assertEqual(t.fit("i*8 + (j^i%8)", i=8, j=8), L("Sw<3,0,3> o 0 o (8,8):(8,1)"))
        self.assertEqual(t.fit([0, None, 2, 3, None, 5]), L("6:1"))
        for samples, shape, words in (([0, 1], 10 ** 7, "2 samples, but the shape has 10000000 coordinates"),
                                      ([0, 1], 4, "2 samples, but the shape has 4"), ([0, 1, 2, 3], 2, "4 samples, but the shape has 2"),
                                      ([0, 1], (2, 2), "2 samples, but the shape has 4"), ([None, None], None, "none of the 2"),
                                      ([0, 1], -2, "extent -2"), ([0, 1], "_", "integer is needed"), ([0] * 65537, None, "at most 65536"),
                                      ([0, 1], (2 ** 62, 2 ** 62), "extent"), ([], 4, "no samples"), ([], None, "no samples"),
                                      ([0, -2 ** 63], None, "sample 1 is -2\\^63")):
            with self.assertRaisesRegex((t.Refused, ValueError, OverflowError), "^[^;]*" + words):
                t.fit(samples, shape)

        class Emptied:  # by what reads it
            def __index__(self):
                emptied.clear()
                return 1
        emptied = [Emptied() for _ in range(4)]
        self.assertRaises(IndexError, t.fit, emptied)
        self.assertEqual(t.fit((0, 1, 3, 2)), L("Sw<1,0,1> o 0 o 4:1"))
        a, b = t.fit(lambda i, j: i // 8 * 520 + (j ^ i % 8) * 8 + i % 8 * 64, (16, 8))
        self.assertEqual([a(i, j) + b(i, j) for j in range(8) for i in range(16)],
                         [i // 8 * 520 + (j ^ i % 8) * 8 + i % 8 * 64 for j in range(8) for i in range(16)])
        self.assertIn("naive", str(t.fit(lambda i, j: (j ^ i) * 24 + i * 200, (8, 8))))
        self.assertEqual(t.fit(lambda i, j: i[0] + 2 * i[1] + 12 * j, ((2, 3), 4)), L("((2,3),4):((1,2),12)"))
        with self.assertRaises(Refused) as refused:
            t.fit(lambda i: i * i, 8)
        self.assertIn("not a layout: sample 2 -> 4, but it gives 2", str(refused.exception))
        self.assertRaises(Refused, t.fit, "1/i", i=4)
        self.assertRaises(ValueError, t.fit, [0] * 70000)


if __name__ == "__main__":
    unittest.main()
