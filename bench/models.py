"""Shapes of einsums and moves in public models: one list for the GPU (models_gpu.py) and the CPU (models_cpu.py)."""

F32, F16, BF16 = "float32", "float16", "bfloat16"

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

# Name, types of the source and of the result, the shape of the source, and the order of its dimensions, or the shape to
# which dimensions of extent 1 expand.
MOVES = [
    ("patches (p,p,c)", BF16, BF16, (64, 3, 14, 16, 14, 16), (0, 2, 4, 3, 5, 1)),
    ("patches (c,p,p)", BF16, BF16, (64, 3, 14, 16, 14, 16), (0, 2, 4, 1, 3, 5)),
    ("patches (p,p,c) f32 to bf16", F32, BF16, (64, 3, 32, 16, 32, 16), (0, 2, 4, 3, 5, 1)),
    ("expansion of a column", F32, F32, (8192, 1), (8192, 8192)),
    ("expansion of a row", F32, F32, (1, 8192), (8192, 8192)),
    ("expansion of heads", BF16, BF16, (8, 2048, 8, 1, 128), (8, 2048, 8, 4, 128)),
    ("three channels f32 to bf16, NHWC", F32, BF16, (64, 3, 512, 512), (0, 2, 3, 1)),
    ("three channels to NHWC", BF16, BF16, (64, 3, 224, 224), (0, 2, 3, 1)),
    ("four channels to NHWC", BF16, BF16, (64, 4, 224, 224), (0, 2, 3, 1)),
    ("pixel shuffle", BF16, BF16, (16, 64, 2, 2, 64, 64), (0, 1, 4, 2, 5, 3)),
    ("pixel unshuffle", BF16, BF16, (16, 256, 32, 2, 32, 2), (0, 1, 3, 5, 2, 4)),
    ("heads out, BSHD to BHSD", BF16, BF16, (8, 2048, 32, 128), (0, 2, 1, 3)),
    ("heads back, BHSD to BSHD", BF16, BF16, (8, 32, 2048, 128), (0, 2, 1, 3)),
    ("keys across", BF16, BF16, (8, 2048, 32, 128), (0, 2, 3, 1)),
    ("pages of a cache", BF16, BF16, (4096, 16, 8, 128), (0, 2, 1, 3)),
    ("windows", F16, F16, (32, 8, 7, 8, 7, 128), (0, 1, 3, 2, 4, 5)),
    ("windows back", F16, F16, (32, 8, 8, 7, 7, 128), (0, 1, 3, 2, 4, 5)),
    ("experts and ranks", BF16, BF16, (8, 64, 256, 1024), (1, 0, 2, 3)),
    ("qkv apart", BF16, BF16, (8, 2048, 32, 3, 128), (3, 0, 2, 1, 4)),
    ("NCHW to NHWC f32 to f16", F32, F16, (32, 64, 112, 112), (0, 2, 3, 1)),
    ("NHWC to NCHW, 3 channels", BF16, BF16, (64, 224, 224, 3), (0, 3, 1, 2)),
    ("space to depth", BF16, BF16, (16, 256, 16, 4, 16, 4), (0, 3, 5, 1, 2, 4)),
    ("rotary halves", BF16, BF16, (8, 2048, 32, 2, 64), (0, 1, 2, 4, 3)),
    ("frames of video", BF16, BF16, (4, 16, 3, 112, 112), (0, 2, 1, 3, 4)),
]


def view(x, how):
    """The tensor with its dimensions in that order, or expanded to that shape."""
    return x.permute(*how) if sorted(how) == list(range(x.dim())) else x.expand(*how)
