# backend: torch
import torch


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    h_kv = k.shape[1]
    folded = q.reshape(b, h_kv, h // h_kv * m, d)
    out = (folded @ k.mT / d**0.5).softmax(-1) @ v
    return out.reshape(b, h, m, v.shape[-1])
