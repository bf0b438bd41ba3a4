"""Arrays as nobody should hand them over: each works or is refused in one sentence, nothing leaks, threads do not
meet."""

import contextlib
import ctypes
import gc
import os
import random
import test.support
import threading
import unittest

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # the addresses "on a GPU" are none, and a driver would read there

import tessera as t
from tessera import L, Refused

try:
    import numpy as np
except ImportError:
    np = None
needs_numpy = unittest.skipUnless(np, "this Python has no NumPy")


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Plain(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", DELETER), ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


class Capsules:
    """Makes capsules over one block of bytes and counts those that were given back."""

    def __init__(self):
        self.block = (ctypes.c_uint8 * 256)(*range(256))
        self.kept, self.deleted = [], 0
        self.deleter = DELETER(self.delete)
        self.new = ctypes.pythonapi.PyCapsule_New
        self.new.restype, self.new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    def delete(self, _):
        self.deleted += 1

    def make(self, shape, strides=None, code=2, bits=32, lanes=1, device=1, offset=0, ndim=None, version=None, flags=0,
             data=...):
        m = Plain() if version is None else Versioned()
        if version is not None:
            (m.major, m.minor), m.flags = version, flags
        m.deleter = self.deleter
        d = m.tensor
        d.data = ctypes.addressof(self.block) if data is ... else data
        d.device, d.ndim, d.offset = Device(device, 0), len(shape) if ndim is None else ndim, offset
        d.code, d.bits, d.lanes = code, bits, lanes
        integers = [(ctypes.c_int64 * max(1, len(x)))(*x) if x is not None else None for x in (shape, strides)]
        for field, x in zip(("shape", "strides"), integers):
            if x is not None:
                setattr(d, field, ctypes.cast(x, ctypes.POINTER(ctypes.c_int64)))
        self.kept.append((m, integers))
        return self.new(ctypes.addressof(m), b"dltensor" if version is None else b"dltensor_versioned", None)


class OneSentence(unittest.TestCase):
    def refused(self, f, *args, **named):
        with self.assertRaises((Refused, TypeError, ValueError, OverflowError, BufferError)) as caught:
            f(*args, **named)
        said = str(caught.exception)
        self.assertTrue(said and "\n" not in said and "invalid literal" not in said and "unpack" not in said, said)
        return said


class DLPack(OneSentence):
    def setUp(self):
        self.capsules = Capsules()

    def taken(self, *args, **named):
        return t._tessera._from_dlpack(self.capsules.make(*args, **named))

    def test_types(self):
        known = {(4, 16): "bf16", (5, 64): "c64", (5, 128): "c128", (6, 8): "bool"}
        known.update({(code, bits): "iuf"[code] + str(bits) for code in range(3) for bits in (16, 32, 64)})
        known.update({(0, 8): "int8", (1, 8): "uint8"})
        for code in range(256):
            for bits in (0, 1, 4, 6, 8, 16, 24, 32, 64, 80, 128, 255):
                try:
                    a = self.taken((2, 2), code=code, bits=bits)
                except Refused as refused:
                    self.assertNotIn((code, bits), known)
                    self.assertIn(f"code {code} with {bits} bits", str(refused))
                else:
                    self.assertEqual((a.dtype, a.size), (known.get((code, bits), a.dtype), 4))
                    self.assertEqual(len(a.elements()) if (code, bits) in known else 4, 4)

    def test_shapes(self):
        self.assertEqual(self.taken(()).elements(), self.taken((1,)).elements())
        self.assertEqual(self.taken((2, 3)).layout, L("(2,3):(3,1)"))  # strides NULL
        self.assertEqual(self.taken((2, 3), (1, 2)).layout, L("(2,3):(1,2)"))
        self.assertEqual(self.taken((4,), (-1,), code=1, bits=8, offset=3).elements(), [3, 2, 1, 0])
        self.assertEqual(self.taken((3,), (0,), code=1, bits=8, offset=7).elements(), [7, 7, 7])
        for wrong in (dict(shape=(0,)), dict(shape=(2, -1)), dict(shape=(2,), ndim=-1), dict(shape=(1,) * 17),
                      dict(shape=(2 ** 62, 2 ** 62)), dict(shape=(2,), strides=(2 ** 62,)), dict(shape=(4,), lanes=2),
                      dict(shape=(4,), lanes=0), dict(shape=(4,), offset=2 ** 64 - 1), dict(shape=(4,), data=None)):
            with self.subTest(wrong):
                self.refused(self.taken, **wrong)

    def test_versions(self):
        for minor in (0, 1, 99):
            self.assertEqual(self.taken((2,), version=(1, minor)).layout, L("(2):(1)"))
        for major in (0, 2, 7):
            self.assertIn(f"version {major}", self.refused(self.taken, (2,), version=(major, 0)))
        fixed = self.taken((4,), version=(1, 0), flags=1)
        for write in (lambda: fixed.__setitem__(0, 1), lambda: t.copy(bytearray(4), fixed)):
            self.refused(write)
        self.refused(fixed.__dlpack__)
        self.taken((4,), version=(1, 0), flags=2)[0] = 1  # a copy that was made for us

    def test_devices(self):
        host = {1, 3, 11}
        for device in range(1, 19):
            a = self.taken((2, 4), device=device, data=0x10000)  # nothing is there to be read
            tile = t.local_tile(a, (2, 2), (0, 1))
            self.assertEqual((a.__dlpack_device__(), tile.layout), ((device, 0), L("(2,2):(4,1)")))
            if device in host:
                continue
            b = t.empty((2, 4))
            if device != 2:  # a GPU's is read there: test_cuda
                self.assertIn("device", self.refused(t.relayout, a))
            for touched in (lambda: a[0, 0], lambda: a.__setitem__((0, 0), 1), a.elements, lambda: t.copy(a, b),
                            lambda: t.copy(b, a), lambda: t.gemm(a, b, t.empty((2, 2))),
                            lambda: t.gemm(a, a, t.empty((2, 2))), lambda: t.einsum("mk,nk->mn", a, a, out=t.empty((2, 2))),
                            lambda: t.save_file("/nowhere.npy", a), lambda: a.__array_interface__):
                self.assertIn("device", self.refused(touched))

    def test_given_back_once(self):
        for version in (None, (1, 0)):
            a = self.taken((4,), version=version)
            part = t.local_tile(a, (2,), (1,))
            before = self.capsules.deleted
            del a
            gc.collect()
            self.assertEqual(self.capsules.deleted, before)
            del part
            gc.collect()
            self.assertEqual(self.capsules.deleted, before + 1)


    def test_exceptions_stay(self):
        """What a deleter does loses no exception that is on its way, and what it raises is none of the call's."""
        def deleted(_):
            seen.append(1)
            {}.get(0)
            if raises:
                raise RuntimeError("of the deleter")
        seen = []
        self.capsules.deleter = DELETER(deleted)
        for raises in (False, True):
            with test.support.catch_unraisable_exception() if raises else contextlib.nullcontext():
                self.assertRaises(IndexError, lambda: self.taken((4,))[9])
                self.assertRaises(Refused, lambda: self.taken((4,), version=(1, 0), flags=1).__setitem__(0, 9))
                self.assertRaises(TypeError, lambda: t.gemm(self.taken((4,)), object()))
        self.assertEqual(len(seen), 6)


class Interfaces(OneSentence):
    """__array_interface__ without NumPy: each lie is refused in the name of the protocol."""

    def setUp(self):
        self.block = (ctypes.c_float * 12)(*range(12))

    def made(self, own=False, **other):
        good = {"data": (ctypes.addressof(self.block), False), "typestr": "<f4", "shape": (3, 4), "version": 3}
        x = type("Maker", (), {"kept": self.block})()
        setattr(x if own else type(x), "__array_interface__", {**good, **other})
        return x

    def test_right(self):
        for own in (False, True):  # of the object, or of its type
            self.assertEqual(t.tensor(self.made(own)).tolist()[2], [8, 9, 10, 11])
            self.assertEqual(t.tensor(self.made(own, strides=(4, 12))).layout, L("(3,4):(1,3)"))
            a = t.tensor(self.made(own, data=self.block, offset=8, shape=[2]))
            self.assertEqual(a.tolist(), [2, 3])
            self.assertEqual(t.tensor(self.made(own, data=self.block, offset=8, shape=(3,), strides=(-4,))).tolist(), [2, 1, 0])
        self.assertRaises(Refused, t.tensor(self.made(data=bytes(48))).__setitem__, (0, 0), 1)

    def test_lies(self):
        lies = [dict(data=x) for x in ((0, False), (2 ** 64 - 1, False), (-1, False), (2 ** 70, False), ("x", 0), (1.5, 0), (None, 0),
                                       (1,), (1, 2, 3), 5, "ab", b"1234", [1, 2])]
        lies += [dict(data=self.block, offset=x) for x in (4, -4, "x", 1.5, 2 ** 70, None)]
        lies += [dict(data=self.block, strides=(4, -4)), dict(data=self.block, strides=(16, 8))]
        lies += [dict(typestr=x) for x in (5, "", "<", "<f", "<c4", "<f99999999999999999999", b"<f4", "<f0", ">f4")]
        lies += [dict(shape=x) for x in (5, "ab", ("a",), (1.5, 2), (0, 2), (-1,), (2,) * 20, (2 ** 62, 8), (None,), (2 ** 70,))]
        lies += [dict(strides=x) for x in (5, ("a", 1), (4,), (), (3, 1), (2 ** 62, 4), (2 ** 70, 4))]
        for lie in lies:
            for own in (False, True):
                said = self.refused(t.tensor, self.made(own, **lie))
                if "multiples" not in said:
                    self.assertTrue(said.startswith("__array_interface__: "), (lie, said))
                self.assertNotIn("DLPack", said)
        for wrong in (5, "x", [1], {}, {"shape": (2,)}):
            self.refused(t.tensor, type("Liar", (), {"__array_interface__": wrong})())

    def test_out(self):
        """What a protocol cannot tell is refused in its own name."""
        a = t.tensor(bytearray(64), "Sw<1,0,2> o _0 o (4,4):(4,1)", "uint8")
        for f, name in ((lambda: a.__array_interface__, "__array_interface__: "), (a.__dlpack__, "DLPack: ")):
            self.assertTrue(self.refused(f).startswith(name))


@needs_numpy
class Types(OneSentence):
    def test_types(self):
        for d in "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16 >i1 =f4".split():
            x = np.arange(6).astype(d).reshape(2, 3)
            self.assertTrue(np.array_equal(t.relayout(x[:, ::-1].T).numpy(), x[:, ::-1].T), d)
        for d in ("f16", "c32", ">f4", ">i2", ">c8", "U3", "S3", "V4", "M8[s]", "m8[ns]", "O", "f4,i4", [("a", "f4")]):
            x = np.zeros((2, 3), dtype=d)
            for f in (t.tensor, t.relayout, lambda x: t.copy(x, x), lambda x: t.gemm(x, x, x)):
                self.refused(f, x)
        self.assertIn("byte order", self.refused(t.tensor, np.zeros(3, ">f4")))
        self.assertIn("no element type int4", self.refused(t.relayout(np.arange(4), None, "int4").numpy))

    def test_scalars(self):
        for x in (np.float32(3), np.int8(-3), np.bool_(True), np.complex64(1j), np.array(3.0)):
            a = t.tensor(x)
            junk = [np.float32(i) for i in range(100)]
            self.assertEqual((a.elements(), t.relayout(a).elements(), len(junk)), ([x.item()], [x.item()], 100))

    def test_interfaces(self):
        x = np.arange(12, dtype="f4").reshape(3, 4)
        good = x.__array_interface__
        made = lambda **other: type("Liar", (), {"__array_interface__": {**good, **other}})()
        self.assertEqual(t.tensor(made()).elements(), x.ravel("F").tolist())
        for wrong in (dict(data=None), dict(data=(0, False)), dict(data=(2 ** 64 - 1, False)), dict(typestr="x"),
                      dict(typestr="<f-4"), dict(typestr="<f0"), dict(shape=(2 ** 62, 8)), dict(shape=(-2, 3)),
                      dict(shape=(2.0, 3)), dict(strides=(4,)), dict(strides=(2 ** 62, 4)), dict(strides=(3, 1)),
                      dict(mask=x), dict(shape=None)):
            with self.subTest(wrong):
                self.refused(t.tensor, made(**wrong))
        for wrong in (None, "text", object()):
            self.assertIn("is not an array", self.refused(t.tensor, wrong))

    def test_destinations(self):
        x, o = np.arange(12, dtype="f4").reshape(3, 4), np.arange(10.0)
        fixed = np.zeros(4)
        fixed.flags.writeable = False
        repeated = np.lib.stride_tricks.as_strided(np.zeros(4, "f4"), (3, 4), (0, 4))
        for source, to in ((x, repeated), (o[:8], o[2:]), (o, o), (o, o[::-1]), (np.zeros(4), fixed), (x, x.T),
                           (x, np.zeros(13, "f4")), (o, bytes(80)), (o, o[:0])):
            before = o.copy()
            self.refused(t.copy, source, to)
            self.assertTrue(np.array_equal(o, before))
        t.copy(o[::2], o[1::2])  # between each other, but no byte twice
        self.assertEqual(o.tolist(), [0, 0, 2, 2, 4, 4, 6, 6, 8, 8])
        y = np.zeros((3, 4), "f4")
        t.copy(x, y[::-1, ::-1])
        self.assertTrue(np.array_equal(y, x[::-1, ::-1]))
        z = np.eye(4, dtype="f4")
        self.refused(t.gemm, z, z, z)
        self.refused(t.gemm, x, x, np.lib.stride_tricks.as_strided(np.zeros(3, "f4"), (3, 3), (4, 0)))


def random_view(dice, types):
    """An array of NumPy, cut, turned and reversed at random, and what it is a view of."""
    rank = dice.randint(0, 3)
    base = np.arange(1, 1 + 9 ** rank).reshape((9,) * rank).astype(dice.choice(types))
    x = base
    for axis in range(rank):
        first, step = dice.randint(0, 3), dice.choice([1, 1, 2, -1, -3])
        x = np.moveaxis(np.moveaxis(x, axis, 0)[first:dice.randint(first, 9)][::step], 0, axis)
    if rank and dice.random() < 0.5:
        x = x.transpose(dice.sample(range(rank), rank))
    if dice.random() < 0.2:
        x = np.broadcast_to(x, (dice.randint(1, 3),) + x.shape)
    return x


SIZES = {"?": "bool", "i1": "int8", "u2": "u16", "i4": "i32", "i8": "i64", "f2": "f16", "f4": "f32", "f8": "f64",
         "c8": "c64"}


def tried(f, *args):
    """Whether f had an answer; a crash or another exception ends the test."""
    try:
        f(*args)
    except (Refused, TypeError, ValueError):
        return False
    return True


@needs_numpy
class Random(unittest.TestCase):
    def one(self, dice):
        x, name = random_view(dice, list(SIZES)), dice.choice(list(SIZES))
        act = dice.randint(0, 4)
        if act == 0:
            try:
                r = t.relayout(x)
            except Refused:
                return self.assertEqual(x.size, 0)
            self.assertTrue(np.array_equal(r.numpy(), x))
        elif act == 1:
            y = random_view(dice, [name])
            y = y if dice.random() < 0.5 or not x.size else np.empty(x.shape, name)
            if tried(t.copy, x, y) and name in ("i8", "f8") and x.dtype.kind != "c" and x.shape == y.shape:
                self.assertTrue(np.array_equal(x.astype(name), y))
        elif act == 2:
            a, b = random_view(dice, ["f4", "f8"]), random_view(dice, ["f4", "f8"])
            if a.ndim == 2 and b.ndim == 2 and a.size and b.size:
                c = np.zeros((a.shape[0], b.shape[0]), "f8")
                ran = tried(t.gemm, a, b, c)
                self.assertEqual(ran, a.shape[1] == b.shape[1])
                if ran:
                    self.assertTrue(np.allclose(c, a.astype("f8") @ b.astype("f8").T))
            else:
                tried(t.gemm, a, b, x)
        elif act == 3:
            letters = "mknb"
            text = "".join(dice.choice(letters + ",->") for _ in range(dice.randint(0, 10)))
            text = dice.choice(["mk,kn->mn", "bmk,bnk->bmn", "m,n->mn", text])
            tried(t.einsum, text, x, random_view(dice, [name]), random_view(dice, [name]))
        else:
            layouts = ["4:1", "(2,2):(1,2)", "(3,3):(3,1)", "9:-1", "4:4", "Sw<1,0,1> o _0 o 8:1"]
            tried(t.tensor, x, dice.choice(layouts), SIZES[name])

    def test_calls(self):
        """A hundred thousand of them; the memory of the process stays what it was after the first ones."""
        dice, sizes = random.Random(6), []
        for part in range(6):
            for _ in range(17000):
                self.one(dice)
            gc.collect()
            with open("/proc/self/statm") as file:
                sizes.append(int(file.read().split()[1]) * 4096)
        self.assertLess(sizes[-1] - sizes[1], 4 << 20, sizes)

    def test_threads(self):
        """Threads that share what they read, each with its own result."""
        a = np.arange(64 * 48, dtype="f4").reshape(64, 48) % 7
        b, errors = a[:, ::-1].copy(), []
        product, turned = a @ b.T, a.T.copy()

        def work(seed):
            dice = random.Random(seed)
            try:
                for _ in range(30):
                    c = np.zeros((64, 64), "f4")
                    t.gemm(a, b, c)
                    r = t.relayout(t.tensor(a), "(64,48):(1,64)").numpy()
                    if not np.array_equal(c, product) or not np.array_equal(r.T, turned):
                        errors.append("another result")
                    for _ in range(10):
                        self.one(dice)
            except BaseException as e:
                errors.append(e)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])


if __name__ == "__main__":
    unittest.main()
