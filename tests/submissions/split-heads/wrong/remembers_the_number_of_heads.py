# backend: torch
# mistake: state-kept
heads = None


def split_heads(x, num_heads):
    global heads
    heads = heads or num_heads
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).transpose(-2, -3)


def merge_heads(x):
    *front, h, n, d = x.shape
    return x.transpose(-2, -3).reshape(*front, n, h * d)
