"""Instructions of the engine's inner loops, row by row, as the compiler makes them.

    python3 bench/inner_loops.py [CC] [AARCH64_CC]

Prints the numbers of bench/results/inner_loops.csv (gcc and aarch64-linux-gnu-gcc). An instruction of a wider vector
does more, and one may cost more than another: the numbers compare kernels of one machine, not machines. Ends with 1
where a loop of NEON keeps vectors in memory: 32 registers are enough for all of them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMON = ["-std=c11", "-fPIC", "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno", "-DTSR_NO_TRAPS=1"]
FUSED = ["-mavx2", "-mfma", "-mf16c"]
WIDE = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni", "-mavx512bf16", "-mfma", "-mf16c"]

# A row: its name in files, its target, how its products are compiled (cmake/engine.cmake).
ROWS = {"SSE2": ("vector", None, "portable", []), "AVX2": ("avx2", "avx2", "avx2", FUSED),
        "AVX-512": ("avx512", "avx512", "avx512", WIDE),
        "NEON": ("vector", None, "neon", ["-fno-schedule-insns"])}
BYTES = {"SSE2": 16, "AVX2": 32, "AVX-512": 64, "NEON": 16}

# What is done to an element: the loop of a function, and where a product is the element, its instruction.
WORK = [("transposes, 1 byte", "strip_1"), ("2 bytes", "strip_2"), ("4 bytes", "strip_4"), ("8 bytes", "strip_8"),
        ("casts, f32 to f16", "cast_F32_F16"), ("f32 to bf16", "cast_F32_BF16"),
        ("f32 to e4m3", "cast_F32_F8_E4M3FN"), ("f16 to f32", "cast_F16_F32"), ("bf16 to f32", "cast_BF16_F32"),
        ("e4m3 to f32", "cast_F8_E4M3FN_F32"), ("a x + b y, f32", "update_F32"), ("bf16", "update_BF16"),
        ("sums, f32", "chunk_TSR_REDUCE_SUM_F32"), ("f64", "chunk_TSR_REDUCE_SUM_F64"),
        ("bf16", "chunk_TSR_REDUCE_SUM_BF16"), ("i8", "chunk_TSR_REDUCE_SUM_I8"),
        ("maxima, i8", "chunk_TSR_REDUCE_MAX_I8"), ("products, f32", "float_tile_3_"), ("f64", "double_tile_3_"),
        ("i32", "int_tile_3_"), ("bf16", "brain_tile_3_"), ("i8 by i8", "signed_tile_3_")]
CHUNK = 32  # TSR_REDUCE_LANES
MULTIPLY = re.compile(r"vfmadd|vpdp|vdpbf16|vpmull|fml|mla\b|mulp|pmuludq|[us]+dot|bfdot|\w+mmla")  # of matrices: two each
EXTREME = re.compile(r"^v?pmaxsb|^smax .*16b")  # of bytes, beside a loop for few lines
SUMS = {"float": 4, "double": 8, "int": 4, "brain": 4, "signed": 4}
TERMS = {"brain": 2, "signed": 4}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compiled(cc, folder, source, *flags):
    """The disassembly of a source, and the sizes of its symbols."""
    out = str(folder / "loops.o")
    run(cc, *COMMON, *flags, f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}", "-c", str(ROOT / source), "-o", out)
    tools = cc[: -len("gcc")] if cc.endswith("gcc") else ""
    sizes = {line.split()[3]: int(line.split()[1], 16) for line in run(f"{tools}nm", "-S", out).splitlines()
             if len(line.split()) == 4}
    return run(f"{tools}objdump", "-d", "--no-show-raw-insn", out), sizes


def functions(text):
    """The instructions of each function: (address, text)."""
    found = {}
    for name, body in re.findall(r"<([\w.]+)>:\n(.*?)(?:\n\n|\Z)", text, re.S):
        lines = re.findall(r"^ *([0-9a-f]+):\t(.+)$", body, re.M)
        found[name] = [(int(at, 16), " ".join(words.split())) for at, words in lines]
    return found


def leaves(code, first, last):
    """Whether something between two addresses never comes back: a span of blocks that were moved, and no loop."""
    for at, words in code:
        jump = re.match(r"(?:jmp|b) ([0-9a-f]+) ", words)
        if first <= at <= last and (words.startswith("ret") or (jump and not first <= int(jump.group(1), 16) <= last)):
            return True
    return False


def inner_loops(code):
    """The loops without loops inside, each a list of instructions."""
    loops = []
    for at, words in code:
        jump = re.match(r"(?:j\w+|b(?:\.\w+)?|cbn?z \w+,|tbn?z .*,) ([0-9a-f]+) ", words)
        if jump and code[0][0] <= int(jump.group(1), 16) < at:
            loops.append((int(jump.group(1), 16), at))
    loops = [one for one in loops if not leaves(code, *one)]
    inner = [one for one in loops if not any(other != one and one[0] <= other[0] and other[1] <= one[1]
                                             for other in loops)]
    return [[words for at, words in code if first <= at <= last] for first, last in inner]


def disassembled(row, cc, folder):
    """The functions of a row and the elements that a turn of their loops takes."""
    name, target, products, flags = ROWS[row]
    code, elements = {}, {}
    into = [f'-DTARGET_OF_ROW="exec/target_{target}.h"'] if target else []
    updates = {"SSE2": None}.get(row, name)
    parts = [("bench/inner_loops.c", ["-O3", "-DOF_MOVES", f'-DFILE_OF_ROW="exec/move/{name}.c"', *into]),
             (f"src/exec/compute/reduce_{name}.c", ["-O2"]), (f"src/exec/gemm/{products}.c", ["-O3", *flags])]
    if updates:
        parts.append(("bench/inner_loops.c",
                      ["-O3", "-DOF_UPDATES", f'-DFILE_OF_ROW="exec/compute/update_{updates}.c"', *into]))
    for source, options in parts:
        text, sizes = compiled(cc, folder, source, *options)
        code.update(functions(text))
        elements.update({symbol[len("elements_"):]: size for symbol, size in sizes.items()
                         if symbol.startswith("elements_")})
    return code, elements


def product_loop(row, code, prefix):
    """The loop with the most products an instruction, and its products."""
    kind = prefix.split("_")[0]
    names = (prefix, prefix.replace("_tile_", "_matrix_"))
    each = BYTES[row] // SUMS[kind] * TERMS.get(kind, 1)
    loops = [(sum(1 + ("mmla" in words) for words in loop if MULTIPLY.match(words)) * each, loop)
             for name, body in code.items() if name.startswith(names) for loop in inner_loops(body)]
    return max(loops, key=lambda one: one[0] / len(one[1]), default=(0, []))


def counted(row, code, elements, function):
    """Instructions of a turn, elements of it, those that touch the stack; None where a row has no such loop."""
    if "_tile_" in function:
        count, loop = product_loop(row, code, function)
    else:
        loops = inner_loops(code.get(function, [(0, "")]))
        known = [loop for loop in loops if any(EXTREME.search(words) for words in loop)]
        loop = min(known, key=len) if known else max(loops, key=len, default=[])
        count = CHUNK if function.startswith("chunk") else elements.get(function, 0)
    if not loop or not count:
        return None
    return len(loop), count, sum(1 for words in loop if re.search(r"\[sp|\(%rsp|\(%rbp", words))


def main():
    here = sys.argv[1] if len(sys.argv) > 1 else "gcc"
    there = sys.argv[2] if len(sys.argv) > 2 else "aarch64-linux-gnu-gcc"
    with tempfile.TemporaryDirectory() as folder:
        made = {row: disassembled(row, there if row == "NEON" else here, pathlib.Path(folder)) for row in ROWS}
    print(f"| an element of | {' | '.join(ROWS)} |\n|---|{'---|' * len(ROWS)}")
    spilled = False
    for title, function in WORK:
        cells = []
        for row, (code, elements) in made.items():
            found = counted(row, code, elements, function)
            cells.append(f"{found[0]}/{found[1]}: {found[0] / found[1]:.2f}" if found else "")
            if found and found[2] and row == "NEON":
                print(f"{title}: {found[2]} instructions of the loop of NEON touch the stack", file=sys.stderr)
                spilled = True
        print(f"| {title} | {' | '.join(cells)} |")
    return spilled


if __name__ == "__main__":
    sys.exit(main())
