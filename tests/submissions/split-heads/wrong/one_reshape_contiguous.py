# backend: torch
# mistake: heads-reshaped-without-transpose
# style: view
def split_heads(x, num_heads):
    b = x.shape[:-2]
    return x.contiguous().view(*b, num_heads, x.shape[-2], -1 if x.numel() else x.shape[-1] // num_heads)

def merge_heads(x):
    import torch
    return torch.cat([x[..., i, :, :] for i in range(x.shape[-3])], dim=-1)
