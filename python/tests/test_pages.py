"""README.md, docs/python.md and the book are what Python prints, the stubs are those of the table, pip gets all, values
have pictures."""

import ast
import doctest
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import unittest.mock
import xml.dom.minidom
import zipfile

import tessera as t

ROOT = pathlib.Path(__file__).resolve().parents[2]


def module_of(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Pages(unittest.TestCase):
    def test_pages(self):
        """Of README.md, docs/python.md, where one comes from and the book: each program in C has its equal below it."""
        pages = ROOT / "docs"
        for path in [ROOT / "README.md", pages / "python.md", *pages.glob("from_*.md"), *pages.glob("book/[0-9]*.md")]:
            with self.subTest(path.name):
                text, said = path.read_text(encoding="utf-8"), []
                blocks = re.findall(r"```python\n(.*?)```", text, re.S)
                self.assertGreaterEqual(len(blocks), max(1, text.count("```c\n")))
                test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, path.name, None, 0)
                doctest.DocTestRunner(verbose=False).run(test, out=said.append)
                self.assertEqual("".join(said), "")

    def test_docstring(self):
        self.assertEqual(doctest.testmod(t, verbose=False).failed, 0)
        for module in (t.fragments, t.checkpoints):
            self.assertEqual(doctest.testmod(module, verbose=False).failed, 0)

    def test_stubs(self):
        written = module_of(ROOT / "tools" / "stubs.py").stubs()
        self.assertEqual((ROOT / "python" / "tessera" / "__init__.pyi").read_text(), written)
        self.assertEqual(set(t.__all__) - set(re.findall(r"\w+", written)), set())

    def test_types(self):
        """What the stubs promise is there, and what they take from modules has types."""
        folder, named = ROOT / "python" / "tessera", set()
        for node in ast.parse((folder / "__init__.pyi").read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                named.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                named.add(node.target.id)
            elif isinstance(node, ast.ImportFrom) and node.level:
                named |= {alias.asname for alias in node.names}
            if isinstance(node, ast.ClassDef):
                for member in node.body:
                    name = member.target.id if isinstance(member, ast.AnnAssign) else getattr(member, "name", "__doc__")
                    of = t.Refused("") if node.name == "Refused" else getattr(t, node.name)
                    self.assertTrue(hasattr(of, name) or name == "__getattr__", (node.name, name))
        self.assertEqual({name for name in named if not hasattr(t, name)}, set())
        for module in ("arrays", "pictures"):
            for node in ast.walk(ast.parse((folder / f"{module}.py").read_text())):
                if isinstance(node, ast.FunctionDef) and (node.name in t.__all__ or node.name in vars(t.Picture)):
                    every = [*node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg]
                    bare = [a.arg for a in every if a and not a.annotation and a.arg != "self"]
                    self.assertTrue(node.returns and not bare, (module, node.name, bare))


class Package(unittest.TestCase):
    """What pip gets, without building for minutes: the sources are whole, the wheel is what was built here."""

    def setUp(self):
        self.backend = module_of(ROOT / "python" / "backend.py")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_sources(self):
        with tarfile.open(self.folder / self.backend.build_sdist(self.folder)) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
        listed = set()
        for name, prefix in (("CMakeLists.txt", ""), ("python/CMakeLists.txt", "python/")):
            text = (ROOT / name).read_text().partition("set(TESSERA_CLI_SOURCES")[0]
            listed |= {prefix + path for path in re.findall(r"^ +(src/\S+?\.c)", text, re.M)}
        self.assertGreater(len(listed), 90)
        needed = {"pyproject.toml", "PKG-INFO", "include/tessera/tessera.h", "python/backend.py",
                  "python/tessera/pycute/layout.py"}
        self.assertEqual((listed | needed) - names, set())

    def test_wheel(self):
        built = pathlib.Path(t.__file__).parents[1]
        self.backend._build = lambda folder: shutil.copytree(built, pathlib.Path(folder, "python"))
        name = self.backend.build_wheel(self.folder)
        self.assertRegex(name, r"^tessera-[0-9.]+-cp39-abi3-\w+\.whl$")
        info = self.folder / self.backend.prepare_metadata_for_build_wheel(self.folder)
        with zipfile.ZipFile(self.folder / name) as wheel:
            wheel.extractall(self.folder / "site")
        self.assertEqual((info / "METADATA").read_text(), (self.folder / "site" / info.name / "METADATA").read_text())
        program = "import tessera, tessera.pycute; print(tessera.__file__, tessera.L('4:1')(3))"
        said = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(self.folder / "site")},
                              cwd=self.folder, text=True, capture_output=True)
        self.assertEqual(said.stdout, f"{self.folder / 'site' / 'tessera' / '__init__.py'} 3\n", said.stderr)


class Pictures(unittest.TestCase):
    shown = ["(4,8):(8,1)", "Sw<2,0,3> o _0 o (_8,_8):(_8,_1)", "counting_iter(0) o (4,5):(_1,4)", "SM75_U32x4_LDSM_N",
             "Sw<2,0,3>", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN)", "dist{R=();H=((2),(4));P=((1.0));Y=(2.0)}"]

    def test_values(self):
        for text in self.shown:
            with self.subTest(text):
                v = t.V(text)
                self.assertEqual(xml.dom.minidom.parseString(v._repr_svg_()).documentElement.tagName, "svg")
                self.assertIn("<iframe srcdoc=", v._repr_html_())
                self.assertEqual(str(t.draw(text)), str(t.draw(v)))
        self.assertIsNone(t.V("LayoutLeft")._repr_svg_())

    def test_operations(self):
        a = t.L("(4,8):(8,1)")
        for operation, arguments in ((t.zipped_divide, (a, (2, 4))), (t.composition, (a, (a[0], None))),
                                     (t.slice, ((1, None), a))):
            text = f"{operation.text}({', '.join(map(t.pictures._text, arguments))})"
            self.assertEqual(str(t.draw(operation, *arguments)), str(t.draw(text)))
            self.assertIn("<svg", operation._repr_svg_())
        self.assertRaises(t.Refused, t.draw("composition((4,6,8):(2,3,5), 6:3)").as_bytes, "svg")
        self.assertRaises(ValueError, t.draw(a).as_bytes, "gif")


def is_there(name):
    """Whether a module can be found; one that is kept from being found is not."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@unittest.skipUnless(all(map(is_there, ("nbformat", "nbclient", "ipykernel"))), "there is no Jupyter")
class Notebook(unittest.TestCase):
    cells = ['import tessera as t; t.L("(4,8):(8,1)")', "t.zipped_divide", 't.tensor(bytearray(16), "(4,4):(4,1)")',
             't.draw(t.zipped_divide, t.L("(8,8):(8,1)"), (2, 4))', 't.V("SM75_U32x4_LDSM_N")']

    def test_pictures(self):
        import nbclient
        import nbformat
        with tempfile.TemporaryDirectory() as folder:
            of_its_own = {name: folder for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR")}
            with unittest.mock.patch.dict(os.environ, of_its_own):
                book = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, self.cells)])
                nbclient.NotebookClient(book, timeout=60).execute()
        for cell in book.cells:
            data = cell.outputs[0].data
            self.assertTrue(data["image/svg+xml"].startswith("<svg") and "<iframe" in data["text/html"], cell.source)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    unittest.main()
