# backend: torch
# style: SiLU by hand
import torch


def swiglu(x, w_gate, w_up, w_down):
    gate, up = x @ w_gate, x @ w_up
    return (gate * torch.sigmoid(gate) * up) @ w_down
