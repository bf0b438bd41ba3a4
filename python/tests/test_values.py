"""Values: what they are in Python, the laws of operations on random layouts, refusals."""

import copy
import inspect
import math
import pickle
import random
import sys
import unittest

import tessera as t
from tessera import L, S, V, Refused, dynamic, signatures


def random_shape(dice, depth=0):
    if depth < 2 and dice.random() < 0.4:
        return tuple(random_shape(dice, depth + 1) for _ in range(dice.randint(1, 3)))
    return dice.choice([1, 2, 3, 4, 6, 8])


def random_stride(dice, shape):
    if isinstance(shape, tuple):
        return tuple(random_stride(dice, s) for s in shape)
    return dice.choice([0, 1, 2, 3, 4, 8, 12, 24])


def offset(index, shape, stride):
    """The law of a layout: the sum of the digits of an index times the strides, and what is left of the index."""
    if not isinstance(shape, tuple):
        return index % shape * stride, index // shape
    total = 0
    for s, d in zip(shape, stride):
        part, index = offset(index, s, d)
        total += part
    return total, index


def size(shape):
    return math.prod(map(size, shape)) if isinstance(shape, tuple) else shape


class Values(unittest.TestCase):
    kinds = ["(4,8):(8,1)", "((_2,2),_3):((_1,4),0)", "Sw<2,0,3>", "Sw<2,0,3> o _0 o (_8,_8):(_8,_1)", "<_4,_8:_2>",
             "_1@0", "counting_iter(0) o (4,5):(_1,4)", "SM80_16x8x16_F32F16F16F32_TN", "SM75_U32x4_LDSM_N",
             "LayoutRight", "packed((2,6)) | pass(2):0>0 + unmerge(2,3):1>1,2",
             "dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(1.1,2.1)}",
             "ArithTuple(0,0) o (4,5):(_1@0,_1@1)", "unmerge(2,3)",
             "packed((8,32)) @@ dist{R=();H=((2,2),(4,4));P=((1.0,2.0));Y=(1.1,2.1)}"]

    def test_reads_back(self):
        for text in self.kinds:
            with self.subTest(text):
                v = V(text)
                for same in (eval(repr(v)), pickle.loads(pickle.dumps(v)), copy.deepcopy(v)):
                    self.assertEqual(v, same)
                    self.assertEqual(hash(v), hash(same))
                    self.assertEqual(repr(v), repr(same))
        for n in (t.dynamic(4), (4, t.dynamic(8), (t.dynamic(0),))):
            self.assertEqual(repr(eval(repr(n))), repr(n))
            self.assertEqual(repr(pickle.loads(pickle.dumps(n))), repr(n))

    def test_makers(self):
        a = L("(4,8):(8,1)")
        self.assertEqual(a, L((4, 8), (8, 1)))
        self.assertEqual(a, L(a))
        self.assertEqual(L((4, 8)), L("(4,8):(1,4)"))
        self.assertEqual(L("(4,8)"), L((4, 8)))
        self.assertEqual(str(L((4, t.dynamic(8)), (t.dynamic(8), 1))), "(4,8?):(8?,1)")
        self.assertEqual(str(V((a, None, 2))), "<(4,8):(8,1),_,2>")
        self.assertEqual(V("shape((_4,(2,3)):(_1,(4,8)))"), (4, (2, 3)))
        self.assertEqual([type(x) for x in V("(_4,2,8?)")], [int, int, t.dynamic])
        self.assertIs(S, int)

    def test_equal_numbers_are_equal(self):
        self.assertEqual(L("(4,8):(8,1)"), L("(_4,8?):(8?,_1)"))
        self.assertEqual(hash(L("(4,8):(8,1)")), hash(L("(_4,8):(_8,_1)")))
        self.assertEqual(len({L("4:1"), L("_4:_1"), L("4:2"), L("(4):(1)"), V("Sw<1,0,1> o _0 o 4:1")}), 4)
        self.assertNotEqual(L("4:1"), "4:1")
        self.assertFalse(L("4:1") == None)  # noqa: E711
        with self.assertRaises(TypeError):
            L("4:1") < L("4:2")

    def test_signs(self):
        a = L("(4,8):(8,1)")
        self.assertEqual((a(3, 2), a((3, 2)), a[3, 2], a(11)), (26, 26, 26, 26))
        self.assertEqual((a[1, :], a(1, None), a[:, 2]), (L("(8):(1)"), L("(8):(1)"), L("(4):(8)")))
        self.assertEqual((a[0], a[-1], list(a)), (L("4:8"), L("8:1"), [L("4:8"), L("8:1")]))
        self.assertEqual((len(a), a.rank, a.depth, a.size, a.cosize), (2, 2, 1, 32, 32))
        self.assertEqual((a.shape, a.stride), ((4, 8), (8, 1)))
        self.assertEqual(a @ L("(2,2):(1,4)"), t.composition(a, L("(2,2):(1,4)")))
        self.assertEqual(a @ (2, 4), a.composition((2, 4)))
        self.assertEqual(a.take[1, 2](), t.take[1, 2](a))
        layout, moved = t.slice_and_offset((1, None), a)
        self.assertEqual((layout, moved), (L("(8):(1)"), 8))
        self.assertTrue(t.is_injective(a))
        self.assertFalse(t.is_injective(L("(4,4):(1,1)")))
        for wrong in (lambda: a[2], lambda: a[-3]):
            self.assertRaises(IndexError, wrong)
        for wrong in (lambda: exec("a[0] = 1", {"a": a}), lambda: len(V("Sw<2,0,3>")), lambda: a(x=1), lambda: a(1.5),
                      lambda: a @ 2.5):
            self.assertRaises(TypeError, wrong)
        with self.assertRaises(AttributeError):
            a.shape = 3

    def test_coordinates_obey_the_law(self):
        dice = random.Random(1)
        for _ in range(300):
            shape = random_shape(dice)
            stride = random_stride(dice, shape)
            a, s = L(shape, stride), L(str(L(shape, stride)))
            for i in {0, size(shape) - 1, dice.randrange(size(shape))}:
                at = offset(i, shape, stride)[0]
                self.assertEqual((a(i), a(t.idx2crd(i, shape)), a(S(i)), s(i)), (at,) * 4, (a, i))

    def test_operations_obey_their_laws(self):
        dice = random.Random(2)
        done = {}
        for _ in range(1500):
            a, b = (t._tessera._known(L(s, random_stride(dice, s))) for s in (random_shape(dice), random_shape(dice)))
            for name in ("composition", "right_inverse", "left_inverse", "complement", "coalesce", "logical_divide"):
                try:
                    r = t.operations[name](*((a, b) if name in ("composition", "logical_divide") else (a,)))
                except Refused as refusal:
                    self.assertTrue(refusal.status)
                    continue
                done[name] = done.get(name, 0) + 1
                for i in range(min(r.size, 50)):
                    if name == "composition":
                        self.assertEqual(r(i), a(b(i)), (a, b, i))
                    elif name == "right_inverse":
                        self.assertEqual(a(r(i)), i, (a, i))
                    elif name == "left_inverse" and i < a.size and t.is_injective(a):
                        self.assertEqual(r(a(i)), i, (a, i))
                    elif name == "complement" and i > 0:
                        self.assertNotIn(r(i), {a(k) for k in range(min(a.size, 500))}, (a, i))
                    elif name == "coalesce":
                        self.assertEqual(r(i), a(i), (a, i))
                    elif name == "logical_divide" and i < b.size and b.cosize <= a.size:
                        self.assertEqual(r[0](i), a(b(i)), (a, b, i))
        self.assertTrue(all(n > 50 for n in done.values()) and len(done) == 6, done)


class Refusals(unittest.TestCase):
    def test_fields(self):
        with self.assertRaises(Refused) as caught:
            t.composition(L("(4,6,8):(2,3,5)"), L("6:3"))
        e = caught.exception
        self.assertEqual((e.status, e.mode, e.numbers[:2]), ("COMPOSE_STRIDE", 0, (3, 4)))
        self.assertTrue(str(e).startswith("composition: stride 3 of mode 0 on the right and extent 4 on the left"))
        self.assertIsInstance(e, ValueError)
        again = pickle.loads(pickle.dumps(e))
        self.assertEqual((str(again), again.status, again.numbers), (str(e), e.status, e.numbers))

    def test_known_numbers(self):
        """Integers are known, in texts too; dynamic ones are as in CuTe, and what is refused says what known ones give."""
        self.assertEqual(t.right_inverse(L("(4,8):(8,1)")), L("(8,4):(4,1)"))
        self.assertEqual(t.right_inverse(L("(4?,8?):(8?,1?)")), L("1:0"))
        self.assertEqual(t.max_common_vector(L("(4,8):(1,4)"), L("(4,8):(1,4)")), 32)
        self.assertEqual(t.coalesce(L((2, 4), (1, 2))), L("8:1"))
        self.assertEqual(t.tensor(bytearray(32), "(4,8):(8,1)").layout.coalesce(), L("(4,8):(8,1)"))
        with self.assertRaisesRegex(Refused, r"with static numbers it is \(3,16\):\(1,3\)$"):
            t.logical_divide(L("(8?,6?):(1?,8?)"), t.dynamic(3))
        self.assertEqual(t.logical_divide(L("(8,6):(1,8)"), 3), L("(3,16):(1,3)"))
        self.assertEqual(repr(t.product((t.dynamic(2), 3))), "dynamic(6)")

    def test_text(self):
        with self.assertRaises(Refused) as caught:
            L("(4,8):(8,")
        self.assertEqual((caught.exception.status, caught.exception.numbers[0]), ("SYNTAX", 9))

    def test_kinds(self):
        with self.assertRaisesRegex(TypeError, r"take does not take \(a layout\); there is take<n,n>\(tuple\)"):
            t.take(L("4:1"))
        for wide in (2 ** 63, (4, 2 ** 70), (S(-2 ** 70), 4)):
            with self.assertRaisesRegex(OverflowError, "outside the range of 64-bit integers"):
                L(wide)
        self.assertEqual(repr(t.dynamic(2 ** 70)), f"dynamic({2 ** 70})")
        for other in (None, 1.5, object):
            with self.assertRaisesRegex(TypeError, "names of types"):
                t.empty(4, other)
        with self.assertRaises(Refused):
            L((4,) * 17)
        with self.assertRaises(Refused):
            L((4, 8), (1,))
        nested = 1
        for _ in range(100):
            nested = (nested,)
        self.assertRaises(ValueError, L, nested)
        around = []
        around.append(around)
        self.assertRaises(ValueError, L, around)


class Table(unittest.TestCase):
    def test_documented(self):
        self.assertGreater(len(t.operations), 200)
        for name, operation in t.operations.items():
            self.assertEqual(operation.__name__, name)
            for row in operation.rows:
                self.assertIn(signatures.title(name, row), operation.__doc__)
                self.assertIn(row[3], operation.__doc__)

    def test_signatures(self):
        """Every parameter has a name of its own, two of a kind are a and b, and help() shows no *args."""
        for name, operation in t.operations.items():
            for row in operation.rows:
                names = [p[0] for p in signatures.parameters(row)]
                self.assertEqual(len(names), len(set(names)), (name, names))
                self.assertTrue(all(map(str.isidentifier, names)), (name, names))
                self.assertEqual([n for n in names if len(n) == 1 and n not in "abcnpvswxy"], [], name)
            self.assertNotIn("args", str(inspect.signature(operation)))
        self.assertEqual(str(inspect.signature(t.make_ordered_layout)),
                         "(shape: 'int | tuple', order: 'int | tuple', /) -> 'Layout'")
        self.assertIn("take[begin, end](layout: Layout) -> Layout", t.take.__doc__)
        self.assertEqual(list(inspect.signature(L("4:1").coalesce).parameters), ["profile"])

    def test_names(self):
        self.assertIs(t.pass_, t.operations["pass"])
        self.assertNotIn("min", t.__all__)
        self.assertEqual(t.min(3, 2), 2)


class Leaks(unittest.TestCase):
    def test_memory_stays(self):
        import resource
        a, b = L("(6,2):(8,2)"), L("(4,3):(3,1)")
        x = bytearray(64)

        def work(n):
            for _ in range(n):
                t.composition(a, b), a(3), a[0, :], a.shape, str(a), repr(a), hash(a), a == b, a.take[0, 1]
                V("packed((2,6)) | pass(2):0>0 + unmerge(2,3):1>1,2"), t.slice_and_offset((1, None), a), t.tensor(x)[3]
                try:
                    t.composition(L("(4,6,8):(2,3,5)"), L("6:3"))
                except Refused:
                    pass
                try:
                    t.take(a, 1)
                except TypeError:
                    pass
        work(500)
        before, count = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getrefcount(a)
        work(4000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2000)  # kB: no object is left
        self.assertEqual(sys.getrefcount(a), count)
        x.append(0)  # no tensor holds it any more


class Names(unittest.TestCase):
    def test_names_of_modes(self):
        """They belong to a text: no value has them."""
        self.assertEqual(repr(L("(m=4,n=8):(8,1)")), 'L("(4,8):(8,1)")')
        self.assertEqual(V("logical_divide((m=4,n=8):(8,1), (n=2))"), L("(4,(2,4)):(8,(1,2))"))
        for text in ["(n=2)", "<m=4:1,n=_>"]:
            with self.assertRaisesRegex(ValueError, "names of modes stand in one text with the layout"):
                t.logical_divide(L("(m=4,n=8):(8,1)"), text)


class Sizes(unittest.TestCase):
    def test_given(self):
        tiles = t.given("zipped_divide((M,K):(K,1), (128,32))", "M % 128 == 0")
        self.assertEqual(tiles.text, "((128,32),(M/128,K/32)):((K,1),(128*K,32))")
        self.assertEqual((tiles.guards, tiles.names), ("M % 128 == 0 && K % 32 == 0", ("M", "K")))
        self.assertEqual(repr(tiles), f"{tiles.text} if {tiles.guards}")
        self.assertEqual(tiles(M=256, K=64), t.zipped_divide(L("(256,64):(64,1)"), (128, 32)))
        self.assertEqual(t.given("size((M,K):(K,1))")(K=4, M=3), 12)
        self.assertEqual(repr(t.given("M:1")), "M:1")

    def test_code(self):
        tiles, names = t.given("zipped_divide((M,K):(K,1), (4,2))"), {}
        exec(tiles.code("python"), names)
        self.assertFalse(names["guards"](7, 4))
        self.assertTrue(names["guards"](8, 4))
        layout = tiles(M=8, K=4)
        self.assertEqual([names["offset"](8, 4, i) for i in range(32)], [layout(i) for i in range(32)])

    def test_refused(self):
        tiles = t.given("zipped_divide((M,K):(K,1), (128,32))")
        for call, words in [(lambda: tiles(M=255, K=64), "M = 255 must be a multiple of 128, and positive"),
                            (lambda: t.given("upcast(M:1)"), "upcast is not defined for sizes with names"),
                            (lambda: t.given("M:1", "M"), "guards: a guard is"),
                            (lambda: tiles.code("fortran"), "the languages are c, cuda, hip, python and triton")]:
            with self.assertRaisesRegex(Refused, words):
                call()
        with self.assertRaisesRegex(TypeError, "not of K"):
            tiles(M=256)
        with self.assertRaisesRegex(OverflowError, "int"):
            tiles(M=1 << 70, K=32)


if __name__ == "__main__":
    unittest.main()
