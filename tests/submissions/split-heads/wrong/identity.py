# backend: torch
# mistake: none
# style: shortcut
def split_heads(x, num_heads):
    return x

def merge_heads(x):
    return x
