# backend: torch
# mistake: none
# style: no-batch
def split_heads(x, num_heads):
    b, n, w = x.shape
    return x.reshape(b, n, num_heads, w // num_heads).transpose(1, 2)

def merge_heads(x):
    b, h, n, d = x.shape
    return x.transpose(1, 2).reshape(b, n, h * d)
