# backend: torch
from torch import Tensor


def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """What one query takes from the values.

    q: (d,)    k: (n, d)    v: (n, d_v)    returns (d_v,)
    """
    raise NotImplementedError("TODO: scores, softmax, weighted sum")
