# backend: torch
import torch

def sliding_window_attention(q, k, v, window):
    m, n = q.shape[-2], k.shape[-2]
    w = min(window, n)
    at = torch.arange(n - m, n, device=q.device)[:, None] - torch.arange(w, device=q.device)
    ok, at = at >= 0, at.clamp(min=0)
    s = torch.einsum('...md,...mwd->...mw', q, k[..., at, :]) * q.shape[-1] ** -0.5
    return torch.einsum('...mw,...mwv->...mv', s.where(ok, s.new_tensor(-torch.inf)).softmax(-1), v[..., at, :])
