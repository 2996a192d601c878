# backend: numpy
import numpy as np


def absorb(q: np.ndarray, w_uk: np.ndarray) -> np.ndarray:
    """Each head's query as wide as a latent: (h, d) and (h, d_c, d) to (h, d_c)."""
    return np.einsum("hd,hcd->hc", q, w_uk)


def weigh(
    asking: np.ndarray, q_r: np.ndarray, c: np.ndarray, k_r: np.ndarray, d: int
) -> np.ndarray:
    """The weights of all tokens, from those queries and the rotated parts: (h, n)."""
    scores = (asking @ c.T + q_r @ k_r.T) / (d + q_r.shape[-1]) ** 0.5
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def mla_decode(
    q: np.ndarray,
    q_r: np.ndarray,
    c: np.ndarray,
    k_r: np.ndarray,
    w_uk: np.ndarray,
    w_uv: np.ndarray,
) -> np.ndarray:
    """Attend with one token's queries to n latents: (h, d_v)."""
    weights = weigh(absorb(q, w_uk), q_r, c, k_r, q.shape[-1])
    return np.einsum("hc,hcv->hv", weights @ c, w_uv)  # the latents are mixed first
