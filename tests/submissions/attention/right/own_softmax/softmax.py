# backend: torch
from torch import Tensor


def softmax(x: Tensor) -> Tensor:
    x = x - x.max(dim=-1, keepdim=True).values
    e = x.exp()
    return e / e.sum(-1, keepdim=True)


if __name__ == "__main__":
    import torch

    print(softmax(torch.tensor([0.0, 1.0, 2.0])))
