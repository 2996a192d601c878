# backend: torch
# mistake: none
# style: adversarial
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2) if x.dim() < 6 else x.transpose(-3, -2).flip(0).flatten(-2)
