"""What `tessera relayout` wrote, read by NumPy and compared with NumPy's own answer."""
import sys

import numpy as np

waves = np.load("waves.npy")
rows, columns = waves.shape
grid = (-(-rows // 8), -(-columns // 8))
padded = np.zeros((grid[0] * 8, grid[1] * 8), waves.dtype)
padded[:rows, :columns] = waves
bits = waves.view(np.uint32)
rounded = ((bits + np.uint32(0x7fff) + (bits >> 16 & 1)) >> 16).astype(np.uint16)

expected = {
    "tiled.npy": padded.reshape(grid[0], 8, grid[1], 8).transpose(0, 2, 1, 3),
    "permuted.npy": waves.T,
    "bf16.npy": rounded,
}
agree = True
print("%-14s %-10s %-14s %s" % ("file", "dtype", "shape", "what NumPy computes"))
for name, answer in expected.items():
    array = np.load(name)
    values = array.view(np.uint16) if array.dtype.kind == "V" else array
    same = values.shape == answer.shape and bool((values == answer).all())
    agree = agree and same
    print("%-14s %-10s %-14s %s" % (name, array.dtype.str, "x".join(map(str, array.shape)), "the same" if same else "differs"))
sys.exit(not agree)
