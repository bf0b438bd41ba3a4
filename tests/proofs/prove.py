"""Proves laws of the C sources, and prints them: law, bounds, paths through the text, facts shown on them, seconds.

A proof that would hold of any text is none: each is tried on a wrong text, too, and must fail.

usage: prove.py SOURCE_FOLDER [PART..]
"""
import importlib
import os
import sys
import time

import z3

from c_run import Failure
from c_text import Source


def tried(make):
    """The machine, and why the law does not hold; None where it does."""
    machine, path = make()
    try:
        machine.all_paths(path)
    except Failure as failure:
        return machine, str(failure)
    return machine, None


os.chdir(sys.argv[1])
z3.set_param("timeout", 60000)
failed = 0
for part in sys.argv[2:]:
    for law, bounds, file, make, old, new in importlib.import_module(part).PROOFS:
        begin = time.time()
        Source.wrong = None, "", ""
        machine, why = tried(make)
        spent = time.time() - begin
        Source.wrong = file, old, new
        if why is None and tried(make)[1] is None:
            why = "holds too where `%s` is `%s`" % (old, new)
        failed += why is not None
        print("%-75s | %s | %s" % (law, bounds, "FAILED: " + why if why else "%d paths, %d facts, %.1f s" % (
            machine.paths, machine.obligations, spent)), flush=True)
print("%d failed" % failed)
sys.exit(failed > 0)
