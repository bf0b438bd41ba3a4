"""NumPy's own tests of einsum, their calls answered by ours: each is run by both, and what ours gives goes on."""

import collections
import importlib
import itertools
import random
import sys
import unittest
import unittest.mock

import tessera as t

try:
    import numpy as np
except ImportError:
    np = None

LEAST = 0.88  # of NumPy's calls: the others are of types that tessera does not have


def numpys_tests():
    """NumPy's module of tests, without pytest where there is none."""
    mocked = {} if importlib.util.find_spec("pytest") else {"pytest": unittest.mock.MagicMock()}
    with unittest.mock.patch.dict(sys.modules, mocked):
        for name in ("numpy._core.tests.test_einsum", "numpy.core.tests.test_einsum"):
            try:
                return importlib.import_module(name)
            except ImportError:
                pass
    return None


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
        both, failed, methods = Both(), {}, 0
        with unittest.mock.patch.object(np, "einsum", both):
            for kind in (module.TestEinsum, module.TestEinsumPath):
                for name in sorted(x for x in dir(kind) if x.startswith("test_")):
                    if name == "test_output_order":  # results have C order here, in NumPy that of the operands
                        continue
                    methods += 1
                    try:
                        getattr(kind(), name)()
                    except BaseException as error:
                        failed[name] = repr(error)[:2000]
        if "-v" in sys.argv:
            print(f"{methods - len(failed)} of {methods} methods pass, {both.answered} of {both.calls} calls answered")
            print(*both.why.most_common(12), sep="\n")
        self.assertEqual(failed, {})
        self.assertGreater(both.answered / both.calls, LEAST, both.why)


if __name__ == "__main__":
    unittest.main()
