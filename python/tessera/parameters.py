"""What the parameters of a kernel are, by its lowered name (the Itanium C++ ABI) or, of extern "C", by its source.

A letter for each parameter: i integer, f float, d double, p pointer, ? other. None: not known."""

from __future__ import annotations

import re as _re

_INTEGERS = "abchstijlmxynow"
_WORDS = {"int", "unsigned", "signed", "short", "long", "char", "bool", "size_t", "ptrdiff_t", "uint", "ushort", "uchar"}


class _Unknown(Exception):
    """A name that is not read here."""


class _Name:
    """A lowered name that is read from the left."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def take(self, some: str) -> str:
        """The next character, if it is one of some; else nothing."""
        c = self.text[self.at:self.at + 1]
        if not c or c not in some:
            return ""
        self.at += 1
        return c

    def expect(self, some: str) -> str:
        c = self.take(some)
        if not c:
            raise _Unknown
        return c

    def identifier(self) -> None:
        """3foo"""
        digits = _re.compile("[0-9]+").match(self.text, self.at)
        if not digits:
            raise _Unknown
        self.at = digits.end() + int(digits.group())
        if self.at > len(self.text):
            raise _Unknown

    def index(self) -> int:
        """_ is 0, 0_ is 1: a number of 36 digits."""
        digits = _re.compile("([0-9A-Z]*)_").match(self.text, self.at)
        if not digits:
            raise _Unknown
        self.at = digits.end()
        return int(digits.group(1), 36) + 1 if digits.group(1) else 0

    def substitution(self) -> None:
        """Behind S: one of std, or something that stood before."""
        if self.take("t"):
            self.identifier()
        elif not self.take("absiod"):
            self.index()

    def name(self) -> list[str] | None:
        """The kinds of the template arguments of a name; None: it is no template."""
        arguments = None
        if not self.take("N"):
            self.take("L")
            if self.take("S"):
                self.substitution()
            else:
                self.identifier()
            return self.arguments() if self.take("I") else None
        while self.take("rVK"):
            pass
        while not self.take("E"):
            arguments = None
            if self.take("I"):
                arguments = self.arguments()
            elif self.take("S"):
                self.substitution()
            else:
                self.take("L")
                self.identifier()
        return arguments

    def arguments(self) -> list[str]:
        """Behind I: the kind of each template argument."""
        kinds = []
        while not self.take("E"):
            if self.take("L"):
                self.literal()
                kinds.append("?")
            else:
                kinds.append(self.type(None))
        return kinds

    def literal(self) -> None:
        """Behind L: a number of a type, or the name of an object."""
        if self.text.startswith("_Z", self.at):
            self.at += 2
            self.name()
        else:
            self.type(None)
            self.at = _re.compile("[0-9a-zA-Z]*?(?=E)|(?=E)").match(self.text, self.at).end()  # type: ignore[union-attr]
        self.expect("E")

    def type(self, arguments: list[str] | None) -> str:
        """The kind of a type, in a template of these arguments."""
        while self.take("rVK"):
            pass
        if self.take("PRO"):
            self.type(arguments)
            return "p"
        if self.take(_INTEGERS):
            return "i"
        kind = self.take("fd")
        if kind:
            return kind
        if self.take("v"):
            return "v"
        if self.take("T"):
            n = self.index()
            return arguments[n] if arguments and n < len(arguments) else "?"
        if self.take("S"):  # what stood before: a class, or a template's parameter
            self.substitution()
            if self.take("I"):
                self.arguments()
            return "?"
        if self.take("F"):
            while not self.take("E"):
                self.type(arguments)
            return "?"
        if self.take("A"):
            self.at = self.text.find("_", self.at) + 1
            self.type(arguments)
            return "?"
        if self.text[self.at:self.at + 1].isdigit() or self.text.startswith("N", self.at):
            self.name()
            return "?"
        raise _Unknown

    def parameters(self) -> str:
        """Behind _Z: the kinds of the parameters of a function."""
        arguments = self.name()
        if arguments is not None:
            self.type(arguments)  # of the result
        kinds = []
        while self.at < len(self.text):
            kinds.append(self.type(arguments))
        if not kinds:
            raise _Unknown
        return "" if kinds == ["v"] else "".join(kinds)


def _written(parameter: str) -> str:
    """The kind of a parameter as it is written."""
    words = set(_re.findall(r"\w+", parameter.partition("=")[0]))
    if _re.search(r"[*&\[]", parameter):
        return "p"
    if _re.search(r"[<>:(]", parameter):
        return "?"
    if words & {"float", "double"}:
        return "f" if "float" in words else "d"
    return "i" if words & _WORDS or any(_re.fullmatch(r"u?int\d+_t", w) for w in words) else "?"


def _of_source(source: str, name: str) -> str | None:
    """Of the one kernel of a name in a source."""
    plain = _re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=_re.DOTALL)
    found = _re.findall(rf"__global__[^;{{}}]*?\b{_re.escape(name)}\s*\(([^()]*)\)", plain)
    if len(set(found)) != 1:
        return None
    written = found[0].strip()
    return "" if written in ("", "void") else "".join(map(_written, written.split(",")))


def kinds_of(lowered: str, source: str) -> str | None:
    """The kinds of the parameters of a kernel."""
    if not lowered.startswith("_Z"):
        return _of_source(source, lowered)
    try:
        name = _Name(lowered)
        name.at = 2
        return name.parameters()
    except (_Unknown, RecursionError, AttributeError):
        return None
