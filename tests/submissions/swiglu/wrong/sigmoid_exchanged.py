# backend: torch
# mistake: swiglu-exchanged, swiglu-sigmoid
# style: two mistakes
import torch


def swiglu(x, w_gate, w_up, w_down):
    return (x @ w_gate * torch.sigmoid(x @ w_up)) @ w_down
