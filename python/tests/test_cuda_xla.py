"""The handler of tessera.jax, called as XLA does, without a GPU: on the driver of tests/gpu/fake.c."""

import ctypes
import os
import sys
import unittest

if "TESSERA_FAKE_CUDA" not in os.environ:
    print("no driver that keeps the books, the handler is not tried")
    sys.exit(77)

import tessera.cuda
from tessera import _tessera

STREAM, BASE = 4096, 1 << 36


class Frame(ctypes.Structure):
    """What XLA calls a handler with."""
    class Header(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p)]

    class Version(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("major", ctypes.c_int),
                    ("minor", ctypes.c_int)]

    class Buffer(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("type", ctypes.c_int),
                    ("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("extents", ctypes.POINTER(ctypes.c_int64))]

    class List(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("count", ctypes.c_int64),
                    ("types", ctypes.POINTER(ctypes.c_int)), ("items", ctypes.POINTER(ctypes.c_void_p))]

    class Span(ctypes.Structure):
        _fields_ = [("text", ctypes.c_char_p), ("length", ctypes.c_size_t)]

    class Attributes(ctypes.Structure):
        _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("count", ctypes.c_int64),
                    ("types", ctypes.POINTER(ctypes.c_int)), ("names", ctypes.POINTER(ctypes.c_void_p)),
                    ("items", ctypes.POINTER(ctypes.c_void_p))]

    _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("api", ctypes.c_void_p),
                ("context", ctypes.c_void_p), ("stage", ctypes.c_int), ("arguments", List), ("results", List),
                ("attributes", Attributes)]


class ErrorCreate(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("message", ctypes.c_char_p),
                ("code", ctypes.c_int)]


class StreamGet(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("context", ctypes.c_void_p),
                ("stream", ctypes.c_void_p)]


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ErrorCreate))
def create_error(x):
    said.append(x[0].message.decode())
    return 1


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(StreamGet))
def get_stream(x):
    x[0].stream = STREAM
    return None


class Api(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("version", Frame.Version),
                ("internal", ctypes.c_void_p), ("create_error", type(create_error)), ("unused", ctypes.c_void_p * 3),
                ("get_stream", type(get_stream))]


said = []


class Xla(unittest.TestCase):
    """The handler of tessera.jax, called as XLA does."""

    def setUp(self):
        del said[:]
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        address = pointer(_tessera._cuda_xla(), b"xla._CUSTOM_CALL_TARGET")
        self.handler = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Frame))(address)
        self.api = Api(0, None, Frame.Version(0, None, 0, 7), None, create_error, (None,) * 3, get_stream)

    def list_of(self, shapes, first, type):
        buffers = [Frame.Buffer(0, None, type, BASE * (first + i), len(s), (ctypes.c_int64 * len(s))(*s))
                   for i, s in enumerate(shapes)]
        self.kept += buffers
        n = len(shapes)
        return Frame.List(0, None, n, (ctypes.c_int * n)(*[1] * n),
                          (ctypes.c_void_p * n)(*[ctypes.addressof(b) for b in buffers]))

    def call(self, text, inputs, result, type=11, stage=3, name=b"text"):
        self.kept = [Frame.Span(name, len(name)), Frame.Span(text, len(text))]
        spans = [(ctypes.c_void_p * 1)(ctypes.addressof(x)) for x in self.kept]
        attributes = Frame.Attributes(0, None, 1, (ctypes.c_int * 1)(4), *spans)
        frame = Frame(0, None, ctypes.addressof(self.api), None, stage, self.list_of(inputs, 1, type),
                      self.list_of([result], 7, type), attributes)
        return self.handler(ctypes.byref(frame))

    def test_version(self):
        class Metadata(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("version", Frame.Version), ("traits", ctypes.c_uint32)]

        class Extension(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.c_void_p),
                        ("metadata", ctypes.POINTER(Metadata))]

        metadata = Metadata()
        asked = Extension(0, 1, None, ctypes.pointer(metadata))
        frame = Frame(0, ctypes.addressof(asked), ctypes.addressof(self.api))
        self.assertIsNone(self.handler(ctypes.byref(frame)))
        self.assertEqual((metadata.version.major, metadata.version.minor), (0, 7))

    def test_calls(self):
        for _ in range(2):
            self.assertIsNone(self.call(b"abc->cab", [(4, 6, 8)], (8, 4, 6)))
            self.assertIsNone(self.call(b"mk,kn->mn", [(64, 128), (128, 32)], (64, 32), type=10))
        self.assertIsNone(self.call(b"abc->cab", [(4, 6, 8)], (8, 4, 6), stage=0))
        self.assertEqual(said, [])

    def test_refused(self):
        for n, call in enumerate((lambda: self.call(b"abc->ca", [(4, 6, 8)], (8, 4)),
                                  lambda: self.call(b"abc->cad", [(4, 6, 8)], (8, 4, 6)),
                                  lambda: self.call(b"abc", [(4, 6, 8)], (8, 4, 6)),
                                  lambda: self.call(b"ab->ba", [(4, 6)], (6, 5)),
                                  lambda: self.call(b"mk,kn->mn", [(64, 128), (64, 32)], (64, 32)),
                                  lambda: self.call(b"ab->ba", [(4, 6)], (6, 4), type=99),
                                  lambda: self.call(b"ab->ba", [(4, 6)], (6, 4), name=b"word"),
                                  lambda: self.call(b"a,b,c->abc", [(4,), (6,), (5,)], (4, 6, 5)))):
            self.assertEqual(call(), 1)
            self.assertEqual(len(said), n + 1)
            self.assertTrue(said[-1])


if __name__ == "__main__":
    tessera.cuda.use_folder(None)
    unittest.main()
