"""Einsums and moves of the shapes that models have, by tessera and by torch in turns: the GPU's time.

    python3 bench/models_gpu.py [WORD]     a line each whose name has the word; verified before timed
    python3 bench/models_gpu.py WORD kernels   and the kernels that tessera ran, with their microseconds
"""

import statistics
import sys

import torch

import tessera.torch as tt
from python_gpu import compare, rand

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16

# Name, text, type, shapes.
EINSUMS = [
    # few or no free modes
    ("dots of rows", "bi,bi->b", F32, (4096, 4096), (4096, 4096)),
    ("dots of columns", "bi,bi->i", F32, (4096, 4096), (4096, 4096)),
    ("one dot", "ij,ij->", F32, (4096, 4096), (4096, 4096)),
    ("dots of matrices", "bij,bij->b", F32, (64, 512, 512), (64, 512, 512)),
    ("dots of matrices", "bij,bij->b", BF16, (64, 512, 512), (64, 512, 512)),
    ("dots of rows in batches", "bij,bij->bi", F32, (64, 512, 512), (64, 512, 512)),
    ("dots of columns in batches", "bij,bij->bj", BF16, (64, 512, 512), (64, 512, 512)),
    ("delta of attention", "bshd,bshd->bhs", BF16, (4, 4096, 32, 128), (4, 4096, 32, 128)),
    ("cosine of tokens", "bsd,bsd->bs", F16, (32, 2048, 1024), (32, 2048, 1024)),
    ("matrix by vector", "ij,j->i", F32, (8192, 8192), (8192,)),
    ("vector by matrix", "ij,i->j", F32, (8192, 8192), (8192,)),
    ("matrix by vector", "ij,j->i", BF16, (8192, 8192), (8192,)),
    ("vector by matrix", "ij,i->j", BF16, (8192, 8192), (8192,)),
    ("score of a token", "bhd,bhsd->bhs", BF16, (16, 32, 128), (16, 32, 4096, 128)),
    ("context of a token", "bhs,bhsd->bhd", BF16, (16, 32, 4096), (16, 32, 4096, 128)),
    ("pooling by weights", "bs,bsd->bd", F32, (64, 2048), (64, 2048, 1024)),
    ("gate of experts", "bsd,de->bse", BF16, (8, 4096, 4096), (4096, 8)),
    # attention, both orders
    ("scores, BSHD", "bqhd,bkhd->bhqk", BF16, (4, 2048, 32, 128), (4, 2048, 32, 128)),
    ("scores, BHSD", "bhqd,bhkd->bhqk", BF16, (4, 32, 2048, 128), (4, 32, 2048, 128)),
    ("scores, BSHD, 64", "bqhd,bkhd->bhqk", BF16, (8, 1024, 16, 64), (8, 1024, 16, 64)),
    ("scores, BHSD, 64", "bhqd,bhkd->bhqk", BF16, (8, 16, 1024, 64), (8, 16, 1024, 64)),
    ("context, BSHD", "bhqk,bkhd->bqhd", BF16, (4, 32, 2048, 2048), (4, 2048, 32, 128)),
    ("context, BHSD", "bhqk,bhkd->bhqd", BF16, (4, 32, 2048, 2048), (4, 32, 2048, 128)),
    ("context, BSHD, 64", "bhqk,bkhd->bqhd", BF16, (8, 16, 1024, 1024), (8, 1024, 16, 64)),
    ("grouped queries", "bqhgd,bkhd->bhgqk", BF16, (4, 2048, 8, 4, 128), (4, 2048, 8, 128)),
    ("grouped context", "bhgqk,bkhd->bqhgd", BF16, (4, 8, 4, 2048, 2048), (4, 2048, 8, 128)),
    ("windows of Swin", "wqhd,wkhd->whqk", F16, (2048, 49, 4, 32), (2048, 49, 4, 32)),
    ("batched, K 64", "bmk,bnk->bmn", BF16, (128, 1024, 64), (128, 1024, 64)),
    ("batched, K 128", "bmk,bnk->bmn", BF16, (128, 1024, 128), (128, 1024, 128)),
    ("batched, K 256", "bmk,bnk->bmn", BF16, (64, 1024, 256), (64, 1024, 256)),
    # projections, experts, low rank
    ("projection to heads", "bsd,dhe->bshe", BF16, (4, 2048, 4096), (4096, 32, 128)),
    ("projection from heads", "bshe,hed->bsd", BF16, (4, 2048, 32, 128), (32, 128, 4096)),
    ("experts", "ecd,edf->ecf", BF16, (8, 1024, 4096), (8, 4096, 1024)),
    ("dispatch of experts", "sec,sd->ecd", BF16, (2048, 8, 512), (2048, 1024)),
    ("combination of experts", "sec,ecd->sd", BF16, (2048, 8, 512), (8, 512, 1024)),
    ("LoRA down", "bsd,rd->bsr", BF16, (8, 2048, 4096), (16, 4096)),
    ("LoRA up", "bsr,dr->bsd", BF16, (8, 2048, 16), (4096, 16)),
    ("a small result", "mk,nk->mn", BF16, (33, 8200), (1000, 8200)),
    ("MLP mixer", "bsd,st->btd", BF16, (64, 196, 768), (196, 384)),
    ("1x1 convolution, NCHW", "nchw,oc->nohw", BF16, (32, 256, 56, 56), (512, 256)),
    ("1x1 convolution, NHWC", "nhwc,oc->nhwo", BF16, (32, 56, 56, 256), (512, 256)),
    ("bilinear", "bi,oij->boj", F32, (256, 128), (64, 128, 128)),
    ("outer products of gradients", "bsi,bso->io", BF16, (8, 2048, 1024), (8, 2048, 4096)),
]


def moves():
    image, deep = rand(64, 3, 224, 224, dtype=BF16), rand(16, 256, 64, 64, dtype=BF16)
    heads, cache = rand(8, 2048, 32, 128, dtype=BF16), rand(4096, 16, 8, 128, dtype=BF16)
    swin, experts = rand(32, 56, 56, 128, dtype=F16), rand(8, 64, 256, 1024, dtype=BF16)
    patches = image.view(64, 3, 14, 16, 14, 16)
    small = rand(64, 3, 512, 512)
    return [
        ("patches (p,p,c)", patches.permute(0, 2, 4, 3, 5, 1), BF16),
        ("patches (c,p,p)", patches.permute(0, 2, 4, 1, 3, 5), BF16),
        ("patches (p,p,c) f32 to bf16", small.view(64, 3, 32, 16, 32, 16).permute(0, 2, 4, 3, 5, 1), BF16),
        ("expansion of a column", rand(8192, 1).expand(8192, 8192), F32),
        ("expansion of a row", rand(1, 8192).expand(8192, 8192), F32),
        ("expansion of heads", rand(8, 2048, 8, 1, 128, dtype=BF16).expand(8, 2048, 8, 4, 128), BF16),
        ("three channels f32 to bf16, NHWC", small.permute(0, 2, 3, 1), BF16),
        ("three channels to NHWC", image.permute(0, 2, 3, 1), BF16),
        ("four channels to NHWC", rand(64, 4, 224, 224, dtype=BF16).permute(0, 2, 3, 1), BF16),
        ("pixel shuffle", deep.view(16, 64, 2, 2, 64, 64).permute(0, 1, 4, 2, 5, 3), BF16),
        ("pixel unshuffle", deep.view(16, 256, 32, 2, 32, 2).permute(0, 1, 3, 5, 2, 4), BF16),
        ("heads out, BSHD to BHSD", heads.permute(0, 2, 1, 3), BF16),
        ("heads back, BHSD to BSHD", heads.permute(0, 2, 1, 3).contiguous().permute(0, 2, 1, 3), BF16),
        ("keys across", heads.permute(0, 2, 3, 1), BF16),
        ("pages of a cache", cache.permute(0, 2, 1, 3), BF16),
        ("windows", swin.view(32, 8, 7, 8, 7, 128).permute(0, 1, 3, 2, 4, 5), F16),
        ("windows back", swin.view(32, 8, 8, 7, 7, 128).permute(0, 1, 3, 2, 4, 5), F16),
        ("experts and ranks", experts.permute(1, 0, 2, 3), BF16),
        ("qkv apart", rand(8, 2048, 32, 3, 128, dtype=BF16).permute(3, 0, 2, 1, 4), BF16),
        ("NCHW to NHWC f32 to f16", rand(32, 64, 112, 112).permute(0, 2, 3, 1), F16),
        ("NHWC to NCHW, 3 channels", rand(64, 224, 224, 3, dtype=BF16).permute(0, 3, 1, 2), BF16),
        ("space to depth", deep.view(16, 256, 16, 4, 16, 4).permute(0, 3, 5, 1, 2, 4), BF16),
        ("rotary halves", heads.view(8, 2048, 32, 2, 64).permute(0, 1, 2, 4, 3), BF16),
        ("frames of video", rand(4, 16, 3, 112, 112, dtype=BF16).permute(0, 2, 1, 3, 4), BF16),
    ]


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
        name = f"{name}, {text}, {str(dtype)[6:]}"
        if word not in name:
            continue
        a, b = rand(*sa, dtype=dtype), rand(*sb, dtype=dtype)
        y, z = tt.einsum(text, a, b), torch.einsum(text, a, b)
        if y.shape != z.shape or (y.double() - z.double()).abs().max() > 2e-2 * z.double().abs().max():
            sys.exit(f"{name}: the results differ")
        ratios.append((compare(f"{name:52}", lambda: tt.einsum(text, a, b, out=y), lambda: torch.einsum(text, a, b)), name))
        if kernels:
            show_kernels(lambda: tt.einsum(text, a, b, out=y))
        del a, b, y, z
    for name, view, dtype in moves():
        if word not in name:
            continue
        y, z = torch.empty(view.shape, dtype=dtype, device="cuda"), torch.empty(view.shape, dtype=dtype, device="cuda")
        tt.copy_(y, view)
        z.copy_(view)
        if not torch.equal(y, z):
            sys.exit(f"{name}: the results differ")
        ratios.append((compare(f"{name:52}", lambda: tt.copy_(y, view), lambda: z.copy_(view)), name))
        if kernels:
            show_kernels(lambda: tt.copy_(y, view))
    print(f"{len(ratios)} rows: {statistics.geometric_mean(x for x, _ in ratios):.2f} in the geometric mean, "
          f"{sum(x < 0.97 for x, _ in ratios)} below 0.97: {'; '.join(n for x, n in sorted(ratios) if x < 0.97)}")


if __name__ == "__main__":
    main()
