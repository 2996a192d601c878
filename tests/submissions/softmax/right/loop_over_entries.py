# backend: torch
# style: loops
import torch


def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    out = torch.empty_like(rows)
    for i in range(rows.shape[0]):
        top = rows[i, 0]
        for j in range(1, rows.shape[1]):
            if rows[i, j] > top:
                top = rows[i, j]
        total = torch.zeros((), dtype=x.dtype)
        powers = []
        for j in range(rows.shape[1]):
            power = torch.exp(rows[i, j] - top)
            powers.append(power)
            total = total + power
        for j, power in enumerate(powers):
            out[i, j] = power / total
    return out.reshape(x.shape)
