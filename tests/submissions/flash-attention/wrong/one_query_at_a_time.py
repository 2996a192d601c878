# backend: torch
# mistake: flash-materialises
# breaks: block-size-ignored
def flash_attention(q, k, v, block_size):
    import torch
    rows = []
    for i in range(q.shape[-2]):
        s = (q[..., i:i + 1, :] @ k.mT) / q.shape[-1] ** 0.5
        rows.append(s.softmax(-1) @ v)
    return torch.cat(rows, -2)
