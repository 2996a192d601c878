import torch


def causal(m, n):
    return torch.arange(n) <= torch.arange(m)[:, None] + n - m + 1
