# backend: torch
# style: additive-mask
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def heads(w):
        return torch.stack((x @ w).chunk(num_heads, -1), dim=-3)

    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    scores = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
    alive = 1
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * (torch.finfo(scores.dtype).min / 2)
        alive = mask.any(-1, keepdim=True)
    out = torch.matmul(torch.softmax(scores, -1) * alive, v)
    return torch.cat(out.unbind(-3), -1) @ w_o
