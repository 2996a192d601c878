# backend: torch
# mistake: spec-draw-reaches
import torch


def residual(p, q):
    more = torch.where(p > q, p - q, torch.zeros_like(p))
    return more / more.sum()


def drawn(law, u):
    return int(torch.searchsorted(law.cumsum(0), u))


def speculative_step(draft, target, tokens, uniforms):
    stay, law = len(tokens), target[-1]
    for i, x in enumerate(tokens.tolist()):
        if not uniforms[i] * draft[i, x] < target[i, x]:
            stay, law = i, residual(target[i], draft[i])
            break
    return torch.tensor([*tokens[:stay].tolist(), drawn(law, uniforms[-1])])
