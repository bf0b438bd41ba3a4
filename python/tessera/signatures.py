"""How operations are called, in Python's words, from the table: help() and the stubs (tools/stubs.py) read them here."""

import keyword

# What an argument of a kind may be, and what a result is.
ARGUMENTS = {"T": "int | tuple", "L": "Layout", "G": "Tensor", "R": "Layout | int | tuple | None",
             "N": "int", "P": "int", "B": "str",
             "U": "int | tuple", "V": "int | tuple", "i": "int | tuple", "M": "Layout", "Q": "Layout | int | tuple | None"}
RESULTS = {"T": "int | tuple", "L": "Layout", "G": "Tensor", "s": "tuple[int, ...]", "a": "str"}
BRACKETS, REST = "NPB", "UVQMil"


class _LeftOut:
    def __repr__(self):
        return "..."


def parameters(row):
    """[(name, kind, label or None)] of a row, those in brackets too."""
    signature, labels, names = row[5], row[6].split(), row[8].split()
    kinds = [kind for kind in signature if kind not in "(), oc"]
    labels += ["-"] * (len(kinds) - len(labels))
    return [(name + "_" * keyword.iskeyword(name), kind, None if label == "-" or label[-1] == ":" else label)
            for name, kind, label in zip(names, kinds, labels)]


def _written(name, kind, label):
    star = "*" if kind in REST else ""
    return f"{star}{name}: {ARGUMENTS.get(kind, 'Value')}" + (" = ..." if label else "")


def title(name, row):
    """A row as it is called: append[rank](layout: Layout, mode: Layout) -> Layout"""
    inside = [p[0] for p in parameters(row) if p[1] in BRACKETS]
    outside = sorted((p for p in parameters(row) if p[1] not in BRACKETS), key=lambda p: p[2] is not None)
    brackets = f"[{', '.join(inside)}]" if inside else ""
    public = name + "_" * keyword.iskeyword(name)
    return f"{public}{brackets}({', '.join(_written(*p) for p in outside)}) -> {RESULTS.get(row[1], 'Value')}"


def document(operation):
    """Of each row how it is called, what it does, and an example."""
    return "".join(f"{title(operation.__name__, row)}\n    {row[2]}\n    Example  {row[3]}  is  {row[9]}\n"
                   for row in operation.rows)


def signature(operation, bound):
    """The rows as one signature: a parameter has the name that the first row gives it, and what any row takes."""
    import inspect
    Parameter = inspect.Parameter
    rows = [[p for p in parameters(row) if p[1] not in BRACKETS] for row in operation.rows]
    plain, labelled, rest = {}, {}, None
    for row in rows:
        at = [p for p in row if p[2] is None and p[1] not in REST]
        for i, (name, kind, _) in enumerate(at):
            plain.setdefault(i, (name, []))[1].append(ARGUMENTS.get(kind, "Value"))
        labelled.update({label: ARGUMENTS.get(kind, "Value") for _, kind, label in row if label})
        rest = rest or next(((name, ARGUMENTS.get(kind, "Value")) for name, kind, _ in row if kind in REST), None)
    found, names = [], set(labelled)
    for i, (name, kinds) in sorted(plain.items()):
        name += "_" * (name in names)
        names.add(name)
        types = " | ".join(dict.fromkeys(part for kind in kinds for part in kind.split(" | ")))
        found.append(Parameter(name, Parameter.POSITIONAL_ONLY, annotation=types,
                               default=Parameter.empty if len(kinds) == len(rows) else _LeftOut()))
    if rest and rest[0] not in names:
        found.append(Parameter(rest[0], Parameter.VAR_POSITIONAL, annotation=rest[1]))
    found += [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=_LeftOut())
              for name, kind in labelled.items()]
    results = " | ".join(dict.fromkeys(RESULTS.get(row[1], "Value") for row in operation.rows))
    return inspect.Signature(found[bool(bound and plain):], return_annotation=results)
