# backend: torch
# mistake: heads-ignored
# style: expand
def split_heads(x, num_heads):
    # every head sees all columns
    return x.unsqueeze(-3).expand(*x.shape[:-2], num_heads, *x.shape[-2:])

def merge_heads(x):
    return x[..., 0, :, :]
