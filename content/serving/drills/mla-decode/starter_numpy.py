# backend: numpy
import numpy as np


def mla_decode(
    q: np.ndarray,
    q_r: np.ndarray,
    c: np.ndarray,
    k_r: np.ndarray,
    w_uk: np.ndarray,
    w_uv: np.ndarray,
) -> np.ndarray:
    """Attend with one token's queries to n latents: (h, d_v)."""
    raise NotImplementedError("without a key per head and token")
