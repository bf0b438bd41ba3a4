"""What an operation costs from Python, and whose answers keep its law, beside pycute and tensor-layouts.

    PYTHONPATH=build/check/python:CUTLASS/python:TENSOR_LAYOUTS/src python3 bench/operations.py

A peer that is not there is left out with a line that says so. Times are medians of short runs that take turns. The
operands of the second table are random, the same for all; an answer is judged by what it gives for every index, in
Python's own arithmetic.
"""

import collections
import importlib
import random
import statistics
import timeit
import unittest.mock

import tessera
import tessera.pycute as adapter

CASES = [("make (4,8):(8,1)", "Layout((4, 8), (8, 1))"), ("evaluate at (3,2)", "a(3, 2)"), ("size", "size(a)"),
         ("coalesce", "coalesce(b)"), ("composition, 2 leaves over 2", "composition(b, c)"),
         ("complement in 64", "complement(c, 64)"), ("right_inverse", "right_inverse(a)"),
         ("left_inverse", "left_inverse(a)"), ("logical_divide by 2 modes", "logical_divide(a, (2, 4))"),
         ("zipped_divide by 2 modes", "zipped_divide(a, (2, 4))"),
         ("logical_product", "logical_product(e, f)"), ("equal", "a == d")]
MADE = {"a": ((4, 8), (8, 1)), "b": ((6, 2), (8, 2)), "c": ((4, 3), (3, 1)), "d": ((4, 8), (8, 1)),
        "e": ((2, 5), (5, 1)), "f": ((3, 4), (1, 3))}
NAMES = ["coalesce", "filter", "composition", "complement", "right_inverse", "left_inverse", "logical_divide",
         "logical_product"]


def found():
    """The names that each contestant there is has for the operations."""
    contestants = {"tessera": vars(tessera)}
    with unittest.mock.patch("importlib.metadata.version", str):  # what is not installed has none to tell
        for name in ("pycute", "tensor_layouts"):
            try:
                contestants[name] = vars(importlib.import_module(name))
            except ImportError as error:
                print(f"{name} is left out: {error}")
    theirs = contestants.get("tensor_layouts")
    if theirs:  # two operations have other names
        contestants["tensor_layouts"] = {**theirs, "composition": theirs["compose"], "filter": theirs["Layout"].filter}
    return contestants


def times(contestants):
    scopes = [{**names, **{name: names["Layout"](*parts) for name, parts in MADE.items()}}
              for names in contestants.values()]
    print(f"{'ns an operation':32}" + "".join(f"{name:>16}" for name in contestants))
    for what, expression in CASES:
        runs = [[] for _ in scopes]
        for _ in range(41):
            for taken, scope, n in zip(runs, scopes, (400, 40, 40)):
                taken.append(timeit.timeit(expression, globals=scope, number=n) / n * 1e9)
        print(f"{what:32}" + "".join(f"{statistics.median(taken):16.0f}" for taken in runs))


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
    if not vr:
        return False  # an operation on something gives something
    if name in ("coalesce", "filter"):
        return vr == va if name == "coalesce" else set(vr) == set(va)
    if name == "composition":
        return composes(va, vb, vr)
    if name == "complement":
        ordered = all(x < y for x, y in zip(vr, vr[1:]))
        return ordered and not set(vr[1:]) & set(va)
    if name == "right_inverse":
        return [at(a, x) for x in vr] == [*range(len(vr))]
    if name == "left_inverse":
        back = [at(r, x) for x in va]
        return back == [*range(len(va))] or (len(set(va)) < len(va) and [at(a, i) for i in back] == va)
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


def answer(names, name, a, b):
    """(shape, stride); None: refused."""
    try:
        operands = [names["Layout"](*a), names["Layout"](*b)][:1 + name.startswith(("composition", "logical"))]
        r = names[name](*operands)
    except (AssertionError, ValueError, ZeroDivisionError):
        return None
    return r.shape, r.stride


def agreement(contestants, cases=20000):
    """Of random operands: how often a peer's answer is that of tessera, as a function of the index, where both answer;
    how many answers break the law; how many operands are refused, and of these those that a peer answered rightly."""
    dice = random.Random(1)
    counts = {name: collections.Counter() for name in NAMES}
    example = {}
    contestants = {**contestants, "tessera": vars(adapter)}
    for _ in range(cases):
        name = dice.choice(NAMES)
        a, b = random_layout(dice), random_layout(dice)
        count, given = counts[name], {who: answer(names, name, a, b) for who, names in contestants.items()}
        right = {who: r is not None and keeps_law(name, a, b, r) for who, r in given.items()}
        count["cases"] += 1
        for who, r in given.items():
            ours = given["tessera"]
            count["both", who] += None not in (r, ours)
            count["same", who] += None not in (r, ours) and values(*r) == values(*ours)
            count["wrong", who] += r is not None and not right[who]
            count["refused", who] += r is None
            count["missed", who] += r is None and any(right.values())
            if r is not None and not right[who]:
                example.setdefault((who, name), (a, b, r))
    total = sum(counts.values(), collections.Counter())
    for who in contestants:
        print(f"\n{who:20}{'cases':>8}{'both':>8}{'same':>8}{'wrong':>8}{'refused':>8}  of these a peer is right in")
        for name, count in [*counts.items(), ("all", total)]:
            print(f"{name:20}{count['cases']:8}" + "".join(f"{count[what, who]:8}" for what in
                                                          ("both", "same", "wrong", "refused", "missed")))
        for (which, name), (a, b, r) in example.items():
            if which == who:
                print(f"wrong: {name} of {tessera.L(*a)!s} and {tessera.L(*b)!s}: shape {r[0]}, stride {r[1]}")


if __name__ == "__main__":
    found_here = found()
    times(found_here)
    agreement(found_here)
