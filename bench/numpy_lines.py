"""Lines that users of NumPy write, by tessera and by NumPy in turns, in the memory of the host.

    python3 bench/numpy_lines.py [WORD] [MACHINE COMMIT FILE [processor]]
        a line each whose name has the word: microseconds by the clock, how often they are in NumPy's time, by the clock
        and by processor time; rows of bench/results go to the file, by the clock, or by processor time on a busy machine
"""

import csv
import re
import statistics
import sys
import time

import numpy as np

import tessera as t

ROUNDS, TURN = 9, 4e-3  # seconds that a turn takes at least
IS_STATEMENT = re.compile(r" [-+*/]?= ")
KINDS = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
         "c64": np.complex64, "c128": np.complex128}


def array(shape, kind="f32", seed=1):
    random = np.random.default_rng(seed)
    if kind[0] in "iu":
        return random.integers(1, 100, shape).astype(KINDS[kind])
    x = random.random(shape) + 0.5
    return (x + 1j * random.random(shape) if kind[0] == "c" else x).astype(KINDS[kind])


def both(line, **arrays):
    """The line as a function of tensors and as one of arrays: `m` is the module, `copied` makes a copy of a view."""
    code = compile(line, line, "exec" if IS_STATEMENT.search(line) else "eval")
    ours = {"m": t, "copied": t.relayout, "f16": "f16", "f32": "f32", "f64": "f64", "i32": "i32", "i64": "i64"}
    theirs = {"m": np, "copied": lambda x: x.copy(order="C"), **KINDS}
    ours.update((name, t.tensor(x.copy()) if isinstance(x, np.ndarray) else x) for name, x in arrays.items())
    theirs.update((name, x.copy() if isinstance(x, np.ndarray) else x) for name, x in arrays.items())
    return (lambda: eval(code, ours)), (lambda: eval(code, theirs)), ours, theirs


def elementwise(n):
    a, b, row, column = array((n, n)), array((n, n), seed=2), array(n), array((n, 1))
    d, e, i, j = array((n, n), "f64"), array((n, n), "f64", 2), array((n, n), "i32"), array((n, n), "i32", 2)
    h, k, u, c = array((n, n), "f16"), array((n, n), "f16", 2), array((n, n), "u8"), array((n, n), "c64")
    for line in ("a + b", "a * b", "a / b", "a - 1.5", "2 * a", "1 / a", "-a", "a * a - a", "a * a + b * b - 2 * a",
                 "(a + 1) * (b - 1) / 2", "a + row", "a * column", "a - row * column"):
        yield line + ", f32", line, dict(a=a, b=b, row=row, column=column)
    for line in ("a + b", "a * 0.5", "a * a - a"):
        yield line + ", f64", line, dict(a=d, b=e)
    for line in ("a + b", "a * b", "a * 3"):
        yield line + ", i32", line, dict(a=i, b=j)
    yield "a + b, f16", "a + b", dict(a=h, b=k)
    yield "a + b, u8", "a + b", dict(a=u, b=u)
    yield "a * b, c64", "a * b", dict(a=c, b=c)
    yield "a + b, f32 and f64", "a + b", dict(a=a, b=d)
    for line in ("m.add(a, b, out=z)", "m.multiply(a, 2.0, out=z)", "m.maximum(a, b)", "m.maximum(a, b, out=z)",
                 "m.minimum(a, 1.0)", "m.maximum(a, row)", "m.add(a, row, out=z)"):
        yield line + ", f32", line, dict(a=a, b=b, row=row, z=np.zeros_like(a))
    for line in ("a += b", "a *= 1.0", "a += row"):
        yield line + ", f32", line, dict(a=a, b=b * 0, row=row * 0)
    for source, to in (("f32", "f64"), ("f64", "f32"), ("f32", "f16"), ("f16", "f32"), ("f32", "i32"), ("i32", "f32"), ("i64", "f64")):
        yield f"a.astype({to}), {source}", f"a.astype({to})", dict(a=array((n, n), source))


def moves(n):
    a, b = array((n, n)), array((n, n), seed=2)
    q = array((n, max(n // 32, 1), 4, 8))
    for line in ("copied(a)", "copied(a.T)", "copied(a[::2, 1:])", "copied(a[:, ::-1])"):
        yield line + ", f32", line, dict(a=a)
    yield "copied(a.T), u8", "copied(a.T)", dict(a=array((n, n), "u8"))
    yield "copied(m.transpose), 4 modes", "copied(q.transpose(2, 0, 3, 1))", dict(q=q)
    for line in ("a[1:, 2:] = b[1:, 2:]", "a[...] = 0.0", "a[2] = b[3]", "a[:, 1] = b[:, 2]"):
        yield line + ", f32", line, dict(a=a, b=b)
    yield "a[:] = row, f32", "a[:] = row", dict(a=a, row=array(n))


def sums(n):
    a = array((n, n))
    for line in ("m.sum(a)", "m.sum(a, axis=0)", "m.sum(a, axis=1)", "m.max(a)", "m.max(a, axis=1)", "m.min(a, axis=0)"):
        yield line + ", f32", line, dict(a=a)
    yield "m.sum(a, axis=1), f64", "m.sum(a, axis=1)", dict(a=array((n, n), "f64"))
    yield "m.sum(a), i32", "m.sum(a)", dict(a=array((n, n), "i32"))


def products(n):
    a, v, w = array((n, n)), array(n * n), array(n * n, seed=2)
    for line in ("m.einsum('ii', a)", "m.einsum('ij->ji', a)", "m.einsum('ii->i', a)", "m.einsum('ij->i', a)",
                 "m.einsum('ij,ij->ij', a, a)", "m.einsum('ij,ij->', a, a)", "m.einsum('ij,j->i', a, v)"):
        yield line + ", f32", line, dict(a=a, v=v[:n])
    batch = array((max(n // 4, 1), 16, 16))
    yield f"m.einsum('bij,bjk->bik', a, a), {len(batch)} of 16", "m.einsum('bij,bjk->bik', a, a)", dict(a=batch)
    if n <= 256:
        yield "a @ a, f32", "a @ a", dict(a=a)
        yield "a @ a, c128", "a @ a", dict(a=array((n, n), "c128"))
        yield "a @ a, i64", "a @ a", dict(a=array((n, n), "i64"))
    yield "a @ v, f32", "a @ v", dict(a=a, v=v[:n])
    yield "v @ w, f32", "v @ w", dict(v=v, w=w)
    for kind in ("c64", "c128"):
        yield f"v @ w, {kind}", "v @ w", dict(v=array(n * n, kind), w=array(n * n, kind, 2))


def calls(n):
    a, z = array((n, n)), array((n, n))
    yield "a[3, 5]", "a[3, 5]", dict(a=a)
    yield "a[3, 5] = 1.5", "a[3, 5] = 1.5", dict(a=a)
    yield "a[3]", "a[3]", dict(a=a)
    yield "a[1:, ::2]", "a[1:, ::2]", dict(a=a)
    yield "a.T", "a.T", dict(a=a)
    yield "m.reshape(a, (-1, 8))", "m.reshape(a, (-1, 8))", dict(a=a)
    yield "tensor(x), asarray of a view", "given(z)", dict(z=z)


def same(x, y):
    x, y = np.asarray(x), np.asarray(y)
    return x.shape == y.shape and np.allclose(x, y, rtol=1e-3 if x.dtype == np.float16 else 1e-4, atol=1e-4)


def took(work, repeat):
    begin, used = time.perf_counter(), time.process_time()
    for _ in range(repeat):
        work()
    return (time.perf_counter() - begin) / repeat * 1e6, (time.process_time() - used) / repeat * 1e6


def compared(ours, theirs):
    """The median times of ours and theirs and of the ratios of turns, by the clock and by processor time."""
    once = max(took(ours, 3)[0], took(theirs, 3)[0]) * 1e-6
    repeat = int(max(1, min(TURN / once, 20000)))
    turns = [(*took(ours, repeat), *took(theirs, repeat)) for _ in range(ROUNDS)]
    return [[statistics.median(x[i] for x in turns), statistics.median(x[2 + i] for x in turns),
             statistics.median(x[2 + i] / max(x[i], 1e-9) for x in turns)] for i in range(2)]


def main(word="", machine="", commit="", file="", how="clock"):
    rows = []
    for n in (8, 200, 2048):
        for name, line, arrays in (x for kind in (elementwise, moves, sums, products, calls) for x in kind(n)):
            case = f"{name}, {n}^2"
            if word not in case:
                continue
            ours, theirs, our_names, their_names = both(line, **arrays)
            our_names["given"], their_names["given"] = (lambda _, x=arrays.get("z"): t.tensor(x)), lambda x: x[...]
            x, y = ours(), theirs()
            changed = line.startswith("a") and "a" in arrays
            assert x is None and y is None or same(x, y), case
            assert not changed or same(our_names["a"], their_names["a"]), case
            clock, used = compared(ours, theirs)
            mine, other, ratio = used if how == "processor" else clock
            print(f"{case:44} {clock[0]:11.2f} {clock[1]:11.2f} {clock[2]:6.2f} {used[2]:6.2f}{' *' if ratio < 1 / 1.2 else ''}",
                  flush=True)
            rows.append([machine, commit, "numpy_lines.py", case, f"{mine:.4g}", "us", f"NumPy {np.__version__}", f"{other:.4g}",
                         f"{ratio:.3g}", "" if how == "processor" else f"{used[2]:.3g} by processor time"])
    ratios = [float(row[8]) for row in rows]
    print(f"{len(rows)} cases, geometric mean {statistics.geometric_mean(ratios):.2f}, over 1.2 times NumPy: "
          f"{sum(x < 1 / 1.2 for x in ratios)}")
    if file:
        with open(file, "w", newline="") as to:
            out = csv.writer(to, lineterminator="\n")
            out.writerow("machine,commit,bench,case,ours,unit,peer,theirs,ratio,note".split(","))
            out.writerows(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
