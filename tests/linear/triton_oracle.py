"""Random distributed layouts of Gluon, converted by Triton itself and by `tessera convert`: where Triton is installed,
they agree.

usage: triton_oracle.py TESSERA [CASES [SEED]]
"""

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

try:
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout
except ImportError:
    print("skipped: no triton")
    sys.exit(0)

tessera, cases = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
first_seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
BATCH = 50


def power(most, least=0):
    return 1 << random.randint(least, most)


def product(bits, rank):
    """Powers of two of `bits` bits together."""
    r = [0] * rank
    for _ in range(bits):
        r[random.randrange(rank)] += 1
    return [1 << x for x in r]


def blocked(rank):
    order = random.sample(range(rank), rank)
    return gl.BlockedLayout([power(2) for _ in range(rank)], product(5, rank), product(random.randint(0, 3), rank), order)


def mma(rank):
    if rank == 2 and random.random() < 0.4:
        return gl.NVMMADistributedLayout([3, 0], [4, power(1)], [16, power(6, 3), 16])
    return gl.NVMMADistributedLayout([2, 0], product(random.randint(0, 3), rank), [1] * (rank - 2) + [16, 8])


def mfma(rank):
    m, n, k = random.choice([(32, 32, 8), (16, 16, 16), (4, 64, 4), (64, 4, 4)])
    return AMDMFMALayout(version=3, instr_shape=[m, n, k], transposed=m == 64 or random.random() < 0.5,
                         warps_per_cta=product(random.randint(0, 3), rank))


def wmma(rank):
    version = random.randint(1, 2)
    flags = dict(version=version, transposed=random.random() < 0.5)
    try:
        return AMDWMMALayout(warps_per_cta=product(random.randint(0, 3), rank), **flags)
    except TypeError:
        bases = [[0] * (rank - 2) + random.choice([[0, 1], [1, 0]]) for _ in range(random.randint(0, 1))]
        return AMDWMMALayout(warp_bases=bases, **flags)


def operand(rank):
    parent = random.choice([blocked, mma, mma, mfma, wmma])(rank)
    which = random.randint(0, 1)
    width = power(3, 1)
    if isinstance(parent, gl.BlockedLayout):
        width = 0
    if isinstance(parent, AMDWMMALayout):
        width = 16 if parent.version == 1 else 8
    if isinstance(parent, gl.NVMMADistributedLayout) and parent.version[0] == 3:
        which = 0
    return gl.DotOperandLayout(which, parent, width)


def shape_of(layout, rank):
    least = [0] * rank
    if not isinstance(layout, gl.BlockedLayout):
        least[-2:] = [6, 6] if "MFMA" in repr(layout) else [4, 4]
    return [power(max(9 - 2 * (rank > 2), x), x) for x in least]


def bases_of(answer):
    """The bases of Triton's answer, as those of a map."""
    named = vars(answer)
    names = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block"}
    return [(names[k], [list(b) for b in v]) for k, v in named.items() if k in names]


def text_of(bases, shape):
    def one(b):
        return str(b[0]) if len(b) == 1 else "(" + ",".join(map(str, b)) + ")"

    def side(rows):
        return "(" + ",".join(map(one, rows)) + ")"

    outs = ";".join(f"dim{d}={n}" for d, n in enumerate(shape))
    return "linear{" + ";".join(f"{name}={side(rows)}" for name, rows in bases) + " -> " + outs + "}"


def case():
    rank = random.choice([1, 2, 2, 2, 3])
    kind = random.choice([blocked] if rank == 1 else [blocked, mma, mfma, wmma, operand, operand, operand])
    layout = kind(rank)
    if random.random() < 0.1 and rank > 1:
        return "slice", gl.SliceLayout(random.randrange(rank), layout), shape_of(layout, rank)
    return kind.__name__, layout, shape_of(layout, rank)


def batch(seed):
    """The answers of Triton to some cases, by a child: a case that Triton asserts against ends it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        random.seed(seed)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        context = ir.context()
        ir.load_dialects(context)
        builder = gluon_ir.GluonOpBuilder(context)
        with os.fdopen(write, "w") as out:
            for _ in range(BATCH):
                name, layout, shape = case()
                if name == "slice":
                    shape = shape[:layout.dim] + shape[layout.dim + 1:]
                try:
                    answer = builder.to_linear_layout(layout._to_ir(builder), shape)
                    line = [name, repr(layout), shape, text_of(bases_of(answer), shape)]
                except (TypeError, ValueError, RuntimeError, AssertionError) as why:
                    line = [name, repr(layout), shape, "refused: " + str(why)[:80]]
                out.write(json.dumps(line) + "\n")
                out.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as lines:
        made = [json.loads(line) for line in lines]
    return made, os.waitpid(child, 0)[1] != 0


def ours(made):
    _, layout, shape, _ = made
    shown = subprocess.run([tessera, "convert", "--shape", "(" + ",".join(map(str, shape)) + ")", layout],
                           capture_output=True, text=True)
    return (shown.stdout or shown.stderr).strip()


made, refused, crashed = [], 0, 0
for i in range(0, cases, BATCH):
    some, died = batch(first_seed + i)
    crashed += died
    refused += sum(wanted.startswith("refused") for *_, wanted in some)
    made += [m for m in some if not m[3].startswith("refused")]
with ThreadPoolExecutor(8) as pool:
    answers = list(pool.map(ours, made))
count = {}
failed = 0
for (name, layout, shape, wanted), got in zip(made, answers):
    ok = got == wanted
    count.setdefault(name, [0, 0])[not ok] += 1
    failed += not ok
    if not ok and failed <= 8:
        print(f"{layout} {shape}\n  Triton:  {wanted}\n  tessera: {got}")
for name, (right, wrong) in sorted(count.items()):
    print(f"{name}: {right} of {right + wrong} agree")
print(f"Triton refuses {refused}, and asserts in {crashed} batches")
print(f"{len(made) - failed} passed, {failed} failed")
sys.exit(failed > 0)
