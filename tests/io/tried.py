"""What the tests of files in Python have in common: the command `tessera`, a folder of their own, checks that are counted."""
import os
import subprocess
import sys
import tempfile

tessera = sys.argv[1]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
counts = {True: 0, False: 0}


def check(what, ok):
    counts[bool(ok)] += 1
    if not ok:
        print("failed:", what)


def run(*arguments):
    return subprocess.run([tessera, *arguments], capture_output=True, text=True)


def end():
    os.chdir("/")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] != 0)
