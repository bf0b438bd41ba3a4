"""Signs between tensors of floats in the memory of the host, beside NumPy's: nanoseconds of a call, by processor time.

    python3 bench/python_host.py           a line each: tessera, NumPy, and how often NumPy's time it is
"""

import itertools
import statistics
import time

import numpy as np

import tessera as t

ROUNDS = 11
steps = itertools.count(1)


def rate():
    """Another number in every call."""
    return 0.5 + next(steps) * 1e-7


def took(work, size):
    repeat = 500 if size < 1 << 16 else 10
    begin = time.process_time()
    for _ in range(repeat):
        work()
    return (time.process_time() - begin) * 1e9 / repeat


def main():
    print(f"NumPy {np.__version__}, f32, ns\n{'':24} {'tessera':>9} {'NumPy':>9} {'ratio':>6}")
    for size in (16, 4096, 1 << 20):
        a, b = (np.random.default_rng(i).random(size, dtype=np.float32) for i in range(2))
        x, y, z, c = t.tensor(a.copy()), t.tensor(b.copy()), t.tensor(a.copy()), a.copy()
        assert np.array_equal(np.asarray(x + y), a + b) and np.array_equal(np.asarray(x / y), a / b)
        for name, ours, theirs in [
            ("x * rate", lambda: x * rate(), lambda: a * rate()), ("x + rate", lambda: x + rate(), lambda: a + rate()),
            ("x / rate", lambda: x / rate(), lambda: a / rate()), ("x + y", lambda: x + y, lambda: a + b),
            ("x * y", lambda: x * y, lambda: a * b), ("x / y", lambda: x / y, lambda: a / b), ("-x", lambda: -x, lambda: -a),
            ("maximum(x, rate)", lambda: t.maximum(x, rate()), lambda: np.maximum(a, rate())),
            ("x *= rate", lambda: z.__imul__(rate()), lambda: c.__imul__(rate())), ("x += y", lambda: z.__iadd__(y), lambda: c.__iadd__(b))]:
            ours(), theirs()
            times = [(took(ours, size), took(theirs, size)) for _ in range(ROUNDS)]
            mine, other = (statistics.median(v) for v in zip(*times))
            print(f"{size:8} {name:15} {mine:9.0f} {other:9.0f} {mine / other:6.2f}", flush=True)


if __name__ == "__main__":
    main()
