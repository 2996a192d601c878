# backend: torch
# style: any layout, any dtype
import torch


def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    top = rows.max(dim=1).values
    e = (rows - top[:, None]).exp()
    return (e / e.sum(1)[:, None]).reshape(x.shape)
