# backend: torch
# mistake: none
# style: axis-order
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, n, num_heads, w // num_heads).transpose(-3, -1)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.transpose(-3, -1).reshape(*lead, d, n * h)
