# backend: torch
import torch


def swiglu(x, w_gate, w_up, w_down):
    g = x @ w_gate
    return (g * torch.sigmoid(g) * (x @ w_up)) @ w_down
