# backend: torch
# mistake: none
import torch


def softmax(x):
    return 1 / (x[..., None, :] - x[..., :, None]).exp().sum(-1)
