"""Files that wait: a pipe is read and written without the lock of the interpreter, and signals end the wait or do not."""

import array
import os
import signal
import tempfile
import threading
import unittest

import tessera as t


class Stop(Exception):
    """What a handler raises."""


@unittest.skipUnless(hasattr(os, "mkfifo"), "this system has no pipes with names")
class Pipes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        path = self.path("x.npy")
        t.save_file(path, t.tensor(array.array("f", range(100000))))
        with open(path, "rb") as file:
            npy = file.read()
        header = b'{"w":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]}}'
        self.files = {"p.npy": npy, "p.safetensors": len(header).to_bytes(8, "little") + header + bytes(8)}
        for name in self.files:
            os.mkfifo(self.path(name))
        self.beats = []
        before = signal.signal(signal.SIGALRM, self.beat)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def beat(self, *_):
        self.beats.append(1)
        if len(self.beats) == self.most:
            raise Stop

    def alarms(self, most):
        """A signal each twentieth of a second, the last of which raises; None: none does."""
        self.most = most
        self.beats.clear()
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)

    def read(self, name):
        x = t.load_file(self.path(name))
        return x.size if name.endswith("npy") else x["w"].size

    def test_another_thread_writes(self):
        """The pipe is opened, and read on, only when the writer may run; signals that raise nothing change nothing."""
        for name, content in self.files.items():
            def write():
                with open(self.path(name), "wb", buffering=0) as pipe:
                    for part in (content[:5], content[5:40], content[40:]):
                        for _ in range(3):
                            threading.Event().wait(0.05)
                        pipe.write(part)

            self.alarms(None)
            writer = threading.Thread(target=write)
            writer.start()
            self.assertEqual(self.read(name), 100000 if name.endswith("npy") else 4)
            writer.join()
            self.assertTrue(self.beats)

    def test_interrupted_where_it_opens(self):
        for name in self.files:
            self.alarms(3)
            self.assertRaises(Stop, self.read, name)
        self.alarms(3)
        self.assertRaises(Stop, t.save_file, self.path("p.npy"), array.array("f", range(4)))

    def test_interrupted_where_it_reads_and_writes(self):
        for name, content in self.files.items():
            for end in (0, 5, 30, len(content) - 1):
                pipe = os.open(self.path(name), os.O_RDWR)  # a writer that says no more
                try:
                    os.write(pipe, content[:min(end, 60000)])
                    self.alarms(3)
                    self.assertRaises(Stop, self.read, name)
                finally:
                    os.close(pipe)
        pipe = os.open(self.path("p.npy"), os.O_RDWR)  # a reader that takes nothing
        try:
            self.alarms(3)
            self.assertRaises(Stop, t.save_file, self.path("p.npy"), array.array("f", range(100000)))
        finally:
            os.close(pipe)


if __name__ == "__main__":
    unittest.main()
