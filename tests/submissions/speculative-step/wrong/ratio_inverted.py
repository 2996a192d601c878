# backend: torch
# mistake: spec-ratio-inverted
# breaks: accept-by-ratio
import torch
from torch import Tensor


def residual(p: Tensor, q: Tensor) -> Tensor:
    """Return the distribution of what replaces a rejected token: (v,)."""
    excess = (p - q).clamp(min=0)
    return excess / excess.sum(dim=-1, keepdim=True)


def speculative_step(draft: Tensor, target: Tensor, tokens: Tensor, uniforms: Tensor) -> Tensor:
    """Return the accepted tokens and one more: (a + 1,)."""
    made = []
    shares = target[-1]
    for i, token in enumerate(tokens.tolist()):
        if uniforms[i] >= draft[i, token] / target[i, token]:
            shares = residual(target[i], draft[i])
            break
        made.append(token)
    made.append(int((shares.cumsum(0) <= uniforms[-1]).sum()))
    return torch.tensor(made)
