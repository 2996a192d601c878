# backend: numpy
import numpy as np


def absorb(q: np.ndarray, w_uk: np.ndarray) -> np.ndarray:
    """Each head's query as wide as a latent: (h, d) and (h, d_c, d) to (h, d_c)."""
    raise NotImplementedError("step 1")


def weigh(
    asking: np.ndarray, q_r: np.ndarray, c: np.ndarray, k_r: np.ndarray, d: int
) -> np.ndarray:
    """The weights of all tokens, from those queries and the rotated parts: (h, n)."""
    raise NotImplementedError("step 2")


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
