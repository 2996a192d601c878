# backend: torch
# mistake: spec-number-mirrored
import torch


def residual(p, q):
    r = (p - q).clamp(min=0)
    return r / r.sum()


def speculative_step(draft, target, tokens, uniforms):
    kept = []
    for i in range(len(tokens)):
        x = tokens[i]
        reject = (1 - target[i, x] / draft[i, x]).clamp(min=0)
        if uniforms[i] < reject:
            law = residual(target[i], draft[i])
            return torch.stack([*kept, (law.cumsum(0) <= uniforms[-1]).sum()])
        kept.append(x)
    return torch.stack([*kept, (target[-1].cumsum(0) <= uniforms[-1]).sum()])
