"""Runs functions of C on symbols: every path through the text, with z3 where a number decides.

On each path it is shown, too, that C defines what is done: no signed overflow, no division by zero, no shift beyond the
width, no index outside of an array. `word` is the width of int64_t: a smaller one bounds the numbers, not the text.
"""
import z3

from c_text import Parser


class Number:
    """An integer of C: bits and whether they have a sign. The result of a comparison keeps its truth."""

    def __init__(self, bits, signed, truth=None):
        self.bits, self.signed, self.truth = bits, signed, truth


class Struct:
    def __init__(self, **members):
        self.__dict__.update(members)


class Cell:
    """A variable behind a pointer."""

    def __init__(self, value=None, kind="int64_t"):
        self.value, self.kind = value, kind


class Bytes:
    """An array of bytes with a size, whose content is any."""

    def __init__(self, name, size):
        self.content, self.size = z3.Array(name, z3.BitVecSort(64), z3.BitVecSort(8)), size


class Leave(Exception):
    def __init__(self, how, value=None):
        self.how, self.value = how, value


class Failure(Exception):
    """What is not so, with numbers."""


class Machine:
    """Functions of sources by name. `stubs` are functions of Python instead: they take the machine and the values."""

    def __init__(self, sources, stubs=None, constants=None, word=64, loops=70):
        self.sources, self.stubs, self.word, self.loops = sources, stubs or {}, word, loops
        self.constants, self.functions = constants or {}, {}
        self.obligations = self.paths = 0
        self.solver = z3.Solver()

    # What a path knows

    def all_paths(self, start):
        """Calls start(self) once for each path. What it wants to hold it says by `must`."""
        waiting = [[]]
        while waiting:
            self.known, self.waiting, self.decided = waiting.pop(), waiting, 0
            self.solver = z3.Solver()
            self.paths += 1
            start(self)

    def assume(self, fact):
        self.solver.add(fact)

    def possible(self, fact):
        self.solver.push()
        self.solver.add(fact)
        answer = self.solver.check()
        self.solver.pop()
        if answer == z3.unknown:
            raise Failure("not decided")
        return answer == z3.sat

    def must(self, fact, what):
        self.obligations += 1
        fact = z3.simplify(fact)
        if z3.is_true(fact):
            return
        self.solver.push()
        self.solver.add(z3.Not(fact))
        answer = self.solver.check()
        if answer != z3.unsat:
            raise Failure("%s: %s" % (what, self.solver.model() if answer == z3.sat else "not decided"))
        self.solver.pop()

    def decide(self, fact):
        """On this path, is it so? Both ways are gone where both are possible."""
        fact = z3.simplify(fact)
        if z3.is_true(fact) or z3.is_false(fact):
            return z3.is_true(fact)
        if self.decided < len(self.known):
            answer = self.known[self.decided]
        else:
            answer = self.possible(fact)
            if answer and self.possible(z3.Not(fact)):
                self.waiting.append(self.known + [False])
            self.known = self.known + [answer]
        self.decided += 1
        self.solver.add(fact if answer else z3.Not(fact))
        return answer

    # Numbers

    def form(self, kind):
        """Width and sign of a type."""
        if kind in ("int", "bool", "unsigned"):
            return min(32, self.word), kind != "unsigned"
        if kind in ("uint8_t", "int8_t", "unsigned char", "uint32_t"):
            return (32 if kind == "uint32_t" else 8), kind == "int8_t"
        return self.word, {"int64_t": True, "long long": True, "off_t": True, "ptrdiff_t": True, "uint64_t": False,
                           "unsigned long long": False, "size_t": False}[kind]

    def number(self, value, kind="int64_t"):
        width, signed = self.form(kind)
        return Number(z3.BitVecVal(value, width), signed)

    def symbol(self, name, kind="int64_t"):
        width, signed = self.form(kind)
        return Number(z3.BitVec(name, width), signed)

    def of_truth(self, truth):
        width = self.form("int")[0]
        return Number(z3.If(truth, z3.BitVecVal(1, width), z3.BitVecVal(0, width)), True, truth)

    def truth(self, value):
        if value.truth is not None:
            return value.truth
        return value.bits != 0

    def widen(self, value, width, signed):
        more = width - value.bits.size()
        bits = z3.Extract(width - 1, 0, value.bits) if more < 0 else value.bits
        if more > 0:
            bits = z3.SignExt(more, bits) if value.signed else z3.ZeroExt(more, bits)
        return Number(z3.simplify(bits) if more else bits, signed)

    def convert(self, value, kind):
        if not isinstance(value, Number):
            return value
        if kind == "bool":
            return self.of_truth(self.truth(value))
        return self.widen(value, *self.form(kind))

    def together(self, a, b):
        """The usual conversions: of both to the wider one, and to the unsigned one of two as wide; of small ones to int."""
        width = max(a.bits.size(), b.bits.size(), self.form("int")[0])
        unsigned = any(not x.signed and x.bits.size() == width for x in (a, b))
        return self.widen(a, width, not unsigned), self.widen(b, width, not unsigned), not unsigned

    def binary(self, sign, a, b):
        if sign in ("<<", ">>"):
            a = self.together(a, self.number(0, "int"))[0]
            b = self.widen(b, a.bits.size(), b.signed)
            self.must(z3.ULT(b.bits, a.bits.size()), "a shift is outside of the width")
            if sign == ">>":
                return Number(a.bits >> b.bits if a.signed else z3.LShR(a.bits, b.bits), a.signed)
            r = Number(a.bits << b.bits, a.signed)
            if a.signed:
                self.must(z3.And(a.bits >= 0, (r.bits >> b.bits) == a.bits), "a shift to the left overflows")
            return r
        a, b, signed = self.together(a, b)
        x, y = a.bits, b.bits
        if sign in ("==", "!="):
            return self.of_truth(x == y if sign == "==" else x != y)
        if sign in ("<", ">", "<=", ">="):
            order = {"<": (z3.ULT, x < y), ">": (z3.UGT, x > y), "<=": (z3.ULE, x <= y), ">=": (z3.UGE, x >= y)}[sign]
            return self.of_truth(order[1] if signed else order[0](x, y))
        if sign in ("&", "|", "^"):
            return Number({"&": x & y, "|": x | y, "^": x ^ y}[sign], signed)
        if sign in ("/", "%"):
            self.must(y != 0, "a division by zero")
            if signed:
                self.must(z3.Not(z3.And(x == 1 << x.size() - 1, y == -1)), "a division overflows")
                return Number(x / y if sign == "/" else z3.SRem(x, y), True)
            return Number(z3.UDiv(x, y) if sign == "/" else z3.URem(x, y), False)
        if signed:
            safe = {"+": (z3.BVAddNoOverflow(x, y, True), z3.BVAddNoUnderflow(x, y)),
                    "-": (z3.BVSubNoOverflow(x, y), z3.BVSubNoUnderflow(x, y, True)),
                    "*": (z3.BVMulNoOverflow(x, y, True), z3.BVMulNoUnderflow(x, y))}[sign]
            self.must(z3.And(*safe), "`%s` overflows" % sign)
        return Number({"+": x + y, "-": x - y, "*": x * y}[sign], signed)
