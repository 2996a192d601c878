# backend: torch
# mistake: heads-ignored
# style: single-head
def split_heads(x, num_heads):
    return x.unsqueeze(-3)

def merge_heads(x):
    return x.squeeze(-3)
