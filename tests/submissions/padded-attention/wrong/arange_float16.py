# backend: torch
# mistake: none
# Places in half precision, which rounds those above 2,048.
import torch


def pad(q, k, v, at, lengths, hide=-torch.inf):
    mask = at < lengths[:, None, None]
    some = (lengths > 0)[:, None, None]
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask & some, hide)
    return (s.softmax(-1) * some) @ v

def padded_attention(q, k, v, lengths):
    return pad(q, k, v, torch.arange(k.shape[1]).to(torch.float16), lengths)
