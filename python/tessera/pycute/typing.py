"""The integers of shapes."""

from abc import ABCMeta


class _Integers(ABCMeta):
    def __subclasscheck__(cls, kind):
        return issubclass(kind, int) and kind is not bool

    def __instancecheck__(cls, x):
        return cls.__subclasscheck__(type(x))


class Integer(metaclass=_Integers):
    """isinstance(x, Integer): an int that is not a bool."""
