# backend: torch
# style: three files
from project_qkv import project_qkv
from softmax import softmax


def trace_head(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = q @ k.T
    weights = softmax(scores / q.shape[-1] ** 0.5)
    return q, k, v, scores, weights, weights @ v
