# backend: torch
# mistake: none
import torch


def residual(p, q):
    r = torch.relu(p - q)
    return r / r.sum()


def speculative_step(draft, target, tokens, uniforms):
    k, v = draft.shape
    ratio = (target[:k] / draft).gather(1, tokens[:, None])[:, 0]
    rejected = torch.nonzero(uniforms[:k] >= ratio)
    a = k if len(rejected) == 0 else int(rejected[0])
    q = torch.cat([draft, draft.new_zeros(1, v)])[a]  # without a draft, the residual is the target
    walk, chosen = 0.0, 0
    for chosen, share in enumerate((q if a < k else target[a])):
        walk += share
        if walk > uniforms[k]:
            break
    return torch.cat([tokens[:a], torch.tensor([chosen])])
