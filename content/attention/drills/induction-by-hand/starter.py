# backend: torch
from torch import Tensor


def two_layers(x: Tensor, qk_1: Tensor, ov_1: Tensor, qk_2: Tensor, ov_2: Tensor) -> Tensor:
    """Return x after two layers x + softmax(x qk xᵀ + M) x ov, causal.

    x: (n, d)    qk_1, ov_1, qk_2, ov_2: (d, d)    returns (n, d)
    """
    raise NotImplementedError("what a layer finds is added to the rows")


def induction_weights(x: Tensor, vocabulary: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return qk_1, ov_1, qk_2 and ov_2, which complete repetitions in every text of n tokens.

    x: (n, 3 * vocabulary + n), for sizes and dtype    returns four arrays (d, d)
    """
    raise NotImplementedError("layer 1 copies the previous token, layer 2 the one that followed it")
