"""Workers that are forked beside threads: they move and compute what is large, by one thread each."""

import array
import multiprocessing
import os
import unittest

import tessera as t

N = 1200
SECONDS = 60


def work(_=None):
    """A copy and a product that take threads where they may be had."""
    x = t.tensor(array.array("f", (i % 17 for i in range(N * N))), f"({N},{N}):(1,{N})")
    turned, product = t.empty(f"({N},{N}):({N},1)"), t.empty((N, N))
    t.copy(x, turned)
    t.gemm(x, x, product)
    return turned[3, 5], product[3, 5], sum(product[i, i] for i in range(N))


def work_and_fork(_=None):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply_async(work).get(SECONDS)


def has_locks():
    """Has this system locks that processes share? Python keeps them in shared memory."""
    try:
        return bool(multiprocessing.get_context("fork").Lock())
    except (ImportError, OSError):
        return False


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
@unittest.skipUnless(hasattr(os, "fork") and has_locks(), "no /dev/shm, where a pool of processes has its locks")
class Fork(unittest.TestCase):
    def test_pool(self):
        wanted = work()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map_async(work, range(4)).get(SECONDS), [wanted] * 4)

    def test_child_of_child(self):
        wanted = work()
        child = os.fork()
        if child == 0:
            same = False
            try:
                same = work_and_fork() == wanted
            finally:
                os._exit(not same)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(work(), wanted)


if __name__ == "__main__":
    unittest.main()
