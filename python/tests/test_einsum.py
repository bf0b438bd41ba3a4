"""NumPy's own tests of einsum, their calls answered by ours: each is run by both, and what ours gives goes on."""

import collections
import importlib
import itertools
import random
import sys
import types
import unittest
import unittest.mock

import tessera as t

try:
    import numpy as np
except ImportError:
    np = None

# What may be refused: types that tessera does not have (objects, long doubles), and empty arrays.
REFUSED = tuple("__array_interface__: " + why for why in (
    "there is no element type '|O'", "there is no element type <f16", "there is no element type <c32", "extent 0 of mode "))


class Marks:
    """pytest.mark where there is no pytest: what is decorated keeps name and arguments, as there."""

    def __getattr__(self, name):
        def mark(*args, **kwargs):
            def keep(f):
                f.pytestmark = [*getattr(f, "pytestmark", []), types.SimpleNamespace(name=name, args=args, kwargs=kwargs)]
                return f
            return keep
        return mark


def numpys_tests():
    """NumPy's module of tests, without pytest where there is none."""
    case = unittest.TestCase()
    pytest = types.SimpleNamespace(mark=Marks(), raises=lambda error, match="": case.assertRaisesRegex(error, match))
    mocked = {} if importlib.util.find_spec("pytest") else {"pytest": pytest}
    with unittest.mock.patch.dict(sys.modules, mocked):
        for name in ("numpy._core.tests.test_einsum", "numpy.core.tests.test_einsum"):
            try:
                return importlib.import_module(name)
            except ImportError:
                pass
    return None


def runs(module):
    """(name, test, arguments by name) of each test, one for each combination of its parameters."""
    for owner in (module.TestEinsum, module.TestEinsumPath, module):
        for name in sorted(x for x in dir(owner) if x.startswith("test_")):
            test = getattr(owner if owner is module else owner(), name)
            parameters = [mark.args[:2] for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
            for chosen in itertools.product(*(values for _, values in parameters)):
                yield name, test, {key: value for (key, _), value in zip(parameters, chosen)}


def array_of(x, operands, out, dtype):
    """A result as an array: a view is one of the operand whose memory it has."""
    if out is not None:
        return out
    if not isinstance(x, t.Tensor):
        return np.dtype(dtype or np.result_type(*operands)).type(x)
    interface = x.__array_interface__
    for a in operands:
        at = interface["data"][0] - a.__array_interface__["data"][0]
        if np.shares_memory(x.numpy(), a):
            view = np.ndarray(interface["shape"], interface["typestr"], a, at, interface["strides"])
            view.flags.writeable = a.flags.writeable
            return view
    return x.numpy()


class Both:
    """einsum of both."""

    def __init__(self):
        self.numpys, self.calls, self.answered, self.why = np.einsum, 0, 0, collections.Counter()

    def ours(self, *operands, out=None, dtype=None, order="K", casting="safe", optimize=False, **more):
        if order not in ("C", "K") or casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
            raise ValueError("NumPy's words only")
        dtype = None if dtype is None else np.dtype(dtype)
        arrays = [x if isinstance(x, (str, list, tuple)) else np.asanyarray(x) for x in operands]
        if operands and isinstance(operands[0], str):
            arrays = [operands[0], *map(np.asanyarray, operands[1:])]
        r = t.einsum(*arrays, out=out, dtype=dtype, optimize=optimize, **more)
        return array_of(r, [x for x in arrays if isinstance(x, np.ndarray)], out, dtype)

    def __call__(self, *operands, **options):
        self.calls += 1
        out = options.get("out")
        before = out.copy() if isinstance(out, np.ndarray) else None
        try:
            r = self.ours(*operands, **options)
        except (ValueError, TypeError, OverflowError) as error:
            refused = error
        else:
            self.answered += 1
            return r
        if before is not None:
            out[...] = before
        try:
            r = self.numpys(*operands, **options)
        except (ValueError, TypeError):
            self.answered += 1  # both refuse it
            raise
        self.why[str(refused)[:60]] += 1
        return r


@unittest.skipUnless(np, "this Python has no NumPy")
class NumPysTests(unittest.TestCase):
    def test_all(self):
        module = numpys_tests()
        if not module:
            self.skipTest("NumPy came without its tests")
        both, failed, count = Both(), {}, 0
        with unittest.mock.patch.object(np, "einsum", both):
            for name, test, named in runs(module):
                if name == "test_output_order":  # results have C order here, in NumPy that of the operands
                    continue
                count += 1
                try:
                    test(**{key: both if value is both.numpys else value for key, value in named.items()})
                except BaseException as error:
                    failed[name, str(named)] = repr(error)[:2000]
        if "-v" in sys.argv:
            print(f"{count - len(failed)} of {count} tests pass, {both.answered} of {both.calls} calls answered")
            print(*both.why.most_common(12), sep="\n")
        self.assertEqual(failed, {})
        self.assertEqual([why for why in both.why if not why.startswith(REFUSED)], [])
        self.assertGreater(both.answered, 10000)


@unittest.skipUnless(np, "this Python has no NumPy")
class Orders(unittest.TestCase):
    def test_random(self):
        """Texts of 1 to 12 tensors, in the cheapest order and in one of NumPy's."""
        dice = random.Random(1)
        for _ in range(150):
            sizes = {x: dice.randint(1, 4) for x in "abcdef"}
            names = ["".join(dice.choices("abcdef", k=dice.randint(0, 4))) for _ in range(dice.randint(1, 12))]
            every = sorted(set("".join(names)))
            text = ",".join(names) + "->" + "".join(dice.sample(every, dice.randint(0, min(3, len(every)))))
            x = [np.random.default_rng(dice.randrange(999)).integers(-2, 3, [sizes[i] for i in name]) for name in names]
            path = np.einsum_path(text, *x, optimize="greedy")[0]
            wanted = np.einsum(text, *x, optimize=path)
            with self.subTest(text):
                for chosen in (True, path):
                    got = t.einsum(text, *x, optimize=chosen)
                    self.assertEqual(got.tolist() if wanted.shape else got, wanted.tolist())


if __name__ == "__main__":
    unittest.main()
