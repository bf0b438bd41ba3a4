"""Moves, products and sums of torch's tensors on a GPU, by tessera and by torch in turns: the GPU's time and the host's.

    python3 bench/python_gpu.py            a line each, ratios are torch's time over tessera's; verified before timed
    python3 bench/python_gpu.py host       only the host's part
    python3 bench/python_gpu.py two        only sums and products of two tensors
"""

import itertools
import statistics
import sys
import time

import torch

import tessera as t
import tessera.torch as tt

ROUNDS, REPEAT = 15, 10


def gpu_time(work):
    """Microseconds of one run on the GPU, from events around several."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(REPEAT):
        work()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1000 / REPEAT


def host_time(work):
    """Microseconds until a call returns, of a queue that is never full."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(200):
        work()
    took = time.perf_counter() - begin
    torch.cuda.synchronize()
    return took * 1e6 / 200


def compare(name, ours, theirs):
    for work in (ours, theirs):
        for _ in range(3):
            work()
    times = [(gpu_time(ours), gpu_time(theirs)) for _ in range(ROUNDS)]
    mine, other = (statistics.median(x) for x in zip(*times))
    print(f"{name:44} {mine:9.1f} {other:9.1f} {statistics.median(b / a for a, b in times):6.2f}", flush=True)
    return other / mine


def rand(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def main():
    f32, f16, bf16, u8 = torch.float32, torch.float16, torch.bfloat16, torch.uint8
    x = rand(8192, 8192)
    h = x.half()
    nchw, nchw16 = rand(64, 256, 56, 56), rand(64, 256, 56, 56, dtype=f16)
    heads = rand(8, 4096, 32, 128, dtype=f16)
    cube = rand(512, 512, 512)
    moves = [
        ("transpose 8192^2 f32", x.T, f32), ("transpose 8192^2 f16", h.T, f16), ("transpose 8191 x 8193 f32",
         rand(8191, 8193).T, f32), ("transpose 8192^2 f32 to f16", x.T, f16), ("transpose 8192^2 f16 to f32", h.T, f32),
        ("transpose 8192^2 u8", x.to(u8).T, u8), ("NCHW to NHWC f32", nchw.permute(0, 2, 3, 1), f32),
        ("NCHW to NHWC f16", nchw16.permute(0, 2, 3, 1), f16), ("NHWC to NCHW f16",
         rand(64, 56, 56, 256, dtype=f16).permute(0, 3, 1, 2), f16), ("bshd to bhsd f16", heads.permute(0, 2, 1, 3), f16),
        ("bshd to bhds f16", heads.permute(0, 2, 3, 1), f16), ("512^3 (2,0,1) f32", cube.permute(2, 0, 1), f32),
        ("512^3 (2,1,0) f32", cube.permute(2, 1, 0), f32), ("512^3 (1,0,2) f32", cube.permute(1, 0, 2), f32),
        ("512^3 (0,2,1) f32 to bf16", cube.permute(0, 2, 1), bf16), ("cast 8192^2 f32 to f16", x, f16),
        ("cast 8192^2 f32 to bf16", x, bf16), ("cast 8192^2 f16 to f32", h, f32),
        ("every second column f32", x[:, ::2], f32), ("28^6 reversed f32",
         rand(28, 28, 28, 28, 28, 14).permute(5, 4, 3, 2, 1, 0), f32),
    ]
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}: microseconds on the GPU, medians\n"
          f"{'':44} {'tessera':>9} {'torch':>9} {'ratio':>6}")
    ratios = []
    for name, view, dtype in moves:
        y, z = torch.empty(view.shape, dtype=dtype, device="cuda"), torch.empty(view.shape, dtype=dtype, device="cuda")
        tt.copy_(y, view)
        z.copy_(view)
        if not torch.equal(y, z):
            sys.exit(f"{name}: the results differ")
        ratios.append(compare(name, lambda: tt.copy_(y, view), lambda: z.copy_(view)))
    print(f"moves: {statistics.geometric_mean(ratios):.2f} in the geometric mean, {min(ratios):.2f} the least")
    ratios = []
    for name, text, a, b, theirs in [
        ("4096^3 f16", "mk,kn->mn", rand(4096, 4096, dtype=f16), rand(4096, 4096, dtype=f16), torch.mm),
        ("8192^3 bf16", "mk,kn->mn", rand(8192, 8192, dtype=bf16), rand(8192, 8192, dtype=bf16), torch.mm),
        ("4096^3 f16, B transposed", "mk,nk->mn", rand(4096, 4096, dtype=f16), rand(4096, 4096, dtype=f16),
         lambda a, b, out: torch.mm(a, b.T, out=out)),
        ("16 x 4096 x 4096 f16", "mk,kn->mn", rand(16, 4096, dtype=f16), rand(4096, 4096, dtype=f16), torch.mm),
        ("128 x 8192 x 8192 bf16", "mk,kn->mn", rand(128, 8192, dtype=bf16), rand(8192, 8192, dtype=bf16), torch.mm),
        ("64 products of 512^3 f16", "vmk,vkn->vmn", rand(64, 512, 512, dtype=f16), rand(64, 512, 512, dtype=f16), torch.bmm),
        ("4096 x 4096 x 1024 f16", "mk,kn->mn", rand(4096, 1024, dtype=f16), rand(1024, 4096, dtype=f16), torch.mm),
        ("5000^3 f16", "mk,kn->mn", rand(5000, 5000, dtype=f16), rand(5000, 5000, dtype=f16), torch.mm),
        ("2048^3 f32", "mk,kn->mn", rand(2048, 2048), rand(2048, 2048), torch.mm),
        ("2048^3 f64", "mk,kn->mn", rand(2048, 2048, dtype=torch.float64), rand(2048, 2048, dtype=torch.float64), torch.mm),
    ]:
        y = tt.einsum(text, a, b)
        z = torch.empty_like(y)
        theirs(a, b, out=z)
        if (y.double() - z.double()).abs().max() > 2e-2 * z.double().abs().max():
            sys.exit(f"{name}: the results differ")
        ratios.append(compare(name, lambda: tt.einsum(text, a, b, out=y), lambda: theirs(a, b, out=z)))
    print(f"products: {statistics.geometric_mean(ratios):.2f} in the geometric mean, {min(ratios):.2f} the least")
    ratios = []
    for name, x, axis in [
        ("all of 2^26 f32", rand(1 << 26), (0,)), ("rows of 8192^2 f32", rand(8192, 8192), (1,)),
        ("columns of 8192^2 f32", rand(8192, 8192), (0,)), ("rows of 8192^2 bf16", rand(8192, 8192, dtype=bf16), (1,)),
        ("columns of 8192^2 bf16", rand(8192, 8192, dtype=bf16), (0,)), ("(64, 512, 2048) over 0 and 2 f32",
         rand(64, 512, 2048), (0, 2)), ("rows of 2^20 x 64 f32", rand(1 << 20, 64), (1,))]:
        source = t.tensor(x)
        y, z = torch.from_dlpack(t.sum(source, axis=axis, keepdims=True)), x.sum(axis, keepdim=True)
        if (y.double() - z.double()).abs().max() > 2e-2 * x.shape[axis[0]] ** 0.5:
            sys.exit(f"sum of {name}: the results differ")
        ratios.append(compare(f"sum, {name}", lambda: t.sum(source, axis=axis, keepdims=True),
                              lambda: x.sum(axis, keepdim=True)))
    print(f"sums: {statistics.geometric_mean(ratios):.2f} in the geometric mean, {min(ratios):.2f} the least")
    two()


def two():
    """Two tensors to one, element by element: tessera's operators and einsum beside torch's."""
    f16, bf16, u8 = torch.float16, torch.bfloat16, torch.uint8
    x, y, row = rand(8192, 8192), rand(8192, 8192), rand(8192)
    whole = rand(1 << 26)
    nhwc, channel = rand(64, 56, 56, 256, dtype=f16), rand(256, dtype=f16)
    batch, scale = rand(64, 1024, 1024), rand(64, 1024)
    ratios = []

    def add(a, b):
        return a + b

    def multiply(a, b):
        return a * b

    def both(name, f, a, b, text=None):
        """An operator of tensors of tessera, or einsum of torch's."""
        u, v = t.tensor(a), t.tensor(b)
        ours = (lambda: tt.einsum(text, a, b)) if text else (lambda: f(u, v))
        theirs = (lambda: torch.einsum(text, a, b)) if text else (lambda: f(a, b))
        mine = ours() if text else torch.from_dlpack(ours())
        if not torch.equal(mine, theirs()):
            sys.exit(f"{name}: the results differ")
        ratios.append(compare(name, ours, theirs))

    both("x + y of 2^26 f32", add, whole, whole.flip(0))
    for dtype in (torch.float32, f16, bf16, torch.float64, u8, torch.int32):
        a, b = (v.abs().to(dtype) for v in (x, y))
        both(f"x + y of 8192^2 {str(dtype)[6:]}", add, a, b)
        both(f"x * y of 8192^2 {str(dtype)[6:]}", multiply, a, b)
    both("x / y of 8192^2 float32", lambda a, b: a / b, x, y)
    both("x / y of 8192^2 bfloat16", lambda a, b: a / b, x.to(bf16), y.to(bf16))
    both("maximum of 8192^2 float32", lambda a, b: (t if isinstance(a, t.Tensor) else torch).maximum(a, b), x, y)
    both("x * y of f16 and f32", multiply, x.half(), y)
    both("x * row", multiply, x, row)
    both("x * column", multiply, x, row[:, None])
    both("x + y.T", add, x, y.T)
    both("x * y.T f16", multiply, x.half(), y.half().T)
    both("x + y.T u8", add, x.to(u8), y.to(u8).T)
    both("8191 x 8193, x + y.T", add, rand(8191, 8193), rand(8193, 8191).T)
    both("NHWC f16 * channel", multiply, nhwc, channel)
    both("NCHW of NHWC f16 + NCHW", add, nhwc.permute(0, 3, 1, 2), rand(64, 256, 56, 56, dtype=f16))
    both("x[:, 1:] * y[:, :-1]", multiply, x[:, 1:], y[:, :-1])
    both('einsum "ij,ij->ij"', None, x, y, "ij,ij->ij")
    both('einsum "ij,ji->ij"', None, x, y, "ij,ji->ij")
    both('einsum "ij,ij->ji"', None, x, y, "ij,ij->ji")
    both('einsum "ij,j->ij"', None, x, row, "ij,j->ij")
    both('einsum "bij,bi->bij"', None, batch, scale, "bij,bi->bij")
    both('einsum "i,j->ij"', None, row, row, "i,j->ij")
    p, q = t.tensor(x.clone()), t.tensor(y)
    a = x.clone()
    ratios.append(compare("x += y in place", lambda: p.__iadd__(q), lambda: a.add_(y)))
    ratios.append(compare("x *= 1.0 in place", lambda: p.__imul__(1.0), lambda: a.mul_(1.0)))
    copied = torch.empty_like(x)
    took = statistics.median(gpu_time(lambda: copied.copy_(x)) for _ in range(ROUNDS))
    print(f"a copy of 8192^2 f32, torch's: {took:.1f}; x + y moves 1.5 times as many bytes")
    print(f"two to one: {statistics.geometric_mean(ratios):.2f} in the geometric mean, {min(ratios):.2f} the least")


def host():
    """What a call costs the host."""
    small, out, wide = rand(64, 64), rand(64, 64), rand(64, 64, 8)
    turned, image = small.T, rand(2, 8, 8, 8, dtype=torch.float16)
    a, b, c = (rand(64, 64, dtype=torch.float16) for _ in range(3))

    def einsum(text, *x):
        return f'einsum "{text}"', lambda: tt.einsum(text, *x), lambda: torch.einsum(text, *x)

    print(f"{'the host, microseconds of a call':44} {'tessera':>9} {'torch':>9}")
    u, v, w = (t.tensor(x) for x in (a, b, c))
    steps = itertools.count(1)

    def rate():
        """Another number in every call."""
        return 1 / (1 + next(steps) % 100000)

    for name, ours, theirs in [
        ("Tensor @ Tensor", lambda: u @ v, lambda: a @ b), ("t.einsum", lambda: t.einsum("mk,nk->mn", u, v),
                                                            lambda: torch.einsum("mk,nk->mn", a, b)),
        ("t.einsum of three", lambda: t.einsum("ij,jk,kl->il", u, v, w), lambda: torch.einsum("ij,jk,kl->il", a, b, c)),
        ("t.gemm into a matrix", lambda: t.gemm(u, v, w, beta=0.0), lambda: torch.mm(a, b.T, out=c)),
        ("t.sum of rows", lambda: t.sum(u, axis=1), lambda: a.sum(1)), ("t.max", lambda: t.max(u, axis=1), lambda: a.amax(1)),
        ("t.relayout", lambda: t.relayout(u, "(64,64):(1,64)"), lambda: a.T.contiguous()),
        ("astype", lambda: u.astype("f32"), lambda: a.float()), ("t.copy", lambda: t.copy(u.T, w), lambda: c.copy_(a.T)),
        ("x + y", lambda: u + v, lambda: a + b), ("x * y", lambda: u * v, lambda: a * b), ("-x", lambda: -u, lambda: -a),
        ("x * 2.5", lambda: u * 2.5, lambda: a * 2.5), ("x + 2.5", lambda: u + 2.5, lambda: a + 2.5),
        ("x * rate, another in every call", lambda: u * rate(), lambda: a * rate()),
        ("x + rate", lambda: u + rate(), lambda: a + rate()), ("rate / x", lambda: rate() / u, lambda: rate() / a),
        ("x *= rate", lambda: w.__imul__(rate()), lambda: c.__imul__(rate())),
        ("x += rate", lambda: w.__iadd__(rate()), lambda: c.__iadd__(rate())),
        ("maximum(x, rate); clamp_min", lambda: t.maximum(u, rate()), lambda: a.clamp_min(rate())),
        ("x[...] = rate; fill_", lambda: w.__setitem__(Ellipsis, rate()), lambda: c.fill_(rate())),
        ("gemm with alpha=rate, beta=0.5; addmm", lambda: t.gemm(u, v, w, alpha=rate(), beta=0.5),
         lambda: torch.addmm(c, a, b.T, beta=0.5, alpha=rate(), out=c)),
        ("x += y", lambda: w.__iadd__(v), lambda: c.__iadd__(b)), ("x *= y", lambda: w.__imul__(v), lambda: c.__imul__(b)),
        ("copy_ of a transposed matrix", lambda: tt.copy_(out, turned), lambda: out.copy_(turned)),
        ("the same, transposed by the call", lambda: tt.copy_(out, small.T), lambda: out.copy_(small.T)),
        ("contiguous of a transposed matrix", lambda: tt.contiguous(turned), lambda: turned.contiguous()),
        ("the same, transposed by the call", lambda: tt.contiguous(small.T), lambda: small.T.contiguous()),
        ("contiguous of a permuted image", lambda: tt.contiguous(image.permute(0, 2, 3, 1)),
         lambda: image.permute(0, 2, 3, 1).contiguous()),
        ("mm", lambda: tt.mm(a, b), lambda: torch.mm(a, b)),
        ("mm into a matrix", lambda: tt.mm(a, b, c), lambda: torch.mm(a, b, out=c)),
        ("mm of f32", lambda: tt.mm(small, out), lambda: torch.mm(small, out)),
        einsum("mk,nk->mn", a, b), einsum("ij->i", small), einsum("ij->", small), einsum("ij->ji", small),
        einsum("ii->i", small), einsum("ii->", small), einsum("...ij->...i", wide), einsum("ij,ij->i", small, out),
        einsum("ij,ij->", small, out), einsum("ij,ij->ij", small, out), einsum("ij,j->ij", small, out[0]), einsum("ij,jk,kl->il", a, b, c), einsum("ij,jk,kl,lm->im", a, b, c, a)]:
        for _ in range(3):
            ours(), theirs()
        mine, other = zip(*[(host_time(ours), host_time(theirs)) for _ in range(ROUNDS)])
        print(f"{name:44} {statistics.median(mine):9.2f} {statistics.median(other):9.2f}", flush=True)


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else None
    {None: main, "two": two}.get(part, lambda: None)()
    if part != "two":
        host()
