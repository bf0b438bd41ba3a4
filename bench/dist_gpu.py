"""tessera.dist.redistribute beside DTensor's redistribute, and beside plain messages of the same bytes, a process for each
GPU. Results are compared first. Medians of rounds, in turns; a round is some calls between two synchronisations.

usage: python3 bench/dist_gpu.py [WORD]: only cases with the word in their names"""

import datetime
import socket
import statistics
import subprocess
import sys
import time

ROUNDS = 9


def cases(ranks):
    """Name, shape, type, mesh, placements before and after."""
    import torch
    from torch.distributed.tensor import Replicate, Shard
    from torch.distributed.tensor.placement_types import _StridedShard
    rows, columns, bf16 = Shard(0), Shard(1), torch.bfloat16
    for n in (1024, 4096, 16384):
        yield f"S(0) to S(1), {n}^2 bf16", (n, n), bf16, (ranks,), [rows], [columns]
    yield "S(1) to S(0), 16384^2 bf16", (16384, 16384), bf16, (ranks,), [columns], [rows]
    yield "S(0) to S(2), 64 x 2048 x 4096 bf16", (64, 2048, 4096), bf16, (ranks,), [rows], [Shard(2)]
    yield "S(0) to R, 8192^2 bf16", (8192, 8192), bf16, (ranks,), [rows], [Replicate()]
    if ranks == 2:
        mesh, strided = (2, 1), _StridedShard(0, split_factor=2)
        yield "strided: [SS(0,2),S(0)] to [S(1),S(0)]", (16384, 16384), bf16, mesh, [strided, rows], [columns, rows]
        yield "strided: SS(0,2) to S(1)", (16384, 16384), bf16, (2,), [strided], [columns]
        yield "strided: SS(0,4) to S(1), 4096^2", (4096, 4096), bf16, (2,), [_StridedShard(0, split_factor=4)], [columns]
    if ranks == 4:
        for n in (4096, 16384):
            yield f"[S(0),S(1)] to [S(1),S(0)], {n}^2 bf16", (n, n), bf16, (2, 2), [rows, columns], [columns, rows]
        strided = _StridedShard(0, split_factor=2)
        yield "ordered: [SS(0,2),S(0)] to [S(0),S(0)]", (16384, 16384), bf16, (2, 2), [strided, rows], [rows, rows]
        yield "strided: [SS(0,2),S(0)] to [S(1),S(0)]", (16384, 16384), bf16, (2, 2), [strided, rows], [columns, rows]
        yield "[S(0),S(0)] to [S(0),S(1)]", (16384, 16384), bf16, (2, 2), [rows, rows], [rows, columns]


def plain(old, new, itemsize, rank):
    """Messages of the same bytes, nothing packed."""
    import torch
    from tessera import dist
    plan, ranks = dist.plan(old, new, "bf16"), torch.distributed.get_world_size()
    import tessera as t
    sizes = {(p, q): int(t.sent(plan, p, q)) for p in range(ranks) for q in range(ranks) if p != q}
    out = {q: torch.empty(n, dtype=torch.uint8, device="cuda") for (p, q), n in sizes.items() if p == rank and n}
    into = {p: torch.empty(n, dtype=torch.uint8, device="cuda") for (p, q), n in sizes.items() if q == rank and n}
    everything = torch.distributed

    def move():
        ops = [everything.P2POp(everything.isend, x, q) for q, x in out.items()]
        ops += [everything.P2POp(everything.irecv, x, p) for p, x in into.items()]
        for work in everything.batch_isend_irecv(ops) if ops else []:
            work.wait()

    most = max(sum(n for (p, _), n in sizes.items() if p == r) for r in range(ranks))
    return move, most


def measure(does, calls):
    import torch
    torch.cuda.synchronize()
    torch.distributed.barrier()
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(calls):
        does()
    torch.cuda.synchronize()
    torch.distributed.barrier()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / calls


def run(case, rank):
    import torch
    from tessera import dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor
    name, shape, kind, mesh, before, after = case
    mesh = init_device_mesh("cuda", mesh)
    stride = tuple(int(torch.tensor(shape[i + 1:]).prod()) for i in range(len(shape)))
    old = dist.dtensor(shape, tuple(mesh.shape), before)
    new = dist.dtensor(shape, tuple(mesh.shape), after)
    import tessera
    part = tessera._tessera._dist_part(old, rank)
    torch.manual_seed(rank)
    local = torch.randint(-99, 99, part[0], device="cuda", dtype=torch.int16).to(kind)
    x = DTensor.from_local(local, mesh, before, run_check=False, shape=shape, stride=stride)
    own, timed = dist.Nccl(), dist.Nccl(timeout=30)
    ways = {"tessera": lambda: dist.redistribute(local, old, new, own),
            "with a timeout": lambda: dist.redistribute(local, old, new, timed),
            "by the group": lambda: dist.redistribute(local, old, new, None)}
    try:
        wanted = x.redistribute(placements=after).to_local()
        equal = torch.tensor(int(torch.equal(wanted, ways["tessera"]())), device="cuda")
        torch.distributed.all_reduce(equal, torch.distributed.ReduceOp.MIN)
        ways["DTensor"] = lambda: x.redistribute(placements=after)
        words = "equal" if int(equal) else "DIFFERENT"
        del wanted
    except Exception as e:
        words = f"DTensor: {type(e).__name__}: {str(e)[:250]}"
    ways["plain"], most = plain(old, new, local.element_size(), rank)
    calls = 5 if most > 1 << 26 else 20
    times = {way: [] for way in ways}
    for r in range(ROUNDS + 2):
        for way, does in ways.items():
            t = measure(does, calls)
            if r > 1:
                times[way].append(t)
    if rank == 0:
        m = {way: 1e6 * statistics.median(t) for way, t in times.items()}
        print(f"{name}: {most / 1e6:.1f} MB of the busiest rank, {words}")
        print("   " + ", ".join(f"{way} {t:.0f} us" for way, t in m.items()) +
              f"; {most / m['tessera'] / 1e3:.0f} GB/s, {m['plain'] / m['tessera']:.2f} of plain" +
              (f", {m['DTensor'] / m['tessera']:.2f} times DTensor" if "DTensor" in m else ""), flush=True)


def main_of_rank(rank, ranks, port, word):
    import torch
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks,
                                         timeout=datetime.timedelta(seconds=100), device_id=torch.device("cuda", rank))
    if rank == 0:
        print(f"{ranks} {torch.cuda.get_device_name()}, torch {torch.__version__}, NCCL {torch.cuda.nccl.version()}")
    for case in cases(ranks):
        if word in case[0]:
            run(case, rank)
            torch.cuda.empty_cache()
    torch.distributed.destroy_process_group()


def main():
    import torch
    ranks, word = torch.cuda.device_count(), sys.argv[1] if len(sys.argv) > 1 else ""
    if ranks < 2:
        return print("fewer than two GPUs")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    started = [subprocess.Popen([sys.executable, __file__, "rank", str(r), str(ranks), str(port), word])
               for r in range(ranks)]
    sys.exit(max(abs(p.wait()) for p in started))


if __name__ == "__main__":
    if sys.argv[1:2] == ["rank"]:
        main_of_rank(*map(int, sys.argv[2:5]), sys.argv[5])
    else:
        main()
