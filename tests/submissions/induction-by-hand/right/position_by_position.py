# backend: torch
# style: loop over positions; slices
import torch


def attend(x, qk, ov):
    rows = []
    for p in range(x.shape[0]):
        seen = x[: p + 1]
        weights = (seen @ (x[p] @ qk)).softmax(0)
        rows.append(x[p] + weights @ seen @ ov)
    return torch.stack(rows)


def two_layers(x, qk_1, ov_1, qk_2, ov_2):
    return attend(attend(x, qk_1, ov_1), qk_2, ov_2)


def induction_weights(x, vocabulary):
    n, d = x.shape
    edges = torch.tensor([0, vocabulary, n, vocabulary, vocabulary]).cumsum(0).tolist()
    token, place, before, after = (slice(a, b) for a, b in zip(edges, edges[1:], strict=False))
    weights = [torch.zeros(d, d, dtype=x.dtype, device=x.device) for _ in range(4)]
    shifted = torch.eye(n, dtype=x.dtype, device=x.device)[:, 1:]
    weights[0][place, place.start : place.stop - 1] = 64 * shifted
    weights[1][token, before] = torch.eye(vocabulary, dtype=x.dtype, device=x.device)
    weights[2][token, before] = 64 * weights[1][token, before]
    weights[2][token, place.start] += 30
    weights[3][token, after] = weights[1][token, before]
    return tuple(weights)
