"""Memory of others: nothing is copied, nobody's memory is left or outlived, engines run without the lock."""

import array
import ctypes
import gc
import os
import sys
import tempfile
import threading
import unittest
import weakref

import tessera as t
from tessera import L, Refused

try:
    import numpy as np
except ImportError:
    np = None
needs_numpy = unittest.skipUnless(np, "this Python has no NumPy")


class Buffers(unittest.TestCase):
    def test_types(self):
        for code in "bBhHiIlLqQfd":
            x = array.array(code, range(6))
            a = t.tensor(x)
            self.assertEqual((a.elements(), a.layout, t.dtypes.ROWS[a.dtype].bits), (list(x), L("(6):(1)"), 8 * x.itemsize), code)
            a[2] = 100
            self.assertEqual(x[2], 100)
        self.assertEqual(t.tensor(memoryview(bytes(24)).cast("f", (2, 3))).layout, L("(2,3):(3,1)"))
        self.assertEqual(t.tensor(bytearray(8), dtype="f32").layout, L("(2):(1)"))
        self.assertEqual(t.tensor((ctypes.c_int * 3)(7, 8, 9)).elements(), [7, 8, 9])
        for wrong in ("text", None, object(), [1, "2"], [[1], object()]):
            self.assertRaises(TypeError, t.tensor, wrong)
        self.assertRaises(Refused, t.tensor, b"")

    def test_type_for_a_layout(self):
        a = t.tensor([[1, 2], [3, 4]], "f32")
        self.assertEqual((a.dtype, a.layout), ("f32", L("(2,2):(2,1)")))
        self.assertEqual(t.tensor(bytearray(8), "u16").layout, L("(4):(1)"))
        self.assertEqual(t.tensor([1, 2, 3, 4], "(2,2)").layout, L("(2,2):(1,2)"))
        self.assertRaises(TypeError, t.tensor, [1, 2], "f32", "f64")

    def test_bounds(self):
        x = bytearray(32)
        for layout in ("(4,9):(9,1)", "2:32", "2:-1", "Sw<1,0,-5> o _0 o 32:1"):
            with self.subTest(layout), self.assertRaises(Refused):
                t.tensor(x, layout)
        self.assertEqual(t.tensor(x, "(4,8):(8,1)", "int8").layout, L("(4,8):(8,1)"))
        self.assertRaises(Refused, t.tensor, x, "9:1", "f32")
        a = t.tensor(x, "(5,6):(6,1)")
        tile = t.local_tile(a, (5, 3), (0, 1))
        self.assertEqual(tile.layout, L("(5,3):(6,1)"))
        self.assertRaises(Refused, t.local_tile(a, (3, 4), (1, 1)).elements)  # ragged: it would leave its memory
        self.assertEqual(t.clipped_tile(a, (3, 4), (1, 1)).layout, L("(2,2):(6,1)"))
        for wrong in ((5, 0), (0, 6), (-6, 0), 30):
            with self.subTest(wrong), self.assertRaises(IndexError):
                a[wrong]
            with self.subTest(wrong), self.assertRaises(Refused):
                a(*wrong) if isinstance(wrong, tuple) else a(wrong)

    def test_read_only(self):
        a = t.tensor(b"abcd")
        self.assertEqual(a.elements(), list(b"abcd"))
        for wrong in (lambda: a.__setitem__(0, 1), lambda: t.copy(bytearray(4), a), lambda: a.slice((0,), a)):
            self.assertRaises((Refused, TypeError), wrong)
        self.assertEqual(bytes(b"abcd"), b"abcd")

    def test_nobody_owns_an_address(self):
        for wild in (t.V("gmem<float>(4096) o 4:1"), t.make_tensor(t.raw["f32"](64), L("4:1")),
                     t.make_tensor_like["f32"](L("4:1"))):
            for wrong in (lambda: wild[0], lambda: t.copy(wild, bytearray(16)), lambda: wild.elements(),
                          lambda: t.copy(t.empty(4), wild), wild.__dlpack__, lambda: wild.__array_interface__):
                self.assertRaises(Refused, wrong)
        # an engine may be moved by no operation out of its memory
        a = t.tensor(bytearray(16))
        for move in (100, -1, 1 << 40):
            try:
                moved = t.domain_offset((move,), a)
            except Refused:
                continue
            self.assertRaises(Refused, lambda: moved.elements())

    def test_alive(self):
        class Memory(bytearray):
            pass
        x = Memory(b"0123456789abcdef")
        gone = weakref.ref(x)
        part = t.local_tile(t.tensor(x), (4,), (2,))
        del x
        gc.collect()
        self.assertEqual((part.elements(), gone() is None), (list(b"89ab"), False))
        del part
        gc.collect()
        self.assertIsNone(gone())


class Engines(unittest.TestCase):
    def test_copy(self):
        x, y = array.array("i", range(24)), array.array("d", bytes(192))
        t.copy(t.tensor(x, "(4,6):(6,1)"), t.tensor(y, "(4,6):(1,4)"))
        self.assertEqual(list(y), [6 * (i % 4) + i // 4 for i in range(24)])
        self.assertRaises(Refused, t.copy, x, t.tensor(y, "12:1"))
        self.assertRaises(Refused, t.copy, t.tensor(x, "12:1"), t.tensor(x, "12:2"))  # they overlap
        self.assertEqual(t.relayout(x, "(_4,_6):(_6,_1)", "f16").elements(), [float(i) for i in range(24)])
        t.copy(t.make_counting_tensor(L("6:2")), t.tensor(x, "6:1"))
        self.assertEqual(list(x[:6]), [0, 2, 4, 6, 8, 10])

    def test_products(self):
        a, b = t.tensor(array.array("d", range(6)), "(2,3):(3,1)"), t.tensor(array.array("d", range(12)), "(4,3):(3,1)")
        expected = [sum(a(m, k) * b(n, k) for k in range(3)) for n in range(4) for m in range(2)]
        c = t.empty((2, 4), "f64")
        t.gemm(a, b, c)
        self.assertEqual(c.elements(), expected)
        t.einsum("mk,nk->mn", a, b, out=c)
        self.assertEqual(c.elements(), expected)
        bias = t.tensor(array.array("d", [-100, 1]), "(2,4):(1,0)")
        t.gemm(a, b, c, alpha=2, beta=0, bias=bias, activation="relu")
        self.assertEqual(c.elements(), [max(0, 2 * x + (-100, 1)[i % 2]) for i, x in enumerate(expected)])
        with self.assertRaisesRegex(ValueError, "character 3 has 4 elements here, 3 elsewhere"):
            t.einsum("mk,kn->mn", a, b, out=c)
        with self.assertRaisesRegex(ValueError, "names 2 tensors, 3 are given; the result goes to out="):
            t.einsum("mk,nk->mn", a, b, c)
        for text in (None, b"mk,nk->mn", 3):
            self.assertRaisesRegex(TypeError, "takes a text", t.einsum, text, a, b, out=c)
        self.assertRaises(ValueError, t.gemm, a, b, c, activation="gelu")

    def test_lock_is_released(self):
        """With a switch interval of an hour another thread runs only where the lock is given up."""
        n, beside = 400, []
        a, b, c = (t.empty((n, n)) for _ in range(3))
        begun, done = threading.Event(), []

        def work():
            begun.set()
            for _ in range(1000):  # one may be over before the other thread is awake
                t.gemm(a, b, c)
                if beside:
                    break
            done.append(len(beside))

        before = sys.getswitchinterval()
        thread = threading.Thread(target=work)
        sys.setswitchinterval(3600)
        try:
            thread.start()
            begun.wait()
            while not done:
                beside.append(1)
                threading.Event().wait(0.0001)
            thread.join()
        finally:
            sys.setswitchinterval(before)
        self.assertGreater(done[0], 0)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npy")
            t.save_file(path, t.tensor(array.array("f", range(6)), "(2,3):(3,1)"))
            x = t.load_file(path)
            self.assertEqual((x.layout, x.dtype, x(1, 2)), (L("(2,3):(3,1)"), "f32", 5))
            self.assertRaises(Refused, x.__setitem__, 0, 1)
            self.assertEqual(t.relayout(x, "(2,3):(1,2)").elements(), x.elements())
            self.assertRaises(OSError, t.load_file, os.path.join(folder, "none.npy"))
            header = b'{"w":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]}}'
            with open(os.path.join(folder, "m.safetensors"), "wb") as file:
                file.write(len(header).to_bytes(8, "little") + header + bytes([1, 0, 2, 0, 3, 0, 4, 0]))
            w = t.load_file(os.path.join(folder, "m.safetensors"))["w"]
            self.assertEqual((w.layout, w[0, 1]), (L("(2,2):(2,1)"), 2))
            self.assertEqual(t.load_file(os.fsencode(folder) + b"/m.safetensors")["w"].elements(), w.elements())
            self.assertRaises(TypeError, t.load_file, 3)

    def test_files_of_raw_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npy")
            for name in ("f8_e4m3fn", "f8_e5m2", "f8_e8m0fnu", "tf32", "u128", "bf16"):
                x = t.empty(4, name)
                if name != "u128":
                    t.copy(t.tensor([1.0, 2.0, 0.5, 4.0]), x)
                t.save_file(path, x)
                y = t.load_file(path, dtype=name)
                self.assertEqual((y.dtype, y.layout), (name, L("(4):(1)")))
                if name != "u128":
                    self.assertEqual(y.tolist(), [1.0, 2.0, 0.5, 4.0])
            t.save_file(path, t.empty(4, "f8_e5m2"))
            with self.assertRaisesRegex(OSError, "the type must be given, one of 8 bits"):
                t.load_file(path)
            with self.assertRaisesRegex(OSError, "8 bits"):
                t.load_file(path, "bf16")
            self.assertRaises(ValueError, t.load_file, path, "no type")
            t.save_file(os.path.join(folder, "m.safetensors"), {"w": t.empty(4)})
            self.assertRaises(TypeError, t.load_file, os.path.join(folder, "m.safetensors"), "f32")

    @needs_numpy
    def test_nested_modes_for_numpy(self):
        nested = t.tensor(list(range(16))).reshape(4, 4).zipped_divide((2, 2))
        with self.assertRaisesRegex(ValueError, "flatten the tensor, or copy it to a layout with one stride a mode"):
            nested.numpy()
        self.assertEqual(nested.flatten().numpy().shape, (2, 2, 2, 2))

    def test_files_with_tensors_without_layout(self):
        header = (b'{"w":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]},'
                  b'"none":{"dtype":"F32","shape":[3,0],"data_offsets":[8,8]},'
                  b'"deep":{"dtype":"U8","shape":[%s],"data_offsets":[8,9]}}' % b",".join([b"1"] * 17))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.safetensors")
            with open(path, "wb") as file:
                file.write(len(header).to_bytes(8, "little") + header + bytes([1, 0, 2, 0, 3, 0, 4, 0, 9]))
            m = t.load_file(path)
            self.assertEqual((list(m), sorted(m.refused), m["w"].elements()), (["w"], ["deep", "none"], [1, 3, 2, 4]))
            with self.assertRaisesRegex(KeyError, '"none" is empty: extent 1 is 0'):
                m["none"]
            with self.assertRaisesRegex(KeyError, "17 dimensions"):
                m["deep"]
            self.assertRaises(KeyError, m.__getitem__, "other")

    @needs_numpy
    def test_files_of_arrays_without_elements(self):
        with tempfile.TemporaryDirectory() as folder:
            path, model = os.path.join(folder, "x.npy"), os.path.join(folder, "m.safetensors")
            for shape in ((0,), (0, 3), (2, 0, 3), (0, 0)):
                for kind in ("f4", "i2", "?", "c16"):
                    t.save_file(path, np.zeros(shape, kind))
                    back = np.load(path)
                    self.assertEqual((back.shape, back.dtype), (shape, np.dtype(kind)))
                    with self.assertRaisesRegex(OSError, f"x.npy: the array is empty: extent {shape.index(0)} is 0"):
                        t.load_file(path)
            np.savez(os.path.join(folder, "m.npz"), w=np.arange(6).reshape(2, 3), text=np.array(["a"]))
            archive = t.load_file(os.path.join(folder, "m.npz"))
            t.save_file(os.path.join(folder, "n.npz"), {"w": archive["w"], "none": np.zeros((0, 2))})
            with np.load(os.path.join(folder, "n.npz")) as back:
                self.assertEqual((back["w"].tolist(), back["none"].shape), ([[0, 1, 2], [3, 4, 5]], (0, 2)))
            with self.assertRaisesRegex(TypeError, "no metadata"):
                t.save_file(os.path.join(folder, "n.npz"), {}, {"k": "v"})
            self.assertEqual((archive["w"].tolist(), archive["w"].dtype), ([[0, 1, 2], [3, 4, 5]], "i64"))
            self.assertRegex(archive.refused["text"], "unknown type type <U1|unknown type <U1")
            t.save_file(model, {"none": np.zeros((2, 0), "f2"), "w": np.ones(2, "f4")})
            m = t.load_file(model)
            self.assertEqual((list(m), m["w"].tolist()), (["w"], [1.0, 1.0]))
            t.save_file(os.path.join(folder, "m.gguf"), {"none": np.zeros((2, 0), "f2"), "w": np.eye(2, dtype="f8")}, {"k": "v"})
            g = t.load_file(os.path.join(folder, "m.gguf"))
            self.assertEqual((g["w"].tolist(), list(g.refused)), ([[1.0, 0.0], [0.0, 1.0]], ["none"]))
            with self.assertRaisesRegex(OSError, "GGUF has no elements of bool"):
                t.save_file(os.path.join(folder, "m.gguf"), {"w": np.array([True])})
            self.assertRaises(TypeError, t.save_file, os.path.join(folder, "m.gguf"), np.eye(2))
            self.assertRegex(m.refused["none"], "empty: extent 1 is 0")
            np.save(path, np.array([(1, 2.5), (3, 4.5)], [("x", "<i4"), ("y", ">f8")]))
            self.assertEqual((t.load_file(path, field="x").tolist(), t.load_file(path, field="y").tolist()), ([1, 3], [2.5, 4.5]))
            self.assertEqual(t.load_file(path, field="x").layout, L("(2):(3)"))
            self.assertRaisesRegex(OSError, "fields x, y", t.load_file, path)
            self.assertRaisesRegex(OSError, 'no field "q"', t.load_file, path, field="q")
            self.assertRaises(TypeError, t.load_file, os.path.join(folder, "m.npz"), field="x")
            self.assertRaisesRegex(ValueError, "17 dimensions", t.save_file, path, np.zeros((0,) + (1,) * 16))
            self.assertRaises((TypeError, ValueError), t.save_file, path, np.zeros(0, "datetime64[s]"))


@needs_numpy
class NumPy(unittest.TestCase):
    def test_both_ways(self):
        x = np.arange(24, dtype="f4").reshape(4, 6)
        for y in (x, x.T, x[::2, 1::2], x[:, ::-1][:, ::-1], x[3], x.reshape(2, 3, 4).transpose(2, 0, 1), np.array(3.0),
                  x > 4, x.astype("c8"), x.astype("i2"), x.astype("u8"), x.astype("f2")):
            a = t.tensor(y)
            back = a.numpy()
            self.assertTrue(np.array_equal(back, y))
            self.assertEqual((back.dtype, back.strides if y.ndim else (), np.shares_memory(back, y)),
                             (y.dtype, y.strides, True))
        a = t.tensor(x)
        a[1, 2] = 99
        self.assertEqual(x[1, 2], 99)
        a.numpy()[0, 0] = 7
        self.assertEqual(a[0, 0], 7)
        x.flags.writeable = False
        self.assertFalse(t.tensor(x).numpy().flags.writeable)
        self.assertRaises(Refused, t.tensor(x).__setitem__, 0, 1)

    def test_arrays_in_the_place_of_tuples(self):
        x = np.arange(24, dtype="f4").reshape(4, 6)
        a, turned = t.tensor(x), np.array([1, 0])
        for y, want in ((a.reshape(np.array([2, 12])), x.reshape(2, 12)), (a.permute(turned), x.T),
                        (a.transpose(turned), x.T), (t.permute(a, turned), x.T), (a.transpose(None), x.T),
                        (a.sum(axis=turned), x.sum()), (a.max(axis=np.int64(1)), x.max(axis=1))):
            self.assertTrue(np.array_equal(np.asarray(y), want))

    def test_arrays_in_the_place_of_layouts(self):
        x, a = np.zeros((4, 6), "f4"), t.layout("(4,6):(6,1)")
        for f in (lambda: t.zipped_divide(x, (2, 3)), lambda: t.zipped_divide(a, x), lambda: t.size(x), lambda: a(x),
                  lambda: t.L((4, 6), x), lambda: t.convert(x, "cute"), lambda: t.emit("c", x), lambda: t.draw(x),
                  lambda: t.empty(x), lambda: t.composition(a, x), lambda: t.slice((1, None), x)):
            self.assertRaisesRegex(TypeError, r"is not a layout: .*tensor\(x\)\.layout", f)

    def test_numbers_of_numpy_have_a_type(self):
        for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split():
            one = np.dtype(code).type(1)
            self.assertEqual(np.asarray(t.full((2, 2), one)).dtype, np.dtype(code))
            self.assertEqual(t.full((2, 2), one, "f32").tolist(), [[1.0, 1.0]] * 2)
        for wrong in np.ones(1), "1", None, [1]:
            self.assertRaisesRegex(TypeError, "full takes one number", t.full, (2, 2), wrong)

    def test_lists_are_not_written_to(self):
        a = t.tensor(np.ones((2, 2), "f4"))
        for target in [[0.0, 0.0], [0.0, 0.0]], ((0, 0), (0, 0)), 1.0, 3:
            for f in (lambda: t.copy(a, target), lambda: t.add(a, a, out=target), lambda: t.maximum(a, a, out=target),
                      lambda: t.add(a, np.ones(2), out=target), lambda: t.negative(a, out=target),
                      lambda: t.sum(a, axis=0, out=target), lambda: t.einsum("ij->ji", a, out=target),
                      lambda: t.matmul(a, a, out=target), lambda: t.gemm(a, a, target), lambda: a.astype("f64", out=target)):
                self.assertRaisesRegex(TypeError, "has no memory to write to", f)

    def test_steps_are_negative(self):
        backwards = t.tensor(np.arange(4)[::-1])
        self.assertEqual((backwards.elements(), backwards.numpy().tolist()), ([3, 2, 1, 0], [3, 2, 1, 0]))
        self.assertRaises(BufferError, backwards.__dlpack__)  # torch would end the process

    def test_relaid_out_in_place(self):
        x = np.arange(24, dtype="f4").reshape(4, 6)
        for layout, dtype in (("(4,6):(1,4)", "f4"), ("((2,2),6):((1,12),2)", "f4"), ("(4,6):(6,1)", "f2")):
            y = x.copy()
            r = t.relayout(y, layout, {"f4": "f32", "f2": "f16"}[dtype], in_place=True)
            self.assertEqual(r.layout, L(layout))
            self.assertEqual(r.elements(), t.tensor(x).elements())
            self.assertTrue(np.shares_memory(t.flatten(r).numpy(), y))

    def test_refused(self):
        for wrong in (np.zeros((2, 0)), np.zeros(3, dtype="V8"), np.zeros(3, dtype=">f4"), np.zeros(3, dtype=object),
                      np.zeros((1,) * 17), np.zeros(4, dtype="f4,i1")["f0"]):
            self.assertRaises((ValueError, TypeError), t.tensor, wrong)
        nested = t.tensor(np.zeros(24), "((2,3),4):((12,1),3)")
        self.assertRaises(Refused, nested.numpy)  # no step leads from one of six elements to the next
        self.assertEqual(t.flatten(nested).numpy().shape, (2, 3, 4))

    def test_dlpack(self):
        x = np.arange(6.0).reshape(2, 3)
        y = np.from_dlpack(t.tensor(x))
        self.assertTrue(np.array_equal(x, y) and np.shares_memory(x, y))

        class Only:  # what has nothing but DLPack
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **options):
                return self.x.__dlpack__(**options)

        a = t.tensor(Only(x))
        gone = weakref.ref(x)
        a[1, 1] = -1
        self.assertEqual((x[1, 1], a.layout, a.__dlpack_device__()), (-1, L("(2,3):(3,1)"), (1, 0)))
        capsule = t.tensor(Only(x)).__dlpack__()
        again = t._tessera._from_dlpack(capsule)
        self.assertEqual(again.elements(), a.elements())
        self.assertRaises(ValueError, t._tessera._from_dlpack, capsule)  # it is used
        versioned = t.tensor(b"abc").__dlpack__(max_version=(1, 0))
        fixed = t._tessera._from_dlpack(versioned)
        self.assertEqual(fixed.elements(), list(b"abc"))
        self.assertRaises(Refused, fixed.__setitem__, 0, 1)
        self.assertRaises(BufferError, t.tensor(b"abc").__dlpack__)
        for more in ({"copy": True}, {"dl_device": (2, 0)}):
            self.assertRaises(BufferError, a.__dlpack__, **more)
        self.assertRaises(ValueError, t._tessera._from_dlpack, None)
        del x, y, a, again, capsule
        gc.collect()
        self.assertIsNone(gone())


class Elsewhere(unittest.TestCase):
    def test_device_memory_is_not_touched(self):
        """A capsule of a device: its address is kept, and never read."""
        class DLTensor(ctypes.Structure):
            _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.c_void_p),
                        ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
        shape = (ctypes.c_int64 * 2)(4, 8)
        m = DLTensor(0x7f0000000000, (ctypes.c_int32 * 2)(2, 1), 2, 2, 16, 1, shape, None, 0, None, None)
        self.memory = shape, m  # outlives the tensors below
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        a = t._tessera._from_dlpack(new(ctypes.addressof(m), b"dltensor", None))
        self.assertEqual((a.layout, a.dtype, a.__dlpack_device__()), (L("(4,8):(8,1)"), "f16", (2, 1)))
        self.assertEqual(str(a[1, :]), "gmem_ptr[16b](0x7f0000000010) o (8):(1)")
        for wrong in (lambda: a[0, 0], a.elements, lambda: t.copy(a, bytearray(64)), lambda: a.__array_interface__):
            self.assertRaises(Refused, wrong)
        self.assertEqual(t._tessera._from_dlpack(a.__dlpack__()).__dlpack_device__(), (2, 1))


if __name__ == "__main__":
    unittest.main()
