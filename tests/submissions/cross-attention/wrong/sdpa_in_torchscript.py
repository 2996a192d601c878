# backend: torch
# mistake: forbidden-call
# Calls ready-made attention from a TorchScript compilation unit.
import torch

_unit = torch.jit.CompilationUnit('''
def mix(q, k, v, mask: Optional[Tensor]):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask)
''')

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    split = lambda t: t.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    mask = None if context_mask is None else context_mask[:, None, None, :]
    heads = torch.nan_to_num(_unit.mix(q, k, v, mask))
    return heads.transpose(1, 2).flatten(2) @ w_o
