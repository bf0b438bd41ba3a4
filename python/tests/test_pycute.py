"""The adapter for pycute: the laws of its operations on its own kind of layouts, and its names."""

import random
import unittest

import tessera
import tessera.pycute as pycute
from tessera.pycute import *


def random_layout(dice):
    shape = tuple(dice.choice([1, 2, 3, 4, (2, 2), (2, 3), 8]) for _ in range(dice.randint(1, 3)))
    order = [dice.choice([0, 1, 2, 3, 4, 8, 16, 24]) for _ in range(8)]

    def strides(s):
        return tuple(map(strides, s)) if isinstance(s, tuple) else order.pop()
    return Layout(shape, strides(shape)) if dice.random() < 0.6 else Layout(shape)


class Adapter(unittest.TestCase):
    def test_names(self):
        for module, names in (
                ("int_tuple", "is_int is_tuple flatten signum product inner_product tuple_max elem_scale shape_div "
                              "prefix_product idx2crd crd2idx crd2crd slice_ has_none"),
                ("layout", "LayoutBase is_layout Layout make_layout size cosize coalesce filter composition complement "
                           "right_inverse left_inverse logical_divide logical_product hier_unzip zipped_divide "
                           "tiled_divide zipped_product tiled_product slice_and_offset"),
                ("swizzle", "shiftr shiftl Swizzle ComposedLayout"), ("typing", "Integer")):
            for name in names.split():
                self.assertIs(getattr(pycute, name), getattr(getattr(pycute, module), name))

    def test_integers(self):
        self.assertEqual([is_int(x) for x in (1, True, 1.0, "1")], [True, False, False, False])
        self.assertEqual((flatten(3), flatten(((1, 2), (3,))), flatten(())), ((3,), (1, 2, 3), ()))
        self.assertEqual((product((2, (3, 4))), product(()), tuple_max((1, (7, 2)))), (24, 1, 7))
        self.assertEqual((inner_product((1, (2, 3)), (4, (5, 6))), signum(-3)), (32, -1))
        self.assertEqual((shape_div((2, 6), 4), elem_scale(2, (3, 4)), elem_scale((2, 3), (4, (5, 6)))),
                         ((1, 3), 24, (8, 90)))
        self.assertEqual(prefix_product((2, 1, (3, 4)), 5), (5, 10, (10, 30)))
        self.assertEqual(prefix_product((2, (3, 4)), (1, 10)), (1, (10, 30)))
        self.assertEqual((crd2idx((1, (2, 0)), (3, (4, 5))), crd2idx(7, (3, 4), (4, 1))), (7, 6))
        self.assertEqual((idx2crd(7, (3, 4)), crd2crd((1, 2), 12, (3, 4)), crd2crd(7, (3, 4))), ((1, 2), 7, (1, 2)))
        self.assertEqual(crd2crd((7, 1), ((2, 4), 2)), ((1, 3), 1))
        self.assertEqual((slice_((None, 1), (3, (4, 5))), slice_(None, 4)), ((3,), (4,)))
        self.assertTrue(has_none((1, (2, None))))
        for f, wrong in ((shape_div, (6, 4)), (prefix_product, ((2, 3), (1, 2, 3))), (inner_product, ((1, 2), 3))):
            self.assertRaises(ValueError, f, *wrong)
        self.assertEqual({type(x) for x in (product((2, 3)), *flatten((1, 2)), *shape_div((2, 6), 4))}, {int})

    def test_layouts(self):
        a = Layout((4, (2, 3)))
        self.assertEqual((a.shape, a.stride, len(a)), ((4, (2, 3)), (1, (4, 8)), 2))
        self.assertEqual((a.size(), a.cosize(), size((2, 3))), (24, 24, 6))
        self.assertEqual((a[1], a(1, None)), (Layout((2, 3), (4, 8)), Layout(((2, 3),), ((4, 8),))))
        self.assertEqual((a((None, (0, None))), a(3, (1, 2))), (Layout((4, 3), (1, 8)), 23))
        self.assertEqual(slice_and_offset((1, None), a), (Layout(((2, 3),), ((4, 8),)), 1))
        self.assertEqual((repr(a), str(a)), ("Layout((4, (2, 3)),(1, (4, 8)))", "(4, (2, 3)):(1, (4, 8))"))
        self.assertEqual(make_layout(Layout(2), Layout(3, 2)), Layout((2, 3), (1, 2)))
        self.assertEqual(make_layout([Layout(2), Layout(3, 2)]), Layout((2, 3), (1, 2)))
        self.assertEqual(len({a, Layout((4, (2, 3)))}), 1)
        self.assertEqual(logical_divide(Layout(24), None), Layout(24))
        self.assertEqual(zipped_divide(Layout((8, 6)), (Layout(4), 2)), Layout(((4, 2), (2, 3)), ((1, 8), (4, 16))))
        self.assertEqual(tiled_divide(Layout((8, 6)), (4, 2)), Layout(((4, 2), 2, 3), ((1, 8), 4, 16)))
        self.assertEqual((complement(4, 24), right_inverse(4), left_inverse(None)), (Layout(6, 4), Layout(4), None))

    def test_laws(self):
        dice = random.Random(7)
        done = {}
        for _ in range(400):
            a, b = random_layout(dice), random_layout(dice)
            for f in (coalesce, filter, composition, complement, right_inverse, left_inverse, logical_divide,
                      logical_product):
                two = f in (composition, logical_divide, logical_product)
                try:
                    r = f(a, b) if two else f(a)
                except tessera.Refused:
                    continue
                done[f] = done.get(f, 0) + 1
                n = min(r.size(), 40)
                if f is coalesce:
                    self.assertEqual([*map(r, range(n))], [*map(a, range(n))])
                elif f is composition:
                    self.assertEqual([*map(r, range(n))], [a(b(i)) for i in range(n)])
                elif f is right_inverse:
                    self.assertEqual([a(r(i)) for i in range(n)], [*range(n)])
                elif f is complement:
                    self.assertFalse({*map(r, range(1, n))} & {*map(a, range(a.size()))})
                elif f is logical_product:
                    self.assertEqual((r[0].shape, r.size()), (a.shape, a.size() * b.size()))
        self.assertEqual(len(done), 8)

    def test_swizzles(self):
        s = Swizzle(2, 1, 3)
        self.assertEqual([s(i) for i in range(64)], [i ^ ((i & s.yyy_msk) >> 3) for i in range(64)])
        self.assertEqual((s.size(), str(s), repr(s)), (64, "SW_2_1_3", "Swizzle(2,1,3)"))
        self.assertEqual((shiftl(1, 3), shiftr(1, -3)), (8, 8))
        c = ComposedLayout(s, 8, Layout((8, 4), (4, 1)))
        self.assertEqual([c(i) for i in range(32)], [s(8 + c.layoutA(i)) for i in range(32)])
        self.assertEqual([c.tessera(i) for i in range(32)], [c(i) for i in range(32)])
        self.assertEqual((len(c), size(c), cosize(c), c == ComposedLayout(s, 8, c.layoutA)), (2, 32, 64, True))
        self.assertRaises(ValueError, Swizzle, -1, 0, 0)


if __name__ == "__main__":
    unittest.main()
