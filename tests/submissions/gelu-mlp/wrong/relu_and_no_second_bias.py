# backend: torch
# mistake: activation-other, mlp-second-bias-missing
# style: two mistakes
import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return torch.relu(x @ w_1 + b_1) @ w_2
