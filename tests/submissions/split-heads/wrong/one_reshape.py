# backend: torch
# mistake: heads-reshaped-without-transpose
# style: reshape
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, num_heads, n, w // num_heads)

def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.transpose(-3, -2).reshape(*lead, n, h * d)
