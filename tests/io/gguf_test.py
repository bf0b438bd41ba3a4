"""GGUF that tessera writes, read by a small reader of its own: types, extents, alignment, keys, every byte.

usage: gguf_test.py TESSERA
"""
import json
import math
import os
import random
import struct

from tried import check, end, run

random.seed(1)
numbers = {"F32": (0, 4), "F16": (1, 2), "BF16": (30, 2), "F64": (28, 8), "I8": (24, 1), "I16": (25, 2), "I32": (26, 4),
           "I64": (27, 8)}


def text(words):
    return struct.pack("<Q", len(words.encode())) + words.encode()


class Reader:
    """Keys as raw bytes by name, tensors as (type, extents, bytes)."""
    def __init__(self, path):
        with open(path, "rb") as file:
            self.raw, self.at = file.read(), 0
        magic, version, count, keys = self.take("<4sIQQ")
        check(f"{path}: begins as GGUF 3", (magic, version) == (b"GGUF", 3))
        self.keys, alignment = {}, 32
        for _ in range(keys):
            name, begin = self.string(), self.at
            value = self.value(*self.take("<I"))
            self.keys[name] = self.raw[begin:self.at]
            alignment = value if name == "general.alignment" else alignment
        rows = []
        for _ in range(count):
            name, (rank,) = self.string(), self.take("<I")
            rows.append((name, self.take(f"<{rank}Q")[::-1], *self.take("<IQ")))
        data = -(-self.at // alignment) * alignment
        check(f"{path}: zeros bring the data to the alignment", not any(self.raw[self.at:data]))
        sizes = dict(numbers.values())
        self.tensors, reached = {}, 0
        for name, shape, kind, offset in rows:
            size = math.prod(shape) * sizes[kind] if kind in sizes else math.prod(shape) // 32 * 34
            check(f"{path}: {name} lies behind the one before, aligned", offset == reached)
            self.tensors[name] = kind, shape, self.raw[data + offset:data + offset + size]
            reached = -(-(offset + size) // alignment) * alignment
            check(f"{path}: zeros behind {name}", not any(self.raw[data + offset + size:data + reached]))
        check(f"{path}: nothing follows, and the last padding is there", len(self.raw) == data + reached or not rows)

    def take(self, form):
        values = struct.unpack_from(form, self.raw, self.at)
        self.at += struct.calcsize(form)
        return values

    def string(self):
        n, = self.take("<Q")
        self.at += n
        return self.raw[self.at - n:self.at].decode()

    def value(self, kind):
        if kind == 8:
            return self.string()
        if kind == 9:
            inner, n = self.take("<IQ")
            return [self.value(inner) for _ in range(n)]
        return self.take("<" + "BbHhIif?"[kind] if kind < 8 else "<" + "QqD"[kind - 10].lower())[0]


# A whole model of safetensors: all tensors, names and metadata.
tensors = {}
for i in range(40):
    kind = random.choice(list(numbers))
    shape = [random.choice([0, 1, 2, 3, 5, 33]) if random.random() < 0.9 else 64 for _ in range(random.randint(0, 4))]
    tensors[f"model.layers.{i}.\u00fc.weight"] = kind, shape, random.randbytes(math.prod(shape) * numbers[kind][1])
notes = {"format": "pt", "general.name": "\u00fc \" \\"}
header, data = {"__metadata__": notes}, b""
for name, (kind, shape, raw) in tensors.items():
    header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
line = json.dumps(header).encode()
with open("in.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(line)) + line + data)
done = run("relayout", "in.safetensors", "out.gguf", "--verify")
check("a model becomes GGUF", done.returncode == 0 and "40 tensors, 0 changed" in done.stdout)
got = Reader("out.gguf")
check("all tensors, byte by byte", got.tensors == {name: (numbers[kind][0], tuple(shape), raw)
                                                   for name, (kind, shape, raw) in tensors.items()})
check("metadata are strings", got.keys == {key: struct.pack("<I", 8) + text(value) for key, value in notes.items()})
for options in [], ["--memory", "64"]:
    done = run("relayout", "out.gguf", "back.safetensors", "--verify", *options)
    again = run("relayout", "back.safetensors", "again.gguf")
    check("and back", done.returncode == 0 and again.returncode == 0 and Reader("again.gguf").tensors == got.tensors)
done = run("relayout", "in.safetensors", "out.gguf", "--tensor", "*.1?.*", "--cast", "f16", "--only", "--verify")
check("some, converted", done.returncode == 0 and all(kind == 1 for kind, _, _ in Reader("out.gguf").tensors.values()))
check("the order of the input", [name for name, t in got.tensors.items() if t[2]] == [name for name, t in tensors.items() if t[2]])

# GGUF to GGUF: the keys with their types and arrays, tensors of blocks and of unknown types, another alignment.
keys = {"general.alignment": struct.pack("<II", 4, 64), "general.architecture": struct.pack("<I", 8) + text("llama"),
        "tokens": struct.pack("<IIQ", 9, 8, 2) + text("a") + text("\u00fc"), "eps": struct.pack("<If", 6, 1e-5),
        "list": struct.pack("<IIQ3q", 9, 11, 3, 1, -2, 3), "flag": struct.pack("<I?", 7, True), "n": struct.pack("<IQ", 10, 1 << 40)}
rows = [("w", (3, 2), 0, 24), ("q", (2, 32), 8, 68), ("b", (5,), 30, 10), ("late", (7,), 24, 7)]
raw, blobs, offset = b"GGUF" + struct.pack("<IQQ", 3, len(rows), len(keys)), b"", 0
raw += b"".join(text(key) + value for key, value in keys.items())
for name, shape, kind, size in rows:
    raw += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1], kind, len(blobs))
    blob = random.randbytes(size)
    blobs += blob + b"\0" * (-size % 64)
with open("in.gguf", "wb") as file:
    file.write(raw + b"\0" * (-len(raw) % 64) + blobs)
done = run("relayout", "in.gguf", "same.gguf", "--verify")
with open("in.gguf", "rb") as a, open("same.gguf", "rb") as b:
    check("a file becomes itself", done.returncode == 0 and a.read() == b.read())
done = run("relayout", "in.gguf", "out.gguf", "--tensor", "w", "--permute", "1,0", "--cast", "f16", "--verify")
old, new = Reader("in.gguf"), Reader("out.gguf")
floats = struct.unpack("<6f", old.tensors["w"][2])
check("one changes, the others and all keys stay", done.returncode == 0 and new.keys == old.keys == keys
      and all(new.tensors[name] == old.tensors[name] for name in ("q", "b", "late"))
      and new.tensors["w"][:2] == (1, (2, 3)))
done = run("relayout", "in.gguf", "w.npy", "--tensor", "w", "--permute", "1,0", "--cast", "f16")
with open("w.npy", "rb") as file:
    check("as an array would", file.read()[-12:] == new.tensors["w"][2])

for name, words in [("in.zip", "which format?"), ("no.gguf", "GGUF has no elements of u8")]:
    header = {"w": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}
    line = json.dumps(header).encode()
    with open("u8.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(line)) + line + b"\1")
    done = run("relayout", "u8.safetensors", name)
    check(f"{name} is refused", done.returncode in (1, 2) and words in done.stderr and not os.path.exists(name))
check("the tensor converted", run("relayout", "u8.safetensors", "yes.gguf", "--cast", "i16").returncode == 0
      and Reader("yes.gguf").tensors == {"w": (25, (1,), b"\1\0")})

end()
