"""Swizzles (include/tessera/core/eval.h, core/swizzle.h): one is its own inverse, and linear over xor; the composition of two is
what both do, one after the other."""
import itertools

import z3

from c_eval import Program
from c_run import Number, Struct
from c_text import Source

FILE, MAKER, BODY, INTEGERS = ("include/tessera/%s.h" % n for n in ("core/eval", "core/swizzle", "core/body/swizzle", "base/int64"))


def program():
    def empty():
        return Struct(status=Number(z3.BitVecVal(0, 8), False), **{n: Number(z3.BitVecVal(0, 8), True) for n in ("bits", "base", "shift")})
    return Program([Source(FILE), Source(MAKER), Source(BODY), Source(INTEGERS)],
                   {"tsr_bad_swizzle": lambda m, *_: Struct(status=m.number(1, "uint8_t"))},
                   {"TSR_ZERO": empty, "TSR_SWIZZLE_BITS": 1, "TSR_SWIZZLE_MASKS": 1, "TSR_SWIZZLE_SHIFT": 1})


def valid(m, name):
    """Any swizzle that its maker takes, a path for each shift; None on the paths where it refuses."""
    sw = m.call("tsr_make_swizzle", *[m.symbol(name + part) for part in ("bits", "base", "shift")])
    if m.decide(m.truth(sw.status)):
        return None
    sw.shift = m.number(next(k for k in range(-30, 31) if m.decide(sw.shift.bits == k)), "int8_t")
    return sw


def inverse():
    def path(m):
        sw, x = valid(m, "a"), m.symbol("x", "uint64_t")
        if sw:
            m.must(m.call("tsr_swizzle_apply", sw, m.call("tsr_swizzle_apply", sw, x)).bits == x.bits, "Sw(Sw(x)) = x")
    return program(), path


def by_number(m, most):
    """Each swizzle of numbers up to `most`."""
    numbers = itertools.product(range(most + 1), range(most + 1), range(-most, most + 1))
    made = [m.call("tsr_make_swizzle", *map(m.number, n)) for n in numbers]
    return [sw for sw in made if not m.decide(m.truth(sw.status))]


def linear(most):
    """Both offsets are any."""
    def path(m):
        x, y = m.symbol("x", "uint64_t"), m.symbol("y", "uint64_t")
        for sw in by_number(m, most):
            a, b, c = (m.call("tsr_swizzle_apply", sw, v).bits for v in (x, y, Number(x.bits ^ y.bits, False)))
            m.must(a ^ b == c, "Sw(x) xor Sw(y) = Sw(x xor y)")
    return program(), path


def two(most):
    """Each pair by its numbers; the offset is any."""
    def path(m):
        x = m.symbol("x", "uint64_t")
        made = by_number(m, most)
        after = [m.call("tsr_swizzle_apply", sw, x) for sw in made]
        for a in made:
            for b, moved in zip(made, after):
                r = m.call("tsr_composition_swizzles", a, b)
                if not m.decide(m.truth(r.status)):
                    both = m.call("tsr_swizzle_apply", a, moved).bits
                    m.must(m.call("tsr_swizzle_apply", r, x).bits == both, "(Sw1 o Sw2)(x) = Sw1(Sw2(x))")
    return program(), path


PROOFS = [
    ("a swizzle is its own inverse", "all swizzles, offsets of 64 bits", FILE, inverse,
     "x ^ (x >> sw.shift & mask << sw.base)", "x ^ x >> sw.shift"),
    ("a swizzle is linear over xor", "all swizzles of numbers up to 6, offsets of 64 bits", FILE, lambda: linear(6),
     "x ^ (x >> sw.shift", "x | (x >> sw.shift"),
    ("two swizzles as one do what both do", "all pairs of numbers up to 2, offsets of 64 bits", BODY, lambda: two(2),
     "low_y - low_z", "low_z - low_y"),
]
