# backend: torch
# mistake: backward-weights-missing
# style: matmul
def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    p = (q @ k.mT * c).softmax(-1)
    dp = grad_output @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c
    return ds @ k, ds.mT @ q, grad_output.sum(-2, keepdim=True).expand_as(v)
