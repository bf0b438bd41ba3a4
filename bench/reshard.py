"""tessera reshard of a checkpoint from four ranks to eight, beside cp of the same bytes and scripts of NumPy and torch, in
turns.

    python3 bench/reshard.py TESSERA [FOLDER [GIGABYTES [RUNS]]]   a folder that has room for three such checkpoints

Tensors are those of a transformer, half of them cut along mode 1. All files come from the page cache, and each
contestant ends with its bytes on the disk. The scripts are what people write: they join the parts of a tensor, cut it,
and save a file for each rank. NumPy's reads and writes files by tessera, torch's by torch.frombuffer and write, and is
left out where there is no torch. Results are verified once: the scripts' files are those of tessera.
"""

import json
import mmap
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import tessera as t

try:
    import torch
except ImportError:
    torch = None

FROM, TO, LAYER_BYTES = 4, 8, 64 << 20


def make(folder, gigabytes):
    side = 2048
    rng = np.random.default_rng(1)
    tensors = {}
    for n in range(max(1, int(gigabytes * (1 << 30) / LAYER_BYTES))):
        for name in ("q_proj", "o_proj"):
            tensors[f"model.layers.{n}.self_attn.{name}.weight"] = rng.random((side, side), dtype=np.float32)
        for name, shape in (("up_proj", (side, side)), ("down_proj", (side, side))):
            tensors[f"model.layers.{n}.mlp.{name}.weight"] = rng.random(shape, dtype=np.float32)
    os.makedirs(folder)
    t.save_file(folder / "model.safetensors", tensors)


def script(source, target):
    os.makedirs(target)
    parts = [t.load_file(source / f"model-{r}.safetensors") for r in range(FROM)]
    files = [{} for _ in range(TO)]
    for name in parts[0]:
        axis = 1 if "o_proj" in name or "down_proj" in name else 0
        whole = np.concatenate([np.asarray(p[name]) for p in parts], axis)
        for file, part in zip(files, np.split(whole, TO, axis)):
            file[name] = np.ascontiguousarray(part)
    for r, file in enumerate(files):
        t.save_file(target / f"model-{r}.safetensors", file)


def load_by_torch(path):
    with open(path, "rb") as file:
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    begin = 8 + int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8:begin])
    return {name: torch.frombuffer(whole, dtype=torch.float32, offset=begin + x["data_offsets"][0],
                                   count=(x["data_offsets"][1] - x["data_offsets"][0]) // 4).reshape(x["shape"])
            for name, x in header.items() if name != "__metadata__"}


def save_by_torch(path, tensors):
    header, at = {}, 0
    for name, x in sorted(tensors.items()):
        header[name] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [at, at + x.numel() * 4]}
        at += x.numel() * 4
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in header:
            file.write(memoryview(tensors[name].numpy()).cast("B"))
        file.flush()
        os.fsync(file.fileno())


def script_of_torch(source, target):
    os.makedirs(target)
    parts = [load_by_torch(source / f"model-{r}.safetensors") for r in range(FROM)]
    files = [{} for _ in range(TO)]
    for name in parts[0]:
        axis = 1 if "o_proj" in name or "down_proj" in name else 0
        for file, part in zip(files, torch.cat([p[name] for p in parts], axis).chunk(TO, axis)):
            file[name] = part.contiguous()
    for r, file in enumerate(files):
        save_by_torch(target / f"model-{r}.safetensors", file)


def main():
    tessera = sys.argv[1]
    scratch = pathlib.Path(tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None))
    gigabytes, runs = float((sys.argv[3:] or ["4"])[0]), int((sys.argv[4:] or ["5"])[0])
    try:
        make(scratch / "whole", gigabytes)
        reshard = [tessera, "reshard", scratch / "tp4", scratch / "out", "--from", f"tp tp:{FROM}", "--to", f"tp tp:{TO}"]
        subprocess.run([tessera, "reshard", scratch / "whole", scratch / "tp4", "--to", f"tp tp:{FROM}"], check=True)
        shutil.rmtree(scratch / "whole")
        works = {"cp": lambda: subprocess.run(f"cp -r {scratch}/tp4 {scratch}/out && sync {scratch}/out/*", shell=True,
                                              check=True),
                 "tessera": lambda: subprocess.run(reshard, check=True, stdout=subprocess.DEVNULL),
                 "NumPy": lambda: script(scratch / "tp4", scratch / "out"),
                 "torch": lambda: script_of_torch(scratch / "tp4", scratch / "out")}
        if torch is None:
            del works["torch"]
        seconds, kept = {name: [] for name in works}, {}
        for run in range(runs):
            for name, work in works.items():
                shutil.rmtree(scratch / "out", ignore_errors=True)
                subprocess.run("sync", check=True)
                begin = time.perf_counter()
                work()
                seconds[name].append(time.perf_counter() - begin)
                if run == 0 and name != "cp":
                    kept[name] = {p.name: hash(p.read_bytes()) for p in (scratch / "out").glob("*.safetensors")}
        for name in kept:
            if kept["tessera"] != kept[name]:
                sys.exit(f"the results of tessera and {name} differ")
        for name, rows in seconds.items():
            middle = statistics.median(rows)
            print(f"{name:8} {middle:7.2f} s, least {min(rows):.2f}, {middle / statistics.median(seconds['cp']):.2f} of cp")
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
