# backend: numpy
# mistake: spec-zero-accepted
import numpy as np


def residual(p, q):
    more = np.clip(p - q, 0, None)
    return more / more.sum()


def speculative_step(draft, target, tokens, uniforms):
    at = np.arange(len(tokens))
    rejected = uniforms[:-1] > target[at, tokens] / draft[at, tokens]
    stay = int(np.argmax(rejected)) if rejected.any() else len(tokens)
    law = residual(target[stay], draft[stay]) if rejected.any() else target[-1]
    new = np.searchsorted(np.cumsum(law), uniforms[-1], side="right")
    return np.append(tokens[:stay], new).astype(np.int64)
