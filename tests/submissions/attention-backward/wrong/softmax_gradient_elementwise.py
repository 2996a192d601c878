# backend: torch
# mistake: backward-softmax-elementwise
# style: matmul
def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    p = (q @ k.mT * c).softmax(-1)
    dp = grad_output @ v.mT
    # as if every weight were a sigmoid of its own score
    ds = dp * p * (1 - p) * c
    return ds @ k, ds.mT @ q, p.mT @ grad_output
