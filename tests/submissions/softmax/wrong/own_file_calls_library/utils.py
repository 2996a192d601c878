import torch


def normalise(x):
    return torch.softmax(x, dim=-1)
