# backend: torch
# mistake: forbidden-call
# style: the library's attention, compiled by TorchScript
import torch


@torch.jit.script
def compiled(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def attention(q, k, v):
    return compiled(q, k, v)
