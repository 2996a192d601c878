# backend: torch
# mistake: softmax-unstable
# style: hand-written-softmax
def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    e = (q @ k.mT * c).exp()
    p = e / e.sum(-1, keepdim=True)
    dp = grad_output @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ grad_output
