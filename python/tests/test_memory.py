"""Memory that runs out: each allocation of each function fails, alone and with all later ones. The call has its answer,
or raises MemoryError."""

import array
import ctypes
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import tessera as t

try:
    import _testcapi
    set_nomemory, remove_mem_hooks = _testcapi.set_nomemory, _testcapi.remove_mem_hooks
except (ImportError, AttributeError):
    set_nomemory = None
preloaded = getattr(ctypes.CDLL(None), "no_memory", None) if os.path.exists("/proc/self/maps") else None

L, V = t.L, t.V

# The module is made in a child for each of its allocations, which fails; one that is made is whole.
IMPORTS = """
import _testcapi, importlib.machinery, importlib.util, os, sys
spec = importlib.util.spec_from_file_location("tessera._tessera", sys.argv[1])
i, status = 0, 1
while status == 1:
    child = os.fork()
    if child == 0:
        try:
            for stop in (i + 1, 0):
                _testcapi.set_nomemory(i, stop)
                module = importlib.util.module_from_spec(spec)
                _testcapi.remove_mem_hooks()
                assert len(module.operations) > 200 and len(module.operations["make_layout"].rows) > 1
            os._exit(0)
        except MemoryError:
            _testcapi.remove_mem_hooks()
            os._exit(1)
        except BaseException as e:
            _testcapi.remove_mem_hooks()
            print(type(e), e)
            os._exit(2)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    i += 1
print(i, "allocations")
sys.exit(status)
"""

# CPython 3.12 and 3.13 themselves crash where there is no memory for a function, here that of the generator.
FUNCTIONS = """
import _testcapi
def first(x):
    return any(i for i in x)
for later in (False, True):
    for i in range(40):
        _testcapi.set_nomemory(i, 0 if later else i + 1)
        try:
            first((0, 0))
        except Exception:
            pass
        _testcapi.remove_mem_hooks()
"""


def makes_functions():
    """Does this Python bear that there is no memory for a function?"""
    return subprocess.run([sys.executable, "-c", FUNCTIONS], stderr=subprocess.DEVNULL, timeout=60).returncode == 0


def module_range():
    """The addresses of the extension module."""
    with open("/proc/self/maps") as maps:
        at = [line.split()[0].split("-") for line in maps if line.rstrip().endswith(t._tessera.__file__)]
    return int(at[0][0], 16), int(at[-1][1], 16)


class Interface:
    def __init__(self, x):
        self.x = x

    __array_interface__ = property(lambda self: self.x.__array_interface__)


class Memory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def calls(self, package=True):
        """(name, call) of every function of the module, of every sign that a value has, and of the package's functions,
        which are written in Python."""
        x, y, z = array.array("f", range(24)), array.array("d", range(24)), array.array("f", bytes(64))
        a, b, c = t.tensor(x, "(4,6):(6,1)"), t.tensor(y, "(4,6):(1,4)"), t.tensor(z, "(4,4):(4,1)")
        constant, l, nested = t.tensor(b"abc"), L("(4,(2,3)):(3,(1,100))"), [(2, 3), [L("4:1"), None], "5"]
        files = {name: os.path.join(self.folder.name, name) for name in ("x.npy", "s.npy", "m.safetensors", "o.npy", "o.safetensors")}
        t.save_file(files["x.npy"], x)
        header = b'{"w":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]}}'
        with open(files["m.safetensors"], "wb") as file:
            file.write(len(header).to_bytes(8, "little") + header + bytes(8))
        with open(files["s.npy"], "wb") as file:  # whose bytes have the other order
            text = b"{'descr': '>f4', 'fortran_order': False, 'shape': (4,), }\n"
            file.write(b"\x93NUMPY\x01\0" + len(text).to_bytes(2, "little") + text + bytes(16))
        m = t._tessera
        in_python = {
            "tensor": lambda: t.tensor(x), "tensor of an interface": lambda: t.tensor(Interface(a)).elements(),
            "tensor none": lambda: t.tensor("3"), "empty": lambda: t.empty((2, 3)).elements(),
            "relayout": lambda: t.relayout(a, "(4,6):(1,4)", "f16").elements(),
            "einsum": lambda: t.einsum("mk,nk->mn", a, a, out=c), "gemm": lambda: t.gemm(a, a, c),
            "load_file": lambda: t.load_file(files["x.npy"]).elements(), "repr of memory": lambda: repr(a),
            "[] = range": lambda: a.__setitem__((slice(1, 2), 0), 2), "operation's help": lambda: t.take.__doc__,
            "bytes": lambda: a.__reduce__()[1], "truth": lambda: bool(c[0:1, 0:1]), "members": lambda: 3 in a,
        }
        return {
            **(in_python if package else {}),
            "_load_npy": lambda: m._load_npy(files["x.npy"]), "_load_npy swapped": lambda: m._load_npy(files["s.npy"]),
            "_load_npy none": lambda: m._load_npy("/none/none.npy"),
            "_load_model": lambda: m._load_model(files["m.safetensors"], False),
            "_load_model of another": lambda: m._load_model(files["m.safetensors"], True),
            "_save_npy": lambda: m._save_npy(files["o.npy"], a),
            "_copy": lambda: m._copy(a, b), "_copy refused": lambda: m._copy(a, c),
            "_product": lambda: m._product(None, a, a, c, 1.0, 0.0, None, False),
            "_product of a text": lambda: m._product("mk,nk->mn", a, a, c, 1.0, 0.0, c, True),
            "_buffer": lambda: m._buffer(x)[2:3], "_elements": lambda: m._elements(a),
            "_tensor": lambda: m._tensor(x, x.buffer_info()[0], "<f4", (4, 6), (6, 1), False),
            "_tensor refused": lambda: m._tensor(x, x.buffer_info()[0], ">f4", (4, 6), (6, 1), False),
            "_as": lambda: m._as(a, L("24:1"), "u32"), "_as refused": lambda: m._as(a, L("25:1"), None),
            "_from_dlpack": lambda: m._from_dlpack(a.__dlpack__()),
            "_from_dlpack versioned": lambda: m._from_dlpack(a.__dlpack__(max_version=(1, 0), copy=None)),
            "__dlpack__ refused": lambda: constant.__dlpack__(max_version=(0, 8)),
            "__dlpack__ elsewhere": lambda: a.__dlpack__(dl_device=(2, 0)),
            "__dlpack_device__": a.__dlpack_device__, "__array_interface__": lambda: a.__array_interface__,
            "_known": lambda: m._known(nested[0]), "_dynamic layout": lambda: m._dynamic("(4,8):(8,1)"),
            "_view": lambda: m._view(a, (1, 0)), "_extents": lambda: m._extents(a), "_fill": lambda: m._fill(c, 1),
            "_type": lambda: m._type("i8"), "_explain": lambda: m._explain([0, 1, 2], "3"),
            "_axpby": lambda: m._axpby(1, a, 1, b, "f32"), "_combine": lambda: m._combine(1, a, a, b),
            "_sum": lambda: m._sum(a, -1, a, b), "_combine refused": lambda: m._combine(9, a, a, b),
            "_reduce": lambda: m._reduce(0, a, m._view(m._new(L(4), "f32"), (0, -6))), "_types": m._types,
            "_new": lambda: m._new(L((2, 3)), "f16"), "_set_elements": lambda: m._set_elements(c, [1] * 16),
            "_save_model": lambda: m._save_model(files["o.safetensors"], {"a": a}, {"k": "v"}),
            "[] range": lambda: a[1:3, ::2],
            "_plain": lambda: m._plain("(4,8):(8,_1)"), "_plain tiler": lambda: m._plain(nested),
            "Value": lambda: V("(4,(2,_3)):(3,(1,_100))"), "Value of lists": lambda: V(nested),
            "Value refused": lambda: V("(4,8"), "Value wrong": lambda: V(object), "Value large": lambda: V(2 ** 70),
            "Value kept": lambda: V("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (_2,_2,_1))"),
            "Layout": lambda: L((4, 8), (8, 1)), "Layout of a text": lambda: L("(4,8):(8,1)"),
            "Layout of a shape": lambda: L("(4,8)"), "Layout none": lambda: L("composition(4:1"),
            "Tensor none": lambda: t.Tensor("4:1"), "dynamic": lambda: t.dynamic(1000), "dynamic text": lambda: repr(t.dynamic(3)),
            "str": lambda: str(l), "repr": lambda: repr(l),
            "pickle": lambda: pickle.dumps(l),
            "hash": lambda: hash(l), "hash of a text": lambda: hash(V("Sw<2,0,3>")), "==": lambda: l == L("(4,6)"),
            "== of texts": lambda: V("Sw<2,0,3>") == V("Sw<2,0,3>"), "shape": lambda: (l.shape, l.stride, l.size),
            "layout": lambda: a.layout, "kind": lambda: a.kind, "dtype": lambda: a.dtype,
            "dtype none": lambda: l.dtype, "layout none": lambda: V("Sw<2,0,3>").layout,
            "()": lambda: (l(1, (1, 2)), l(5)), "() slice": lambda: l(1, None), "() refused": lambda: l(1, 2, 3, 4),
            "[]": lambda: (l[0], l[-1], a[1, 2]), "[] slice": lambda: a[1, :], "[] out": lambda: l[7],
            "[] =": lambda: a.__setitem__((1, 2), 7), "[] = refused": lambda: a.__setitem__((9, 9), 7),
            "len": lambda: len(l), "iter": lambda: list(l), "@": lambda: l @ (2, 2), "bool": lambda: bool(l),
            "pairs": lambda: list(t.slice_and_offset((1, None), L("(4,8):(8,1)"))),
            "operation": lambda: t.composition(l, L("(2,2)")), "operation refused": lambda: t.composition(
                L("(4,6,8):(1,5,7)"), L("(3,5):(11,13)")), "operation wrong": lambda: t.composition(l),
            "operation of a word": lambda: t.mma_layout_c("SM80_16x8x16_F32F16F16F32_TN"),
            "operation bound": lambda: l.coalesce(), "operation in brackets": lambda: t.take[0, 1](l),
            "operation in wrong brackets": lambda: t.take["x"](l), "operation of many": lambda: t.operations["max"](*range(12)),
            "operation text": lambda: (repr(t.take[0, 1]), t.take.text, t.take.__name__),
            "operation rows": lambda: t.take.rows,
            "_draw": lambda: m._draw(l, "svg", "own", None, -1, 0, False),
            "_draw of a text": lambda: m._draw("(4,8):(8,1)", "txt", "own", None, -1, 0, False),
            "_draw none": lambda: m._draw("(4,8", "svg", "own", None, -1, 0, False),
        }

    def words(self, got):
        """What a call has answered, or raised, without the addresses that change."""
        return type(got), got if isinstance(got, (bytes, int)) else str(got).split("0x")[0]

    def judge(self, got, wanted, which):
        """Python itself raises without words where it has no memory for them, and says this of its own frames."""
        said = self.words(got)
        of_python = (wanted[0], ""), (SystemError, "error return without exception set")
        if not isinstance(got, MemoryError) and not (isinstance(got, Exception) and said in of_python):
            self.assertEqual(said, wanted, which)

    def try_each(self, begin, end, package=True):
        """Allocation i of each call fails between begin(i, later) and end(), which says whether it came to it; without
        an answer it did where the call has failed."""
        for name, call in self.calls(package).items():
            with self.subTest(name):
                wanted, came, i = None, True, -1
                while came:
                    for later in (False, True):
                        begin(i, later)
                        try:
                            got = call()
                        except Exception as e:
                            got = e
                        came = end()
                        if wanted is None:
                            wanted = self.words(got)
                        self.judge(got, wanted, f"allocation {i}, later ones {later}")
                    came = isinstance(got, MemoryError) if came is None and i >= 0 else came is None or came
                    i += 1

    @unittest.skipUnless(set_nomemory, "this Python has no _testcapi.set_nomemory")
    def test_of_python(self):
        package = makes_functions()
        if not package:
            print("this Python crashes without memory for a function: the package's functions are tried with memory for it")
        self.try_each(lambda i, later: i < 0 or set_nomemory(i, 0 if later else i + 1), remove_mem_hooks, package)

    @unittest.skipUnless(preloaded, "no_memory.so is not preloaded")
    def test_of_the_library(self):
        first, last = module_range()
        count, failing = ctypes.CDLL(None).no_memory_count, []
        preloaded.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_long, ctypes.c_int]
        count.restype = ctypes.c_long

        def begin(i, later):
            failing[:] = [i]
            preloaded(first, last, i, later)

        def end():
            preloaded(0, 0, -1, 0)
            return count() > failing[0]

        self.try_each(begin, end)

    @unittest.skipUnless(set_nomemory and hasattr(os, "fork"), "this Python has no _testcapi.set_nomemory, or no fork")
    def test_import(self):
        subprocess.run([sys.executable, "-c", IMPORTS, t._tessera.__file__], check=True, timeout=250)


if __name__ == "__main__":
    unittest.main()
