"""What the host does for tessera's own verbs on tensors of a GPU, without one (standin.py): a call is noted, and the next one
on tensors of the same layouts launches the same and gives the same, without the functions that compute it."""

import ctypes
import random
import sys
import types
import unittest

from standin import (FLOAT, UINT, Array, Books, Managed, Memory, capsule, elsewhere, managed, streams,
                     torch_on_device)

import tessera as t
import tessera.arrays
import tessera.compute
import tessera.cuda

memory = Memory()
CODES = [f.__wrapped__.__code__ for module in (tessera.arrays, tessera.compute) for f in vars(module).values()
         if hasattr(f, "__wrapped__")]


def tensor(*shape, bits=16, strides=None, past=0, code=FLOAT):
    return t.tensor(memory.array(shape, strides, bits, code, past=past))


def said(x):
    return (str(x.layout), x.dtype) if isinstance(x, t.Tensor) else x


freed = []  # addresses of memory that torch made for a tensor and got back


@ctypes.CFUNCTYPE(None, ctypes.POINTER(Managed))
def let_go(managed):
    freed.append(managed[0].tensor.data)


class Counted(Array):
    """Tells when the tensor of it is gone."""

    def __dlpack__(self, **more):
        managed.append(Managed(self.tensor, None, ctypes.cast(let_go, ctypes.c_void_p)))
        return capsule(ctypes.addressof(managed[-1]), b"dltensor", None)


class Verbs(unittest.TestCase):
    def setUp(self):
        torch = torch_on_device(self)
        torch.empty = lambda n, dtype, device: Counted(memory.take(n), (n,), (1,), 8, number=int(device[-1]),
                                                         code=UINT)
        torch._C._dynamo.guards._empty_strided_cuda = self.made
        self.too_large, self.makes = 0, []
        self.books = Books.in_dll(ctypes.CDLL("libcuda.so.1"), "fake")

    def made(self, shape, strides, dtype):
        self.makes.append(shape[0])
        if shape[0] == self.too_large:
            raise MemoryError("no memory")
        number, past = elsewhere[-1] if elsewhere else (0, 0)
        return Array(memory.take(shape[0] + past, past), shape, strides, dtype, number=number, code=UINT)

    def counted(self, f, *x):
        """What a call gives, the launches, and whether one of the functions computed it."""
        ran, before = [], self.books.launches
        sys.setprofile(lambda frame, event, what: ran.append(frame.f_code) if event == "call" else None)
        try:
            y = f(*x)
        finally:
            sys.setprofile(None)
        return y, self.books.launches - before, any(code in CODES for code in ran)

    def kept(self, f, make, again=3):
        """The first call computes; others on new tensors do not, launch as often, and give the same elsewhere."""
        x = make()
        first, launches, computed = self.counted(f, *x)
        self.assertTrue(computed)
        for _ in range(again):
            x = make()
            y, launched, computed = self.counted(f, *x)
            self.assertFalse(computed)
            self.assertEqual((launched, said(y)), (launches, said(first)))
        return x, y

    def test_all(self):
        def two():
            return tensor(60, 60, strides=(64 + n, 1)), tensor(60, 60)

        def add_in_place(a, b):
            a += b
            return a

        def scale_in_place(a, b):
            a *= b.T
            a *= 2.5
            a -= 1
            return a

        def assign(a, b):
            a[:, :8] = b[:, 8:16]

        for n, (name, f) in enumerate({
            "matmul": lambda a, b: a @ b, "turned": lambda a, b: a @ b.T, "alone": lambda a, b: a @ a,
            "vector": lambda a, b: a @ b[0], "gemm": lambda a, b: t.gemm(a, b),
            "einsum": lambda a, b: t.einsum("mk,kn->nm", a, b), "lists": lambda a, b: t.einsum(a, [0, 1], b, [1, 2], [0, 2]),
            "three": lambda a, b: t.einsum("mk,kn,np->mp", a, b, a), "diagonal": lambda a, b: t.einsum("ii->i", a) + b[0],
            "view": lambda a, b: t.einsum("ij->ji", a), "type": lambda a, b: t.einsum("ij,jk->k", a, b, dtype="f32"),
            "scaled": lambda a, b: t.einsum("mk,kn->mn", a, b, alpha=0.5, activation="relu"),
            "sum": lambda a, b: t.sum(a, axis=0), "kept": lambda a, b: t.sum(a, axis=-1, keepdims=True),
            "wide": lambda a, b: a.sum(axis=(0,), dtype="f32"), "max": lambda a, b: t.max(a, 1), "min": lambda a, b: b.min(0),
            "relayout": lambda a, b: t.relayout(a, "(60,60):(1,60)"), "value": lambda a, b: a.relayout(t.L("(60,60):(64,1)")),
            "astype": lambda a, b: a.astype("f32"), "class": lambda a, b: a.astype(float), "copy": lambda a, b: a.copy(),
            "add": lambda a, b: a + b, "row": lambda a, b: a + b[0], "subtract": lambda a, b: a - b.T,
            "negative": lambda a, b: -a, "column": lambda a, b: a - b[:, :1],
            "number": lambda a, b: 2.5 * a, "more": lambda a, b: a + 2.5, "less": lambda a, b: 1 - a,
            "multiply": lambda a, b: a * b, "by column": lambda a, b: a[:, :1] * b.T, "square": lambda a, b: a * a,
            "elements": lambda a, b: t.einsum("ij,ji->ij", a, b), "outer": lambda a, b: t.einsum("i,j->ji", a[0], b[0]),
            "in place": add_in_place, "scaled in place": scale_in_place, "assign": assign, "to": lambda a, b: t.copy(a.T, b),
            "out": lambda a, b: t.add(a, 1, out=b), "fill": lambda a, b: a.__setitem__(Ellipsis, 3.0),
        }.items()):
            with self.subTest(name):
                self.kept(f, two)

    def test_random(self):
        """Of any shape, order in memory, type and place."""
        rng = random.Random(5)
        for case in range(40):
            shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 4))]
            order, bits, past = rng.sample(range(len(shape)), len(shape)), rng.choice([16, 32, 64]), rng.choice([0, 8, 64])
            strides, step = [0] * len(shape), rng.randint(1, 2)
            for i in order:
                strides[i], step = step, step * (shape[i] + rng.randint(0, 2))
            axis, keep, number = rng.randrange(len(shape)), rng.random() < 0.5, rng.randint(-3, 3) / 2 + 100 * case
            f = rng.choice([lambda a, b: a + b, lambda a, b: a - number, lambda a, b: b * number,
                            lambda a, b: t.sum(a, b.rank - 1 - axis, keepdims=keep) if a.rank > 1 else a.copy(),
                            lambda a, b: a.astype("f64" if bits < 64 else "f32"), lambda a, b: t.copy(a, b)])
            with self.subTest(case=case, shape=shape, strides=strides, bits=bits, past=past):
                _, launches, _ = self.counted(f, *(tensor(*shape, bits=bits, strides=strides, past=past) for _ in range(2)))
                y, again, computed = self.counted(f, *(tensor(*shape, bits=bits, strides=strides, past=past) for _ in range(2)))
                self.assertEqual((again, computed), (launches, False))

    def test_what_is_given(self):
        """A result lies in new memory, an array that is written is the caller's own, a view shares its memory."""
        (a, b), y = self.kept(lambda a, b: a - b, lambda: (tensor(30, 40), tensor(30, 40)))
        self.assertEqual(self.makes[-1], 30 * 40 * 2)
        self.assertEqual(len({self.address(x) for x in (a, b, y)}), 3)
        self.assertEqual(self.address(y) % 256, 0)
        for x in (tensor(12, 8), tensor(12, 8)):
            same, view = x, t.einsum("ij->ji", x)
            x += 2.0
            self.assertIs(x, same)
            self.assertEqual(self.address(view), self.address(x))

    @staticmethod
    def address(x):
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        capsule = x.__dlpack__()
        at = ctypes.cast(pointer(capsule, b"dltensor"), ctypes.POINTER(ctypes.c_uint64))
        return at[0] + at[5]  # and the offset in bytes

    def test_numbers(self):
        """Another number is an argument of the same launches; what takes other code is computed once more."""
        rates = [0.1 * n + 0.37 for n in range(20)] + [-3.5, 1e30, -1e-30, float("inf"), float("nan")]
        for n, (name, f) in enumerate({
            "product": lambda a, x: a * x, "from the left": lambda a, x: x * a, "sum": lambda a, x: a + x,
            "difference": lambda a, x: a - x, "from": lambda a, x: x - a, "quotient": lambda a, x: a / x,
            "of": lambda a, x: x / a, "most": lambda a, x: t.maximum(a, x), "least": lambda a, x: t.minimum(x, a),
            "in place": lambda a, x: a.__imul__(x), "added": lambda a, x: a.__iadd__(x),
            "taken": lambda a, x: a.__isub__(x), "filled": t.arrays.fill, "divided": lambda a, x: a.__itruediv__(x), "assigned": lambda a, x: a.__setitem__(Ellipsis, x),
            "gemm": lambda a, x: t.gemm(a, a, a.copy(), alpha=x, beta=2.5),
            "beta": lambda a, x: t.gemm(a, a, a.copy(), beta=x),
            "scaled": lambda a, x: t.einsum("mk,nk->mn", a, a, alpha=x), "into": lambda a, x: t.add(a, x, out=a.copy()),
        }.items()):
            for bits in (16, 32, 64):
                with self.subTest(name, bits=bits):
                    new = [self.counted(f, tensor(24 + n, 24 + n, bits=bits), x)[2] for x in rates]
                    self.assertEqual(new, [True] + [False] * (len(rates) - 1))
                    for x in (0.0, 1.0, -1.0):
                        self.assertEqual([self.counted(f, tensor(24 + n, 24 + n, bits=bits), x)[2] for _ in range(3)],
                                         [True, False, False])

    def test_whole_numbers(self):
        """Integers of one length in bits are one call: what fits into a type does so for all of them."""
        def whole():
            return tensor(20, 12, bits=8, code=UINT)

        for f in (lambda a, x: a * x, lambda a, x: a + x, lambda a, x: a.__imul__(x), lambda a, x: a.__isub__(x)):
            self.assertEqual([self.counted(f, whole(), x)[2] for x in (0, 1, 2, 3, 5, 7, 6, 130, 255, 130, 2, 0, 1, 4)],
                             [True, True, True, False, True, False, False, True] + [False] * 6)
            for wrong in (256, 300, -1, -1, 1 << 63, 1 << 64):
                self.assertRaises(OverflowError, f, whole(), wrong)

    def test_two_numbers(self):
        """Two are two, also where they are one object."""
        def f(a, x, y):
            return t.gemm(a, a, a.copy(), alpha=x, beta=y)

        x, y = 0.5, 0.75
        self.assertEqual([self.counted(f, tensor(30, 30), *n)[2] for n in ((x, x), (x, y), (y, x), (y, y))],
                         [True, True, False, False])
        for alpha, beta in ((2.0, 0.0), (2.0, 1.0), (1.0, 2.0)):
            self.assertTrue(self.counted(f, tensor(30, 30), alpha, beta)[2])
            self.assertFalse(self.counted(f, tensor(30, 30), alpha, beta)[2])

    def test_what_differs_is_computed(self):
        def f(a, b):
            return a - b

        self.kept(f, lambda: (tensor(24, 36), tensor(24, 36)))
        for x in ((tensor(24, 36), tensor(36, 24).T), (tensor(24, 36, past=2), tensor(24, 36)),
                  (tensor(24, 36, bits=32), tensor(24, 36)), (tensor(24, 36), tensor(1, 36))):
            self.assertTrue(self.counted(f, *x)[2])
            self.assertFalse(self.counted(f, *x)[2])
        streams.append(8192)
        self.assertTrue(self.counted(f, tensor(24, 36), tensor(24, 36))[2])
        streams.pop()
        for computed in (True, False):
            other = [t.tensor(Array(memory.take(24 * 36 * 2), (24, 36), (36, 1), 16, number=1)) for _ in range(2)]
            y, _, ran = self.counted(f, *other)
            self.assertEqual((y.__dlpack_device__()[1], ran), (1, computed))
        a = tensor(24, 36)
        for g in (lambda x: t.sum(x, 0), lambda x: t.sum(x, 1), lambda x: t.sum(x, 0, keepdims=True), lambda x: t.max(x, 0),
                  lambda x: t.sum(x, axis=0), lambda x: t.sum(x, axis=0, dtype="f32")):
            self.counted(g, a)
            self.assertFalse(self.counted(g, a)[2])

    def test_arrays_that_reach_into_each_other(self):
        """Two views of one array are two arrays; what is written is apart from all others, or it is computed."""
        whole = tensor(40, 64)
        for i in (0, 8, 16):
            y, launches, computed = self.counted(lambda a, b: a + b, whole[i:i + 8], whole[i + 16:i + 24])
            self.assertEqual(computed, i == 0)
        self.counted(t.copy, whole[:8], whole[8:16])
        self.assertFalse(self.counted(t.copy, whole[16:24], whole[8:16])[2])
        for i in (4, 8):
            self.assertRaises(t.Refused, t.copy, whole[i:i + 8], whole[8:16])

    def test_arrays_of_torch(self):
        def product(a, b):
            return t.einsum("mk,kn->mn", a, b)

        def arrays():
            return memory.array((48, 48), bits=16), memory.array((48, 48), bits=16)

        self.kept(product, arrays)
        self.kept(lambda a, b: t.copy(a, b), arrays)
        a, b = arrays()
        self.assertTrue(self.counted(lambda: t.add(a, b, out=b))[2])  # gives a tensor of the array
        a, b = arrays()
        self.assertFalse(self.counted(product, a, b)[2])
        a.requires_grad = True
        self.assertTrue(self.counted(product, a, b)[2])
        host = bytearray(4)
        self.assertRaisesRegex(ValueError, "one place|device", t.copy, memory.array((4,), bits=8, code=UINT), host)

    def test_memory_elsewhere(self):
        def f(a, b):
            return a - b

        def two():
            return tensor(44, 20), tensor(44, 20)

        self.kept(f, two)
        elsewhere.append((1, 0))
        self.assertFalse(self.counted(f, *two())[2])
        elsewhere[-1] = 0, 64
        self.assertTrue(self.counted(f, *two())[2])
        elsewhere.pop()
        self.too_large = 44 * 20 * 2
        self.assertRaisesRegex(MemoryError, "no memory", f, *two())

    def test_failures(self):
        a, b = tensor(9, 10), tensor(10, 9)
        for _ in range(2):
            for wrong in (lambda: a + b, lambda: a @ a, lambda: t.sum(a, 2), lambda: a.astype("f3"), lambda: t.copy(a, b),
                          lambda: t.einsum("ij->k", a), lambda: t.relayout(a, "4:1"), lambda: a.astype(None) + b):
                self.assertRaises((ValueError, TypeError, IndexError), wrong)
        for wrong in (lambda: a * b, lambda: t.multiply(a, a, out=b), lambda: tensor(9, bits=8, code=UINT).__imul__(1.5)):
            self.assertRaises((ValueError, TypeError), wrong)
        self.assertRaises(TypeError, t._tessera._cuda_call, 1)
        self.assertRaises(TypeError, t._tessera._cuda_call, len, (1,), None, False)
        self.assertRaises(TypeError, t._tessera._cuda_call, len, (1,), {}, False)
        self.assertEqual(t._tessera._cuda_call(len, ([1, 2],), {}, False), 2)

    def test_two_tensors_to_one_are_one_launch(self):
        """Sums and products of any layouts, into new memory, into an array and in place; what overlaps is copied first."""
        a, b, row, square = tensor(40, 64), tensor(64, 40).T, tensor(64), tensor(50, 50)
        for f in (lambda: a + b, lambda: a - b, lambda: a * b, lambda: a * row, lambda: a + row, lambda: a[:, :1] * row,
                  lambda: a + a, lambda: a * a, lambda: a * a[::-1], lambda: 2 - a, lambda: a + 2, lambda: a.__iadd__(b),
                  lambda: a / b, lambda: 2 / a, lambda: a / 3, lambda: t.maximum(a, row), lambda: t.minimum(a, 1),
                  lambda: a.__itruediv__(b), lambda: a.__itruediv__(2), lambda: a.__imul__(b), lambda: a.__imul__(row), lambda: a.__imul__(3), lambda: a.__isub__(3),
                  lambda: t.einsum("ij,ij->ij", a, b), lambda: t.einsum("ij,ij->ji", a, b),
                  lambda: t.einsum("ij,j->ij", a, row), lambda: t.einsum("ij,ji->ij", a, b.T),
                  lambda: t.einsum("ij,ij->ji", a, b, out=tensor(64, 40)), lambda: t.einsum("i,j->ij", row, row)):
            self.assertEqual(self.counted(f)[1], 1)
        for f in (lambda: square.__imul__(square.T), lambda: square.__iadd__(square.T),
                  lambda: t.einsum("ij,ji->ij", square, square, out=square)):
            self.assertEqual(self.counted(f)[1], 1)  # and bytes that the driver copies

    def test_more_calls_than_are_kept(self):
        for n in range(2, 4200):
            a = tensor(n, 2)
            t.copy(a, tensor(n, 2, strides=(1, n)))
        self.kept(lambda a, b: a + b, lambda: (tensor(21, 22), tensor(21, 22)))


if __name__ == "__main__":
    tessera.cuda.use_folder(None)
    unittest.main()
