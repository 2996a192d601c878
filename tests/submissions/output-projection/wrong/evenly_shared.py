# backend: torch
# mistake: updates-shared
# style: concat
import torch

def head_updates(heads, w_o):
    # everyone gets an equal share of the whole
    h = heads.shape[-3]
    full = torch.cat(heads.unbind(-3), -1) @ w_o
    return (full / h).unsqueeze(-3).expand(*heads.shape[:-1], w_o.shape[-1])
