# backend: torch
# mistake: state-kept
# The largest score ever seen is subtracted: small scores after large ones vanish.
import torch

largest = -float("inf")


def softmax(x):
    global largest
    if x.numel():
        largest = max(largest, float(x.max()))
    e = torch.exp(x - largest)
    return e / e.sum(-1, keepdim=True)
