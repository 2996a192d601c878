# backend: torch
# mistake: forbidden-call
# breaks: library-norm
# style: functional
import torch


def rms_norm(x, gain, eps=1e-5):
    return torch.nn.functional.rms_norm(x, (x.shape[-1],), gain, eps)
