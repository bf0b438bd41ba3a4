"""Checked arithmetic (include/tessera/base/int64.h): no overflow goes unseen."""
import z3

from c_eval import Program
from c_run import Cell
from c_text import Source

FILE = "include/tessera/base/int64.h"


def program(word, builtins=None):
    source = Source(FILE, TSR_HAS_OVERFLOW=bool(builtins))
    if word != 64:
        source.text = source.text.replace(">> 31", ">> %d" % (word // 2 - 1))
    return Program([source], builtins, {"TSR_INT_MAX": (1 << word - 1) - 1}, word)


def overflows(exact):
    """What gcc and clang document: the exact result, cut to the type, and whether that changes it."""
    def builtin(m, a, b, r):
        r.value.bits = z3.Extract(m.word - 1, 0, exact(m, a, b))
        return m.of_truth(z3.SignExt(m.word, r.value.bits) != exact(m, a, b))
    return builtin


def checked(name, word, exact, builtin=None):
    """True with the exact result, or false where that is not in the range, and then nothing is written."""
    def path(m):
        a, b, before = m.symbol("a"), m.symbol("b"), m.symbol("before")
        most, r = (1 << word - 1) - 1, Cell(before)
        for x in (a, b):
            m.assume(x.bits >= -most)
        answer = m.truth(m.call(name, a, b, r))
        value = exact(m, a, b)
        fits = z3.And(value <= most, value >= -most)
        m.must(answer == fits, "true or false")
        m.must(z3.If(fits, z3.SignExt(word, r.value.bits) == value, r.value.bits == before.bits), "the result")
    return program(word, {builtin: overflows(exact)} if builtin else None), path


def wide(operation):
    return lambda m, a, b: operation(z3.SignExt(m.word, a.bits), z3.SignExt(m.word, b.bits))


def any_value(m, a, b):
    """The exact result of an operation of which nothing is used."""
    return z3.Function("exact", a.bits.sort(), b.bits.sort(), z3.BitVecSort(2 * m.word))(a.bits, b.bits)


def ceiling(word):
    """The least n with n * b >= a."""
    def path(m):
        a, b = m.symbol("a"), m.symbol("b")
        m.assume(z3.And(b.bits >= 1, a.bits >= -((1 << word - 1) - 1)))
        n, x, y = (z3.SignExt(word, v.bits) for v in (m.call("tsr_ceil_div64", a, b), a, b))
        m.must(z3.And(n * y >= x, (n - 1) * y < x), "the least n")
    return program(word), path


def round_up(word):
    def path(m):
        a, b = m.symbol("a"), m.symbol("b")
        m.assume(z3.And(b.bits >= 1, a.bits >= 0))
        n, x, y = (z3.SignExt(word, v.bits) for v in (m.call("tsr_round_up64", a, b), a, b))
        q, most = x + y - 1 - z3.URem(x + y - 1, y), (1 << word - 1) - 1
        m.must(n == z3.If(q <= most, q, q - y), "the next multiple, or the last one")
    return program(word), path


def most_product(word):
    def path(m):
        a, b = m.symbol("a"), m.symbol("b")
        m.assume(z3.And(a.bits >= 0, b.bits >= 0))
        n, most = m.call("tsr_mul64_most", a, b).bits, (1 << word - 1) - 1
        exact = z3.SignExt(word, a.bits) * z3.SignExt(word, b.bits)
        m.must(z3.SignExt(word, n) == z3.If(exact <= most, exact, most), "the product, or the greatest number")
    return program(word), path


def quotient(word):
    def path(m):
        a, b, before = m.symbol("a"), m.symbol("b"), m.symbol("before")
        m.assume(a.bits >= -((1 << word - 1) - 1))
        r = Cell(before)
        answer = m.truth(m.call("tsr_div64", a, b, r))
        m.must(answer == (b.bits != 0), "true or false")
        m.must(z3.If(answer, r.value.bits == a.bits / b.bits, r.value.bits == before.bits), "the quotient")
    return program(word), path


def powers(word):
    def path(m):
        a = m.symbol("a")
        one = z3.Or(*[a.bits == 1 << k for k in range(word - 1)])
        m.must(m.truth(m.call("tsr_is_pow2", a)) == one, "a power of two")
    return program(word), path


def counts(word):
    def path(m):
        a = m.symbol("a", "uint64_t")
        bits = [z3.ZeroExt(word - 1, z3.Extract(k, k, a.bits)) for k in range(word)]
        n = m.call("tsr_bit_width", a).bits
        m.must(z3.And(*[(n == k) == (a.bits == 0 if k == 0 else z3.LShR(a.bits, k - 1) == 1) for k in range(word + 1)]), "the width")
        m.must(m.call("tsr_popcount", a).bits == z3.Extract(m.form("int")[0] - 1, 0, sum(bits[1:], bits[0])), "the count")
    return program(word), path


SUM, PRODUCT = wide(lambda a, b: a + b), wide(lambda a, b: a * b)
PROOFS = [
    ("tsr_add64 by the compiler's builtin: the exact sum, or false", "64 bits", FILE,
     lambda: checked("tsr_add64", 64, any_value, "__builtin_add_overflow"), "v < -TSR_INT_MAX", "v < 0"),
    ("tsr_add64 in plain C", "64 bits", FILE, lambda: checked("tsr_add64", 64, SUM),
     "b >= 0", "b > 0 && a >= 0"),
    ("tsr_mul64 by the compiler's builtin: the exact product, or false", "64 bits", FILE,
     lambda: checked("tsr_mul64", 64, any_value, "__builtin_mul_overflow"), " || v < -TSR_INT_MAX", ""),
    ("tsr_mul64 in plain C", "10 bits, `>> 31` as `>> 4`", FILE, lambda: checked("tsr_mul64", 10, PRODUCT),
     "(ua | ub)", "(ua & ub)"),
    ("tsr_div64: the quotient, or false for 0", "64 bits", FILE, lambda: quotient(64), "b == 0", "a == 0"),
    ("tsr_is_pow2", "64 bits", FILE, lambda: powers(64), "a > 0 &&", "a >= 0 &&"),
    ("tsr_ceil_div64: the least n with n b >= a", "8 bits", FILE, lambda: ceiling(8), "a % b > 0", "a % b >= 0"),
    ("tsr_round_up64: the next multiple, or the last one", "8 bits", FILE, lambda: round_up(8), "last <= TSR_INT_MAX", "a <= TSR_INT_MAX"),
    ("tsr_mul64_most: the product, or the greatest number", "10 bits", FILE, lambda: most_product(10),
     "? n : TSR_INT_MAX", "? n : 0"),
    ("tsr_bit_width and tsr_popcount", "8 bits", FILE, lambda: counts(8), "a &= a - 1", "a &= a >> 1"),
]
