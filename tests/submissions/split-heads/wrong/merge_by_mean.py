# backend: torch
# mistake: heads-averaged
# style: mean
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, n, num_heads, w // num_heads).transpose(-3, -2)

def merge_heads(x):
    return x.mean(dim=-3)
