"""The kernels of cuda_17, cuda_18 and cuda_19 beside cuDNN, cuBLAS and tinygemm as PyTorch has them, in one process and in turns.

    python3 kernels_peers.py LIBRARY [w4a16] [conv] [decode]        a library made of kernels_peers.cu

Every result is compared before it is timed. A time is that of one launch in a graph of as many as there are sets of
buffers (more than the second-level cache holds), the median of 9 rounds in turns. A copy of 2 GB on the same GPU, bytes
read and written, is the bandwidth that ratios refer to.
"""
import ctypes
import statistics
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("kernels_peers: no PyTorch, no peers")
    sys.exit(0)

ROUNDS = 9


def pointer(t):
    return ctypes.c_void_p(t.data_ptr())


def graph_of(run, sets):
    """One graph that runs every set of buffers, several times where they are few."""
    times = max(1, 24 // sets)
    for i in range(sets):
        run(i)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(times):
            for i in range(sets):
                run(i)
    return graph, times * sets


def race(contestants, sets):
    """The median microseconds of a launch of each."""
    graphs = {name: graph_of(run, sets) for name, run in contestants.items()}
    times = {name: [] for name in contestants}
    for round_ in range(ROUNDS + 1):
        for name, (graph, launches) in graphs.items():
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            graph.replay()
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            if round_:
                times[name].append(begin.elapsed_time(end) * 1e3 / launches)
    return {name: statistics.median(t) for name, t in times.items()}


def copy_bandwidth():
    x, y = (torch.empty(1 << 28, device="cuda", dtype=torch.float32) for _ in range(2))
    us = race({"copy": lambda i: y.copy_(x)}, 1)["copy"]
    return 2 * x.numel() * 4 / us / 1e3


def sets_for(bytes_):
    return max(2, min(64, (400 << 20) // bytes_ + 1))


def packed(q):
    """w4_packed and the bytes: two numbers each, the first in the low half."""
    n, k = q.shape
    x = q.view(n // 256, 4, 4, 2, 8, k // 128, 2, 4, 2, 4, 2).permute(0, 5, 1, 2, 6, 4, 9, 7, 10, 8, 3)
    x = (x.reshape(-1, 2) & 15).to(torch.uint8)
    return (x[:, 0] | x[:, 1] << 4).contiguous()


def packed_scales(s):
    n, g = s.shape
    return s.view(n // 256, 4, 4, 2, 8, g).permute(5, 0, 1, 2, 4, 3).contiguous()


def w4a16(library, bandwidth):
    library.w4_sums.restype = ctypes.c_int64
    blocks = torch.cuda.get_device_properties(0).multi_processor_count
    print("w4a16, us a launch: tessera, cuBLAS f16, tinygemm; GB/s, part of a copy's")
    for n, k in ((8192, 8192), (28672, 8192), (4096, 4096), (8192, 28672)):
        sets = sets_for(n * k // 2)
        q = torch.randint(-8, 8, (n, k), device="cuda", dtype=torch.int8)
        s = torch.rand(n, k // 128, device="cuda").half() * 0.02 + 0.01
        w = [packed(q).clone() for _ in range(sets)]
        sp = [packed_scales(s).clone() for _ in range(sets)]
        full = (q.view(n, k // 128, 128).float() * s.float()[:, :, None]).view(n, k)
        halves = [full.half() for _ in range(max(2, min(sets, (400 << 20) // (2 * n * k) + 1)))]
        tiny = tiny_weights(q, s, sets)
        for m in (1, 8, 16, 32, 64):
            x = torch.randn(m, k, device="cuda").half()
            xb = x.bfloat16()
            d = torch.empty(m, n, device="cuda", dtype=torch.half)
            part = torch.empty(library.w4_sums(m, blocks), device="cuda")
            arrived = torch.zeros(n // 256, device="cuda", dtype=torch.int32)
            launch = [ctypes.create_string_buffer(library.w4_bytes() + 64) for _ in range(sets)]
            at = [(ctypes.addressof(b) + 63) // 64 * 64 for b in launch]
            for i in range(sets):
                if library.w4_prepare(ctypes.c_void_p(at[i]), m, n, k, blocks, pointer(x), pointer(w[i]),
                                      pointer(sp[i]), pointer(d), pointer(part), pointer(arrived)):
                    raise RuntimeError("w4_prepare")

            def ours(i):
                if library.w4_run(ctypes.c_void_p(at[i]), ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)):
                    raise RuntimeError("w4_run")

            ours(0)
            ours(1)
            wanted = x.float() @ full.t()
            error = ((d.float() - wanted).norm() / wanted.norm()).item()
            assert error < 2e-3, f"w4a16 {m}: {error}"
            all_ = {"ours": ours, "cublas": lambda i: torch.mm(x, halves[i % len(halves)].t())}
            if tiny:
                all_["tiny"] = lambda i: torch._weight_int4pack_mm(xb, tiny[0][i], 128, tiny[1])
            t = race(all_, sets)
            bytes_ = n * k // 2 + n * k // 64 + 2 * m * (n + k)
            rate = bytes_ / t["ours"] / 1e3
            print(f"{m:3} x {n:5} x {k:5}: {t['ours']:7.2f} {t['cublas']:7.2f} {t.get('tiny', 0):7.2f}"
                  f"   {t['cublas'] / t['ours']:5.2f} {t.get('tiny', 0) / t['ours']:5.2f}"
                  f"   {rate:6.0f} {rate / bandwidth:5.2f}   error {error:.1e}", flush=True)
        del w, sp, halves, tiny, full


def tiny_weights(q, s, sets):
    try:
        n, k = q.shape
        u = (q.int() + 8)
        bytes_ = (u[:, ::2] << 4 | u[:, 1::2]).to(torch.uint8)
        w = torch._convert_weight_to_int4pack(bytes_, 8)
        sz = torch.stack((s.t(), torch.zeros_like(s.t())), -1).bfloat16().contiguous()
        return [w.clone() for _ in range(sets)], sz
    except Exception as error:
        print("no tinygemm:", str(error)[:200])
        return None


def conv(library, bandwidth):
    torch.backends.cudnn.benchmark = True
    print("convolution, us: cuda_18, a product with a view of the padded image, cuDNN; ratios of both, TFLOP/s; the plan")
    ratios, views = [], []
    for n, h, w, c, k, r, stride in ((32, 56, 56, 64, 64, 3, 1), (32, 28, 28, 128, 128, 3, 1),
                                     (32, 14, 14, 256, 256, 3, 1), (32, 7, 7, 512, 512, 3, 1),
                                     (32, 56, 56, 256, 512, 1, 2), (32, 56, 56, 128, 128, 3, 2),
                                     (16, 64, 64, 320, 320, 3, 1), (8, 32, 32, 640, 640, 3, 1),
                                     (32, 28, 28, 512, 128, 1, 1), (128, 28, 28, 256, 256, 3, 1)):
        pad = r // 2
        p = (h + 2 * pad - r) // stride + 1
        q = (w + 2 * pad - r) // stride + 1
        bytes_ = 2 * (n * h * w * c + n * p * q * k + k * r * r * c)
        sets = max(2, min(8, (200 << 20) // bytes_ + 1))
        last = torch.channels_last
        x = [torch.randn(n, c, h, w, device="cuda").half().to(memory_format=last) for _ in range(sets)]
        f = [(torch.randn(k, c, r, r, device="cuda") * 0.05).half().to(memory_format=last) for _ in range(sets)]
        d = [torch.empty(n, k, p, q, device="cuda", dtype=torch.half).to(memory_format=last) for _ in range(sets)]
        shape = (ctypes.c_int * 10)(n, h, w, c, k, r, r, pad, stride, 1)
        launch = [ctypes.create_string_buffer(library.conv_bytes() + 64) for _ in range(sets)]
        at = [(ctypes.addressof(b) + 63) // 64 * 64 for b in launch]
        for i in range(sets):
            if library.conv_prepare(ctypes.c_void_p(at[i]), shape, pointer(x[i]), pointer(f[i]), pointer(d[i])):
                raise RuntimeError("conv_prepare")

        def ours(i):
            if library.conv_run(ctypes.c_void_p(at[i]), ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)):
                raise RuntimeError("conv_run")

        padded = [F.pad(t, (pad,) * 4).contiguous(memory_format=last) for t in x]
        plans = [ctypes.c_void_p() for _ in range(sets)]
        for i in range(sets):
            if library.view_prepare(ctypes.byref(plans[i]), shape, pointer(padded[i]), pointer(f[i]), pointer(d[i]), 1):
                raise RuntimeError("view_prepare")
        text = ctypes.create_string_buffer(512)
        library.view_text(plans[0], text, 512)

        def view(i):
            if library.view_run(plans[i], ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)):
                raise RuntimeError("view_run")

        def peer(i):
            return F.conv2d(x[i], f[i], stride=stride, padding=pad)

        wanted = F.conv2d(x[0].float(), f[0].float(), stride=stride, padding=pad)
        error = 0
        for run in (ours, view):
            d[0].zero_()
            run(0)
            error = max(error, ((d[0].float() - wanted).norm() / wanted.norm()).item())
            assert error < 2e-3, f"conv: {error}"
        t = race({"ours": ours, "view": view, "cudnn": peer}, sets)
        ratios.append(t["cudnn"] / t["ours"])
        views.append(t["cudnn"] / t["view"])
        tflops = 2e-6 * n * p * q * k * c * r * r / t["ours"]
        print(f"{n:3} x {h:2} x {w:2} x {c:3}, {k:3} of {r}x{r}, stride {stride}: {t['ours']:7.2f} {t['view']:7.2f}"
              f" {t['cudnn']:7.2f}   {ratios[-1]:5.2f} {views[-1]:5.2f}   {tflops:5.0f}   error {error:.1e}   "
              f"{text.value.decode()}", flush=True)
    print(f"geometric means {statistics.geometric_mean(ratios):.2f} {statistics.geometric_mean(views):.2f}")


class Sizes(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in "heads kv_heads page pages all_pages batch length processors".split()]


def decode(library, bandwidth):
    library.decode_parts.restype = ctypes.c_int64
    print("decode, us: tessera in pages, sdpa on contiguous keys; GB/s, part of a copy's")
    heads, kv, width, page = 32, 8, 128, 64
    for batch, length in ((64, 1024), (32, 4096), (128, 4096), (16, 16384), (1, 65536), (4, 8192)):
        pages = (length + page - 1) // page
        sets = 2
        all_pages = batch * pages
        k, v = (torch.randn(sets, all_pages, page, kv, width, device="cuda", dtype=torch.half) for _ in range(2))
        q = torch.randn(batch, heads, width, device="cuda", dtype=torch.half)
        o = torch.empty_like(q)
        table = torch.randperm(all_pages, device="cuda").int().view(batch, pages).contiguous()
        lengths = torch.full((batch,), length, device="cuda", dtype=torch.int32)
        x = Sizes(heads, kv, page, pages, all_pages, batch, length,
                  torch.cuda.get_device_properties(0).multi_processor_count)
        parts = torch.empty(library.decode_parts(ctypes.byref(x)), device="cuda")
        arrived = torch.zeros(batch * kv, device="cuda", dtype=torch.int32)
        launch = [ctypes.create_string_buffer(library.decode_bytes() + 64) for _ in range(sets)]
        at = [(ctypes.addressof(b) + 63) // 64 * 64 for b in launch]
        for i in range(sets):
            if library.decode_prepare(ctypes.c_void_p(at[i]), ctypes.byref(x),
                                      ctypes.c_float(width ** -0.5 * 1.4426950408889634), pointer(q), pointer(k[i]),
                                      pointer(v[i]), pointer(o), pointer(table), pointer(lengths), pointer(parts),
                                      pointer(arrived)):
                raise RuntimeError("decode_prepare")

        def ours(i):
            if library.decode_run(ctypes.c_void_p(at[i]), ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)):
                raise RuntimeError("decode_run")

        ck, cv = ([t[i][table.long()].view(batch, length, kv, width).transpose(1, 2).contiguous() for i in range(sets)]
                  for t in (k, v))
        q4 = q.view(batch, heads, 1, width)

        def peer(i):
            return F.scaled_dot_product_attention(q4, ck[i], cv[i], enable_gqa=True)

        ours(0)
        b = batch - 1
        s = torch.einsum("gqd,gkd->gqk", q[b].float().view(kv, heads // kv, width), ck[0][b].float()) * width ** -0.5
        wanted = torch.einsum("gqk,gkd->gqd", s.softmax(-1), cv[0][b].float()).reshape(heads, width)
        error = ((o[b].float() - wanted).norm() / wanted.norm()).item()
        assert error < 3e-3, f"decode: {error}"
        t = race({"ours": ours, "sdpa": peer}, sets)
        bytes_ = 2 * batch * length * kv * width * 2
        rate = bytes_ / t["ours"] / 1e3
        print(f"{batch:3} x {length:5}: {t['ours']:8.2f} {t['sdpa']:8.2f}   {t['sdpa'] / t['ours']:5.2f}"
              f"   {rate:6.0f} {rate / bandwidth:5.2f}   error {error:.1e}", flush=True)
        del k, v, ck, cv


def main():
    library = ctypes.CDLL(sys.argv[1])
    wanted = sys.argv[2:] or ["w4a16", "conv", "decode"]
    bandwidth = copy_bandwidth()
    print(f"{torch.cuda.get_device_name(0)}: a copy moves {bandwidth:.0f} GB/s")
    for name in wanted:
        globals()[name](library, bandwidth)


main()
