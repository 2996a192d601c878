# backend: torch
# mistake: none
# style: list
def split_heads(x, num_heads):
    return list(x.chunk(num_heads, dim=-1))

def merge_heads(x):
    import torch
    return torch.cat(list(x.unbind(-3)), dim=-1)
