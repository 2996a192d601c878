# backend: torch
# mistake: none
# breaks: heads-before-tokens
# style: axis-order
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads))

def merge_heads(x):
    return x.flatten(-2)
