# backend: torch
import math
import torch

class Soft:
    def __init__(self, s):
        self.p = s.softmax(-1)
    def back(self, g):
        return self.p * g - self.p * (self.p * g).sum(-1, keepdim=True)
def attention_backward(q, k, v, grad_output):
    c = 1 / math.sqrt(q.shape[-1])
    node = Soft(torch.einsum('...id,...jd->...ij', q, k) * c)
    ds = node.back(torch.einsum('...iv,...jv->...ij', grad_output, v)) * c
    return (torch.einsum('...ij,...jd->...id', ds, k), torch.einsum('...ij,...id->...jd', ds, q),
            torch.einsum('...ij,...iv->...jv', node.p, grad_output))
