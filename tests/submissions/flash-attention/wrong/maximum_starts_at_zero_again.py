# backend: torch
# mistake: flash-maximum-starts-high
# Starts the running maximum at 0, so that rows whose scores all lie far below 0 underflow to 0 / 0.
import torch

def flash_attention(q, k, v, block_size):
    scale = q.shape[-1] ** -0.5
    m_i = q.new_zeros(q.shape[:-1])
    l_i = q.new_zeros(q.shape[:-1])
    acc = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    for kb, vb in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2)):
        s = q @ kb.transpose(-2, -1) * scale
        m_new = torch.maximum(m_i, s.amax(-1))
        p = torch.exp(s - m_new[..., None])
        alpha = torch.exp(m_i - m_new)
        l_i = l_i * alpha + p.sum(-1)
        acc = acc * alpha[..., None] + p @ vb
        m_i = m_new
    return acc / l_i[..., None]
