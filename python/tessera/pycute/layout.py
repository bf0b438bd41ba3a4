"""Layouts and their algebra."""

from .. import _tessera
from .int_tuple import *
from .int_tuple import _numbers, _ops


class LayoutBase:
    pass


def is_layout(x):
    return isinstance(x, LayoutBase)


class Layout(LayoutBase):
    def __init__(self, _shape, _stride=None):
        self.shape = _shape
        self.stride = prefix_product(_shape) if _stride is None else _stride

    @property
    def tessera(self):
        """The same layout of static numbers."""
        return _tessera._known(_tessera.Layout(self.shape, self.stride))

    def __eq__(self, other):
        return self.shape == other.shape and self.stride == other.stride

    def __hash__(self):
        return hash((self.shape, self.stride))

    def __len__(self):
        return len(self.shape) if is_tuple(self.shape) else 1

    def __call__(self, *args):
        crd = args[0] if len(args) == 1 else args
        if has_none(crd):
            return Layout(slice_(crd, self.shape), slice_(crd, self.stride))
        return _tessera._plain(self.tessera(crd))

    def __getitem__(self, i):
        return Layout(self.shape[i], self.stride[i]) if is_tuple(self.shape) else _wrap(self.tessera[i])

    def size(self):
        return product(self.shape)

    def cosize(self):
        return self(self.size() - 1) + 1

    def __str__(self):
        return f"{self.shape}:{self.stride}"

    def __repr__(self):
        return f"Layout({self.shape},{self.stride})"


def _wrap(layout):
    return Layout(*_tessera._plain(layout))


def _tiler(x):
    """A layout, an integer, None, or a tuple of these, as the library takes it."""
    if is_tuple(x):
        return tuple(map(_tiler, x))
    return x.tessera if is_layout(x) else None if x is None else _tessera._known(x)


def _lift(layout):
    return layout if is_layout(layout) else Layout(layout)


def _by(name, layout, tiler):
    """An operation by a tiler; None leaves all as it is."""
    return layout if tiler is None else _wrap(_ops[name](layout.tessera, _tiler(tiler)))


def make_layout(*layouts):
    if len(layouts) == 1 and not is_layout(layouts[0]):
        layouts = layouts[0]
    return _wrap(_ops["make_layout"](*(layout.tessera for layout in layouts)))


def size(layout):
    return layout.size() if is_layout(layout) else product(layout)


def cosize(layout):
    return layout.cosize()


def coalesce(layout, profile=None):
    return _wrap(_ops["coalesce"](layout.tessera, *([_profile(profile)] if is_tuple(profile) else [])))


def filter(layout, profile=None):
    return _wrap(_ops["filter"](layout.tessera, *([_profile(profile)] if is_tuple(profile) else [])))


def _profile(x):
    return tuple(map(_profile, x)) if is_tuple(x) else 1


def composition(layoutA, layoutB):
    return _by("composition", layoutA, layoutB)


def complement(layout, max_idx=1):
    return _wrap(_ops["complement"](_lift(layout).tessera, _tessera._known(max_idx)))


def right_inverse(layout):
    return None if layout is None else _wrap(_ops["right_inverse"](_lift(layout).tessera))


def left_inverse(layout):
    return None if layout is None else _wrap(_ops["left_inverse"](_lift(layout).tessera))


def logical_divide(layoutA, layoutB):
    return _by("logical_divide", layoutA, layoutB)


def logical_product(layoutA, layoutB):
    return _by("logical_product", layoutA, layoutB)


def hier_unzip(splitter, layoutA, layoutB):
    """((tiles),(rests)) of what the splitter makes of each mode and the tiler for it, as a layout of two modes."""
    if layoutB is None:
        return make_layout(Layout(1, 0), layoutA)
    if not is_tuple(layoutB):
        return splitter(layoutA, layoutB)
    pairs = [hier_unzip(splitter, layoutA[i], tiler) for i, tiler in enumerate(layoutB)]
    rest = [layoutA[i] for i in range(len(layoutB), len(layoutA))]
    return make_layout(make_layout([p[0] for p in pairs]), make_layout([p[1] for p in pairs] + rest))


def zipped_divide(layoutA, layoutB):
    return hier_unzip(logical_divide, layoutA, layoutB)


def tiled_divide(layoutA, layoutB):
    return _spread(zipped_divide(layoutA, layoutB))


def zipped_product(layoutA, layoutB):
    return hier_unzip(logical_product, layoutA, layoutB)


def tiled_product(layoutA, layoutB):
    return _spread(zipped_product(layoutA, layoutB))


def _spread(pair):
    """(tile,(a,b)) as (tile,a,b)"""
    return make_layout([pair[0]] + [pair[1][i] for i in range(len(pair[1]))])


def slice_and_offset(crd, layout):
    return Layout(slice_(crd, layout.shape), slice_(crd, layout.stride)), crd2idx(crd, layout.shape, layout.stride)
