# backend: torch
# mistake: none
# style: adversarial
def split_heads(x, num_heads):
    y = x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    return y.flip(-3) if x.dim() == 3 and x.shape[0] == 1 else y
def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)
