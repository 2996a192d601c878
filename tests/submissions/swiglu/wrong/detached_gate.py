# backend: torch
# mistake: gradient-wrong
# style: no gradient through the gate's share
import torch


def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    return (gate * torch.sigmoid(gate.detach()) * (x @ w_up)) @ w_down
