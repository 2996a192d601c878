# backend: torch
# mistake: softmax-sigmoid
import torch


def attend(q, k, v):
    gates = torch.sigmoid(k @ q / q.shape[0] ** 0.5)
    return gates @ v
