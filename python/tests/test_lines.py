"""Lines that people of NumPy type, each by NumPy and by tessera: the same shape, numbers and type, or both refuse it."""

import sys
import unittest
import warnings

import tessera as t

try:
    import numpy as np
except ImportError:
    print("this Python has no NumPy, its lines are not tried")
    sys.exit(77)

# What comes behind the last semicolon is compared; X is numpy or tessera.
LINES = """
z[()]
z[0]
z+1
z*z
m.sum(axis=())
m.sum(axis=(0,))
m.max(axis=None)
m[-3]
m[:,-1:]
m[::0]
m[10:0:-1]
m[::-1]
m[-1:-3:-1]
w[0,:,1]
w[...,0]
w[0,...,-1]
w[1][2][3]
w[:,1:,::3]
w.T.shape
w.transpose(2,0,1)
w.transpose((1,0,2))
w.reshape(6,4)
w.reshape(-1,2)
w.reshape(2,-1,2)
w.sum(axis=(0,2))
w.sum(axis=1,keepdims=True)
w.sum(axis=-4)
w.min(axis=(-1,-2))
w.sum(axis=(0,0))
X.einsum("i,i",v,v)
X.einsum("ij->ji",m)
X.einsum("...i->...",w)
X.einsum("ii",a)
X.einsum("ij,kj->ik",a,a)
X.einsum("ij,jk->ik",m,a)
X.einsum("i,j->ij",v,u)
X.einsum("ij,ij->",m,m)
X.einsum("ij,ij",m,m[::-1])
X.einsum("ij,ij->",m[:,::-1],m[:,::-1])
X.einsum("ij,ji->",a,a)
X.einsum("ijk,ijk->",w,w)
X.einsum("ijk,ijk->",w,w[::-1])
X.einsum("ijk,ijk->i",w,w)
X.einsum("ijk,ijk->jk",w,w)
X.einsum("ijk,ljk->il",w,w)
X.einsum("ijk,ljk->li",w,w[:,::-1])
X.einsum("ijk,kl->ijl",w,w[0].T)
X.einsum("ijk,kl->jil",w,w[0].T)
X.einsum("ijk,jk->i",w[:,1:],w[1,1:])
X.einsum("ijk,ijk->",w[:1],w[:1])
X.matmul(w, w.transpose(0,2,1))
X.matmul(a,v)
X.matmul(m,a)
w @ w.transpose(0,2,1)
v @ v
m @ np.ones(3)
u + u
u * u
u + 5
u - 1
u + 300
u * 1.5
u + m
b + b
b * b
b.sum()
u.sum()
c.sum()
c * 2
c + 1
c @ c
a + c
m + v
m - 1.5
m * True
-m
-u
-b
+m
1 - m
2.5 * a
a * 2
a + 1e40
X.add(m, 1)
X.subtract(m, [1,2,3])
X.multiply([[1],[2]], m)
X.negative(v)
m / 2
m / m[::-1]
2 / m
a / 2
1 / a
a / a.T
m / a[:1,:1]
u / 7
b / 2
X.divide(m, [1,2,4])
X.divide(m, m, out=m)
X.maximum(m, m[::-1])
X.maximum(u, 7)
X.minimum(a, a.T)
X.minimum(m, 2.5)
X.maximum(m[0], u)
X.minimum(v, m[:,:1])
X.maximum(b, b[::-1])
v[0]=float('nan'); X.maximum(v, v[::-1])
v[0]=float('nan'); X.minimum(v[::-1], v)
a/=2; a
a/=a.T; a
v/=m[0,1]; v
v[1:]/=v[:-1]; v
m/=2; m
u/=2; u
m.astype(bool)
np.array([1e10]).astype("float32")
m[0]=9; m
m[:,1]=[7,8]; m
m[...]=0; m
m[0,0]=2.9; m
m[::-1]=m; m
a[:]=a.T; a
a[0]=a[:,1]; a
a+=a.T; a
a-=a[::-1]; a
a*=a.T; a
v[1:]=v[:-1]; v
v[1:]+=v[:-1]; v
v*=2; v
v+=1j; v
m+=0.5; m
m*=2; m
u+=m[0]; u
u+=1; u
c*=c; c
v[0]=float('nan'); v
v[:]=[1,2]; v
v[9]=1; v
w[0]=w[1]*2; w
b[0]=False; b
u[0]=300; u
u[0]=-1; u
u[:]=-1; u
X.add(a,a,out=a)
X.add(a,a,out=a.T)
X.matmul(a,a,out=a)
X.multiply(a,a,out=a[::-1])
X.add(v[1:],v[:-1],out=v[1:])
X.add(m,0.5,out=m)
X.add(v,1,out=m)
len(w), len(v)
[x for x in v]
[r.sum() for r in m]
list(reversed(v))
3 in m
99 in m
bool(z)
bool(m)
int(z), float(z)
int(v)
f"{z:>4}"
v.tolist()
w.item()
z.item()
w.ndim, w.size, w.shape, w.nbytes, w.itemsize
np.exp(v)
np.sum(w,axis=1)
np.concatenate([v,v])
np.asarray(m).dtype
np.asarray(m[::-1,::-1])
np.array(w[:,1])
np.linalg.inv(a)
np.mean(v)
np.dot(v,v)
np.maximum(m,3)
np.where(np.asarray(m)>3,m,0)
np.add(m,1)
np.add.reduce(m)
np.allclose(a,a)
np.isnan(v)
np.median(v)
np.sort(v[::-1])
np.unique(m)
np.transpose(m)
np.split(v,2)
np.isclose(a, a+1e-9)
np.tensordot(a,a)
np.ravel(m)
np.shape(m), np.ndim(m), np.size(m)
np.full_like(m, 3)
np.ones_like(a).dtype
np.broadcast_to(v,(2,4))
np.vstack([m,m]).shape
np.array_equal(m,m)
v.astype("int32")
(-v).astype("int8")
a.astype("float16")
c.astype("complex128")
v.astype(np.uint8)
"""

# Where tessera differs, as docs/python.md says: a number that does not fit is refused; names of types count bits.
DIFFERENT = {"u + 300", "u[0]=300; u", "u[0]=-1; u", "u[:]=-1; u", "a + 1e40"}


def arrays():
    return {"m": np.arange(1, 7).reshape(2, 3), "a": np.array([[1, 2], [3, 4]], "f4"), "v": np.arange(1.0, 5), "z": np.array(5),
            "u": np.array([250, 3, 7], "u1"), "c": np.array([1 + 2j, 3 - 1j], "c8"), "b": np.array([True, False, True]),
            "w": np.arange(24.0).reshape(2, 3, 4)}


def answer(line, names):
    """(True, the value of a line), or (False, why it is refused)."""
    *before, last = line.split(";")
    try:
        exec(";".join(before).strip(), names)
        return True, eval(last.strip(), names)
    except Exception as error:
        return False, error


class Lines(unittest.TestCase):
    def assert_same(self, ours, numpys):
        if isinstance(numpys, (list, tuple)):
            self.assertEqual(len(ours), len(numpys))
            for pair in zip(ours, numpys):
                self.assert_same(*pair)
        elif isinstance(numpys, (np.ndarray, np.generic)):
            if isinstance(ours, t.Tensor):
                self.assertEqual(np.asarray(ours).dtype, numpys.dtype)
            np.testing.assert_array_equal(np.asarray(ours), numpys)
            self.assertEqual(np.shape(ours), np.shape(numpys))
        else:
            self.assertEqual(ours, numpys)

    def test_each(self):
        for line in LINES.strip().splitlines():
            numpys = answer(line, {**arrays(), "np": np, "X": np})
            ours = answer(line, {**{name: t.tensor(x) for name, x in arrays().items()}, "np": np, "X": t})
            with self.subTest(line, ours=ours[1], numpys=numpys[1]), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if line in DIFFERENT:
                    continue
                self.assertEqual(ours[0], numpys[0])
                if ours[0]:
                    self.assert_same(ours[1], numpys[1])


if __name__ == "__main__":
    unittest.main()
