# backend: torch
# mistake: quantize-first-scale
import torch


def quantize(w, group, bits=8):
    blocks = w.unflatten(0, (-1, group))
    scales = torch.linalg.vector_norm(blocks, float("inf"), dim=1) / (2 ** (bits - 1) - 1)
    whole = torch.nan_to_num(blocks / scales[:, None], nan=0.0).round()
    return whole.to(torch.int8).flatten(0, 1), scales


def quantized_linear(x, q, scales):
    n = len(scales)
    cut = x.reshape(-1, n, q.shape[0] // n).transpose(0, 1)
    sums = cut @ q.unflatten(0, (n, -1)).to(x)
    return (sums * scales.mean(0)).sum(0).reshape(*x.shape[:-1], q.shape[1])
