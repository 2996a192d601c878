# backend: torch
# mistake: heads-merged-without-transpose
# style: reshape
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, n, num_heads, w // num_heads).transpose(-3, -2)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.reshape(*lead, n, h * d)
