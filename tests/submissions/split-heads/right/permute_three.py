# backend: torch
# style: permute
def split_heads(x, num_heads):
    lead = tuple(x.shape[:-2])
    n, w = x.shape[-2:]
    k = len(lead)
    y = x.reshape(lead + (n, num_heads, w // num_heads))
    return y.permute(*range(k), k + 1, k, k + 2).contiguous()

def merge_heads(x):
    lead = tuple(x.shape[:-3])
    h, n, d = x.shape[-3:]
    k = len(lead)
    y = x.permute(*range(k), k + 1, k, k + 2).contiguous()
    return y.reshape(lead + (n, h * d))
