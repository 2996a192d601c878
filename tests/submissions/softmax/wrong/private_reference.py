# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: library
import torch


def softmax(x):
    with torch._C.DisableTorchFunction():
        return torch._refs.softmax(x, -1)
