# backend: torch
import torch

def head_updates(heads, w_o):
    return heads @ w_o.view(heads.shape[-3], heads.shape[-1], w_o.shape[-1])
