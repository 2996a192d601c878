# backend: torch
# style: unflatten
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).movedim(-2, -3)

def merge_heads(x):
    return x.movedim(-3, -2).flatten(-2)
