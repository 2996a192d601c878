# backend: torch
# mistake: forbidden-call
# style: library-call
import torch
import torch.nn.functional as F

def padded_attention(q, k, v, lengths):
    real = torch.arange(k.shape[1], device=k.device) < lengths[:, None]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=real[:, None, :])
