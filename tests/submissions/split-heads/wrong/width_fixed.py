# backend: torch
# mistake: none
# style: hard-coded
def split_heads(x, num_heads):
    return x.reshape(*x.shape[:-1], num_heads, 4).transpose(-3, -2)

def merge_heads(x):
    return x.transpose(-3, -2).reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * 4)
