"""The types of the stubs, as mypy reads them: of each kind of thing, what it is, and what is not taken."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import tessera as t
from tessera import signatures

if not shutil.which("mypy"):
    print("there is no mypy, the types are not tried")
    sys.exit(77)
PACKAGE = pathlib.Path(t.__file__).parent
FOUND = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}

PROGRAM = '''
from typing import Any, Union, assert_type
import tessera as t
from tessera import L, S, V, Layout, Tensor

a = L("(4,8):(8,1)")
assert_type(a, Layout)
assert_type(L((4, (2, 3)), [8, 1]), Layout)
assert_type(a.size, int)
assert_type(a @ a, Layout)
assert_type(a[0], Union[Layout, Any])
assert_type(t.coalesce(a), Layout)
assert_type(t.coalesce("(2,4):(1,2)"), Any)  # a text may be a tuple, a layout, a tensor
assert_type(t.composition(a, (2, None)), Layout)
assert_type(t.composition(a, (L("2:1"), 4)), Layout)
assert_type(t.zipped_divide(a, (2, 4)), Layout)
assert_type(t.complement(a, 64), Layout)
assert_type(t.local_tile(t.tensor(bytearray(32), "(4,8):(8,1)"), (2, 4), (1, 1)), Tensor)
assert_type(t.slice((1, None), a), Layout)
assert_type(t.slice_and_offset((1, None), a), t.Value)
size: t.IntTuple = t.elem_scale((2, 3), (4, S(5)))
several: list[int] = [1, 2]
assert_type(t.reverse(several), t.IntTuple)
assert_type(t.is_injective(a), t.Value)

x = t.empty((4, 8), "bf16")
assert_type(x, Tensor)
assert_type(t.relayout(x, "(4,8):(1,4)", in_place=True), Tensor)
assert_type(x.elements(), list[Any])
x[1, 2] = 3.5
t.copy(x, bytearray(64))
t.gemm(x, x, t.empty((4, 4)), alpha=2, activation="relu")
t.einsum("mk,nk->mn", x, x, out=t.empty((4, 4)))
with open("x.svg", "wb") as file:
    file.write(t.draw(t.zipped_divide, a, (2, 4)).as_bytes("svg"))
assert_type(t.take[1, 3], t.Operation[Any])
assert_type(a.coalesce, t.Operation[Layout])
assert_type(a.slice, t.Operation[Any])  # a layout is no coordinate
assert_type(a.composition((2, 4)), Layout)
assert_type(x.zipped_divide((2, 4)), Tensor)
assert_type(x.layout.flatten(), Layout)
assert_type(t.linear(a).left_inverse(), Any)
assert_type(t.fit(lambda i, j: 8 * i + j, (8, 8)), Union[Layout, t.Value, tuple[Layout, ...]])
assert_type(t.convert(a, "numpy"), str)
assert_type(t.convert("shape=(4, 8), strides=(32, 4)"), Union[Layout, t.Value])
assert_type(t.layout(a), Layout)
try:
    t.recast["f32"](x)
except t.Refused as refused:
    assert_type((refused.status, refused.mode), tuple[Union[str, None], int])
for mode in V("(4,8)"), None:
    print(mode)
'''
WRONG = ['t.coalesce(a, 1.5)', 't.complement(1.5)', 't.zipped_divide(a)', 't.composition(a, {})', 'a.no_operation',
         't.no_operation', 't.copy()', 't.relayout(x, in_place="f32", other=1)', 't.gemm(x)',
         't.sum()', 'L(1, 2, 3)', 't.empty()', 'a.size.upper()', 't.Refused().status + 1', 't.draw()',
         't.blocked_product(a, 1.0)', 'with_text: int = t.is_injective(a)', 'text: str = x @ x', 'text: str = x[0]',
         'text: str = x + 1', 'text: str = t.einsum("ij->", x)', 'text: str = t.copy(x)', 'text: str = a(0, 3)']
# What is there for annotations only, and what needs a torch or a JAX that may not be there, or be older.
ALLOWED = r"tessera\.(torch|jax|[a-z_]+\.(Any|Iterable|PathLike|Sequence|<subclass of .*>))"


class Types(unittest.TestCase):
    def mypy(self, text):
        """What it finds in a program, by lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "program.py")
            path.write_text(text)
            said = subprocess.run(["mypy", "--strict", "--follow-imports=silent", f"--cache-dir={folder}/cache",
                                   "--hide-error-context", "--no-error-summary", path, PACKAGE / "__init__.pyi"],
                                  env=FOUND, cwd=folder, text=True, capture_output=True)
        self.assertEqual(said.stderr, "")
        return said.stdout.splitlines()

    def test_right(self):
        self.assertEqual(self.mypy(PROGRAM), [])

    def test_wrong(self):
        lines = len(PROGRAM.splitlines())
        said = self.mypy(PROGRAM + "\n".join(WRONG))
        found = {int(line.split(":")[1]) - lines for line in said if " error: " in line}
        self.assertEqual([WRONG[i - 1] for i in range(1, len(WRONG) + 1) if i not in found], [])

    @unittest.skipUnless(shutil.which("stubtest"), "there is no stubtest")
    def test_stubs_are_what_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            allowed = pathlib.Path(folder, "allowed")
            # Overloads are one signature at run time, and what is left out has no value.
            merged = [name for name, op in t.operations.items()
                      if len(op.rows) > 1 or any(p[2] for p in signatures.parameters(op.rows[0]))]
            allowed.write_text("\n".join([ALLOWED, *(rf"tessera\.{name}_?" for name in merged)]))
            stubtest = ["stubtest", "tessera", "--allowlist", allowed, "--ignore-unused-allowlist", "--concise"]
            said = subprocess.run(stubtest, env=FOUND, cwd=folder, text=True, capture_output=True)
        self.assertEqual((said.returncode, said.stdout + said.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
