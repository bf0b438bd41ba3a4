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

from tried import check, end, run, tessera


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

# What commands a terminal is printed as an escape, by every command that prints a name, a path or a line.
hidden = [*range(1, 0x20), *range(0x7f, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)]


def is_plain(text):
    return not set(text.replace("\n", "")) & set(map(chr, hidden))


def check_plain(what, *arguments, text=None):
    done = subprocess.run([tessera, *arguments], capture_output=True, input=text.encode() if text else None)
    try:
        ok = is_plain(done.stdout.decode()) and is_plain(done.stderr.decode())
    except UnicodeDecodeError:
        ok = False
    check(f"only what may be printed: {what} {arguments}", ok)


for first in range(0, len(hidden), 16):
    some = "".join(map(chr, hidden[first:first + 16]))
    name = "a" + some
    write("names.safetensors", {name: ("F32", [2], floats(2)), name + "0": ("F32", [0], b"")}, {name: name})
    path = "p" + some.replace("/", "") + ".safetensors"
    os.rename("names.safetensors", path)
    check_plain("show", "show", path)
    check_plain("a copy", "relayout", path, "out.safetensors", "--verify")
    check_plain("a change", "relayout", path, "o" + path, "--tensor", name, "--cast", "f64", "--verify", "--plan")
    check_plain("an array", "relayout", path, path + ".npy", "--tensor", name)
    check_plain("show", "show", path + ".npy")
    check_plain("a refusal", "relayout", path, "out.safetensors", "--tensor", name + "0", "--cast", "f64")
    check_plain("no such tensor", "relayout", path, "out.npy", "--tensor", "b" + some)
    os.truncate(path, os.path.getsize(path) - 1)
    check_plain("a broken file", "show", path)
    write(path, {name: ("X" + some, [2], floats(2))}, {})
    check_plain("an unknown type", "show", path)
    with open(path, "w") as file:
        file.write("#" + some.replace("\n", "") + "\n4:1" + some)
    for command in ["run", "fit"]:
        check_plain("a script", command, path)
    for command in ["eval", "explain", "show", "ops", "help", "tma", "fit", "run", "swizzle", "--" + some, some]:
        check_plain("an argument", command, "4:1 " + some)
    for option in ["--label", "--panel", "--format", "--type"]:
        check_plain("an option", "show", option, some, "4:1")
    check_plain("standard input", "eval", "-", text="4:1" + some)
    check_plain("a dictionary", "eval", "size(" + some)
    for left in [path, path + ".npy", "o" + path]:
        if os.path.exists(left):
            os.remove(left)
long_name = "x" + 40 * "\u00e9"
write("long.safetensors", {long_name: ("F32", [0], b"")}, {})
check_plain("a name that is cut", "relayout", "long.safetensors", "out.npy", "--tensor", "*")

# Names with commas; the same key twice.
write("comma.safetensors", {"a": ("U8", [1], b"\1"), "b": ("U8", [1], b"\2"), "a,b": ("U8", [1], b"\3")}, {})
for chosen, last in [("a,b", 3), ("a?b", 3), ("[a],b", None), ("a", 1)]:
    done = relayout("comma.safetensors", "comma.npy", "--tensor", chosen)
    check(f"--tensor {chosen}", done.returncode == (last is None) and (last is None or open("comma.npy", "rb").read()[-1] == last))
header = b'{"__metadata__":{"k":"1","k":"2"},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
with open("twice.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + b"\1")
for arguments in ["show", "twice.safetensors"], ["relayout", "twice.safetensors", "out.safetensors"]:
    done = subprocess.run([tessera, *arguments], capture_output=True, text=True)
    check(f"a key twice: {arguments}",
          done.returncode == 1 and 'twice.safetensors: the header has the key "k" twice' in done.stderr)

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


def on_terminal(*arguments):
    """What a run says on a terminal; OSError where the system has none."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(tessera, [tessera, *arguments])
    said = b""
    try:
        while part := os.read(terminal, 4096):
            said += part
    except OSError:  # the other end is closed
        pass
    os.waitpid(child, 0)
    return said


try:
    said = on_terminal("relayout", "in.safetensors", "out.safetensors")
    check("a quick relayout shows no meter on a terminal", b"MB" not in said and b"7 tensors, 0 changed" in said)
except OSError:
    print("skipped: no terminals, a run is not tried on one")
done = relayout("large.npy", "out.npy", "--progress", "--cast", "f64")
check("the meter on request", "MB copied in" in done.stderr and done.returncode == 0)

end()
