"""What an operation costs from Python, and whose answers keep its law, beside pycute where there is one.

    PYTHONPATH=build/release/python:PYCUTE python3 bench/operations.py

Times are medians of short runs that take turns. The operands of the second table are random, the same for both; an
answer is judged by what it gives for every index, in Python's own arithmetic.
"""

import collections
import random
import statistics
import timeit

import tessera
import tessera.pycute as adapter

try:
    import pycute
except ImportError:
    pycute = None

CASES = [("make (4,8):(8,1)", "Layout((4, 8), (8, 1))"), ("evaluate at (3,2)", "a(3, 2)"), ("size", "size(a)"),
         ("coalesce", "coalesce(b)"), ("composition, 2 leaves over 2", "composition(b, c)"),
         ("complement in 64", "complement(c, 64)"), ("right_inverse", "right_inverse(a)"),
         ("logical_divide by 2 modes", "logical_divide(a, (2, 4))"),
         ("zipped_divide by 2 modes", "zipped_divide(a, (2, 4))"),
         ("logical_product", "logical_product(e, f)"), ("equal", "a == d")]
MADE = {"a": ((4, 8), (8, 1)), "b": ((6, 2), (8, 2)), "c": ((4, 3), (3, 1)), "d": ((4, 8), (8, 1)),
        "e": ((2, 5), (5, 1)),
        "f": ((3, 4), (1, 3))}


def times():
    scopes = [{**vars(m), **{name: m.Layout(*parts) for name, parts in MADE.items()}} for m in (tessera, pycute) if m]
    print(f"{'ns an operation':32}{'tessera':>10}{'pycute':>10}{'ratio':>8}")
    for what, expression in CASES:
        runs = [[] for _ in scopes]
        for _ in range(41):
            for taken, scope, n in zip(runs, scopes, (400, 40)):
                taken.append(timeit.timeit(expression, globals=scope, number=n) / n * 1e9)
        medians = [statistics.median(taken) for taken in runs]
        print(f"{what:32}" + "".join(f"{m:10.0f}" for m in medians) + f"{medians[-1] / medians[0]:8.1f}")


def values(shape, stride):
    """What a layout gives for each index."""
    if not isinstance(shape, tuple):
        return [i * stride for i in range(shape)]
    r = [0]
    for s, d in zip(shape, stride):
        r = [x + y for y in values(s, d) for x in r]
    return r


def at(parts, i):
    """What it gives for an index, also behind the last one, where the last mode goes on."""
    flat = [*zip(adapter.flatten(parts[0]), adapter.flatten(parts[1]))]
    total = 0
    for s, d in flat[:-1]:
        total, i = total + i % s * d, i // s
    return total + i * flat[-1][1]


def composes(va, vb, vr):
    """R(i) = A(B(i)), wherever B(i) is an index of A."""
    return len(vr) == len(vb) and all(x >= len(va) or va[x] == y for x, y in zip(vb, vr))


def keeps_law(name, a, b, r):
    va, vb, vr = values(*a), values(*b), values(*r)
    if name in ("coalesce", "filter"):
        return vr == va if name == "coalesce" else set(vr) == set(va)
    if name == "composition":
        return composes(va, vb, vr)
    if name == "complement":
        return not set(vr[1:]) & set(va) and len(set(vr)) == len(vr)
    if name == "right_inverse":
        return [at(a, x) for x in vr] == [*range(len(vr))]
    if name == "left_inverse":
        return len(set(va)) < len(va) or [at(r, x) for x in va] == [*range(len(va))]
    tile = values(r[0][0], r[1][0])
    if name == "logical_divide":
        whole = max(vb) < len(va) == len(vr)  # a tiler inside of what it divides loses no element
        return composes(va, vb, tile) and (not whole or sorted(vr) == sorted(va))
    once = len(set(va)) == len(va) and len(set(vb)) == len(vb)
    return tile == va and (not once or len(set(vr)) == len(vr))  # logical_product


def random_layout(dice, depth=0):
    if depth < 2 and dice.random() < 0.5:
        return tuple(zip(*(random_layout(dice, depth + 1) for _ in range(dice.randint(1, 3)))))
    return dice.choice([1, 2, 2, 3, 4, 6, 8]), dice.choice([0, 1, 1, 2, 3, 4, 6, 8, 12, 16, 24])


def answer(module, name, a, b):
    """(shape, stride); None: refused."""
    operands = [module.Layout(*a), module.Layout(*b)][:1 + name.startswith(("composition", "logical"))]
    try:
        r = getattr(module, name)(*operands)
    except (AssertionError, tessera.Refused, ZeroDivisionError):
        return None
    return r.shape, r.stride


def agreement(cases=20000):
    dice = random.Random(1)
    print(f"\n{'of random operands':20}{'cases':>7}{'the same':>10}{'wrong':>14}{'refused':>16}\n"
          f"{'':37}{'tessera':>8}{'pycute':>8}{'tessera':>8}{'pycute':>8}")
    table = collections.defaultdict(lambda: [0] * 6)
    for _ in range(cases):
        name = dice.choice(["coalesce", "filter", "composition", "complement", "right_inverse", "left_inverse",
                            "logical_divide", "logical_product"])
        a, b = random_layout(dice), random_layout(dice)
        ours, theirs = (answer(module, name, a, b) for module in (adapter, pycute))
        wrong = [r is not None and not keeps_law(name, a, b, r) for r in (ours, theirs)]
        table[name] = [n + x for n, x in zip(table[name], [1, ours == theirs, *wrong, ours is None, theirs is None])]
    for name, row in table.items():
        print(f"{name:20}{row[0]:7}{row[1]:10}" + "".join(f"{n:8}" for n in row[2:]))


if __name__ == "__main__":
    times()
    if pycute:
        agreement()
