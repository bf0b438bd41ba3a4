"""Chains: tensors of arrays of tensors of arrays .., 100000 links long, are made and let go; nothing grows with them."""

import ctypes
import gc
import unittest
import weakref

import tessera as t

try:
    import numpy as np
except ImportError:
    np = None
needs_numpy = unittest.skipUnless(np, "this Python has no NumPy")

LINKS = 100000


class Memory(bytearray):
    """Tells when it is gone."""


class Chains(unittest.TestCase):
    def let_go(self, link):
        """A chain of links from memory that is the test's own: its last link keeps it, and nothing is left behind."""
        memory = Memory(range(64))
        gone = weakref.ref(memory)
        x = t.tensor(memory)
        for _ in range(LINKS):
            x = link(x)
        del memory
        self.assertIsNotNone(gone())
        del x
        gc.collect()
        self.assertIsNone(gone())

    def test_dlpack(self):
        self.let_go(lambda x: t._tessera._from_dlpack(x.__dlpack__()))
        self.let_go(lambda x: t._tessera._from_dlpack(x.__dlpack__(max_version=(1, 0))))

    @needs_numpy
    def test_numpy(self):
        self.let_go(lambda x: t.tensor(np.asarray(x)))
        self.let_go(lambda x: t.tensor(np.asarray(t._tessera._from_dlpack(x.__dlpack__()))))
        self.let_go(lambda x: t.tensor(memoryview(np.asarray(x)[:])))

    def test_interfaces(self):
        class Array:
            __array_interface__ = property(lambda self: self.x.__array_interface__)

            def __init__(self, x):
                self.x = x

        self.let_go(lambda x: t.tensor(Array(x)))

    def test_views(self):
        self.let_go(lambda x: x[:])
        self.let_go(lambda x: t.tensor(x, "64:1"))
        self.let_go(lambda x: t.domain_offset((0,), x))

    def test_operations(self):
        """An operation is bound to what it is an attribute of; bound once more, it holds that alone."""
        bound = t.size
        for _ in range(LINKS):
            bound = bound.__get__(bound)
        del bound
        memory = Memory(range(64))
        gone = weakref.ref(memory)
        bound = t.tensor(memory).complement.__get__(t.L("4:1"))
        del memory
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
