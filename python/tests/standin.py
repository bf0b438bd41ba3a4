"""A stand-in for torch's tensors in the memory of a GPU, on the driver of tests/gpu/fake.c, for tests of what the host
does. Exits with 77, which means skipped, where that driver is not."""

import ctypes
import itertools
import mmap
import os
import sys
import types

if "TESSERA_FAKE_CUDA" not in os.environ:
    print("no driver that keeps the books, the host's part is not tried")
    sys.exit(77)

import tessera as t
import tessera.cuda
from tessera import _tessera

CUDA, CPU, UINT, FLOAT = 2, 1, 1, 2
STREAM = 4096


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


managed = []


class Books(ctypes.Structure):
    """The beginning of fake_state of tests/gpu/fake.h."""
    _fields_ = [("failing", ctypes.c_char_p), ("codes", ctypes.c_int * 3), ("reports", ctypes.c_int * 2),
                ("reported", ctypes.c_longlong), ("handles", ctypes.c_int * 2), ("spoiled", ctypes.c_char_p),
                ("devices", ctypes.c_int * 3), ("attributes", ctypes.c_int * 5), ("version", ctypes.c_int),
                ("cubin", ctypes.c_size_t), ("parameter", ctypes.c_size_t * 4), ("made", ctypes.c_int * 7),
                ("launches", ctypes.c_int), ("compilations", ctypes.c_int), ("launch", ctypes.c_uint * 11),
                ("argument", ctypes.c_int), ("capturing", ctypes.c_int), ("strict", ctypes.c_int)]


class Array:
    """As torch.Tensor: bytes that nobody reads, at an address of the test's choice."""

    requires_grad, negative, is_meta = False, False, False
    device = types.SimpleNamespace(type="cuda")

    def __init__(self, address, shape, strides, bits=32, device=CUDA, number=0, offset=0, code=FLOAT):
        n = len(shape)
        self.shape, self.strides = tuple(shape), tuple(strides)
        self.memory = (ctypes.c_int64 * n)(*shape), (ctypes.c_int64 * n)(*strides)
        self.tensor = Tensor(address, device, number, n, code, bits, 1, *self.memory, offset)

    def __dlpack__(self, **more):
        managed.append(Managed(self.tensor, None, None))  # tensors of it live on
        return capsule(ctypes.addressof(managed[-1]), b"dltensor", None)

    def is_neg(self):
        return self.negative

    def is_conj(self):
        return False

    def dim(self):
        return len(self.shape)

    def numel(self):
        return Array.count(self.shape)

    def stride(self):
        return self.strides

    def is_contiguous(self):
        return self.strides == Array.rows(self.shape)

    def new_empty(self, shape):
        return Array(BASE * next(places), shape, Array.rows(shape), self.tensor.bits)

    @property
    def dtype(self):
        return self.tensor.bits

    @staticmethod
    def count(shape):
        n = 1
        for extent in shape:
            n *= extent
        return n

    @staticmethod
    def rows(shape):
        return tuple(Array.count(shape[i + 1:]) for i in range(len(shape)))


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
def read(x, to):
    to[0] = x.tensor
    return 0


streams = []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def stream_of(kind, device, to):
    to[0] = streams[-1] if streams else STREAM
    return 0


class Table(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("before", ctypes.c_void_p),
                ("unused", ctypes.c_void_p * 3), ("read", type(read)), ("stream_of", type(stream_of))]


table = Table(1, 3, None, (None, None, None), read, stream_of)
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAME = b"dlpack_exchange_api"  # which the capsule points to
Array.__dlpack_c_exchange_api__ = capsule(ctypes.addressof(table), NAME, None)
fresh, keep = _tessera._cuda_replay_new, _tessera._cuda_keep
again, copy = _tessera._cuda_replay, lambda s, d: _tessera._cuda_copy(s, d, None, None)
BASE, places = 1 << 36, itertools.count(100)


def matrix(place, m, n, turned=False, bits=32, past=0, **more):
    return Array(BASE * (place + 1) + past, (m, n), (1, m) if turned else (n, 1), bits, **more)


def product(text, a, b, c, alpha=1.0, beta=0.0, bias=None, relu=False, tune=False, unproven=False):
    return _tessera._cuda_product(text, a, b, c, alpha, beta, bias, relu, tune, unproven)


makes = []  # what is made of which arguments
elsewhere = []  # where bytes are made: the device, and behind a multiple of 256


def made(shape, strides, dtype, past=0, number=0):
    makes.append((shape, strides, dtype))
    if elsewhere and dtype == 8:
        number, past = elsewhere[-1]
    return Array(BASE * next(places) + past, shape, strides, dtype, number=number)


class Library:
    """As torch's library of operations, of what each does."""
    ops = types.SimpleNamespace(tessera=types.SimpleNamespace())

    def __init__(self, name, kind):
        self.define = lambda schema, tags: None

    def impl(self, name, work, key):
        setattr(Library.ops.tessera, name, types.SimpleNamespace(default=work))


class Memory:
    """Bytes of the host as the memory of a device, given out in turns: what the driver copies lies somewhere."""

    def __init__(self, size=1 << 24):
        self.bytes = mmap.mmap(-1, size)
        self.begin = ctypes.addressof(ctypes.c_char.from_buffer(self.bytes))
        self.size, self.given = size, 0

    def take(self, size, past=0):
        if self.given + size + 512 > self.size:
            self.given = 0
        address = self.begin + self.given + past
        self.given += (size + 255) // 256 * 256
        return address

    def array(self, shape, strides=None, bits=32, code=FLOAT, past=0):
        strides = Array.rows(shape) if strides is None else strides
        reach = sum((n - 1) * d for n, d in zip(shape, strides)) + 1
        return Array(self.take(reach * bits // 8 + past, past), shape, strides, bits, code=code)


def torch_of_arrays():
    """As much of torch as tessera.torch asks for, over these arrays."""
    torch = types.ModuleType("torch")
    torch.__version__, torch.Tensor, torch.dtype, torch.contiguous_format = "2.4", Array, int, "rows"
    guards = types.SimpleNamespace(_empty_strided_cuda=made)
    told = {"Library": Library, "register_fake": lambda *x, lib: None, "register_autograd": lambda *x, lib, setup_context: None}
    for name, inner in (("library", told), ("compiler", {"is_compiling": lambda: False, "disable": lambda f: f}),
                        ("cuda", {"is_initialized": lambda: False}), ("autograd", {"Function": object}),
                        ("_C", {"_dynamo": types.SimpleNamespace(guards=guards)})):
        setattr(torch, name, types.SimpleNamespace(**inner))
    torch.is_grad_enabled, torch.uint8, torch.ops, torch.Tag = lambda: True, 8, Library.ops, None

    def empty_like(x, dtype, memory_format):
        return Array(BASE * next(places), x.shape, Array.rows(x.shape), dtype)

    torch.empty_like = empty_like
    return torch


def torch_on_device(test):
    """The same in the place of torch until a test ends. It uses the device, on STREAM."""
    before = sys.modules.get("torch")
    torch = sys.modules["torch"] = torch_of_arrays()
    torch.cuda = types.SimpleNamespace(is_initialized=lambda: True,
                                       current_stream=lambda i: types.SimpleNamespace(cuda_stream=STREAM))
    test.addCleanup(sys.modules.update, {"torch": before}) if before else test.addCleanup(sys.modules.pop, "torch")
    return torch
