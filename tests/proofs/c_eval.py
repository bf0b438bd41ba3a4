"""Statements and expressions of c_text.py on the machine of c_run.py."""
import copy

import z3

from c_run import Bytes, Cell, Leave, Machine, Number, Struct
from c_text import Parser


class Program(Machine):
    def call(self, name, *values):
        """A function of the sources, or a stub."""
        if name in self.stubs:
            return self.stubs[name](self, *values)
        if name not in self.functions:
            self.functions[name] = next(s for s in self.sources if s.has(name)).function(name)
        parameters, body = self.functions[name]
        names = {p: Cell(v if pointer else self.convert(v, kind), kind) for (p, kind, pointer), v in zip(parameters, values)}
        try:
            self.run(body, names)
        except Leave as left:
            return left.value
        return None

    def run(self, s, names):
        if s is None:
            return
        if s[0] == "block":
            inner = dict(names)
            for each in s[1]:
                self.run(each, inner)
        elif s[0] == "declare":
            for kind, pointer, name, value in s[1]:
                given = self.value(value, names) if value and value != ("zero",) else None
                names[name] = Cell(given if pointer or not isinstance(given, Number) else self.convert(given, kind), kind)
                if given is None and not pointer and not kind.startswith("tsr_"):
                    names[name].value = self.number(0, kind) if value else None
        elif s[0] == "do":
            self.value(s[1], names)
        elif s[0] == "if":
            self.run(s[2] if self.decide(self.truth(self.value(s[1], names))) else s[3], names)
        elif s[0] == "for":
            self.loop(s, dict(names))
        elif s[0] == "return":
            raise Leave("return", self.value(s[1], names) if s[1] else None)
        else:
            raise Leave(s[0])

    def loop(self, s, names):
        self.run(s[1], names)
        for _ in range(self.loops):
            if s[2] and not self.decide(self.truth(self.value(s[2], names))):
                return
            try:
                self.run(s[4], names)
            except Leave as left:
                if left.how == "return":
                    raise
                if left.how == "break":
                    return
            if s[3]:
                self.value(s[3], names)
        raise NotImplementedError("a loop of more than %d rounds" % self.loops)

    def place(self, e, names):
        """(get, set) of what can be assigned to."""
        if e[0] == "name":
            return (lambda: names[e[1]].value), (lambda v: setattr(names[e[1]], "value", self.convert(v, names[e[1]].kind)))
        if e[0] == "unary" and e[1] == "*":
            cell = self.value(e[2], names)
            return (lambda: cell.value), (lambda v: setattr(cell, "value", self.convert(v, cell.kind)))
        if e[0] == "member":
            of = self.value(e[1], names)
            return (lambda: getattr(of, e[2])), (lambda v: setattr(of, e[2], self.kept(getattr(of, e[2], None), v)))
        if e[0] == "index":
            of, at = self.value(e[1], names), self.value(e[2], names)
            if isinstance(of, Bytes):
                at = self.widen(at, 64, False)
                self.must(z3.ULT(at.bits, of.size), "a byte outside of the array")
                return (lambda: Number(z3.Select(of.content, at.bits), False)), None
            number = z3.simplify(at.bits).as_signed_long()
            if not 0 <= number < len(of):
                raise IndexError("element %d of %d" % (number, len(of)))
            return (lambda: of[number]), (lambda v: of.__setitem__(number, v))
        raise NotImplementedError(e)

    def kept(self, old, new):
        """A member keeps its width."""
        both = isinstance(old, Number) and isinstance(new, Number)
        return self.widen(new, old.bits.size(), old.signed) if both else new

    def value(self, e, names):
        return getattr(self, "value_of_" + e[0])(e, names)

    def value_of_number(self, e, _):
        text = e[1].rstrip("uUlL")
        suffix = e[1][len(text):].lower()
        kind = ("uint64_t" if "u" in suffix else "int64_t") if "l" in suffix or int(text, 0) > 0xffffffff else \
            "unsigned" if "u" in suffix else "int"
        return self.number(int(text, 0), kind)

    def value_of_char(self, e, _):
        return self.number(ord(e[1][1]), "int")

    def value_of_text(self, e, _):
        return e[1]

    def value_of_name(self, e, names):
        if e[1] in names:
            return names[e[1]].value
        if e[1] in ("true", "false"):
            return self.of_truth(z3.BoolVal(e[1] == "true"))
        if e[1] in self.constants:
            given = self.constants[e[1]]
            return self.number(given) if isinstance(given, int) else given()
        if e[1] == "NULL":
            return None
        for source in self.sources:
            if e[1] in source.constants:
                return self.value(Parser(source.constants[e[1]]).expression(), {})
        raise LookupError(e[1])

    def value_of_member(self, e, names):
        return self.place(e, names)[0]()

    value_of_index = value_of_member

    def value_of_call(self, e, names):
        return self.call(e[1], *[self.value(x, names) for x in e[2]])

    def value_of_comma(self, e, names):
        self.value(e[1], names)
        return self.value(e[2], names)

    def value_of_choice(self, e, names):
        return self.value(e[2] if self.decide(self.truth(self.value(e[1], names))) else e[3], names)

    def value_of_cast(self, e, names):
        value = self.value(e[3], names)
        return value if e[2] or e[1] == "void" else self.convert(value, e[1])

    def value_of_assign(self, e, names):
        get, put = self.place(e[2], names)
        right = self.value(e[3], names)
        put(right if e[1] == "=" else self.binary(e[1][:-1], get(), right))
        return get()

    def value_of_after(self, e, names):
        get, put = self.place(e[2], names)
        old = get()
        put(self.binary(e[1][0], old, self.number(1, "int")))
        return old

    def value_of_binary(self, e, names):
        if e[1] not in ("&&", "||"):
            return self.binary(e[1], self.value(e[2], names), self.value(e[3], names))
        left = self.decide(self.truth(self.value(e[2], names)))
        if left == (e[1] == "||"):
            return self.of_truth(z3.BoolVal(left))
        return self.of_truth(self.truth(self.value(e[3], names)))

    def value_of_unary(self, e, names):
        if e[1] == "&":
            if e[2][0] == "name":
                held = names[e[2][1]]
                return held.value if isinstance(held.value, (Struct, list)) else held
            return self.value(e[2], names)
        if e[1] in ("++", "--"):
            return self.value_of_assign(("assign", e[1][0] + "=", e[2], ("number", "1")), names)
        if e[1] == "*":
            return self.place(e, names)[0]()
        value = self.value(e[2], names)
        if e[1] == "!":
            return self.of_truth(z3.Not(self.truth(value)))
        if e[1] == "~":
            value = self.together(value, self.number(0, "int"))[0]
            return Number(~value.bits, value.signed)
        return self.binary("-", self.number(0, "int"), value)
