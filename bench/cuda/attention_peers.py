"""Attention of the examples beside cuDNN's and FlashAttention-2 as PyTorch has them, in one process and in turns:
random data in [-1,1), two sets of buffers, device events, the median of 7 rounds of 10 launches. Who follows whom
changes from round to round, for the chip is power-capped and what follows a slow kernel finds a higher clock.

    python3 attention_peers.py LIBRARY...        libraries made of attention_peers.cu

16384 queries in all, width 2048, tensors (batch, row, head, element). TFLOP/s count 4 operations for each query, key
and element of the width forward, 10 backward, half of them where the mask is causal; MHz is the clock after its bursts.
"""
import argparse
import ctypes
import itertools
import pathlib
import statistics
import sys
from random import seed, shuffle

try:
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention
except ImportError:
    print("attention_peers: no PyTorch, no peers")
    sys.exit(0)

QUERIES, WIDTH, BUFFERS = 16384, 2048, 2
PEERS = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


class Problem(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in "head_size causal bf16 batches heads kv_heads queries keys".split()]
    _fields_ += [("scale", ctypes.c_float)]


def call(function, problem, *tensors):
    if function(ctypes.byref(problem), *(ctypes.c_void_p(t.data_ptr()) for t in tensors)):
        raise RuntimeError("the launch is refused")


def noise(*shape, dtype):
    return (torch.rand(shape, device="cuda") * 2 - 1).to(dtype)


def clock():
    try:
        return torch.cuda.clock_rate()
    except Exception:  # no NVML for Python
        return 0


def burst(run, launches):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for i in range(launches):
        run(i % BUFFERS)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / launches


def race(contestants, rounds, launches):
    """The median milliseconds of each that can, and the clock."""
    for name in list(contestants):
        try:
            contestants[name](0)
        except RuntimeError as why:
            print(f"{name}: {str(why).splitlines()[0]}", flush=True)
            del contestants[name]
    order = list(contestants)
    times, clocks = ({name: [] for name in order} for _ in range(2))
    for turn in range(rounds + 1):
        shuffle(order)
        for name in order:
            ms = burst(contestants[name], launches)
            if turn:
                times[name].append(ms)
                clocks[name].append(clock())
    return {name: (statistics.median(times[name]), statistics.median(clocks[name])) for name in contestants}


def table(what, flops, contestants, options):
    result = race(contestants, options.rounds, options.launches)
    words = [f"{name} {flops / ms * 1e-9:6.1f} ({mhz:.0f})" for name, (ms, mhz) in result.items()]
    print(f"{what}:  " + "  ".join(words), flush=True)


class Case:
    """One shape: its operands, and who computes it."""

    def __init__(self, libraries, shape, dtype, causal):
        self.libraries, self.causal, self.scale = libraries, causal, 4 / shape[3] ** 0.5
        self.q, self.k, self.v, self.grad = ([noise(*shape, dtype=dtype) for _ in range(BUFFERS)] for _ in range(4))
        batches, rows, heads, size = shape
        self.o = [torch.empty_like(x) for x in self.q]
        self.lse = [torch.empty(batches, heads, rows, device="cuda") for _ in self.q]
        self.turn = torch.zeros(1, dtype=torch.int32, device="cuda")
        self.problem = Problem(size, causal, dtype == torch.bfloat16, batches, heads, heads, rows, rows, self.scale)
        self.operations = 4 * batches * heads * rows * rows * size / (2 if causal else 1)
        self.name = f"{str(dtype)[6:]:8s} {size:3d} {batches} x {rows:5d} {'causal' if causal else 'full'}"

    def peer(self, backend, q, k, v):
        with sdpa_kernel(backend):
            x = scaled_dot_product_attention(*(x.transpose(1, 2) for x in (q, k, v)), is_causal=self.causal,
                                             scale=self.scale)
        return x.transpose(1, 2)

    def ours(self, library, i):
        call(library.attention_forward, self.problem, self.q[i], self.k[i], self.v[i], self.o[i], self.lse[i],
             self.turn)

    def forward(self):
        all = {name: lambda i, l=library: self.ours(l, i) for name, library in self.libraries.items()}
        for name, backend in PEERS.items():
            all[name] = lambda i, b=backend: self.peer(b, self.q[i], self.k[i], self.v[i])
        wanted = self.peer(SDPBackend.FLASH_ATTENTION, self.q[0], self.k[0], self.v[0])
        for name in self.libraries:
            self.o[0].fill_(float("nan"))
            all[name](0)
            compare(f"{name}: O", self.o[0], wanted)
        return all

    def backward(self):
        all = {}
        grads = [[torch.empty_like(x) for x in (q, q, q)] for q in self.q]
        for name, library in self.libraries.items():
            library.attention_workspace.restype = ctypes.c_longlong
            bytes = library.attention_workspace(ctypes.byref(self.problem))
            work = torch.empty(bytes, dtype=torch.uint8, device="cuda")
            all[name] = lambda i, l=library, w=work: call(
                l.attention_backward, self.problem, self.q[i], self.k[i], self.v[i], self.o[i], self.grad[i],
                self.lse[i], *grads[i], w)
            for i in range(BUFFERS):
                self.ours(library, i)
        for name, backend in PEERS.items():
            inputs = [[x[i].detach().requires_grad_() for x in (self.q, self.k, self.v)] for i in range(BUFFERS)]
            try:
                outputs = [self.peer(backend, *x) for x in inputs]
            except RuntimeError:
                continue  # race() says why
            all[name] = lambda i, x=inputs, o=outputs: torch.autograd.grad(o[i], x[i], self.grad[i], retain_graph=True)
        wanted = all["flash"](0)
        for name in self.libraries:
            for g in grads[0]:
                g.fill_(float("nan"))
            all[name](0)
            for what, got, w in zip(("dQ", "dK", "dV"), grads[0], wanted):
                compare(f"{name}: {what}", got, w)
        return all


def compare(what, got, wanted):
    far = ((got.float() - wanted.float()).abs().max() / wanted.float().abs().max()).item()
    if not far < 2e-2:
        print(f"{what} is WRONG, it differs by {far} of the largest number", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs="+", metavar="library")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--launches", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="*", default=[128, 64, 256])
    parser.add_argument("--lengths", type=int, nargs="*", default=[4096, 8192, 16384])
    parser.add_argument("--types", nargs="*", default=["float16", "bfloat16"])
    parser.add_argument("--only", choices=["forward", "backward"])
    options = parser.parse_args()
    libraries = {pathlib.Path(p).stem.removeprefix("lib"): ctypes.CDLL(p) for p in options.libraries}
    torch.manual_seed(1)
    seed(1)
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, "cuDNN", torch.backends.cudnn.version())
    cases = itertools.product(options.sizes, options.types, options.lengths, (False, True))
    for size, dtype, length, causal in cases:
        shape = (QUERIES // length, length, WIDTH // size, size)
        case = Case(libraries, shape, getattr(torch, dtype), causal)
        if options.only != "backward":
            table("forward  " + case.name, case.operations, case.forward(), options)
        if options.only != "forward" and size <= 128:
            table("backward " + case.name, 2.5 * case.operations, case.backward(), options)


main()
