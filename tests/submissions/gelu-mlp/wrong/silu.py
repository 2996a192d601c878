# backend: torch
# mistake: activation-other
# style: SiLU
import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return torch.nn.functional.silu(x @ w_1 + b_1) @ w_2 + b_2
