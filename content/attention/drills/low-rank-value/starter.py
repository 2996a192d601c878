# backend: torch
from torch import Tensor


def low_rank_value(x: Tensor, value_down: Tensor, value_up: Tensor) -> Tensor:
    """Down to the width of the head and up again, for every token.

    x: (..., n, d_model)    value_down: (d_model, r)    value_up: (r, d_model)
    returns (..., n, d_model)

    Nothing of shape (d_model, d_model) is to be made.
    """
    raise NotImplementedError("which two do you multiply first?")
