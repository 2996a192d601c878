# backend: torch
import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    h = x @ w_1 + b_1
    c = (2 / torch.pi) ** 0.5
    h = h * 0.5 * (1 + torch.tanh(c * (h + 0.044715 * h**3)))
    return h @ w_2 + b_2
