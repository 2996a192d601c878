# backend: torch
# style: length divided by the root of d
import torch


def rms_norm(x, gain, eps=1e-5):
    length = torch.linalg.vector_norm(x.double(), dim=-1, keepdim=True)
    return (x / torch.sqrt(length**2 / x.shape[-1] + eps) * gain).to(x.dtype)
