# backend: torch
# mistake: backward-results-swapped
import torch


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    p = ((q @ k.mT) / root).softmax(-1)
    dp = grad_output @ v.mT
    ds = p * (dp - (dp * p).sum(-1, keepdim=True)) / root
    dk, dq, dv = ds.mT @ q, ds @ k, p.mT @ grad_output
    return dk, dq, dv
