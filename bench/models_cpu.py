"""Einsums and moves of the shapes that models have, on the CPU, beside NumPy, opt_einsum and torch in turns.

    python3 bench/models_cpu.py [WORD]     a line each whose name has the word; verified before timed
    python3 bench/models_cpu.py --csv FILE MACHINE COMMIT [WORD]   and rows as in bench/results

The shapes are those of models.py, halved until a row takes at most about 50 ms. Einsums are of f32, and of bf16 and f16
beside torch where models have these. The ratio is the best peer's time over tessera's: of one thread processor time,
of more wall time, and behind it the other one.
"""

import math
import statistics
import sys
import time

import numpy as np
import torch

import tessera as t
from models import BF16, EINSUMS, F32, MOVES, view

try:
    import opt_einsum
except ImportError:
    opt_einsum = None

ROUNDS, LEAST_SECONDS = 7, 3e-3
REST_SECONDS = {"torch": 1e-2, "tessera": 0.25}  # OpenBLAS's threads go on for more than 100 ms after a call of NumPy
CLOCKS = ("wall", "processor")
MOST_TERMS, MOST_ELEMENTS = {"float32": 1 << 29, "bfloat16": 1 << 27, "float16": 1 << 27}, 1 << 23


def halved(extents, too_large):
    """The extents, the largest even one halved, as often as it takes."""
    extents = dict(extents)
    while too_large(extents):
        largest = max((k for k in extents if extents[k] % 2 == 0), key=extents.get)
        extents[largest] //= 2
    return extents


def einsum_shapes(text, shapes, dtype):
    words = text.split("->")[0].split(",")
    extents = {c: n for w, shape in zip(words, shapes) for c, n in zip(w, shape)}

    def too_large(x):
        return (math.prod(x.values()) > MOST_TERMS[dtype]
                or any(math.prod(x[c] for c in w) > MOST_ELEMENTS for w in text.replace("->", ",").split(",")))

    extents = halved(extents, too_large)
    return [tuple(extents[c] for c in w) for w in words]


def move_shape(shape, how):
    """The extents of the source and the order, or what it expands to."""
    if sorted(how) == list(range(len(shape))):
        small = halved(enumerate(shape), lambda x: math.prod(x.values()) > MOST_ELEMENTS)
        return tuple(small.values()), how
    small = tuple(halved(enumerate(how), lambda x: math.prod(x.values()) > MOST_ELEMENTS).values())
    return tuple(1 if n == 1 else m for n, m in zip(shape, small)), small


def matmul_of(text, a, b):
    """The einsum as np.matmul of views, or None where it is not one."""
    (x, y), z = text.split("->")[0].split(","), text.split("->")[1]
    batch, rows = [c for c in z if c in x and c in y], [c for c in z if c not in y]
    columns, depth = [c for c in z if c not in x], [c for c in x if c not in z]
    if len(rows) != 1 or len(columns) != 1 or len(depth) != 1:
        return None
    left = a.transpose([x.index(c) for c in batch + rows + depth])
    right = b.transpose([y.index(c) for c in batch + depth + columns])
    order = [(batch + rows + columns).index(c) for c in z]
    return lambda: np.matmul(left, right).transpose(order)


def times_of(works):
    """Medians of (wall, processor) milliseconds of each by its name, all in turns. Who comes behind NumPy, whose threads
    still look for work, rests first."""
    repeat = {}
    for name, work in works.items():
        work()
        begin = time.perf_counter()
        work()
        repeat[name] = max(1, int(LEAST_SECONDS / (time.perf_counter() - begin)))
    rounds = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            time.sleep(REST_SECONDS.get(name, 0) if len(works) > 2 else REST_SECONDS["torch"])
            work()
            wall, processor = time.perf_counter(), time.process_time()
            for _ in range(repeat[name]):
                work()
            rounds[name].append(((time.perf_counter() - wall) * 1e3 / repeat[name],
                                 (time.process_time() - processor) * 1e3 / repeat[name]))
    return {name: [statistics.median(x[k] for x in rows) for k in range(2)] for name, rows in rounds.items()}


def rand(shape, dtype):
    return torch.randn(*shape).to(getattr(torch, dtype))


def has_torch(text, a, b):
    """Older versions of torch have no products of f16."""
    try:
        return torch.einsum(text, a, b) is not None
    except RuntimeError:
        return False


def einsum_peers(text, dtype, a, b):
    peers = {"torch": lambda: torch.einsum(text, a, b)} if has_torch(text, a, b) else {}
    if dtype == F32:
        x, y = a.numpy(), b.numpy()
        peers["NumPy einsum"] = lambda: np.einsum(text, x, y, optimize=True)
        product = matmul_of(text, x, y)
        if product:
            peers["NumPy matmul"] = product
        if opt_einsum:
            peers["opt_einsum"] = lambda: opt_einsum.contract(text, x, y)
    return peers


def einsum_row(name, text, dtype, shapes):
    a, b = (rand(s, dtype) for s in einsum_shapes(text, shapes, dtype))
    x, y = t.tensor(a), t.tensor(b)
    expected = torch.einsum(text, a.double(), b.double())
    found = torch.tensor(np.asarray(t.astype(t.tensor(t.einsum(text, x, y)), "f64"))).reshape(expected.shape)
    if (found - expected).abs().max() > (1e-4 if dtype == F32 else 2e-2) * expected.abs().max():
        sys.exit(f"{name}: the results differ")
    sizes = " ".join("x".join(map(str, z.shape)) for z in (a, b))
    return f"{name}, {text}, {dtype}, {sizes}", lambda: t.einsum(text, x, y), einsum_peers(text, dtype, a, b)


def move_row(name, of, to, shape, how):
    shape, how = move_shape(shape, how)
    x = view(rand(shape, of), how)
    y, z = (torch.empty(x.shape, dtype=getattr(torch, to)) for _ in range(2))
    source, destination = t.tensor(x), t.tensor(y)
    t.copy(source, destination)
    peers = {"torch": lambda: z.copy_(x)}
    peers["torch"]()
    if not torch.equal(y, z):
        sys.exit(f"{name}: the results differ")
    if BF16 not in (of, to) or of == to:  # bits are bits
        p, q = ((v.view(torch.int16) if v.dtype == torch.bfloat16 else v).numpy() for v in (x, z))
        peers["NumPy copyto"] = lambda: np.copyto(q, p)
    return f"{name}, {'x'.join(map(str, shape))}", lambda: t.copy(source, destination), peers


def rows(word):
    for name, text, dtype, *shapes in EINSUMS:
        for d in dict.fromkeys((F32, dtype)):
            if word in f"{name}, {text}, {d}":
                yield einsum_row(name, text, d, shapes)
    for move in MOVES:
        if word in move[0]:
            yield move_row(*move)


def main():
    arguments = sys.argv[1:]
    file, machine, commit = arguments[1:4] if arguments[:1] == ["--csv"] else (None, "", "")
    word = (arguments[4:] if file else arguments or [""])[0:1]
    threads, ratios, lines = torch.get_num_threads(), [], ["machine,commit,bench,case,ours,unit,peer,theirs,ratio,note"]
    if not opt_einsum:
        print("no opt_einsum")
    clock, of_threads = (1, "1 thread") if threads == 1 else (0, f"{threads} threads")
    print(f"NumPy {np.__version__}, torch {torch.__version__}, {of_threads}: ms of {CLOCKS[clock]} time, medians\n"
          f"{'':84} {'tessera':>8} {'best':>8} {'ratio':>6} {CLOCKS[1 - clock]:>9}")
    for name, ours, peers in rows(word[0] if word else ""):
        if not peers:
            print(f"{name:84} no peer")
            continue
        theirs = times_of({"tessera": ours, **peers})
        mine = theirs.pop("tessera")
        peer = min(theirs, key=lambda x: theirs[x][clock])
        ratio, other = (min(x[k] for x in theirs.values()) / mine[k] for k in (clock, 1 - clock))
        ratios.append((ratio, name))
        milliseconds = theirs[peer][clock]
        print(f"{name:84} {mine[clock]:8.3f} {milliseconds:8.3f} {ratio:6.2f} {other:9.2f} {peer}", flush=True)
        lines.append(f'{machine},{commit},models_cpu.py,"{name}, {of_threads}",{mine[clock]:.3g},ms,{peer},'
                     f"{milliseconds:.3g},{ratio:.2f},by {CLOCKS[1 - clock]} time {other:.2f}")
    if file:
        with open(file, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
    print(f"{len(ratios)} rows: {statistics.geometric_mean(x for x, _ in ratios):.2f} in the geometric mean, "
          f"{sum(x < 0.97 for x, _ in ratios)} below 0.97: {'; '.join(n for x, n in sorted(ratios) if x < 0.97)}")


if __name__ == "__main__":
    main()
