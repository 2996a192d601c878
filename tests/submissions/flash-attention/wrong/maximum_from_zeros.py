# backend: torch
# mistake: flash-maximum-starts-high
import torch


def flash_attention(q, k, v, block_size):
    shape = q.shape[:-1]
    m = q.new_zeros(*shape, 1)
    l = q.new_zeros(*shape, 1)
    o = q.new_zeros(*shape, v.shape[-1])
    for kb, vb in zip(torch.split(k, block_size, dim=-2), torch.split(v, block_size, dim=-2)):
        s = q @ kb.mT * q.shape[-1] ** -0.5
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        p = (s - m_new).exp()
        r = (m - m_new).exp()
        l, o, m = r * l + p.sum(-1, keepdim=True), r * o + p @ vb, m_new
    return o / l
