# backend: torch
# mistake: none
# Zips the first axis of heads with the blocks of w_o, which is the batch axis when there is one; zip drops the blocks left over.
import torch

def head_updates(heads, w_o):
    blocks = w_o.split(heads.shape[-1], dim=0)
    return torch.stack([head @ block for head, block in zip(heads, blocks)])
