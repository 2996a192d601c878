# backend: torch
# style: adversarial
import torch

from torch.nn.functional import linear
def project_qkv(x, w_q, w_k, w_v):
    return linear(x, w_q.T), linear(x, w_k.mT), linear(x, w_v.t())
