# backend: torch
# style: root-as-tensor
import torch

def attention_backward(q, k, v, grad_output):
    root = torch.sqrt(torch.tensor(q.shape[-1]))
    w = torch.softmax(q @ k.mT / root, -1)
    dw = grad_output @ v.mT
    ds = w * (dw - (w * dw).sum(-1, keepdim=True)) / root
    return ds @ k, ds.mT @ q, w.mT @ grad_output
