# backend: torch
# mistake: softmax-sigmoid
import torch


def softmax(x):
    gate = torch.sigmoid(x)
    return gate / gate.sum(dim=-1, keepdim=True)
