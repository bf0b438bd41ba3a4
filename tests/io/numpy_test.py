"""NumPy and tessera read each other's files, and permute, tile, lay out and convert alike.

usage: numpy_test.py TESSERA
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

tessera = sys.argv[1]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
random = np.random.default_rng(1)
passed = failed = 0


def check(what, ok):
    global passed, failed
    passed, failed = passed + ok, failed + (not ok)
    if not ok:
        print("failed:", what)


def relayout(array, *options, cast=None):
    """The array that `tessera relayout` makes of this one."""
    np.save("in.npy", array)
    command = [tessera, "relayout", "in.npy", "out.npy", "--verify", *options]
    subprocess.run(command + (["--cast", cast] if cast else []), check=True, stdout=subprocess.DEVNULL)
    return np.load("out.npy")


def same(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def any_array(dtype, shape):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = random.integers(0, 256, size, dtype=np.uint8).tobytes()
    array = np.frombuffer(raw, dtype=dtype).reshape(shape)
    return array if np.dtype(dtype) != bool else np.frombuffer(raw, np.uint8).reshape(shape) % 2 == 1


def tiled(array, tile):
    grid = [-(-n // t) for n, t in zip(array.shape, tile)]
    padded = np.pad(array, [(0, g * t - n) for n, g, t in zip(array.shape, grid, tile)])
    split = padded.reshape([x for g, t in zip(grid, tile) for x in (g, t)])
    rank = array.ndim
    return np.ascontiguousarray(split.transpose([2 * i for i in range(rank)] + [2 * i + 1 for i in range(rank)]))


def to_bf16(array):
    """The upper half of each float, rounded to nearest, ties to even."""
    bits = array.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype("<u2")


types = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
for dtype in types:
    for byte_order in "<>":
        for shape in [(), (1,), (7,), (3, 5), (4, 1, 6), (2, 3, 4, 5), (1,) * 16, (2,) * 12]:
            array = any_array(np.dtype(dtype).newbyteorder(byte_order), shape)
            little = array.astype(array.dtype.newbyteorder("<"))
            axes = list(random.permutation(len(shape)))
            text = "(%s)" % ",".join(map(str, axes))
            for order in "CF":
                given = np.array(array, order=order)
                check(f"{byte_order}{dtype} {shape} {order}", same(relayout(given), little))
            if len(shape) > 1:
                check(f"permute {byte_order}{dtype} {shape}",
                      same(relayout(array, "--permute", text), np.ascontiguousarray(little.transpose(axes))))

for shape, tile in [((7,), (3,)), ((5, 6), (2, 4)), ((64, 64), (8, 16)), ((3, 300), (7, 64)), ((4, 5, 6), (3, 5, 1)),
                    ((1, 2, 3, 4, 5), (2, 2, 2, 2, 2))]:
    array = any_array("i4", shape)
    text = ",".join(map(str, tile))
    check(f"tile {shape} {tile}", same(relayout(array, "--tile", f"({text})"), tiled(array, tile)))
    check(f"permute and tile {shape} {tile}",
          same(relayout(array, "--permute", f"({','.join(map(str, reversed(range(len(shape)))))})", "--tile",
                        f"({','.join(map(str, reversed(tile)))})"), tiled(array.T, tile[::-1])))

array = any_array("u2", (6, 8))
padded = np.zeros(6 * 10, "u2")
for i in range(6):
    padded[10 * i:10 * i + 8] = array[i]
check("layout with padded rows", same(relayout(array, "--layout", "(6,8):(10,1)"), padded[:58]))
blocked = relayout(array, "--layout", "((2,3),(4,2)):((4,16),(1,8))")
expected = np.zeros(48, "u2")
for i in range(6):
    for j in range(8):
        expected[i % 2 * 4 + i // 2 * 16 + j % 4 + j // 4 * 8] = array[i, j]
check("layout in blocks", same(blocked, expected))
swizzled = relayout(array.reshape(6, 8), "--layout", "Sw<3,0,3> o _0 o (6,8):(8,1)")
offsets = np.arange(48)
expected = np.zeros(48, "u2")
expected[offsets ^ (offsets >> 3 & 7)] = array.reshape(-1)
check("swizzled layout", same(swizzled, expected))

floats = np.concatenate([random.standard_normal(4000), 10.0 ** random.uniform(-45, 38, 4000)]).astype("f4")
floats[:4] = [0.0, -0.0, np.inf, -np.inf]
with np.errstate(over="ignore"):
    check("cast to f16", same(relayout(floats, cast="f16"), floats.astype("f2")))
check("cast to f64", same(relayout(floats, cast="f64"), floats.astype("f8")))
check("cast to bf16", same(relayout(floats, cast="bf16").view("<u2"), to_bf16(floats)))
integers = random.integers(-1 << 40, 1 << 40, 4000)
for dtype, name in [("i1", "i8"), ("u2", "u16"), ("i4", "i32"), ("f4", "f32"), ("f2", "f16"), ("?", "bool")]:
    with np.errstate(over="ignore"):
        check(f"cast i64 to {name}", same(relayout(integers, cast=name), integers.astype(dtype)))
check("cast to complex", same(relayout(floats[4:], cast="c64"), floats[4:].astype("c8")))

big = random.standard_normal((1500, 1100)).astype("f4")
check("larger than a box", same(relayout(big, "--permute", "1,0"), np.ascontiguousarray(big.T)))
check("larger than a box, in tiles", same(relayout(big, "--tile", "(64,100)"), tiled(big, (64, 100))))

# Arrays without elements: all that moves extents, as NumPy does.
for dtype in types[::5]:
    for shape in [(0,), (0, 3), (3, 0), (2, 0, 3), (0, 0), (1,) * 15 + (0,)]:
        for order in "CF":
            array = np.zeros(shape, np.dtype(dtype).newbyteorder("<>"[len(shape) % 2]), order=order)
            little = np.zeros(shape, np.dtype(dtype).newbyteorder("<"))
            axes = list(random.permutation(len(shape)))
            text = "(%s,)" % ",".join(map(str, axes)) if len(shape) == 1 else ",".join(map(str, axes))
            name = f"{dtype} {shape} {order}"
            check(f"empty {name}", same(relayout(array), little))
            check(f"empty, permuted {name}", len(shape) == 1
                  or same(relayout(array, "--permute", text), np.ascontiguousarray(little.transpose(axes))))
            check(f"empty, reshaped {name}", same(relayout(array, "--reshape", "5,0"), little.reshape(5, 0)))
            check(f"empty, converted {name}", same(relayout(array, cast="c128"), little.astype("c16")))
            if len(shape) <= 8:
                check(f"empty, in tiles {name}", same(relayout(array, "--tile=(%s)" % ",".join("2" for _ in shape)),
                                                      tiled(little, (2,) * len(shape))))
array = np.zeros((4, 0, 6), "i2")
for text in (":", "1", "::2", "1:3,:", ":,:,3", ":,::-1,::2", "3,:,1:"):
    parts = tuple(int(x) if x.isdigit() else slice(*(int(n) if n else None for n in x.split(":"))) for x in text.split(","))
    check(f"empty, slice {text}", same(relayout(array, f"--slice={text}"), np.ascontiguousarray(array[parts])))
check("empty, what is left", same(relayout(array, "--reshape=-1,7"), array.reshape(-1, 7)))

# Fields of structures, as views or copied together.
def any_type(depth):
    """A random type of structures, and its fields: the path and how NumPy takes them."""
    fields, paths = [], []
    for i in range(random.integers(1, 5)):
        shape = tuple(random.integers(1, 4, random.integers(0, 3))) if random.integers(2) else ()
        name = "abcde"[i]
        if depth < 3 and random.integers(4) == 0:
            inner, below = any_type(depth + 1)
            paths += [(f"{name}.{path}", (name, *take)) for path, take in below]
        else:
            inner = np.dtype(random.choice(types)).newbyteorder(random.choice(["<", ">"]))
            paths.append((name, (name,)))
        fields.append((name, inner, shape))
    return np.dtype(fields, align=bool(random.integers(2))), paths


for k in range(24):
    kind, paths = any_type(0)
    shape = tuple(random.integers(0 if k % 8 == 0 else 1, 5, random.integers(0, 4)))
    raw = random.integers(0, 2, int(np.prod(shape)) * kind.itemsize, dtype=np.uint8).tobytes()
    array = np.array(np.frombuffer(raw, kind).reshape(shape), order="CF"[k % 2])
    for path, take in paths:
        field = array
        for name in take:
            field = field[name]
        little = np.ascontiguousarray(field.astype(field.dtype.newbyteorder("<"))).reshape(field.shape)
        check(f"field {path} of {kind.descr} {shape}", same(relayout(array, "--tensor", path), little))
        if field.ndim > 1 and field.size:
            axes = ",".join(map(str, reversed(range(field.ndim))))
            check(f"permuted {path} of {kind.descr}",
                  same(relayout(array, "--tensor", path, "--permute", axes), np.ascontiguousarray(little.T)))

# More than 16 dimensions: what is left without those of one index, of which the last ones are joined.
for k in range(30):
    shape = [1] * random.integers(17, 33)
    for i in random.permutation(len(shape))[:random.integers(0, min(20, len(shape)) + 1 if k % 2 else 12)]:
        shape[i] = 2
    if k % 5 == 4:
        shape[random.integers(len(shape))] = 0
    array = any_array("i2", shape)
    kept = [n for n in shape if n != 1]
    kept = kept if len(kept) <= 16 else kept[:15] + [int(np.prod(kept[15:]))]
    check(f"dimensions {shape}", same(relayout(array), array.reshape(kept)))
    if len([n for n in shape if n != 1]) <= 16:
        check(f"dimensions {shape} in Fortran order", same(relayout(np.asfortranarray(array)), array.reshape(kept)))

for array in [np.array(["a"]), np.array([None]), np.zeros(2, [("x", "f4")]), np.zeros(1, "M8[s]"),
              np.asfortranarray(np.zeros((2,) * 17))]:
    np.save("in.npy", array)
    done = subprocess.run([tessera, "relayout", "in.npy", "out.npy"], capture_output=True, text=True)
    check(f"{array.dtype} {array.shape} is refused", done.returncode == 1 and done.stderr.startswith("error: in.npy: "))

os.chdir("/")
print(f"{passed} passed, {failed} failed (NumPy {np.__version__})")
sys.exit(failed != 0)
