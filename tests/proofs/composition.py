"""Composition's two rules (include/tessera/core/body/compose.h): where s:d over A is accepted, the result is A at B; where the
rule does not prove it, it is not so for a general A; where it is refused, there is no layout.

A has `rank` modes. Its strides are any: a result is that of A exactly if the coordinates of A agree, mode by mode.
"""
import z3

from c_eval import Program
from c_run import Cell, Struct
from c_text import Source

FILE = "include/tessera/core/body/compose.h"
KINDS = {"TSR_DYNAMIC": 0, "TSR_STATIC": 1}
REASONS = {"TSR_OK": 0, "TSR_COMPOSE_ZERO": 1, "TSR_COMPOSE_STRIDE": 2, "TSR_COMPOSE_SHAPE": 3, "TSR_OVERFLOW": 4}


def walk(m, rank, bits, static, negative):
    """s:d over A by the text of C: what it returns, *exact, the reason, and the modes: extent, step, mode of A."""
    kind = m.number(static)
    extents = [m.symbol("n%d" % i) for i in range(rank)]
    s, d, modes = m.symbol("s"), m.symbol("d"), []
    for x in [*extents, s]:
        m.assume(z3.And(x.bits >= 1, x.bits < 1 << bits))
    m.assume(z3.And(d.bits >= (-(1 << bits) + 1 if negative else 1), d.bits < 1 << bits, d.bits != 0))
    leaves = [Struct(value=x, kind=kind) for x in extents]
    strides = [Struct(mode=i) for i in range(rank)]
    r = Struct(shape=Struct(leaves=m.number(0), status=m.number(0)), stride=Struct(status=m.number(0)))

    def push(m, r, extent, _, step, __, stride):
        modes.append((extent.bits, step.bits, stride.mode))
        r.shape.leaves = m.number(len(modes))

    def refused(m, status, *_):
        return Struct(status=status, leaves=m.number(0))
    m.stubs = {"tsr_push_step_": push, "tsr_bad_tuple": refused, "tsr_compose_bad_": refused}
    exact, shape = Cell(None, "bool"), Struct(leaf=leaves, leaves=m.number(rank))
    answer = m.call("tsr_compose_leaf_", shape, Struct(leaf=strides), m.number(0), Struct(value=s, kind=kind),
                    Struct(value=d, kind=kind), r, exact)
    ok = m.decide(m.truth(answer))
    return Struct(ok=ok, exact=m.decide(m.truth(exact.value)), reason=r.shape.status, modes=modes, s=s, d=d, shape=shape,
                  extents=[x.bits for x in extents])


def coordinates(extents, x):
    """Of an index of A; odd in x, as the division of C is."""
    found = []
    for n in extents[:-1]:
        found.append(z3.SRem(x, n))
        x = x / n
    return [*found, x]


def value(modes, c, rank):
    """What the result adds up along each mode of A."""
    total = [z3.BitVecVal(0, c.size()) for _ in range(rank)]
    for number, (extent, step, mode) in enumerate(modes):
        digit = c if number + 1 == len(modes) else z3.SRem(c, extent)
        total[mode] = total[mode] + digit * step
        c = c / extent
    return total


def same(w, c, rank):
    return z3.And(*[a == b for a, b in zip(value(w.modes, c, rank), coordinates(w.extents, c * w.d.bits))])


def program(bits):
    word = 2 * bits + 2
    return Program([Source(FILE), Source("include/tessera/base/int64.h")], {}, dict(KINDS, **REASONS), word)


def accepted(rank, bits, static=0, negative=False):
    def path(m):
        w = walk(m, rank, bits, static, negative)
        if not w.ok or not w.exact:
            return
        size, c = z3.BitVecVal(1, m.word), m.symbol("c").bits
        for extent, _, _ in w.modes:
            size = size * extent
        m.must(size == w.s.bits, "the size")
        m.assume(z3.And(c >= 0, c < w.s.bits))
        m.must(same(w, c, rank), "R(c) = A(B(c))")
    return program(bits), path


def necessary(rank, bits):
    """Where the rule does not prove it, an index shows that: the first one beyond a mode of the result."""
    def path(m):
        w = walk(m, rank, bits, 0, True)
        if not w.ok or w.exact:
            return
        c, wrong = z3.BitVecVal(1, m.word), []
        for extent, _, _ in w.modes[:-1]:
            c = c * extent
            wrong.append(z3.And(c < w.s.bits, z3.Not(same(w, c, rank))))
        m.must(z3.Or(*wrong), "an index where it differs")
    return program(bits), path


def one_rule(rank, bits):
    """tsr_compose_fits_, which says what strides would do, is the rule of the walk."""
    def path(m):
        w = walk(m, rank, bits, 0, True)
        fits = m.truth(m.call("tsr_compose_fits_", w.shape, w.s, w.d))
        m.must(fits == z3.BoolVal(w.ok and w.exact), "the rule")
    return program(bits), path


def no_layout(bits):
    """COMPOSE_SHAPE: no layout of one mode, or of two, has the values."""
    def path(m):
        w = walk(m, 2, bits, 0, False)
        if w.ok:
            return
        m.must(w.reason.bits == REASONS["TSR_COMPOSE_SHAPE"], "the reason")
        x, steps = m.symbol("x").bits, [[m.symbol("%s%d" % (name, j)).bits for j in range(2)] for name in "uv"]
        m.assume(z3.And(x >= 1, x <= w.s.bits, z3.SRem(w.s.bits, x) == 0))
        agree = []
        for number in range(1 << bits):
            c = z3.BitVecVal(number, m.word)
            at = coordinates(w.extents, c * w.d.bits)
            agree += [z3.Implies(c < w.s.bits, at[j] == z3.SRem(c, x) * steps[0][j] + (c / x) * steps[1][j]) for j in range(2)]
        m.must(z3.Not(z3.And(*agree)), "a layout has the values")
    return program(bits), path


def row(law, rank, bits, make, old, new):
    return law, "A of %d modes, numbers below %d" % (rank, 1 << bits), FILE, make, old, new


PROOFS = [
    row("composition: what the rule accepts is A at B, strides negative too", 2, 5, lambda: accepted(2, 5, 0, True),
        "rest_s > fit && (step > n || !divides)", "rest_s > fit + 1 && (step > n || !divides)"),
    row("composition: the same", 3, 4, lambda: accepted(3, 4),
        "divides ? parts : parts + 1", "parts + 1"),
    row("composition: the same of static numbers", 2, 5, lambda: accepted(2, 5, 1),
        "whole = steps * n == step", "whole = steps * n <= step"),
    row("composition: where the rule does not prove it, an index differs", 2, 5, lambda: necessary(2, 5),
        "rest_s > fit && (step > n || !divides)", "rest_s >= fit && (step > n || !divides)"),
    row("composition: strides that a refusal names do by the same rule", 3, 3, lambda: one_rule(3, 3),
        "s <= fit", "s < fit"),
    row("composition: a refused extent has no layout", 2, 4, lambda: no_layout(4),
        "left * cut != rest_s", "left * cut == rest_s"),
]
