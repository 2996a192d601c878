# backend: torch
# style: computes all n positions, then pairs the losses by narrow
import torch


def next_token_loss(logits, tokens, counts=None):
    n = tokens.shape[-1]
    z = logits.narrow(-2, 0, n - 1)
    peak = z.detach().amax(dim=-1, keepdim=True)
    total = (z - peak).exp().sum(-1).log() + peak.squeeze(-1)
    losses = total - torch.take_along_dim(z, tokens.narrow(-1, 1, n - 1).unsqueeze(-1), -1).squeeze(
        -1
    )
    if counts is None:
        return losses.mean()
    kept = counts.narrow(-1, 1, n - 1)
    return torch.where(kept, losses, torch.zeros_like(losses)).sum() / kept.sum()
