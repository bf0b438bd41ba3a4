"""Archives that Python's zipfile and NumPy write, read by tessera: stored, deflated in every way, zip64; and those that
tessera writes, read by them.

usage: npz_test.py TESSERA
"""
import json
import os
import random
import struct
import subprocess
import zipfile
import zlib

from tried import check, end, run, tessera

try:
    import numpy as np
except ImportError:
    np = None
random.seed(1)


def npy(raw):
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(raw)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + raw


def elements(path, name):
    """The bytes of a tensor of an archive, as tessera takes it out."""
    done = run("relayout", path, "out.npy", "--tensor", name, "--verify")
    if done.returncode:
        print(done.stderr)
        return None
    with open("out.npy", "rb") as file:
        whole = file.read()
    return whole[10 + struct.unpack_from("<H", whole, 8)[0]:]


class Chosen:
    """A compressor of zlib's with a strategy, for zipfile."""
    def __init__(self, level, strategy):
        self.own = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        self.compress, self.flush = self.own.compress, self.own.flush


# Deflated bytes of every kind: long runs, texts, noise, few and many; blocks that are stored, fixed and of codes of their own.
kinds = {"none": b"", "one": b"x", "run": b"\0" * 300000, "pair": b"ab" * 70000,
         "text": b" ".join(random.choice([b"the", b"layout", b"of", b"strides", b"0123"]) for _ in range(30000)),
         "noise": random.randbytes(100000), "few": bytes(random.choice(b"\0\1\7") for _ in range(50000)),
         "skew": bytes(min(int(random.expovariate(0.05)), 255) for _ in range(80000)),
         "far": (block := random.randbytes(32768)) + block[:500] + random.randbytes(30000) + block}
strategies = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE]
plain = zipfile._get_compressor
for level in (1, 6, 9, 0):
    for strategy in strategies if level == 6 else strategies[:1]:
        zipfile._get_compressor = lambda *_: Chosen(level, strategy)
        with zipfile.ZipFile("in.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, raw in kinds.items():
                archive.writestr(name + ".npy", npy(raw))
        for name, raw in kinds.items():
            check(f"deflated {name}, level {level}, strategy {strategy}", elements("in.npz", name) == raw)
zipfile._get_compressor = plain

# Forms of archives: zip64 where nothing needs it, a stream's, with a comment; stored and deflated ones together.
for name, deflated in ("stored", False), ("mixed", True):
    with zipfile.ZipFile(f"{name}.npz", "w") as archive:
        archive.comment = b"PK\5\6 is how a record begins"
        for key, raw in kinds.items():
            way = zipfile.ZIP_DEFLATED if deflated and len(key) % 2 else zipfile.ZIP_STORED
            info = zipfile.ZipInfo(f"{key}/w.npy")
            info.compress_type = way
            with archive.open(info, "w", force_zip64=True) as member:
                member.write(npy(raw))
        archive.writestr("readme", "words")
    check(f"{name}: listed", run("show", f"{name}.npz").stdout.count("\n") == len(kinds) + 2)
    for key, raw in kinds.items():
        check(f"{name} {key}", elements(f"{name}.npz", f"{key}/w") == raw)
done = run("relayout", "stored.npz", "no.npy", "--tensor", "readme")
check("a member that is no array", done.returncode == 1 and 'tensor "readme" has the unknown type file' in done.stderr)
done = run("relayout", "stored.npz", "out.safetensors", "--tensor", "*/w", "--only", "--cast", "f16", "--verify")
check("into tensors", done.returncode == 0 and f"{sum(map(len, kinds.values()))} elements of {len(kinds)}" in done.stdout)
with open("directory.npz", "wb") as file:  # a hole of 256 MiB and a byte, which its record calls the directory
    file.truncate((1 << 28) + 1)
    file.seek((1 << 28) + 1)
    file.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, (1 << 28) + 1, 0, 0))
check("a directory beyond its limit", "has 268435457 bytes, at most 268435456 are read" in run("show", "directory.npz").stderr)
os.remove("directory.npz")
with zipfile.ZipFile("bz.npz", "w", zipfile.ZIP_BZIP2) as archive:
    archive.writestr("w.npy", npy(b"abc"))
check("bzip2", "packed by the method 12 (bzip2)" in run("show", "bz.npz").stderr)
os.mkfifo("pipe.npz")
feeder = subprocess.Popen("cat stored.npz >pipe.npz 2>/dev/null", shell=True)
check("a stream", "which a stream does not show" in run("show", "pipe.npz").stderr)
feeder.wait()

# Archives that tessera writes: stored, aligned, and what zipfile and NumPy read.
done = run("relayout", "mixed.npz", "out.npz", "--tensor", "*/w", "--only", "--verify")
check("an archive is written", done.returncode == 0 and f"of {len(kinds)} tensors" in done.stdout)
with zipfile.ZipFile("out.npz") as archive, open("out.npz", "rb") as file:
    whole = file.read()
    check("each sum is right", archive.testzip() is None and len(archive.infolist()) == len(kinds))
    for info in archive.infolist():
        raw = archive.read(info)
        begin = 10 + struct.unpack_from("<H", raw, 8)[0]
        place = info.header_offset + 30 + sum(struct.unpack_from("<HH", whole, info.header_offset + 26))
        check(f"{info.filename}: stored, aligned", info.compress_type == 0 and (place + begin) % 64 == 0
              and raw[begin:] == kinds[info.filename[:-6]])
done = run("relayout", "out.npz", "again.npz", "--memory", "4096", "--verify")
with open("out.npz", "rb") as a, open("again.npz", "rb") as b:
    check("the same again", done.returncode == 0 and a.read() == b.read())
header = json.dumps({f"t{i}": {"dtype": "U8", "shape": [1], "data_offsets": [i, i + 1]} for i in range(65536)}).encode()
with open("many.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + bytes(65536))
done = run("relayout", "many.safetensors", "many.npz", "--verify")
with zipfile.ZipFile("many.npz") as archive:
    check("65,536 members, by zip64", done.returncode == 0 and len(archive.infolist()) == 65536)
for kind, words in ("BF16", "NumPy has no name for bf16"), ("F8_E5M2", "NumPy has no name for f8_e5m2"):
    header = json.dumps({"w": {"dtype": kind, "shape": [0], "data_offsets": [0, 0]}}).encode()
    with open("in.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
    done = run("relayout", "in.safetensors", "no.npz")
    check(f"{kind} is refused", done.returncode == 1 and words in done.stderr and not os.path.exists("no.npz"))

if np is None:
    print("skipped: no NumPy, its archives are not tried")
else:
    arrays = {"a": np.arange(24, dtype="i2").reshape(2, 3, 4), "f": np.asfortranarray(np.arange(24.0).reshape(4, 6)),
              "big": np.arange(6, dtype=">i4").reshape(3, 2), "none": np.zeros((0, 3), "f4"), "scalar": np.array(2.5),
              "big_f": np.asfortranarray(np.arange(6, dtype=">c16").reshape(3, 2)), "text": np.array(["ab", "c"])}
    for save in np.savez, np.savez_compressed:
        save("in.npz", **arrays)
        for name, array in arrays.items():
            done = run("relayout", "in.npz", "out.npy", "--tensor", name, "--verify")
            if name == "text":
                check("texts", done.returncode == 1 and "unknown type <U2" in done.stderr)
                continue
            back = np.load("out.npy")
            done = run("relayout", "in.npz", "out.npz", "--only", "--tensor", name, "--verify")
            with np.load("out.npz") as archive:
                check(f"written {name}", archive.files == [name] and archive[name].shape == array.shape
                      and np.array_equal(archive[name], array))
            check(f"{save.__name__} {name}", done.returncode == 0 and back.shape == array.shape
                  and back.dtype == array.dtype.newbyteorder("=") and np.array_equal(back, array))

end()
