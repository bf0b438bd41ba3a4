"""Random mutants of the library's sources, each against the test programs of its part.

usage: mutation.py SOURCE_DIR BUILD_DIR SEED COUNT [PART[:PATTERN]..]

BUILD_DIR is a build folder of the preset `check`; the test programs are built there first. COUNT mutants of each part are drawn
from the seed. A mutant changes one place of one file. It is compiled into one object, which is linked in front of the library. Prints one line a mutant: part, place, change, and who killed it: a test, its time limit, or nobody. A mutant whose
object at -O1 has the same bytes as the original's is not counted, nor is one that does not compile: another one is drawn. A mutant of
tools/mutants_equal.tsv (part of the path, line, change, reason) is judged: no test can tell it from the original. It is counted,
and not run. With a PATTERN only those of the COUNT mutants run whose place or lines it matches. Exits with 1 where another one
survives.
"""

import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import time

MEMORY_KB = 4 << 20
TRAPS = ("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error")  # as the sanitized tests of the check see them

CORPUS = "conformance {source}/tests/conformance"
PROVOKED = "laws 1 100 provoked"  # every refusal, with its numbers
ERRORS = "laws 1 20 errors"
LAWS = "laws 1 2 -mma_atoms"  # most of the time goes to atoms
PAGE = "errors_page"  # its output is a page of the documents
# part: (files, the unit that includes them or None for each by itself, test programs with their arguments, the fastest first)
PARTS = {
    "core": ("include/tessera/core/body/*.h", "src/core/bodies.c", (PROVOKED, PAGE, CORPUS, ERRORS, LAWS, "laws 3 6 -mma_atoms")),
    "linear": ("src/core/linear*.c src/core/terms.c", None,
               ("linear_layouts 1 20000", "linear_algebra 1 5000", "linear_sums 1 5000", PROVOKED, CORPUS, LAWS)),
    "tensor": ("include/tessera/tensor/body/*.h", "src/tensor/bodies.c",
               ("swizzled_tensor", "elements", PROVOKED, PAGE, CORPUS, ERRORS, LAWS,
                "laws 3 6 -mma_atoms")),
    "tma": ("include/tessera/tma/body/*.h", "src/tma/bodies.c", (PROVOKED, PAGE, CORPUS, "tma", LAWS)),
    "planners": ("src/exec/move/plan.c src/exec/move/blocks.c src/exec/move/rows.c src/exec/move/tiles.c src/exec/nest.c "
                 "src/exec/gemm/plan.c src/exec/gemm/sides.c src/exec/gemm/choose.c src/exec/compute/reduce.c", None,
                 ("plans {source}/tests/exec/plans.txt", "nest 1 5000", "einsum_n", "own", "engine 1 2", "gemm 100")),
    "mesh": ("src/mesh/plan.c src/mesh/piece.c src/mesh/move.c src/mesh/layout.c src/mesh/make.c src/mesh/walk.c "
             "src/mesh/together.c src/mesh/same.c src/mesh/operations.c", None,
             ("examples", "mesh_layouts", "mesh_texts 1 500", "mesh_refused", "mesh_axpby 1 500", "mesh_redistribute 1 1000 50")),
}

RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
             "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",),
             "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",), "<<": (">>",), ">>": ("<<",),
             "&": ("|",), "|": ("&",), "^": ("|",)}


def blanked(text):
    """The text with comments, strings and lines of the preprocessor as blanks of the same length."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    return re.sub(r"(?m)^[ ]*#(?:[^\n]*\\\n)*[^\n]*", blank, text)


def closing(text, at):
    """The place of the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def sites(text):
    """Every mutant of a text: (from, to, what stands there instead)."""
    code = blanked(text)
    for m in re.finditer(r"(?<= )(?:[<>=!]=|&&|\|\||[-+*/]=|<<|>>|[-<>+*/%&|^])(?= )", code):
        for other in RELATIONS.get(m.group(), ()):
            yield m.start(), m.end(), other
    for m in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        for other in (int(m.group()) + 1, int(m.group()) - 1):
            if other >= 0:
                yield m.start(), m.end(), str(other)
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        if end > 0:
            yield m.end(), end, "!(" + text[m.end():end] + ")"
    for m in re.finditer(r"(?m)(?<=[;{})]\n)( +)([\w>.\[\]*-]+ (?:[-+*/|&^]|<<|>>)?= [^;{}]*|\w+\([^;{}]*\));$", code):
        yield m.start(2), m.end(), ";"
    for m in re.finditer(r"\b(\w+)\(([\w.>-]+), ([\w.>-]+)(?=[,)])", code):
        if re.search(r"_(max|min|add|mul|gcd)64", m.group(1)):  # the same either way
            continue
        yield m.start(2), m.end(3), m.group(3) + ", " + m.group(2)


class Part:
    def __init__(self, source, build, work, name):
        files, self.unit, self.tests = PARTS[name]
        self.source, self.build, self.work, self.name = source, build, work, name
        self.files = sorted(f for pattern in files.split() for f in glob.glob(os.path.join(source, pattern)))
        self.objects, self.limit, self.plain = {}, {}, {}
        names = {t.split()[0]: t if t == PAGE else f"test_{t.split()[0]}" for t in self.tests}
        done = subprocess.run(["cmake", "--build", build, "--target", *names.values()], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the tests of {name} are not built:\n{done.stdout[-500:]}{done.stderr[-1500:]}")
        for n, target in names.items():
            self.objects[n] = glob.glob(f"{build}/tests/**/{target}.dir/**/*.o", recursive=True)
        with open(f"{build}/CMakeCache.txt") as f:
            self.libraries = ["-pthread", "-ldl", "-lm", *re.findall(r"PNG_LIBRARY_RELEASE:FILEPATH=(/.*)", f.read())]

    def compile(self, path, text, out, extra=(), optimize="-O0"):
        """The object of a file with another text, or None."""
        relative = os.path.relpath(path, self.source)
        place = os.path.join(self.work, relative)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w") as f:
            f.write(text)
        unit = os.path.join(self.source, self.unit) if self.unit else place
        includes = [f"-I{root}/{folder}" for root in (self.work, self.source) for folder in ("include", "src")]
        done = subprocess.run(["cc", "-std=c11", optimize, "-g0", "-w", "-DNDEBUG", "-D_DEFAULT_SOURCE", *TRAPS, *extra, *includes,
                               f"-I{self.build}", "-c", unit, "-o", out], capture_output=True, text=True)
        os.remove(place)
        if done.returncode:
            self.error = done.stderr
            return None
        with open(out, "rb") as f:
            return f.read()

    def run(self, test, made, path, text):
        """Who kills the mutant's object with this test; "" if it passes."""
        name, *arguments = test.format(source=self.source).split()
        objects = self.objects[name]
        ours = [o for o in objects if o.endswith("/" + os.path.basename(path) + ".o") and "/src/" in o]
        if ours:  # a test that compiles the planner with limits of its own
            made = os.path.join(self.work, "limits.o")
            if not self.compile(path, text, made, ("-include", f"{self.source}/tests/exec/small_limits.h")):
                return "the compiler"
        program = os.path.join(self.work, "program")
        linked = subprocess.run(["cc", *[o for o in objects if o not in ours], made, f"{self.build}/libtessera.a",
                                 *self.libraries, "-o", program], capture_output=True, text=True)
        if linked.returncode:
            sys.exit(f"{test} is not linked:\n{linked.stderr[-500:]}")
        seconds = self.limit.get(test, 60)
        compared = f" | cmp - {self.source}/docs/errors.md" if test == PAGE else ""
        command = f"ulimit -v {MEMORY_KB}; timeout {seconds} {program} {' '.join(arguments)}{compared}"
        status = subprocess.run(["sh", "-c", command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                cwd=self.work, env={**os.environ, "OMP_NUM_THREADS": "2"}).returncode
        return "" if status == 0 else f"time of {name}" if status == 124 else test.split("/")[0].replace(" {source}", "")

    def original(self, path, text, optimize="-O0"):
        key = self.unit or path, optimize
        if key not in self.plain:
            self.plain[key] = self.compile(path, text, os.path.join(self.work, "plain.o"), (), optimize)
            if not self.plain[key]:
                sys.exit(f"{path} does not compile by itself:\n{self.error}")
        return self.plain[key]

    def is_original(self, path, text, changed):
        """Whether a mutant that compiles is the original's code after all."""
        scratch = os.path.join(self.work, "same.o")
        return self.compile(path, changed, scratch, (), "-O1") == self.original(path, text, "-O1")

    def check(self):
        """The tests must pass with an object that is not changed. A mutant may take ten times as long."""
        path = self.files[0]
        with open(path) as f:
            text = f.read()
        self.original(path, text)
        for test in self.tests:
            begin = time.monotonic()
            how = self.run(test, os.path.join(self.work, "plain.o"), path, text)
            if how:
                sys.exit(f"{self.name}: {test} fails without a mutant: {how}")
            self.limit[test] = int(5 + 10 * (time.monotonic() - begin))

    def mutants(self, seed, count, judged, wanted):
        """(place, lines, lines instead, who kills them) of each mutant."""
        texts = {}
        for path in self.files:
            with open(path) as f:
                texts[path] = f.read()
        every = [(path, *site) for path in self.files for site in sites(texts[path])]
        random.Random(f"{seed} {self.name}").shuffle(every)
        made = os.path.join(self.work, "mutant.o")
        for path, begin, end, other in every:
            if count == 0:
                return
            text = texts[path]
            changed = text[:begin] + other + text[end:]
            if not self.compile(path, changed, made):
                continue
            file = os.path.relpath(path, self.source)
            first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
            was, now = (" ".join(t.split()) for t in (text[first:last], text[first:begin] + other + text[end:last]))
            place = f"{file}:{text.count(chr(10), 0, begin) + 1}"
            how = "equal" if (file, was, now) in judged else ""
            ran = any(re.search(wanted, each) for each in (place, was, now))
            for test in self.tests if ran else ():
                how = how or self.run(test, made, path, changed)
            if not how and self.is_original(path, text, changed):
                continue
            count -= 1
            if ran:
                yield place, was, now, how


def equal(source):
    """The mutants that were judged: (file, lines, lines instead)."""
    with open(os.path.join(source, "tools", "mutants_equal.tsv")) as f:
        return {tuple(row.split("\t")[:3]) for row in f if not row.startswith("#")}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    source, build = map(os.path.abspath, sys.argv[1:3])
    seed, count = sys.argv[3], int(sys.argv[4])
    survived = 0
    for name, _, wanted in (part.partition(":") for part in sys.argv[5:] or PARTS):
        with tempfile.TemporaryDirectory() as work:
            part = Part(source, build, work, name)
            part.check()
            ends = []
            for place, was, now, how in part.mutants(seed, count, equal(source), wanted):
                print(name, place, was, now, how or "SURVIVED", sep="\t", flush=True)
                ends.append(how)
            killed = len(ends) - ends.count("") - ends.count("equal")
            print(f"{name}: {len(ends)} mutants, {killed} killed, {ends.count('equal')} equal, {ends.count('')} survived", flush=True)
            survived += ends.count("")
    return survived > 0


if __name__ == "__main__":
    sys.exit(main())
