# backend: torch
# mistake: scale-missing
# style: matmul
def attention_backward(q, k, v, grad_output):
    p = (q @ k.mT).softmax(-1)
    dp = grad_output @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    return ds @ k, ds.mT @ q, p.mT @ grad_output
