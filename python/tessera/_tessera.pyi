from typing import Any

from . import Layout as Layout, Operation as Operation, Refused as Refused, Static as Static, Tensor as Tensor
from . import Value as Value, operations as operations

_as: Any
_buffer: Any
_copy: Any
_draw: Any
_elements: Any
_from_dlpack: Any
_load_model: Any
_load_npy: Any
_plain: Any
_product: Any
_save_npy: Any
_static: Any
_tensor: Any
