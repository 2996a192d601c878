# backend: torch
# mistake: forbidden-call
# style: library
import torch
import torch.nn.functional as F

def softmax(x):
    return F.scaled_dot_product_attention(x[..., None, :], torch.eye(x.shape[-1], dtype=x.dtype), torch.eye(x.shape[-1], dtype=x.dtype), scale=1.0).squeeze(-2)
