# backend: numpy
# mistake: mla-rotated-alone
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
    asking = np.einsum("hd,hcd->hc", q, w_uk)  # as wide as a latent
    scores = (q_r @ k_r.T) / (q.shape[-1] + q_r.shape[-1]) ** 0.5
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = powers / powers.sum(axis=-1, keepdims=True) @ c  # (h, d_c)
    return np.einsum("hc,hcv->hv", mixed, w_uv)
