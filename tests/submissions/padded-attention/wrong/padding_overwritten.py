# backend: torch
# mistake: input-mutated
# style: in-place
def padded_attention(q, k, v, lengths):
    for b, n in enumerate(lengths.tolist()):
        k[b, n:] = float("-inf")
    import torch
    pad = torch.isinf(k).any(-1)
    s = (q @ k.masked_fill(pad[..., None], 0).transpose(1, 2) / q.shape[-1] ** 0.5)
    return s.masked_fill(pad[:, None], -torch.inf).softmax(-1).nan_to_num() @ v
