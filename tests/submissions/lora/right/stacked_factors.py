# backend: torch
# style: concatenated
import torch

def lora_linear(x, w, a, b, alpha):
    # one product down and one product up, with the frozen matrix in the same two strokes
    down = torch.cat([w, a * (alpha / a.shape[1])], dim=1)          # (d_in, d_out + r)
    y, z = (x @ down).split([w.shape[1], a.shape[1]], dim=-1)
    return y + z @ b
