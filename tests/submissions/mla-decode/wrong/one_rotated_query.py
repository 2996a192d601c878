# backend: torch
# mistake: mla-rotated-of-one-head
import torch


def mla_decode(q, q_r, c, k_r, w_uk, w_uv):
    scale = (q.size(-1) + q_r.size(-1)) ** -0.5
    asking = torch.bmm(w_uk, q.unsqueeze(-1)).squeeze(-1)
    scores = torch.cat([asking, q_r[:1].expand_as(q_r)], -1) @ torch.cat([c, k_r], -1).T
    mixed = torch.softmax(scores * scale, -1) @ c
    return torch.bmm(mixed.unsqueeze(1), w_uv).squeeze(1)
