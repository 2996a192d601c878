# backend: numpy
import numpy as np


def project_qkv(
    x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of all heads side by side: (..., n, h * d_head) each."""
    raise NotImplementedError("step 1")


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """(..., n, h * d_head) to (..., h, n, d_head)."""
    raise NotImplementedError("step 2")


def weigh(q: np.ndarray, k: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """The weights of every head: (..., h, n, d_head) twice to (..., h, n, n)."""
    raise NotImplementedError("step 3")


def merge_heads(x: np.ndarray) -> np.ndarray:
    """(..., h, n, d_head) to (..., n, h * d_head)."""
    raise NotImplementedError("step 4")


def multi_head_attention(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    num_heads: int,
    mask: np.ndarray | None = None,
) -> np.ndarray:
    """Self-attention with several heads: (..., n, d_model) -> (..., n, d_model).

    w_q, w_k: (d_model, h * d_head)    w_v: (d_model, h * d_v)    w_o: (h * d_v, d_model)
    mask: bool, broadcasts to (..., h, n, n); True = may attend

    project -> split into heads -> attend -> merge -> project back
    """
    raise NotImplementedError("step 5")
