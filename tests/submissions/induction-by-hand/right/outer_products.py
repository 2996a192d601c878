# backend: torch
# style: sums of outer products
import torch


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    seen = torch.ones(len(x), len(x), dtype=torch.bool, device=x.device).tril()
    for qk, ov in ((qk_1, ov_1), (qk_2, ov_2)):
        scores = torch.where(seen, torch.einsum("id,de,je->ij", x, qk, x), -torch.inf)
        x = x + torch.softmax(scores, dim=-1) @ x @ ov
    return x


def induction_weights(x, vocabulary):
    n, d = x.shape
    unit = torch.eye(d, dtype=x.dtype, device=x.device)
    token, place, before, after = unit.split([vocabulary, n, vocabulary, vocabulary])
    qk_1 = 1000 * place[1:].T @ place[:-1]
    copies = token.T @ before
    looks = 1000 * token.T @ before + 300 * torch.outer(token.sum(0), place[0])
    return qk_1, copies, looks, token.T @ after
