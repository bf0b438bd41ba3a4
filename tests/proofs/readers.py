"""The readers of files (src/io): what a header announces is never read outside of what is there."""
import z3

from c_eval import Program
from c_run import Bytes, Cell, Struct
from c_text import Source

NPY, SAFETENSORS, GGUF, FILES = ("src/io/%s.c" % name for name in ("npy", "safetensors", "gguf", "file"))


def refuse(m, *_):
    return m.of_truth(z3.BoolVal(False))


def compare(m, a, b, n):
    """memcmp reads n bytes of both, and may say anything."""
    for x in (a, b):
        if isinstance(x, Bytes):
            m.must(z3.ULE(m.widen(n, 64, False).bits, x.size), "memcmp outside of the array")
    return m.symbol("compared", "int")


def npy_prefix():
    """read_prefix: true means that the header lies in the file, and is at most so long."""
    source = Source(NPY)

    def path(m):
        size, array = m.symbol("size", "uint64_t"), Struct(major=m.number(0, "uint8_t"), minor=m.number(0, "uint8_t"))
        begin, length = Cell(m.number(0, "uint64_t"), "uint64_t"), Cell(m.number(0, "uint64_t"), "uint64_t")
        answer = m.truth(m.call("read_prefix", Bytes("file", size.bits), size, array, begin, length, None))
        b, n = begin.value.bits, length.value.bits
        m.must(z3.Implies(answer, z3.And(z3.ULE(b, size.bits), z3.ULE(n, size.bits - b), z3.ULE(n, 1 << 20))), "the header")
    return Program([source], {"tsr_io_fail_": refuse, "memcmp": compare}, {"magic": lambda: None}), path


def safetensors_length():
    def path(m):
        size, length = m.symbol("size", "uint64_t"), Cell(m.number(0, "uint64_t"), "uint64_t")
        answer = m.truth(m.call("read_length", Bytes("file", size.bits), size, length, None))
        n = length.value.bits
        m.must(z3.Implies(answer, z3.And(z3.UGE(size.bits, 8), z3.ULE(n, size.bits - 8), n != 0, z3.ULE(n, 100000000))),
               "the header")
    return Program([Source(SAFETENSORS), Source("src/io/model.h")], {"tsr_io_fail_": refuse}), path


def product(m, a, b, r):
    """tsr_mul64 by its law, which arithmetic.py proves."""
    b = m.convert(b, "int64_t")
    fits = z3.And(z3.BVMulNoOverflow(a.bits, b.bits, True), z3.BVMulNoUnderflow(a.bits, b.bits), a.bits * b.bits != 1 << 63)
    if not m.decide(fits):
        return m.of_truth(z3.BoolVal(False))
    r.value.bits = a.bits * b.bits
    return m.of_truth(z3.BoolVal(True))


def safetensors_offsets():
    """check_size: true means that the bytes of a tensor lie in those of the file, and are those of its elements."""
    def path(m):
        begin, end, there = (m.symbol(n, "uint64_t") for n in ("begin", "end", "there"))
        elements, bits = m.symbol("elements"), m.symbol("type_bits", "int")
        m.assume(z3.And(elements.bits >= 0, bits.bits >= 1, bits.bits <= 128))
        tensor = Struct(begin=begin, end=end, elements=elements, type=None, name=None)
        answer = m.truth(m.call("check_size", tensor, there, None))
        held = z3.And(z3.ULE(begin.bits, end.bits), z3.ULE(end.bits, there.bits))
        m.must(z3.Implies(answer, held), "the bytes of a tensor")
        if m.decide(answer):
            m.must(8 * (end.bits - begin.bits) == elements.bits * z3.SignExt(32, bits.bits), "as many bytes as elements")
    stubs = {"tsr_io_fail_": refuse, "tsr_mul64": product, "tsr_dtype_bits": lambda m, _: m.symbol("type_bits", "int")}
    return Program([Source(SAFETENSORS)], stubs), path


def gguf_machine():
    def fetch(m, source, n, _):
        """tsr_io_head_: it may fail; else there are n bytes, or all of the file, and never less than before."""
        if m.decide(z3.FreshConst(z3.BoolSort())):
            return refuse(m)
        held = z3.FreshConst(z3.BitVecSort(64))
        m.assume(z3.And(z3.UGE(held, source.held.bits), z3.ULT(held, 1 << 62)))
        source.held.bits, source.head.size = held, held
        return m.of_truth(z3.BoolVal(True))
    stubs = {"tsr_io_fail_": refuse, "tsr_io_head_": fetch}
    return Program([Source(GGUF)], stubs)


def gguf_take():
    """take: true means that the n bytes lie in what was read, and the place stays in the longest header."""
    def path(m):
        at, n, held = (m.symbol(x, "uint64_t") for x in ("at", "n", "held"))
        m.assume(z3.And(z3.ULE(at.bits, held.bits), z3.ULE(at.bits, 1 << 30), z3.ULT(held.bits, 1 << 62)))
        cursor, bytes_ = Struct(source=Struct(held=held, head=m.number(0, "uint64_t")), at=at, error=None), Cell(None, "uint64_t")
        before = at.bits
        answer = m.truth(m.call("take", cursor, n, None, bytes_))
        if not m.decide(answer):
            return
        now = cursor.source.held.bits
        m.must(bytes_.value.bits == before, "the bytes begin at the place")
        m.must(z3.And(z3.ULE(before, now), z3.ULE(n.bits, now - before)), "the bytes are there")
        m.must(z3.And(cursor.at.bits == before + n.bits, z3.ULE(cursor.at.bits, 1 << 30)), "the next place")
    return gguf_machine(), path


def peek():
    """tsr_io_peek_ of a file in memory copies from inside of it."""
    def copied(m, to, begin, n):
        m.must(z3.And(z3.ULE(begin.bits, m.symbol("size", "uint64_t").bits),
                      z3.ULE(n.bits, m.symbol("size", "uint64_t").bits - begin.bits)), "memcpy outside of the file")

    def path(m):
        size, at, n = (m.symbol(x, "uint64_t") for x in ("size", "at", "n"))
        source = Struct(size=size, handle=m.symbol("handle", "int"), memory=m.number(0, "uint64_t"))
        m.call("tsr_io_peek_", source, at, None, n)
    stubs = {"memcpy": copied, "pread": lambda m, *_: m.symbol("read")}
    return Program([Source(FILES)], stubs, {"IO_UNKNOWN": (1 << 64) - 1}), path


PROOFS = [
    ("npy: a header that is taken lies in the file, in 1 MiB", "all sizes and bytes", NPY, npy_prefix,
     "*length > size - *begin)", "*length > size)"),
    ("safetensors: a header that is taken lies in the file, in 100 MB", "all sizes and bytes", SAFETENSORS, safetensors_length,
     "*length > size - 8", "*length + 8 > size + 1"),
    ("safetensors: a tensor lies in the bytes, and has as many as its elements", "all offsets and elements", SAFETENSORS,
     safetensors_offsets, "t->end > there", "t->begin > there"),
    ("gguf: a part of the header lies in what was read, in 1 GiB", "all lengths and places", GGUF, gguf_take,
     "n > c->source->held - c->at", "n > c->source->held"),
    ("a peek into a file in memory stays in it", "all sizes and places", FILES, peek,
     "bytes > source->size - at", "at + bytes > source->size"),
]
