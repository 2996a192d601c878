# backend: torch
# mistake: none
# style: confused-argument
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, n, w // num_heads, num_heads).transpose(-3, -2)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.transpose(-3, -2).reshape(*lead, n, h * d)
