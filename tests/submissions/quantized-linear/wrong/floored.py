# backend: numpy
# mistake: quantize-truncates
import numpy as np


def quantize(w: np.ndarray, group: int, bits: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 weights (n * group, d_out) and scales (n, d_out)."""
    groups = w.reshape(-1, group, w.shape[-1])
    scales = np.abs(groups).max(axis=1) / (2 ** (bits - 1) - 1)
    divisors = np.where(scales == 0, 1, scales)
    q = np.floor(groups / divisors[:, None, :])
    return q.reshape(w.shape).astype(np.int8), scales


def quantized_linear(x: np.ndarray, q: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Multiply (..., n * group) by quantized weights: (..., d_out)."""
    count = scales.shape[0]
    parts = x.reshape(*x.shape[:-1], count, -1)  # (..., groups, group)
    weights = q.astype(x.dtype).reshape(count, -1, q.shape[-1])
    sums = np.einsum("...gi,gio->...go", parts, weights)
    return (sums * scales).sum(axis=-2)
