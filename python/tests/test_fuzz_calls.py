"""Random values of Python of every kind into every function of the module: an answer or an exception, never a crash.

usage: test_fuzz_calls.py [FIRST_SEED [SEEDS [CALLS]]]. Each seed is a process, with Python's own checks of memory. One that
crashes, hangs or gives a SystemError is run again, and its last call is printed."""

import array
import os
import random
import subprocess
import sys
import tempfile

try:
    import resource
except ImportError:
    print("no limits of memory here, calls are not tried")
    sys.exit(77)

import tessera as t
from tessera import L, S, V

# Functions that take addresses, handles or the functions of the package, and those that write files or wait.
TRUSTED = {"_tensor", "_set_signs", "_dist_begin", "_dist_step", "_dist_packed", "_dist_copies", "_save_npy", "_save_model"}


# What functions take: a tensor x, a number n, an integer i, a text s, a type d, a layout y, a list l, a tuple u, a truth b.
KINDS = {"_explain": "ls", "_convert": "sssd", "_emit": "sssd", "_given": "ss", "_given_at": "ssu", "_given_code": "sss", "_new": "yd",
         "_copy": "xx", "_product": "sxxxnnxb", "_axpby": "nxnxd", "_combine": "ixxxd", "_sum": "xixxd", "_reduce": "ixx", "_fill": "xn",
         "_view": "xu", "_as": "xyd", "_elements": "x", "_set_elements": "xl", "_extents": "x", "_type": "d", "_two": "ixnx",
         "_relayout": "xd", "_reduce_new": "ixi", "_einsum_new": "sxx", "_array": "x", "_reshaped": "xu", "_permuted": "xu",
         "_draw": "ysssiib", "_buffer": "x", "_plain": "y", "_known": "u", "_dynamic": "u", "_dist_part": "si",
         "_dist_simulate": "ssinnib", "_load_npy": "sd", "_load_model": "sb", "fit": "lu", "convert": "ys", "emit": "sy", "einsum": "sxx",
         "add": "xn", "subtract": "nx", "multiply": "xn", "divide": "xx", "minimum": "xn", "maximum": "xx", "negative": "x", "sum": "xi",
         "min": "xi", "max": "xu", "gemm": "xxx", "matmul": "xx", "permute": "xu", "reshape": "xu", "astype": "xd", "relayout": "xyd",
         "copy": "xx", "tensor": "xyd", "empty": "ud", "full": "und", "given": "ss", "item": "x", "tolist": "x", "elements": "x",
         "fill": "xn", "transpose": "x", "zeros": "yd", "ones": "ud", "local_tile": "xuu", "recast": "x"}


def is_tried(name):
    return name not in TRUSTED and not name.startswith(("_cuda", "_nccl", "__"))


class Index:
    """An integer that does something when it is asked."""

    def __init__(self, act, n=1):
        self.act, self.n = act, n

    def __index__(self):
        self.act()
        return self.n

    __float__ = __index__


class Interface:
    def __init__(self, **more):
        self.memory = array.array("f", range(12))
        self.__array_interface__ = {"data": self.memory, "typestr": "<f4", "shape": (3, 4), "version": 3, **more}


class Wrong:
    """Every question to it is an error."""

    def __getattribute__(self, name):
        raise RuntimeError(name)


def fails():
    raise RuntimeError("no")


class Values:
    """Makes values, from a seed; tensors and lists are shared by calls."""

    texts = ["4:1", "(4,8):(8,1)", "(4,", "", "f32", "i8", "<i4", "uint8", "ij,jk->ik", "i->", "4", "(2,2)", "5", "3", "ij,ij->ij", "svg", "own", "txt", "numpy", "c", "\0", "\ud800", "_",
             "((2,2),3):((1,4),0)", "i*8 + (j^i%8)", "i=0..7,j=0..7", "Sw<2,0,3> o 0 o (4,8):(8,1)", "M % 8 == 0", "(M,K):(K,1)",
             "dtensor((8,4),(2),[S(0)])", "x" * 5000]
    types = ["bool", "int8", "uint8", "int4", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "c64", "c128",
             "f8_e4m3fn", "f4_e2m1fn"]

    def __init__(self, dice):
        self.dice, self.shared = dice, []

    def integer(self):
        edges = [2 ** n + d for n in (7, 8, 31, 32, 53, 62, 63, 64, 100) for d in (-1, 0, 1)]
        return self.dice.choice([self.dice.randint(-3, 9), self.dice.randint(0, 4), self.dice.choice(edges), -self.dice.choice(edges)])

    def tensor(self):
        dice, shape = self.dice, tuple(self.dice.randint(1, 4) for _ in range(self.dice.randint(0, 3)))
        x = t.empty(shape, dice.choice(self.types)) if shape else t.tensor(dice.choice([1, 2.5, 1j]))
        return dice.choice([x, x.T, t.tensor(bytes(16), "(4,4):(4,1)", "uint8"), t.V("counting_iter(0) o (2,3):(_1,2)"),
                            t.tensor(bytearray(64), "(4,4):(0,1)", "f32")])

    def odd(self):
        dice = self.dice
        return dice.choice([Index(fails), Index(self.shared.clear), Index(self.shared.clear, 2 ** 70), Wrong(), Interface(),
                            Interface(shape=(2 ** 62, 4)), Interface(strides=(-16, 4)), Interface(data=(1, False)[:1]),
                            Interface(offset=self.integer()), Interface(typestr="<f8"), object(), len, (i for i in range(3)), t.take,
                            t.Layout, int, memoryview(bytearray(8))[::2], memoryview(b"12345678").cast("d"), array.array("i", range(6)),
                            type("I", (int,), {})(3), type("F", (float,), {})(0.5), type("T", (tuple,), {})((1, 2)), S(4), t.dynamic(8)])

    def of_kind(self, kind):
        """What a function takes, more often than not."""
        dice = self.dice
        if dice.random() < 0.12:
            return self.value()
        if kind in "lu":
            self.shared[:] = [dice.choice([self.integer(), dice.randint(0, 5), None, Index(self.shared.clear)])
                              if dice.random() < 0.2 else dice.randint(0, 4) for _ in range(dice.randint(0, 5))]
            return self.shared if kind == "l" else tuple(self.shared)
        return {"x": self.tensor, "i": lambda: dice.randint(-2, 6), "s": lambda: dice.choice(self.texts), "b": lambda: dice.random() < 0.5,
                "n": lambda: dice.choice([dice.randint(-3, 9), 0.1, 1j, self.integer()]),
                "d": lambda: dice.choice([dice.choice(self.types), None, "i8", int]),
                "y": lambda: L(dice.choice(["4:1", "(4,8):(8,1)", "(2,3)", "(4,4):(0,1)", "1:1"]))}[kind]()

    def value(self, depth=0):
        dice = self.dice
        kind = dice.randint(0, 11 if depth < 3 else 7)
        if kind < 2:
            return self.integer()
        if kind < 8:
            return [self.tensor, self.odd, lambda: dice.choice(self.texts), lambda: dice.choice([None, True, False, ..., slice(None), {}]),
                    lambda: dice.choice([0.1, -1e308, float("nan"), float("inf"), 1j, 0.5 + 1j]),
                    lambda: dice.choice([L("(4,8):(8,1)"), V("Sw<2,0,3>"), V("_1@0"), b"12", bytearray(9), slice(1, -1, 2)])][kind - 2]()
        items = [self.value(depth + 1) for _ in range(dice.randint(0, 4))]
        if kind == 8:
            return tuple(items)
        if kind == 9:
            return {str(i): x for i, x in enumerate(items)}
        self.shared[:] = items
        return self.shared if kind == 10 else items


def functions():
    own = [getattr(t._tessera, name) for name in dir(t._tessera) if is_tried(name)]
    public = [getattr(t, name) for name in dir(t) if is_tried(name) and name not in ("save_file", "load_file", "draw")]
    return [(f, KINDS.get(getattr(f, "__name__", ""), "")) for f in [*own, *public, *t.operations.values()] if callable(f)]


def child(seed, calls, traced):
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    dice, tried = random.Random(seed), functions()
    values, known = Values(dice), [(f, kinds) for f, kinds in tried if kinds]
    names = ["out", "axis", "dtype", "shape", "layout", "to", "by_index", "alpha"]
    for i in range(calls):
        f, kinds = dice.choice(tried if dice.random() < 0.5 else known)
        args = [values.of_kind(kind) for kind in kinds[:len(kinds) - dice.choice([0, 0, 0, 1])]]
        if not kinds or dice.random() < 0.2:
            args = [values.value() for _ in range(dice.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7]))]
        named = {dice.choice(names): values.value()} if dice.random() < 0.15 else {}
        if traced:
            print(i, f, [f"{type(x).__name__} {x!r:.200}" if not isinstance(x, Wrong) else "Wrong" for x in args], list(named), flush=True)
        try:
            r = f(*args, **named)
            if isinstance(r, (t.Value, t.Tensor)):
                repr(r), hash(r) if not isinstance(r, t.Tensor) else None
        except SystemError as e:
            print(f"call {i}, {f}: {e!r}", flush=True)
            sys.exit(3)
        except Exception:
            pass


def main(first=1, seeds=6, calls=1500):
    bad = []
    for seed in range(first, first + seeds):
        for traced in ("", "traced"):
            command = [sys.executable, os.path.abspath(__file__), "child", str(seed), str(calls), traced]
            with tempfile.TemporaryDirectory() as folder:
                try:
                    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=100, env={**os.environ, "PYTHONMALLOC": "debug"})
                    code, said = run.returncode, run.stdout + run.stderr
                except subprocess.TimeoutExpired as late:
                    code, said = "no end in 100 s", late.stdout or b""
            if not code:
                break
            if traced:
                bad.append(seed)
                print(f"seed {seed}: {code}\n{said[-3000:].decode(errors='replace')}")
    print(f"{seeds} seeds of {calls} calls, {len(bad)} failed {bad or ''}")
    return bool(bad)


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(int(sys.argv[2]), int(sys.argv[3]), len(sys.argv) > 4 and bool(sys.argv[4]))
    else:
        sys.exit(main(*(int(x) for x in sys.argv[1:] if x.isdigit())))  # CTest says -v, too
