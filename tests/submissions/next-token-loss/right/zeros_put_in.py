# backend: torch
# style: everything flat, what does not count is taken out at the end
import torch


def next_token_loss(logits, tokens, counts=None):
    v = logits.shape[-1]
    if counts is None:
        counts = torch.ones_like(tokens, dtype=torch.bool)
    z = logits[..., :-1, :].reshape(-1, v)
    x = tokens[..., 1:].reshape(-1)
    kept = counts[..., 1:].reshape(-1)
    z, x = z[kept], x[kept]
    rows = torch.arange(len(x), device=x.device)
    return (torch.logsumexp(z, dim=1) - z[rows, x]).sum() / len(x)
