# backend: numpy
# mistake: spec-rejected-kept
import numpy as np


def residual(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the distribution of what replaces a rejected token: (v,)."""
    excess = np.maximum(p - q, 0)
    return excess / excess.sum(axis=-1, keepdims=True)


def speculative_step(
    draft: np.ndarray, target: np.ndarray, tokens: np.ndarray, uniforms: np.ndarray
) -> np.ndarray:
    """Return the accepted tokens and one more: (a + 1,)."""
    made = []
    shares = target[-1]
    for i, token in enumerate(tokens.tolist()):
        if uniforms[i] >= target[i, token] / draft[i, token]:
            shares = residual(target[i], draft[i])
            made.append(token)
            break
        made.append(token)
    made.append(int((shares.cumsum() <= uniforms[-1]).sum()))
    return np.array(made, dtype=np.int64)
