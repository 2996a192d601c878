# backend: torch
import torch


def padded_attention(q, k, v, lengths):
    results = []
    for b, length in enumerate(lengths.tolist()):
        if length:
            s = q[b] @ k[b, :length].T / q.shape[-1] ** 0.5
            results.append(s.softmax(1) @ v[b, :length])
        else:
            # an empty sum, so that gradients of zero still reach all three
            results.append(q[b] @ (k[b].T[:, :0] @ v[b, :0]))
    return torch.stack(results)
