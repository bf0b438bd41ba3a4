"""Reads functions of C out of the sources, so that a proof is of the text that is compiled.

The part of C: integers, bool, pointers to variables, structs and arrays whose indices are known on a path; if, ?:, for,
while, break, continue, return; calls. Anything else is an error, never passed over.
"""
import re

TOKEN = re.compile(r"""\s*(?:(?P<number>0x[0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)|(?P<char>'(?:\\.|[^'])')|(?P<text>"(?:\\.|[^"])*")
    |(?P<name>[A-Za-z_]\w*)|(?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]]))""", re.X)
TYPES = {"int", "unsigned", "bool", "char", "long", "size_t", "int64_t", "uint64_t", "uint32_t", "uint8_t", "int8_t", "void", "off_t", "ptrdiff_t"}
QUALIFIERS = {"const", "static", "inline", "TSR_FN", "TSR_EVAL", "TSR_LOCAL", "TSR_SCRATCH"}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


class Source:
    """A file: its text without comments and with one side of each #if, its constants, and its functions by name."""
    wrong = None, "", ""  # a file, a text in it, and what is read instead

    def __init__(self, path, **chosen):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if path == self.wrong[0]:
            if self.wrong[1] not in text:
                raise LookupError("%s: no text `%s`" % (path, self.wrong[1]))
            text = text.replace(*self.wrong[1:])
        text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        self.path, self.constants, lines, sides = path, {}, [], []
        for line in re.sub(r"//[^\n]*", "", text).replace("\\\n", " ").split("\n"):
            words = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
            if not words:
                lines.append(line if all(sides) else "")
            elif words[1] in ("if", "ifdef", "ifndef"):
                sides.append(bool(chosen.get(words[2], words[1] != "ifdef")))
            elif words[1] == "else":
                sides[-1] = not sides[-1]
            elif words[1] == "endif":
                sides.pop()
            elif words[1] == "define" and all(sides):
                name, _, value = words[2].partition(" ")
                if re.fullmatch(r"[A-Z_0-9]+", name) and value.strip():
                    self.constants[name] = value.strip()
        self.text = "\n".join(lines)
        for body in re.findall(r"^enum \{([^}]*)\};", self.text, flags=re.M):
            for number, item in enumerate(body.split(",")):
                name, _, value = item.partition("=")
                self.constants[name.strip()] = value.strip() or str(number)

    def has(self, name):
        return re.search(r"^[A-Za-z_][\w \*]*\b%s\(([^)]*)\)\s*\{" % name, self.text, flags=re.M)

    def function(self, name):
        """The names, types and pointers of the parameters, and the statements."""
        head = self.has(name)
        names = []
        for parameter in head[1].split(","):
            words = re.findall(r"\w+", parameter.split("[")[0])
            names.append((words[-1], " ".join(w for w in words[:-1] if w not in QUALIFIERS), "*" in parameter or "[" in parameter))
        return names, Parser(self.text, head.end() - 1).block()


class Parser:
    """Statements and expressions as nested tuples."""

    def __init__(self, text, begin=0):
        """Up to the end, or to the brace that closes the one at the beginning."""
        self.tokens, self.at, depth = [], 0, 0
        text = text.rstrip()
        while begin < len(text) and (depth or not self.tokens or self.tokens[-1][1] != "}"):
            m = TOKEN.match(text, begin)
            if not m:
                raise SyntaxError("not read: %s" % text[begin:begin + 40])
            depth += {"{": 1, "}": -1}.get(m[m.lastgroup], 0)
            self.tokens.append((m.lastgroup, m[m.lastgroup]))
            begin = m.end()

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def take(self, text=None):
        kind, value = self.tokens[self.at]
        if text and value != text:
            raise SyntaxError("`%s` where `%s` is expected" % (value, text))
        self.at += 1
        return value

    def may(self, *texts):
        if self.peek() not in texts:
            return ""
        self.at += 1
        return self.tokens[self.at - 1][1]

    def block(self):
        self.take("{")
        items = []
        while not self.may("}"):
            items.append(self.statement())
        return ("block", items)

    def statement(self):
        if self.peek() == "{":
            return self.block()
        word = self.may("if", "for", "while", "return", "break", "continue")
        if word == "return":
            value = None if self.peek() == ";" else self.expression()
            self.take(";")
            return ("return", value)
        if word in ("break", "continue"):
            self.take(";")
            return (word,)
        if word in ("if", "while"):
            self.take("(")
            test = self.expression()
            self.take(")")
            body = self.statement()
            if word == "while":
                return ("for", None, test, None, body)
            return ("if", test, body, self.statement() if self.may("else") else None)
        if word == "for":
            self.take("(")
            first = None if self.may(";") else self.simple()
            test = None if self.peek() == ";" else self.expression()
            self.take(";")
            step = None if self.peek() == ")" else self.expression()
            self.take(")")
            return ("for", first, test, step, self.statement())
        return self.simple()

    def is_type(self):
        at = 0
        while self.peek(at) in QUALIFIERS or self.peek(at) == "unsigned":
            at += 1
        named = self.peek(at) in TYPES or self.peek(at).startswith("tsr_")
        while self.peek(at + 1) in QUALIFIERS:
            at += 1
        return named and (self.peek(at + 1).isidentifier() or self.peek(at + 1) == "*")

    def type(self):
        words = []
        while self.peek() in QUALIFIERS or self.peek() in TYPES or self.peek().startswith("tsr_"):
            words.append(self.take())
        return " ".join(w for w in words if w not in QUALIFIERS)

    def simple(self):
        """A declaration, or an expression, with its semicolon."""
        if not self.is_type():
            value = self.expression()
            self.take(";")
            return ("do", value)
        kind, items = self.type(), []
        while True:
            pointer = bool(self.may("*"))
            while self.may(*QUALIFIERS):
                pass
            name = self.take()
            while self.may("["):
                pointer = True
                if self.peek() != "]":
                    self.expression()
                self.take("]")
            items.append((kind, pointer, name, self.assignment() if self.may("=") else None))
            if not self.may(","):
                break
        self.take(";")
        return ("declare", items)

    def expression(self):
        value = self.assignment()
        while self.may(","):
            value = ("comma", value, self.assignment())
        return value

    def assignment(self):
        if self.may("{"):
            while not self.may("}"):
                self.at += 1
            return ("zero",)
        left = self.choice()
        sign = self.may(*ASSIGN)
        return ("assign", sign, left, self.assignment()) if sign else left

    def choice(self):
        test = self.binary(0)
        if not self.may("?"):
            return test
        yes = self.expression()
        self.take(":")
        return ("choice", test, yes, self.choice())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while True:
            sign = self.may(*LEVELS[level])
            if not sign:
                return left
            left = ("binary", sign, left, self.binary(level + 1))

    def unary(self):
        sign = self.may("-", "!", "~", "*", "&", "++", "--")
        if sign:
            return ("unary", sign, self.unary())
        if self.peek() == "(" and (self.peek(1) in TYPES or self.peek(1) in QUALIFIERS or self.peek(1).startswith("tsr_")) \
                and self.peek(2) in {")", "*"} | TYPES | QUALIFIERS:
            self.take("(")
            kind = self.type()
            pointer = bool(self.may("*"))
            self.take(")")
            return ("cast", kind, pointer, self.unary())
        return self.postfix()

    def postfix(self):
        kind, text = self.tokens[self.at]
        self.at += 1
        if text == "(":
            value = self.expression()
            self.take(")")
        else:
            value = (kind, text)
        while True:
            sign = self.may("(", "[", ".", "->", "++", "--")
            if sign == "(":
                given = []
                while not self.may(")"):
                    given.append(self.assignment())
                    self.may(",")
                value = ("call", value[1], given)
            elif sign == "[":
                value = ("index", value, self.expression())
                self.take("]")
            elif sign in (".", "->"):
                value = ("member", value, self.take())
            elif sign:
                value = ("after", sign, value)
            else:
                return value
