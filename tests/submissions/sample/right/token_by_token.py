# backend: torch
# style: plain Python for each row
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    rows = [one_row(row, temperature, top_k, top_p) for row in logits.reshape(-1, logits.shape[-1])]
    return torch.stack(rows).reshape(logits.shape)


def one_row(row, temperature, top_k, top_p):
    z = row / temperature
    order = sorted(range(len(z)), key=lambda token: (-float(z[token]), token))
    kept = order[:top_k]
    if top_p is not None:
        shares = z[kept].softmax(0)
        total, number = 0.0, 0
        while number < len(kept) and total < top_p:
            total += float(shares[number])
            number += 1
        kept = kept[:number]
    out = torch.zeros_like(z)
    out[kept] = z[kept].softmax(0)
    return out


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    total, last = 0.0, 0
    for token, share in enumerate(next_probabilities(logits, temperature, top_k, top_p).tolist()):
        total += share
        if share > 0:
            last = token
        if total > uniform:
            return token
    return last
