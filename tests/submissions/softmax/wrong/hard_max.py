# backend: torch
# mistake: none
# style: argmax
import torch

def softmax(x):
    return torch.nn.functional.one_hot(x.argmax(-1), x.shape[-1]).to(x.dtype)
