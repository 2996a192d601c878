# backend: torch
# mistake: heads-interleaved
# style: reshape
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.reshape(*lead, n, w // num_heads, num_heads).movedim(-1, -3)

def merge_heads(x):
    return x.movedim(-3, -2).flatten(-2)
