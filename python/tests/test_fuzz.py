"""Anything handed to anything: an answer or an exception of Python, never a crash."""

import copy
import gc
import pickle
import random
import unittest

import tessera as t
from tessera import L, S, V


class Odd:
    def __index__(self):
        raise RuntimeError("no")


VALUES = [V(text) for text in (
    "Sw<2,0,3>", "<_4,_8:_2>", "_1@0", "counting_iter(0) o (4,5):(_1,4)", "LayoutLeft", "gmem<float>(64)",
    "unmerge(2,3)", "SM80_16x8x16_F32F16F16F32_TN", "packed((2,6))", "dist{R=();H=((2),(4));P=((1.0));Y=(2.0)}",
    "SM75_U32x4_LDSM_N", "gmem<float>(4096) o packed((2,6))",
    "packed((2,4)) @@ dist{R=();H=((2),(4));P=((1.0));Y=(2.0)} origin=(0,0)",
    "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)", "is_injective(4:0)")]
VALUES += [L("(4,8):(8,1)"), L("_4:_1"), L("Sw<2,0,3> o _0 o (_8,_8):(_8,_1)"), L("((2,2),3):((1,4),0)"),
           t.tensor(bytearray(64)), t.tensor(bytearray(64), "(4,4):(4,1)", "f32"), t.tensor(b"0123456789abcdef")]
PLAIN = [0, 1, -1, 4, S(8), 2 ** 62, -2 ** 63, 2 ** 70, None, slice(None), slice(1, 2), (), (2, 3), ((1, 2), None),
         [4, [2]], "x", "4:1", "(4,", "f32", "pass(2):0>0", "\0", "\ud800", 1.5, 1j, b"4", True, object(), Odd(), {},
         {1}, len, t.rank, t.Layout, ..., (L("4:1"), 2)]
LABELS = ["p", "v", "s", "origin", "op", "x", "nothing"]
BRACKETS = [0, 1, 2, -1, 99, "f32", "half_t", "none", None, 2 ** 70]
FORMATS = ["svg", "html", "json", "unicode", "none", "cute"]


def things(dice):
    return dice.choice(VALUES if dice.random() < 0.6 else PLAIN)


class Fuzz(unittest.TestCase):
    def tried(self, f, *args, **named):
        try:
            r = f(*args, **named)
            repr(r), str(r), hash(r) if isinstance(r, t.Value) else None
        except Exception as e:
            self.assertNotIsInstance(e, SystemError)

    def test_operations(self):
        dice = random.Random(3)
        names = list(t.operations)
        for _ in range(20000):
            f = t.operations[dice.choice(names)]
            args = [things(dice) for _ in range(dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 9, 130]))]
            named = {dice.choice(LABELS): things(dice)} if dice.random() < 0.2 else {}
            if dice.random() < 0.3:
                try:
                    f = f[tuple(dice.choice(BRACKETS) for _ in range(dice.randint(0, 3)))]
                except (TypeError, ValueError, OverflowError):
                    continue
            self.tried(f, *args, **named)

    def test_hollow(self):
        """Modes (), alone and beside others, in every operation."""
        hollow = [V(text) for text in ("()", "():()", "(()):(())", "((),_4):((),_1)", "(4,(2,())):(2,(1,()))",
                                       "counting_iter(0) o ((),4):((),1)", "<()>")] + [4]
        for f in t.operations.values():
            for a in hollow:
                self.tried(f, a)
                for b in hollow:
                    self.tried(f, a, b)
                    self.tried(f, a, b, 4)

    def test_values(self):
        dice = random.Random(4)
        acts = [
            lambda a, b, c: a(b, c),
            lambda a, b, c: a[b],
            lambda a, b, c: a[b, c],
            lambda a, b, c: a @ b,
            lambda a, b, c: a == b,
            lambda a, b, c: a.__setitem__(b, c),
            lambda a, b, c: L(a, b),
            lambda a, b, c: V(a),
            lambda a, b, c: t.Tensor(a),
            lambda a, b, c: (len(a), list(a)),
            lambda a, b, c: (a.shape, a.stride, a.size),
            lambda a, b, c: bool(a),
            lambda a, b, c: t.tensor(a, b),
            lambda a, b, c: t.tensor(a, b, c),
            lambda a, b, c: t.copy(a, b),
            lambda a, b, c: t.gemm(a, b, c),
            lambda a, b, c: t.einsum(a, b, c, c),
            lambda a, b, c: t.einsum(a, b, out=c),
            lambda a, b, c: (t.matmul(a, b), a + b, a - b, a * b, -a),
            lambda a, b, c: (t.sum(a, axis=b), t.min(a, b), t.max(a)),
            lambda a, b, c: (t.reshape(a, b), t.permute(a, b), t.astype(a, b)),
            lambda a, b, c: (a.modes, a.T, a.tolist(), a[b:c], a[..., b], repr(a), float(a)),
            lambda a, b, c: t.relayout(a, b),
            lambda a, b, c: a.__dlpack__(max_version=b),
            lambda a, b, c: a.__array_interface__,
            lambda a, b, c: t.elements(a),
            lambda a, b, c: t.Static(a),
            lambda a, b, c: t.Refused(a, b),
            lambda a, b, c: a.__reduce__(),
            lambda a, b, c: t._tessera._known(a),
            lambda a, b, c: t._tessera._plain(a),
            lambda a, b, c: t._tessera._tensor(a, b, c),
            lambda a, b, c: t._tessera._from_dlpack(a),
        ]
        for _ in range(20000):
            self.tried(dice.choice(acts), *(things(dice) for _ in range(3)))

    def test_bare(self):
        """Every type of the module, made of nothing and half-made: each method, attribute and sign of what there is."""
        types = [x for x in vars(t._tessera).values() if isinstance(x, type)]
        self.assertGreaterEqual({x.__name__ for x in types}, {"Value", "Layout", "Tensor", "dynamic", "Operation", "Memory", "Refused"})
        makers = [lambda x: x(), lambda x: x.__new__(x), lambda x: object.__new__(x), lambda x: x.__new__(t.Value), lambda x: x(None),
                  lambda x: x.__new__(x, 1), lambda x: x("4:1"), lambda x: x(4), lambda x: type("Sub", (x,), {})(),
                  lambda x: type("Sub", (x,), {})(4), lambda x: copy.copy(t.take), lambda x: copy.deepcopy(t.take)]
        signs = [repr, str, hash, bool, len, list, iter, dir, abs, int, float, pickle.dumps, copy.copy, copy.deepcopy, gc.get_referents,
                 lambda x: x == x, lambda x: x < x, lambda x: x @ x, lambda x: x + x, lambda x: x[0], lambda x: x(x), lambda x: x(),
                 lambda x: x(4), lambda x: x.__init__(), lambda x: setattr(x, "y", 1), lambda x: x.__setitem__(0, 0), lambda x: x[:, 0],
                 lambda x: x.__get__(4), lambda x: x.__class__.__call__(x, 4), lambda x: format(x, "d"), lambda x: x.__reduce_ex__(2)]
        dice = random.Random(9)
        for kind in types:
            for make in makers:
                try:
                    x = make(kind)
                except Exception as e:
                    self.assertNotIsInstance(e, SystemError)
                    continue
                for sign in signs:
                    self.tried(sign, x)
                for name in dir(x):
                    self.tried(lambda: getattr(x, name))
                    if name not in ("__class__", "__new__", "__init_subclass__"):
                        self.tried(lambda: getattr(x, name)(*(things(dice) for _ in range(dice.randint(0, 2)))))
            for name in dir(kind):  # descriptors of another type's objects
                self.tried(lambda: getattr(kind, name).__get__(t.take))
                self.tried(lambda: getattr(kind, name)(t.take))
        for wrong in (t.Operation, t._tessera.Memory):
            self.assertRaises(TypeError, wrong)

    def test_pictures(self):
        dice = random.Random(5)
        for _ in range(300):
            self.tried(lambda x, f: t.draw(x).as_bytes(f), things(dice), dice.choice(FORMATS))
        for _ in range(100):
            f = dice.choice(list(t.operations.values()))
            self.tried(lambda *a: t.draw(f, *a).as_bytes("svg"), things(dice), things(dice))


if __name__ == "__main__":
    unittest.main()
