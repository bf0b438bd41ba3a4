"""Files of tensors read by Python's own json and struct: what tessera writes is what the format demands; the memory that a
large file takes is bounded; a quick relayout says nothing on a terminal.

usage: model_test.py TESSERA
"""
import json
import os
import pty
import resource
import struct
import subprocess
import sys
import tempfile

tessera = sys.argv[1]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
passed = failed = 0


def check(what, ok):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("failed:", what)


def write(path, tensors, metadata):
    header, data = {"__metadata__": metadata} if metadata else {}, b""
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read(path):
    """The tensors and the metadata; checks all that the format demands."""
    sizes = {"F32": 4, "F64": 8, "I64": 8, "BF16": 2, "F16": 2, "U8": 1, "BOOL": 1}
    with open(path, "rb") as file:
        whole = file.read()
    length, = struct.unpack_from("<Q", whole)
    text, data = whole[8:8 + length].decode(), whole[8 + length:]
    check("the header begins with a brace and is padded with spaces to 8 bytes",
          text[0] == "{" and text.rstrip(" ")[-1] == "}" and length % 8 == 0)
    pairs = json.loads(text, object_pairs_hook=lambda items: items)
    names = [name for name, _ in pairs]
    check("each name stands once, the metadata first", len(set(names)) == len(names) and "__metadata__" not in names[1:])
    header, reached, order = json.loads(text), 0, []
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        size = sizes[tensor["dtype"]]
        count = 1
        for extent in tensor["shape"]:
            count *= extent
        check(f"{name}: no gap, aligned, as large as its shape",
              begin == reached and begin % size == 0 and end - begin == count * size)
        reached = end
        order.append((-size, name.encode()))
        tensors[name] = (tensor["dtype"], tensor["shape"], data[begin:end])
    check("sorted by size, then by name", order == sorted(order))
    check("nothing follows", reached == len(data))
    return tensors, metadata


def floats(n):
    return struct.pack(f"<{n}f", *range(n))


def relayout(*arguments):
    return subprocess.run([tessera, "relayout", *arguments], capture_output=True, text=True)


model = {"z.bias": ("F32", [3], floats(3)), "flag": ("BOOL", [1], b"\1"), "a.weight": ("F32", [2, 3], floats(6)),
         "b.weight": ("F32", [3, 2], floats(6)), "ids": ("I64", [2], struct.pack("<2q", -1, 1 << 40)),
         "caf\u00e9 \"\\\n\U0001f600": ("U8", [0], b""), "scalar": ("F64", [], struct.pack("<d", 0.1))}
notes = {"format": "pt", "quote \" \\ \u0007": "\u00fc\U0001f680/"}
write("in.safetensors", model, notes)
for options in [], ["--only", "--tensor", "*"], ["--memory", "64"]:
    done = relayout("in.safetensors", "out.safetensors", "--verify", *options)
    check(f"a copy {options}", done.returncode == 0 and read("out.safetensors") == (model, notes))
done = relayout("in.safetensors", "out.safetensors", "--tensor", "*.weight", "--permute", "1,0", "--cast", "bf16", "--verify")
changed = dict(model)
for name, rows, columns in ("a.weight", 2, 3), ("b.weight", 3, 2):
    values = [float(i * columns + k) for k in range(columns) for i in range(rows)]
    changed[name] = ("BF16", [columns, rows], b"".join(struct.pack("<f", x)[2:] for x in values))
check("some tensors permuted and cast", done.returncode == 0 and read("out.safetensors") == (changed, notes))
write("empty.safetensors", {}, {})
done = relayout("empty.safetensors", "out.safetensors")
check("no tensors", done.returncode == 0 and read("out.safetensors") == ({}, {}))

# A file of many times the memory that is allowed: 64 MB, permuted by 4.
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 4096), }".ljust(117) + "\n"
with open("large.npy", "wb") as file:
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
    file.truncate(128 + (64 << 20))


def peak(*arguments):
    """The most memory of a run, in MB; of a child of its own, that this process does not count."""
    if os.fork() == 0:
        done = subprocess.run([tessera, "relayout", *arguments], stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        os._exit(255 if done.returncode else min(used, 254))
    return os.waitstatus_to_exitcode(os.wait()[1])


if "sanitized" not in tessera:  # which has memory of its own
    for options in [], ["--tile", "64,64"], ["--cast", "f16"]:
        check(f"bounded memory {options}", peak("large.npy", "out.npy", "--memory", "8M", *options) <= 40)
    check("bounded memory, permuted", peak("large.npy", "out.npy", "--memory", "2M", "--permute", "1,0") <= 64)

child, terminal = pty.fork()
if child == 0:
    os.execv(tessera, [tessera, "relayout", "in.safetensors", "out.safetensors"])
said = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
os.waitpid(child, 0)
check("a quick relayout shows no meter on a terminal", b"MB" not in said and b"7 tensors, 0 changed" in said)
done = relayout("large.npy", "out.npy", "--progress", "--cast", "f64")
check("the meter on request", "MB copied in" in done.stderr and done.returncode == 0)

os.chdir("/")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
