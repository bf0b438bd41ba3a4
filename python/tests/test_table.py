"""Every example of the table: through Python as an expression and as a call, it is what the calculator prints."""

import os
import re
import subprocess
import unittest

import tessera as t
from tessera.pictures import _text


def split(text):
    """The parts of a list, at commas outside of all brackets."""
    parts, depth = [""], 0
    for c in text.replace("->", "-\0"):  # which is no bracket
        depth += (c in "(<{[") - (c in ")>}]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip().replace("\0", ">") for part in parts if part]


def is_plain_call(name, example):
    if name == "make_tensor_view":  # the text of a view says how its engine was written
        return False
    return re.fullmatch(re.escape(name) + r"[(<].*\)", example) and " o " not in example and ":0>" not in example


class Examples(unittest.TestCase):
    def test_expressions(self):
        program = os.environ.get("TESSERA")
        for name, operation in t.operations.items():
            for title, result, words, example, value, *_ in operation.rows:
                with self.subTest(example):
                    if program:
                        run = [program, "eval", example]
                        printed = subprocess.run(run, capture_output=True, text=True).stdout
                        self.assertEqual(printed, value + "\n")
                        known = subprocess.run([*run, "--static"], capture_output=True, text=True).stdout[:-1]
                        self.assertEqual(shown(t.V(example), known), known)  # integers are known in Python

    def test_calls(self):
        called = 0
        for name, operation in t.operations.items():
            for title, result, words, example, value, *_ in operation.rows:
                if not is_plain_call(name, example):
                    continue
                brackets, arguments = take_apart(example[len(name):])
                labels = dict(a.split("=") for a in arguments if re.match("[a-z]+=", a))
                plain = [a for a in arguments if not re.match("[a-z]+=", a)]
                with self.subTest(example):
                    f = operation[brackets] if brackets else operation
                    self.assertEqual(f(*plain, **labels), t.V(example))
                    self.assertEqual(f(*map(t.V, plain), **labels), t.V(example))  # of values that were read before
                    called += 1
        self.assertGreater(called, 300)


def take_apart(rest):
    """<brackets>(arguments)"""
    brackets = ()
    if rest[0] == "<":
        inside, rest = rest[1:].split(">", 1)
        brackets = tuple(int(x) if x.lstrip("-").isdigit() else x for x in inside.split(","))
    return brackets, split(rest[1:-1])


def shown(x, like):
    """A value as the calculator prints it."""
    if isinstance(x, tuple) and " " in like and "(" not in like:  # several numbers
        return " ".join(map(str, map(int, x)))
    return x if isinstance(x, str) else x.text if isinstance(x, t.Value) else one(x)


def one(x):
    return f"({','.join(map(one, x))})" if isinstance(x, tuple) else _text(x)


if __name__ == "__main__":
    unittest.main()
