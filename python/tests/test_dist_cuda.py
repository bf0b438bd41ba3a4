"""tessera.dist on GPUs, a process for each: random pairs by torch.distributed, DTensors beside torch's own results, and
a rank that is lost. Skipped with fewer than two GPUs.

usage: test_dist_cuda.py [PAIRS [SEED]]"""

import os
import random
import socket
import subprocess
import sys
import time

GIVEN = [int(x) for x in sys.argv[1:3] if x.isdigit()]  # -v may stand there, as in the other tests
PAIRS, SEED = GIVEN + [300, 36][len(GIVEN):]


def expected(layout, shape, rank, kind):
    """What a rank holds of a tensor whose elements are their numbers, as a tensor of torch."""
    import tessera as t
    import torch
    from test_dist import grid
    part = t._tessera._dist_part(layout, rank)
    if part is None:
        return None
    numbers = grid(shape)
    x = torch.zeros(part[0], dtype=torch.float64)
    for local in grid(part[0]):
        index = t.held(layout, rank, local)
        x[local] = numbers[index if isinstance(index, tuple) else (index,)] % 251
    return torch.empty_strided(*part, dtype=kind).copy_(x).cuda()


def same(x, y):
    return x is y is None or (x is not None and y is not None and x.shape == y.shape and bool((x == y).all()))


def random_pairs(rank, ranks):
    import torch
    from tessera import dist
    from test_dist import random_layout
    noise, moved, owns = random.Random(SEED), 0, [dist.Nccl(), dist.Nccl(timeout=60)]
    for number in range(PAIRS):
        shape = tuple(noise.randrange(1, 9) for _ in range(noise.randrange(1, 4)))
        kind = noise.choice([torch.float32, torch.bfloat16, torch.uint8])
        old, new = random_layout(noise, shape, ranks), random_layout(noise, shape, ranks)
        local = expected(old, shape, rank, kind)
        got = dist.redistribute(local, old, new, None, dtype=kind, timeout=60)
        assert same(got, expected(new, shape, rank, kind)), (number, rank, str(old), str(new))
        for own in owns:
            got = dist.redistribute(local, old, new, own, dtype=kind)
            assert same(got, expected(new, shape, rank, kind)), ("Nccl", number, rank, str(old), str(new))
        moved += str(old) != str(new)
    print(f"rank {rank} of {ranks}: {PAIRS} random pairs, {moved} of different layouts")


def sums(rank, ranks):
    import torch
    from tessera import dist
    old, new = dist.dtensor((12, 10), (ranks,), ["P"]), dist.dtensor((12, 10), (ranks,), ["S(1)"])
    x = torch.arange(120.0, device="cuda").reshape(12, 10)
    got = dist.redistribute(x + rank, old, new, None)
    wanted = expected(new, (12, 10), rank, torch.float32)
    assert same(got, None if wanted is None else ranks * (wanted - 1) + sum(range(ranks))), (rank, got)
    big = torch.randn(4096, 4096 + 2 * ranks, device="cuda")  # many stages
    old, new = (dist.dtensor(big.shape, (ranks,), [f"S({m})"]) for m in (0, 1))
    torch.distributed.broadcast(big, 0)
    mine = big.chunk(ranks, 0)[rank].contiguous()
    own = dist.Nccl()
    for comm in (None, own) * 3:
        got = dist.redistribute(mine, old, new, comm)
        assert torch.equal(got, big.chunk(ranks, 1)[rank]), (rank, comm)


def large(rank, ranks):
    """Parts that movers of Nccl write to or read from, beside those that the group sends."""
    import torch
    from tessera import dist
    n, cases, owns = 4096, 0, [dist.Nccl(), dist.Nccl(timeout=60)]
    base = dist.dtensor((n, n), (ranks,), ["S(0)"])
    mine = torch.arange(n * n, dtype=torch.int32, device="cuda").reshape(n, n).chunk(ranks, 0)[rank].contiguous()
    layouts = [base, dist.dtensor((n, n), (ranks,), ["S(1)"]), dist.dtensor((n, n), (ranks,), ["R"]),
               dist.scalapack(n, n, 64, 96, ranks // 2, 2), dist.scalapack(n, n, 5, 4096, ranks, 1)]
    parts = [dist.redistribute(mine, base, layout, None) for layout in layouts]
    for old, x in zip(layouts, parts):
        for new, y in zip(layouts, parts):
            for own in owns:
                assert same(dist.redistribute(x, old, new, own, dtype=torch.int32), y), (rank, str(old), str(new))
                cases += 1
    print(f"rank {rank}: {cases} pairs of large parts as the group moves them")


def captured(rank, ranks):
    """A redistribution in a graph of CUDA, whose source changes between its launches."""
    import torch
    from tessera import dist
    for n in (256, 4096):
        old, new = dist.dtensor((n, n), (ranks,), ["S(0)"]), dist.dtensor((n, n), (ranks,), ["S(1)"])
        x, own = torch.zeros(n // ranks, n, device="cuda"), dist.Nccl()
        stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
        with torch.cuda.stream(stream):
            dist.redistribute(x, old, new, own)
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, stream=stream):
            y = dist.redistribute(x, old, new, own)
        for i in range(3):
            x.copy_(torch.arange(n * n, device="cuda").reshape(n, n).chunk(ranks, 0)[rank] % 1000 + i)
            graph.replay()
            wanted = torch.arange(n * n, device="cuda").reshape(n, n).chunk(ranks, 1)[rank] % 1000 + i
            assert torch.equal(y, wanted.float()), (rank, n, i)
        torch.cuda.synchronize()
        torch.distributed.barrier()
    print(f"rank {rank}: graphs of redistributions")


def dtensors(rank, ranks):
    import torch
    from tessera import dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    meshes = [init_device_mesh("cuda", (ranks,))]
    if ranks % 2 == 0:
        meshes.append(init_device_mesh("cuda", (2, ranks // 2)))
    torch.manual_seed(1)
    x, cases = torch.randn(13, 24, device="cuda"), 0
    kinds = [Shard(0), Shard(1), Replicate()]
    for mesh in meshes:
        lists = [[p] for p in kinds] if mesh.ndim == 1 else [[p, q] for p in kinds for q in kinds]
        for old in lists:
            for new in lists:
                a = distribute_tensor(x, mesh, old)
                try:
                    b = dist.redistribute_dtensor(a, new)
                except Exception as e:
                    if "uneven" not in str(e) and "differ in size" not in str(e):
                        raise
                    continue
                c = a.redistribute(placements=new)
                assert torch.equal(b.to_local(), c.to_local()), (rank, old, new)
                cases += 1
    print(f"rank {rank}: {cases} DTensors as torch has them")


def refused(rank, ranks):
    import torch
    from tessera import dist
    x = torch.zeros(4, 4, device="cuda")
    for words, call in [
            ("the extents", lambda: dist.redistribute(x[:3], dist.dtensor((4, 4), (1,), ["R"]),
                                                      dist.dtensor((4, 4), (1,), ["S(0)"]), None)),
            ("the group has", lambda: dist.redistribute(x, dist.dtensor((4, 4), (64,), ["R"]),
                                                        dist.dtensor((4, 4), (64,), ["S(0)"]), None)),
            ("no element yet", lambda: dist.redistribute(None, dist.dtensor((4, 4), (1,), ["R"], 1),
                                                         dist.dtensor((4, 4), (1,), ["R"]), None))]:
        try:
            call()
        except Exception as e:
            assert words in str(e), (words, e)
        else:
            assert (words == "the extents" and rank > 0), words


def lost(rank, ranks):
    """The last rank ends; the others say so."""
    import torch
    from tessera import dist
    n = 1 << 20
    old, new = dist.dtensor((n, 8), (ranks,), ["S(0)"]), dist.dtensor((n, 8), (ranks,), ["S(1)"])
    x = torch.zeros(n // ranks, 8, device="cuda")
    own = dist.Nccl(timeout=4)
    dist.redistribute(x, old, new, None, timeout=30)
    dist.redistribute(x, old, new, own)
    torch.cuda.synchronize()
    if rank == ranks - 1:
        os._exit(0)
    time.sleep(1)
    for comm in (own, None):
        began = time.monotonic()
        try:
            dist.redistribute(x, old, new, comm, timeout=4)
            os._exit(1)
        except Exception as e:
            print(f"rank {rank} after {time.monotonic() - began:.1f} s: {type(e).__name__}: {str(e)[:300]}", flush=True)
    os._exit(0)


def main_of_rank(rank, ranks, port):
    import datetime
    import torch
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks,
                                         timeout=datetime.timedelta(seconds=100), device_id=torch.device("cuda", rank))
    began = time.monotonic()
    for test in (random_pairs, sums, large, captured, dtensors, refused, lost):
        torch.distributed.barrier()
        if rank == 0:
            print(f"{test.__name__} at {time.monotonic() - began:.1f} s", flush=True)
        test(rank, ranks)


def main():
    try:
        import torch
        ranks = torch.cuda.device_count()
    except ImportError:
        ranks = 0
    if ranks < 2:
        print("no two GPUs that torch knows, redistribution between GPUs is not tried")
        return 77
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    started = [subprocess.Popen([sys.executable, __file__, str(PAIRS), str(SEED), "rank", str(r), str(ranks), str(port)])
               for r in range(ranks)]
    return max(abs(p.wait(timeout=400)) for p in started)


if __name__ == "__main__":
    if sys.argv[3:4] == ["rank"]:
        main_of_rank(*map(int, sys.argv[4:7]))
    else:
        sys.exit(main())
