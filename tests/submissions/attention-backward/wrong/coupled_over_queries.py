# backend: torch
# mistake: softmax-wrong-axis
# style: matmul
def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    p = (q @ k.mT * c).softmax(-2)
    dp = grad_output @ v.mT
    ds = p * (dp - (p * dp).sum(-2, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ grad_output
