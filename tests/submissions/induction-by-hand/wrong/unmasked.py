# backend: torch
# mistake: mask-missing
# style: no mask
import torch


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    seen = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()
    for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
        scores = x @ qk @ x.T
        x = x + torch.softmax(scores, dim=-1) @ x @ ov
    return x


def induction_weights(x, vocabulary):
    v, (n, d) = vocabulary, x.shape
    qk_1, ov_1, qk_2, ov_2 = x.new_zeros(4, d, d)
    for p in range(1, n):
        qk_1[v + p, v + p - 1] = 100.0
    qk_2[:v, v] = 50.0
    for t in range(v):
        ov_1[t, v + n + t] = 1.0
        qk_2[t, v + n + t] = 100.0
        ov_2[t, 2 * v + n + t] = 1.0
    return qk_1, ov_1, qk_2, ov_2
