# backend: torch
# mistake: none
# style: view
def split_heads(x, num_heads):
    *lead, n, w = x.shape
    return x.view(*lead, n, num_heads, w // num_heads).transpose(-3, -2)

def merge_heads(x):
    # the transposed array is not contiguous: view cannot do it
    *lead, h, n, d = x.shape
    return x.transpose(-3, -2).view(*lead, n, h * d)
