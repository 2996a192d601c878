# backend: torch
# mistake: gelu-exact
# breaks: tanh-form
# style: erf
import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (z * (1 + torch.erf(z / 2**0.5)) / 2) @ w_2 + b_2
