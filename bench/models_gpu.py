"""Einsums and moves of the shapes that models have, by tessera and by torch in turns: the GPU's time.

    python3 bench/models_gpu.py [WORD]     a line each whose name has the word; verified before timed
    python3 bench/models_gpu.py WORD kernels   and the kernels that tessera ran, with their microseconds
"""

import statistics
import sys

import torch

import tessera.torch as tt
from models import EINSUMS, MOVES, view
from python_gpu import compare, rand

def show_kernels(work):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as p:
        work()
        torch.cuda.synchronize()
    for e in p.events():
        print(f"        {e.name[:90]} {e.device_time:.1f}")


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    kernels, ratios = len(sys.argv) > 2, []
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}: microseconds on the GPU, medians\n"
          f"{'':52} {'tessera':>9} {'torch':>9} {'ratio':>6}")
    for name, text, dtype, sa, sb in EINSUMS:
        name = f"{name}, {text}, {dtype}"
        if word not in name:
            continue
        dtype = getattr(torch, dtype)
        a, b = rand(*sa, dtype=dtype), rand(*sb, dtype=dtype)
        y, z = tt.einsum(text, a, b), torch.einsum(text, a, b)
        if y.shape != z.shape or (y.double() - z.double()).abs().max() > 2e-2 * z.double().abs().max():
            sys.exit(f"{name}: the results differ")
        ratios.append((compare(f"{name:52}", lambda: tt.einsum(text, a, b, out=y), lambda: torch.einsum(text, a, b)), name))
        if kernels:
            show_kernels(lambda: tt.einsum(text, a, b, out=y))
        del a, b, y, z
    for name, of, to, shape, how in MOVES:
        if word not in name:
            continue
        x = view(rand(*shape, dtype=getattr(torch, of)), how)
        y, z = (torch.empty(x.shape, dtype=getattr(torch, to), device="cuda") for _ in range(2))
        tt.copy_(y, x)
        z.copy_(x)
        if not torch.equal(y, z):
            sys.exit(f"{name}: the results differ")
        ratios.append((compare(f"{name:52}", lambda: tt.copy_(y, x), lambda: z.copy_(x)), name))
        if kernels:
            show_kernels(lambda: tt.copy_(y, x))
    print(f"{len(ratios)} rows: {statistics.geometric_mean(x for x, _ in ratios):.2f} in the geometric mean, "
          f"{sum(x < 0.97 for x, _ in ratios)} below 0.97: {'; '.join(n for x, n in sorted(ratios) if x < 0.97)}")


if __name__ == "__main__":
    main()
