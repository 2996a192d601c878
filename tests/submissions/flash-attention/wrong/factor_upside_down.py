# backend: torch
# mistake: flash-factor-inverted
import torch


def flash_attention(q, k, v, block_size):
    peak, total, out = None, None, None
    for start in range(0, k.shape[-2], block_size):
        rows = slice(start, start + block_size)
        s = q @ k[..., rows, :].mT / q.shape[-1] ** 0.5
        top = s.amax(-1, keepdim=True)
        if peak is None:
            e = torch.exp(s - top)
            peak, total, out = top, e.sum(-1, keepdim=True), e @ v[..., rows, :]
            continue
        new = torch.maximum(peak, top)
        e, factor = torch.exp(s - new), torch.exp(new - peak)
        total = total * factor + e.sum(-1, keepdim=True)
        out = out * factor + e @ v[..., rows, :]
        peak = new
    return out / total
