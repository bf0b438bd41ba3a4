from typing import Any

from . import Layout as Layout, Operation as Operation, Refused as Refused, Tensor as Tensor, Value as Value
from . import dynamic as dynamic, operations as operations

__version__: str
_as: Any
_axpby: Any
_buffer: Any
_convert: Any
_copy: Any
_cuda_again: Any
_cuda_compile: Any
_cuda_copy: Any
_cuda_empty: Any
_cuda_fetch: Any
_cuda_folder: Any
_cuda_fresh: Any
_cuda_keep: Any
_cuda_launch: Any
_cuda_product: Any
_cuda_setup: Any
_cuda_xla: Any
_dist_begin: Any
_dist_copies: Any
_dist_packed: Any
_dist_part: Any
_dist_simulate: Any
_dist_step: Any
_draw: Any
_dynamic: Any
_elements: Any
_emit: Any
_explain: Any
_extents: Any
_fill: Any
_from_dlpack: Any
_known: Any
_load_model: Any
_load_npy: Any
_multiply: Any
_nccl_id: Any
_nccl_open: Any
_nccl_plan: Any
_nccl_run: Any
_nccl_wait: Any
_new: Any
_plain: Any
_product: Any
_reduce: Any
_save_model: Any
_save_npy: Any
_set_elements: Any
_tensor: Any
_types: Any
_view: Any
