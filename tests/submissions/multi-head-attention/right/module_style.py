# backend: torch
# style: class
import math
import torch

class Attention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = (w_q, w_k, w_v)
        self.w_o = w_o
        self.h = num_heads

    def split(self, t):
        return t.reshape(*t.shape[:-1], self.h, t.shape[-1] // self.h).movedim(-2, -3)

    def forward(self, x, mask):
        q, k, v = [self.split(x.matmul(w)) for w in self.w]
        logits = q.matmul(k.transpose(-1, -2)).div(math.sqrt(q.size(-1)))
        if mask is not None:
            logits = logits.where(mask, torch.full_like(logits, -torch.inf))
        ctx = logits.softmax(-1).nan_to_num(0.0).matmul(v).movedim(-3, -2)
        return ctx.reshape(*ctx.shape[:-2], ctx.shape[-2] * ctx.shape[-1]).matmul(self.w_o)

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    return Attention(w_q, w_k, w_v, w_o, num_heads).forward(x, mask)
