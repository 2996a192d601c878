# backend: torch
# style: in float32, as in Llama's code
import torch


def rms_norm(x, gain, eps=1e-5):
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return (wide * scale * gain).to(x.dtype)
