"""What the host does for arrays on a GPU, without one: a stand-in for torch's tensors, on the driver of tests/gpu/fake.c.

Calls that come again find their plan by what the arrays are; all others go the long way."""

import ctypes
import sys
import types
import unittest

from standin import (BASE, CPU, Array, Books, again, copy, fresh, keep, made, makes, matrix, product, streams,
                     torch_of_arrays)

import tessera as t
import tessera.cuda


class Kernels(unittest.TestCase):
    """The stand-in lowers a name to _Z and the name."""

    def kernel(self, name, source="__global__"):
        return tessera.cuda.compile(source, kernels=[name])[name]

    def test_arguments(self):
        k, x = self.kernel("4axpyPfifdm"), matrix(0, 4, 4)
        k[1, 32](x, 3, 1.5, 2.5, 7)
        k[1, 32](x, 3, 1, 2, 7)  # an integer becomes a real number, as in C
        k[1, 32](BASE, 3, 1.5, 2.5, 7)  # an address
        for wrong, words in (((x, 3.0, 1.5, 2.5, 7), "argument 1 is 3.0, the kernel's parameter is an integer"),
                             ((1.5, 3, 1.5, 2.5, 7), "argument 0 is 1.5, the kernel's parameter is a pointer"),
                             ((x, 3, x, 2.5, 7), "the kernel's parameter is a real number"),
                             ((x, 3, 1.5, 2.5, 7.0), "argument 4 is 7.0"), ((x, "3", 1.5, 2.5, 7), "neither a tensor")):
            self.assertRaisesRegex(TypeError, words, k[1, 32], *wrong)
        k = self.kernel("2ofIfEvPT_S0_i")  # what a template's parameter is again stays unknown
        k[1, 32](x, 1.5, 3)
        self.assertRaisesRegex(TypeError, "argument 2 is 3.5", k[1, 32], x, 1.5, 3.5)

    def test_scalars_of_numpy(self):
        """Each is passed as the number of Python that has its value; one that has none is refused."""
        try:
            import numpy as np
        except ImportError:
            self.skipTest("no NumPy")
        k, x = self.kernel("4axpyPfifdm")[1, np.int64(32)], matrix(0, 4, 4)
        for number in (3, np.int64(3), np.uint8(3), np.bool_(True)):
            for real in (1.5, np.float32(1.5), np.float64(1.5), np.float16(1.5), np.int32(2)):
                k(x, number, real, real, number)
        for wrong, kind in (((x, np.float32(3), 1.5, 2.5, 7), TypeError), ((x, 3, np.complex64(1), 2.5, 7), TypeError),
                            ((np.float64(1), 3, 1.5, 2.5, 7), TypeError), ((x, np.int64(1 << 40), 1.5, 2.5, 7), OverflowError),
                            ((x, np.str_("3"), 1.5, 2.5, 7), TypeError), ((x, 3, 1.5, np.longdouble(1) / 3, 7), TypeError),
                            ((x, np.array(3), 1.5, 2.5, 7), TypeError), ((x, np.datetime64(3, "s"), 1.5, 2.5, 7), TypeError)):
            self.assertRaises(kind, k, *wrong)

    def test_launches(self):
        k, x = self.kernel("4axpyPfifdm"), matrix(0, 4, 4)
        self.assertIs(k[1, 32], k[1, 32])
        for i in range(1, 600):
            k[i, [32, 2]](x, 3, 1.5, 2.5, 7)
            k[(i, 1), 32, (1,), 0](x, 3, 1.5, 2.5, 7)
        self.assertRaisesRegex(Exception, "4096", k[1, 4096], x, 3, 1.5, 2.5, 7)
        for wrong in ((1,), 1, (1, 2, 3, 4, 5)):
            self.assertRaises(TypeError, k.__getitem__, wrong)
        for wrong in ((0, 1), (1, (1, 1, 1, 1)), (1, 1, (), -1)):
            self.assertRaises(ValueError, k.__getitem__, wrong)
        self.assertRaisesRegex(ValueError, "on device 1", k[1, 32], matrix(0, 4, 4, number=1), 3, 1.5, 2.5, 7)
        x.requires_grad = True
        self.assertRaisesRegex(ValueError, "detach", k[1, 32], x, 3, 1.5, 2.5, 7)

    def test_maps(self):
        k, x = self.kernel("4copy11tsr_tma_mapPfi"), matrix(0, 256, 128)
        tile = "(8,32):(32,1)"
        m = tessera.cuda.tma_map(x, tile)
        self.assertEqual((type(m), len(m)), (bytes, 128))
        k[1, 32](m, x, 3)
        for again in (tile, t.Layout(tile)):  # found by what the tile is
            self.assertIs(tessera.cuda.tma_map(x, again), m)
        others = [tessera.cuda.tma_map(*y) for y in ((matrix(1, 256, 128), tile), (x, "(16,32):(32,1)"), (x, tile, 2),
                                                     (x, "Sw<3,2,3> o _0 o (8,32):(32,1)"), (x, "Sw<2,2,3> o _0 o (8,16):(16,1)"), (x, "(8,4):(4,1)"),
                                                     (matrix(0, 256, 64), tile))]
        self.assertEqual(len({id(y) for y in (m, *others)}), 8)
        for wrong, words in (((m, m, 3), "argument 1 is bytes, the kernel's parameter is a pointer"), ((b"", x, 3), "has 0 bytes")):
            self.assertRaisesRegex(TypeError, words, k[1, 32], *wrong)
        self.assertRaisesRegex(TypeError, "no tensor on a GPU", tessera.cuda.tma_map, 3, tile)
        for wrong in (matrix(0, 256, 3), matrix(0, 256, 128, turned=True), Array(BASE + 4, (256, 128), (128, 1))):
            self.assertRaises(t.Refused, tessera.cuda.tma_map, wrong, tile)

    def test_kinds(self):
        for lowered, kinds in (("_Z2k1Pfi", "pi"), ("_Z2k2fdmbcxs", "fdiiiii"), ("_Z2k3IN1a1b1SEEvPKT_S3_i", "p?i"),
                               ("_Z2k4IdLin4EEvPT_S0_S1_m", "p??i"), ("_Z2k5IL_ZL4tileEEvPfif", "pif"), ("_Z2k9v", ""),
                               ("_Z3k10PFviEi", "pi"), ("_Z3k12IJifEEvDpT_", None), ("_Z3k13ILb1ELxn7EEvdi", "di"),
                               ("_ZL2k8amRfPA4_i", "iipp"), ("_ZN12_GLOBAL__N_13k11EPfi", "pi"), ("_Z3", None), ("_Z9k", None),
                               ("_ZN1a1b2k7IlEEvNS0_1VIT_EES3_PKPKfi", "??pi"), ("_ZN1a2k6ENS_1b1SENS0_1VIiEEf1E", "??f?"),
                               ("_Z" + "P" * 9999, None), ("_Z1k" + "P" * 9999 + "i", None), ("_Z1kiS", None), ("_Z1kLi", None)):
            self.assertEqual(tessera.cuda.kinds_of(lowered, ""), kinds, lowered)
        source = '''// __global__ void f(float)
            extern "C" __global__ void __launch_bounds__(128) f(float const *x, unsigned long long n, const float a, double b = 1,
                int /* k */ k, tile<4> t, int32_t m, half h, size_t s) { g(1); }
            extern "C" __global__ void g(void) {} template <class T> __global__ void h(T) {} __global__ void h(int) {}'''
        self.assertEqual([tessera.cuda.kinds_of(name, source) for name in "fghx"], ["pifdi?i?i", "", None, None])


class Torch(unittest.TestCase):
    def setUp(self):
        before = sys.modules.get("torch")
        sys.modules["torch"] = torch_of_arrays()
        import tessera.torch
        self.tt = tessera.torch
        if before is None:
            self.addCleanup(sys.modules.pop, "torch")
        else:
            self.addCleanup(sys.modules.__setitem__, "torch", before)
        self.addCleanup(sys.modules.pop, "tessera.torch")

    def test_moves(self):
        s, d = matrix(0, 30, 50), matrix(1, 30, 50, turned=True)
        for _ in range(2):
            self.assertIs(self.tt.copy_(d, s), d)
            y = self.tt.contiguous(d)
            self.assertEqual((y.shape, y.strides, y.dtype), ((30, 50), (50, 1), 32))
        self.assertTrue(again(None, s, d) and again(None, d, y))
        self.assertIs(self.tt.contiguous(s), s)
        self.assertEqual(self.tt.contiguous(s, 16).dtype, 16)
        self.assertRaisesRegex(ValueError, "the shapes differ", self.tt.copy_, d, matrix(0, 50, 30))

    def test_products(self):
        a, b = matrix(0, 64, 192, bits=16), matrix(1, 192, 128, bits=16)
        for _ in range(2):
            c = self.tt.mm(a, b)
            self.assertEqual((c.shape, c.dtype), ((64, 128), 16))
            self.assertIs(self.tt.mm(a, b, c), c)
            self.assertEqual(self.tt.einsum("ab, bc -> ca", a, b).shape, (128, 64))
        self.assertTrue(again("mk,kn->mn", a, b, c))
        for wrong in (lambda: self.tt.mm(a, a), lambda: self.tt.mm(a, b, a), lambda: self.tt.einsum("ab,bcd->acd", a, b),
                      lambda: self.tt.einsum("ab,bc->acx", a, b),
                      lambda: self.tt.mm(a, Array(BASE, (3,), (1,)))):
            self.assertRaises(ValueError, wrong)


    def test_kinds(self):
        a, b, c = (matrix(i, 96, 96, bits=16) for i in range(3))
        for _ in range(2):
            self.tt.mm(a, b, c)
        for wrong in (None, 3, [a]):
            self.assertRaisesRegex(TypeError, "takes torch's tensors", self.tt.mm, a, wrong)
            self.assertRaisesRegex(TypeError, "takes torch's tensors", self.tt.contiguous, wrong)
        self.assertIs(self.tt.copy_(a, a), a)
        a.requires_grad = True
        self.assertRaisesRegex(ValueError, "no gradients are recorded", self.tt.mm, a, b, c)
        a.requires_grad = False
        sys.modules["torch"].einsum = lambda text, *x: "torch's"
        special = type("Special", (Array,), {"__torch_function__": classmethod(lambda *x: None)})
        meta, negative = matrix(0, 96, 96, bits=16), matrix(0, 96, 96, bits=16)
        meta.is_meta = negative.negative = True
        for x in (special(a.tensor.data, a.shape, a.strides, 16), meta, negative):
            self.assertEqual(self.tt.mm(x, b), "torch's")
            self.assertEqual(self.tt.einsum("mk,kn->n", x, b), "torch's")
        self.assertEqual(self.tt.einsum("mk, km -> mk", a, b).shape, (96, 96))
        self.assertRaisesRegex(TypeError, "takes torch's tensors", self.tt.einsum, "mk,mk->mk", a, 3)
        self.assertRaisesRegex(ValueError, "operand 0 is in device 0 and operand 1 in device 1", self.tt.mm, a,
                               matrix(1, 96, 96, bits=16, number=1))


class Guards(unittest.TestCase):
    """What torch is asked of tensors whose like had a plan."""

    def setUp(self):
        self.torch = torch_of_arrays()
        self.like, self.asked, outer = True, [], self

        class TensorGuards:
            def __init__(self, *x, dynamic_dims_sizes, dynamic_dims_strides):
                self.count = len(x)

            def check(self, *x):
                outer.asked.append(len(x) == self.count)
                return outer.like() if callable(outer.like) else outer.like

        self.torch._C._dynamo.guards.TensorGuards = TensorGuards
        before = sys.modules.get("torch")
        sys.modules["torch"] = self.torch
        self.addCleanup(sys.modules.update, {"torch": before}) if before else self.addCleanup(sys.modules.pop, "torch")

    def test_guards(self):
        s, d = matrix(0, 46, 22), matrix(1, 46, 22, turned=True)
        self.assertTrue(copy(s, d))
        s.negative = True  # which nobody asks about where the guard says that all is alike
        self.assertTrue(again(None, s, d))
        self.assertEqual(self.asked, [True])
        self.like = False
        self.assertFalse(again(None, s, d))
        s.negative = False
        self.assertTrue(again(None, s, d))
        self.like = lambda: 1 // 0
        self.assertTrue(again(None, s, d))
        y = made((46, 22), (22, 1), 32)
        self.assertTrue(copy(d, y) and keep(None, None, y, made, ((46, 22), (22, 1), 32), d))
        self.like, self.asked = True, []
        self.assertEqual(fresh(None, None, d).shape, (46, 22))
        self.assertEqual(self.asked, [True])

    def test_moments(self):
        a, b, c = (matrix(i, 88, 88, bits=16) for i in range(3))
        d = matrix(3, 88, 88, turned=True, bits=16)
        texts, cube = ("mk,kn->mn", "vmk,vkn->vmn"), Array(BASE, (2, 4, 4), (16, 4, 1), 16)
        self.assertTrue(product(texts[0], a, b, c) and copy(a, d))
        self.assertTrue(again(texts, a, b, c) and again(texts[0], a, b, c) and not again(texts[::-1], a, b, c))
        self.assertFalse(again(texts, cube, cube, cube) or again(texts, *(Array(BASE, (4,), (1,), 16) for _ in range(3))))
        self.like, self.torch.is_autocast_enabled = False, lambda: True
        self.assertFalse(again(texts, a, b, c))
        self.assertTrue(again(None, a, d))
        del self.torch.is_autocast_enabled
        self.assertTrue(again(texts, a, b, c))
        forward = sys.modules["torch.autograd.forward_ad"] = types.SimpleNamespace(_current_level=0)
        for self.like in (False, True):
            self.assertFalse(again(texts, a, b, c) or again(None, a, d))
        self.assertRaisesRegex(ValueError, "dual level", copy, a, d)
        forward._current_level = -1
        self.assertTrue(again(texts, a, b, c) and again(None, a, d) and copy(a, d))
        del sys.modules["torch.autograd.forward_ad"]
        self.assertRaises(TypeError, again, ("mk,kn->mn",), a, b, c)


class Fresh(unittest.TestCase):
    """Calls that make their result."""

    def setUp(self):
        del makes[:]

    def test_moves(self):
        s = matrix(0, 44, 28, turned=True)
        y = made((44, 28), (28, 1), 32)
        self.assertIsNone(fresh(None, None, s))
        self.assertFalse(keep(None, None, y, made, (1,), s))  # there is no plan
        self.assertTrue(copy(s, y))
        self.assertTrue(keep(None, None, y, made, ((44, 28), (28, 1), 32), s))
        self.assertFalse(keep(None, None, y, made, ((44, 28), (28, 1), 32), s))
        z = fresh(None, None, s)
        self.assertEqual((z.shape, z.strides), ((44, 28), (28, 1)))
        self.assertEqual(makes[-1], ((44, 28), (28, 1), 32))
        self.assertIsNone(fresh(None, 32, s))
        self.assertIsNone(fresh("mk,kn->mn", None, s))
        self.assertIsNone(fresh(None, None, matrix(0, 28, 44, turned=True)))
        s.requires_grad = True
        self.assertIsNone(fresh(None, None, s))

    def test_results_elsewhere(self):
        s = matrix(0, 52, 20, turned=True)
        y = made((52, 20), (20, 1), 32)
        self.assertTrue(copy(s, y))
        for n, (maker, gives) in enumerate(((lambda: made((52, 20), (20, 1), 32), True),
                                            (lambda: made((52, 20), (20, 1), 32, past=4), False),
                                            (lambda: made((52, 20), (20, 1), 32, number=1), False), (lambda: 3, False))):
            self.assertTrue(keep(None, n, y, maker, (), s))
            self.assertEqual(fresh(None, n, s) is not None, gives)
        self.assertTrue(keep(None, -1, y, lambda: 1 // 0, (), s))
        self.assertRaises(ZeroDivisionError, fresh, None, -1, s)

    def test_products(self):
        a, b, text = matrix(0, 320, 64, bits=16), matrix(1, 64, 192, bits=16), "mk,kn->mn"
        c = made((320, 192), (192, 1), 16)
        for _ in range(2):  # the first time another kernel may stand in
            self.assertTrue(product(text, a, b, c))
        self.assertTrue(keep(text, None, c, made, ((320, 192), (192, 1), 16), a, b))
        self.assertEqual(fresh(text, None, a, b).shape, (320, 192))
        self.assertEqual(fresh(text, None, matrix(4, 320, 64, bits=16), b).shape, (320, 192))
        self.assertIsNone(fresh("mk,nk->mn", None, a, b))
        streams.append(8192)
        self.assertIsNone(fresh(text, None, a, b))
        streams.pop()

    def test_arguments(self):
        s = matrix(0, 8, 8)
        self.assertIsNone(fresh(None, None, s, s, s))
        self.assertIsNone(fresh("a", None, *[s] * 20))
        self.assertFalse(again("a", *[s] * 20) or keep("a", None, s, made, (), *[s] * 20))
        for wrong in (lambda: fresh(None, None), lambda: fresh(1, None, s),
                      lambda: keep(None, None, s, 3, (), s), lambda: keep(None, None, s, made, [], s),
                      lambda: keep(None, None, s, made, ())):
            self.assertRaises(TypeError, wrong)


class Again(unittest.TestCase):
    def test_copies(self):
        s, d = matrix(0, 40, 24), matrix(1, 40, 24, turned=True)
        self.assertFalse(again(None, s, d))
        self.assertTrue(copy(s, d))
        self.assertTrue(again(None, s, d))
        self.assertTrue(again(None, matrix(2, 40, 24, past=512), matrix(3, 40, 24, turned=True, past=256)))
        for x, y in ((matrix(0, 40, 24, past=4), d), (s, matrix(1, 40, 24)), (matrix(0, 24, 40), d),
                     (matrix(0, 40, 24, bits=16), d), (s, matrix(1, 40, 24, turned=True, number=1)), (d, s)):
            self.assertFalse(again(None, x, y))
        self.assertFalse(again("mk,kn->mn", s, d))
        self.assertFalse(again(None, s, d, d))

    def test_the_offset_is_a_part_of_the_address(self):
        s, d = matrix(0, 8, 24), matrix(1, 8, 24, turned=True)
        self.assertTrue(copy(s, d))
        self.assertTrue(again(None, Array(BASE, s.shape, s.strides, offset=256), d))
        self.assertFalse(again(None, Array(BASE, s.shape, s.strides, offset=4), d))

    def test_reaching_into_what_is_written(self):
        shape = (16, 64)
        s, d = Array(BASE, shape, (64, 1)), Array(2 * BASE, shape, (1, 16))
        self.assertTrue(copy(s, d))
        self.assertTrue(again(None, s, d))
        for past in (0, 256, 3840, -256, -3840):
            near = Array(BASE + past, shape, (1, 16))
            self.assertFalse(again(None, s, near))
            with self.assertRaises(t.Refused) as refused:
                copy(s, near)
            self.assertEqual(refused.exception.status, "OVERLAP")
        for past in (4096, -4096):
            self.assertTrue(again(None, s, Array(BASE + past, shape, (1, 16))))

    def test_what_is_no_plain_array(self):
        s, d = matrix(0, 12, 20), matrix(1, 12, 20, turned=True)
        self.assertTrue(copy(s, d))
        s.requires_grad = True
        self.assertFalse(again(None, s, d))
        self.assertRaisesRegex(ValueError, "detach", copy, s, d)
        torch = types.ModuleType("torch")
        torch.is_grad_enabled = lambda: False
        before, sys.modules["torch"] = sys.modules.get("torch"), torch
        self.assertTrue(again(None, s, d) and copy(s, d))  # nothing is recorded
        del sys.modules["torch"]
        sys.modules.update({"torch": before} if before else {})
        s.requires_grad, s.negative = False, True
        self.assertFalse(again(None, s, d))
        self.assertRaisesRegex(ValueError, "resolve_neg", copy, s, d)
        s.negative = False
        self.assertTrue(again(None, s, d))
        host = Array(BASE, s.shape, s.strides, device=CPU)
        wrapper = type("Wrapper", (Array,), {"__torch_dispatch__": classmethod(lambda *x: None)})
        self.assertFalse(again(None, wrapper(BASE, s.shape, s.strides), d))
        for x in (host, None, 3, [1], b"abc", t.L("4:1")):
            self.assertFalse(again(None, x, d))
            self.assertFalse(again(None, s, x))
        self.assertRaises(TypeError, again, None, s)
        self.assertRaises(TypeError, again, 1, s, d)
        self.assertFalse(again("m" * 2000, s, d, d))

    def test_shapes_that_differ(self):
        """As sizes they agree, so that tessera.copy copies; torch's copy_ does not, and asks again first."""
        s, d = matrix(0, 6, 35), Array(2 * BASE, (210,), (1,))
        self.assertTrue(copy(s, d))
        self.assertFalse(again(None, s, d))

    def test_products(self):
        a, b, c = (matrix(i, 256, 256, bits=16) for i in range(3))
        text = "mk,kn->mn"
        self.assertFalse(again(text, a, b, c))
        for _ in range(2):
            self.assertTrue(product(text, a, b, c))
        self.assertTrue(again(text, a, b, c))
        self.assertTrue(again(text, b, a, matrix(5, 256, 256, bits=16)))
        self.assertTrue(again(text, a, a, c))
        self.assertFalse(again(text, a, b, a))
        self.assertFalse(again(text, a, b, matrix(0, 256, 256, bits=16, past=512)))
        self.assertFalse(again("mk,nk->mn", a, b, c))
        streams.append(8192)
        self.assertFalse(again(text, a, b, c))
        streams.pop()
        self.assertTrue(again(text, a, b, c))

    def calls(self, m, captured=False):
        """Kernels that a product of m rows compiles, and whether it is noted, in each of three calls."""
        books, done = Books.in_dll(ctypes.CDLL("libcuda.so.1"), "fake"), []
        x = matrix(0, m, 1024, bits=16), matrix(1, 1000, 1024, bits=16), matrix(2, m, 1000, bits=16)
        for i in range(3):
            before = books.compilations
            books.capturing = int(captured and i > 0)
            self.assertTrue(product("mk,nk->mn", *x))
            books.capturing = 0
            done.append((books.compilations - before, again("mk,nk->mn", *x)))
        return done

    def test_products_of_new_sizes(self):
        """The first time another kernel stands in if it is not much slower, and is not noted; the second time the best one
        is made. In a capture nothing is compiled in its place."""
        best, other = [(0, True), (0, True)], 0
        for m in (2048, 1500, 1000, 777, 640, 2560, 1900, 1280):
            first, *more = self.calls(m, captured=m == 1500)
            other += not first[1]
            if first[1]:
                self.assertEqual(more, best)
            elif m == 1500:
                self.assertEqual([first, *more], [(0, False)] * 3)
            else:
                self.assertEqual((first, more[0][1], more[1]), ((0, False), True, (0, True)))
            self.assertEqual(self.calls(m)[2], (0, True))
        self.assertTrue(other)

    def test_products_that_are_measured(self):
        a, b, c = (matrix(i, 384, 384, bits=16) for i in range(3))
        self.assertTrue(product("mk,kn->mn", a, b, c))
        for tune in (False, True, True, False):
            self.assertTrue(product("mk,kn->mn", a, b, c, tune=tune))
            self.assertTrue(again("mk,kn->mn", a, b, c))
        self.assertTrue(product("mk,kn->mn", a, b, c, beta=1.0, tune=True))  # C is read: nothing is measured

    def test_products_that_no_gpu_has_run(self):
        a, b, c = (matrix(i, 320, 320, bits=16) for i in range(3))
        for unproven in (False, True, True, False):  # on sm_90 the plan is the same
            self.assertTrue(product("mk,kn->mn", a, b, c, unproven=unproven))

    def test_more_products_than_are_kept(self):
        a, b = matrix(0, 64, 64, bits=16), matrix(1, 64, 64, bits=16)
        for n in range(1100):
            c = Array(3 * BASE, (64, 64), (64 + 8 * n, 1), 16)
            self.assertTrue(product("mk,kn->mn", a, b, c))
            self.assertTrue(again("mk,kn->mn", a, b, c))

    def test_products_with_more_are_not_kept(self):
        a, b, c = (matrix(i, 128, 128, bits=16) for i in range(3))
        for alpha, beta, relu in ((2.0, 0.0, False), (1.0, 1.0, False), (1.0, 0.0, True)):
            self.assertTrue(product("mk,kn->mn", a, b, c, alpha, beta, None, relu))
            self.assertFalse(again("mk,kn->mn", a, b, c))

    def test_more_calls_than_are_kept(self):
        for n in range(2, 4200):
            s, d = Array(BASE, (n, 3), (3, 1)), Array(2 * BASE, (n, 3), (1, n))
            self.assertTrue(copy(s, d))
            self.assertTrue(again(None, s, d))
        s, d = matrix(0, 40, 24), matrix(1, 40, 24, turned=True)
        self.assertTrue(copy(s, d))
        self.assertTrue(again(None, s, d))


if __name__ == "__main__":
    tessera.cuda.use_folder(None)
    unittest.main()
