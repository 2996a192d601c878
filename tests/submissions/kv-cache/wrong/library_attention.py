# backend: torch
# mistake: forbidden-call
# style: library-call
import torch
import torch.nn.functional as F

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w, self.wo, self.h, self.past = (w_q, w_k, w_v), w_o, num_heads, None

    def reset(self):
        self.past = None

    def __call__(self, x):
        q, k, v = (torch.stack((x @ w).chunk(self.h, -1), 1) for w in self.w)
        if self.past:
            k, v = torch.cat([self.past[0], k], 2), torch.cat([self.past[1], v], 2)
        self.past = k, v
        ok = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2])
        return torch.cat(F.scaled_dot_product_attention(q, k, v, attn_mask=ok).unbind(1), -1) @ self.wo
