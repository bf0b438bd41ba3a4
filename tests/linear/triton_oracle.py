"""Random layouts of Gluon, converted by Triton itself and by `tessera convert`: where Triton is installed, they agree.

usage: triton_oracle.py TESSERA [CASES [SEED]]
"""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

try:
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(0)

tessera, cases = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
context = ir.context()
ir.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)


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


def swizzled(rank):
    order = list(reversed(range(rank))) if random.random() < 0.7 else random.sample(range(rank), rank)
    return gl.SwizzledSharedLayout(power(4), power(3), power(3), order)


def nvmma(rank):
    bits = random.choice([8, 16, 32])
    transposed = rank == 2 and random.random() < 0.4
    return gl.NVMMASharedLayout(random.choice([32, 64, 128] if transposed else [0, 32, 64, 128]), bits, rank, transposed)


def shape_of(layout, rank):
    least = [0] * rank
    if isinstance(layout, gl.NVMMASharedLayout):
        width = 8 * max(layout.swizzle_byte_width, 16) // layout.element_bitwidth
        least = [3] * rank
        least[0 if layout.transposed else -1] = width.bit_length() - 1
    elif not isinstance(layout, (gl.BlockedLayout, gl.SwizzledSharedLayout)):
        least[-2:] = [6, 6] if "MFMA" in repr(layout) else [4, 4]
    return [power(max(9 - 2 * (rank > 2), x), x) for x in least]


def bases_of(answer):
    """The bases of Triton's answer, as those of a map."""
    named = vars(answer)
    names = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block",
             "offset_bases": "offset"}
    return [(names[k], [list(b) for b in v]) for k, v in named.items() if k in names]


def text_of(bases, shape):
    def one(b):
        return str(b[0]) if len(b) == 1 else "(" + ",".join(map(str, b)) + ")"

    def side(rows):
        return "(" + ",".join(map(one, rows)) + ")"

    outs = ";".join(f"dim{d}={n}" for d, n in enumerate(shape))
    return "linear{" + ";".join(f"{name}={side(rows)}" for name, rows in bases) + " -> " + outs + "}"


def case(_):
    rank = random.choice([1, 2, 2, 2, 3])
    kinds = [blocked, swizzled] if rank == 1 else [blocked, mma, mfma, wmma, operand, operand, swizzled, nvmma, nvmma]
    kind = random.choice(kinds)
    layout = kind(rank)
    return kind.__name__, layout, shape_of(layout, rank)


def ours(made):
    _, layout, shape, _ = made
    shown = subprocess.run([tessera, "convert", "--shape", "(" + ",".join(map(str, shape)) + ")", repr(layout)],
                           capture_output=True, text=True)
    return (shown.stdout or shown.stderr).strip()


made, refused = [], {}
for i in range(cases):
    try:
        name, layout, shape = case(i)
        answer = builder.to_linear_layout(layout._to_ir(builder), shape)
        made.append((name, layout, shape, text_of(bases_of(answer), shape)))
    except (TypeError, ValueError, RuntimeError, AssertionError) as why:
        refused[type(why).__name__ + ": " + str(why)[:90]] = refused.get(type(why).__name__ + ": " + str(why)[:90], 0) + 1
with ThreadPoolExecutor(8) as pool:
    answers = list(pool.map(ours, made))
count = {}
failed = 0
for (name, layout, shape, wanted), got in zip(made, answers):
    ok = got == wanted
    count.setdefault(name, [0, 0])[not ok] += 1
    failed += not ok
    if not ok and failed <= 8:
        print(f"{layout!r} {shape}\n  Triton:  {wanted}\n  tessera: {got}")
for name, (right, wrong) in sorted(count.items()):
    print(f"{name}: {right} of {right + wrong} agree")
for why, n in list(refused.items())[:6]:
    print(f"Triton refuses {n}: {why}")
print(f"{len(made) - failed} passed, {failed} failed")
sys.exit(failed > 0)
