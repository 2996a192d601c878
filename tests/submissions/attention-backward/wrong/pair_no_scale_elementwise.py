# backend: torch
# mistake: scale-missing, backward-softmax-elementwise
# style: matmul
def attention_backward(q, k, v, grad_output):
    p = (q @ k.mT).softmax(-1)
    ds = p * (1 - p) * (grad_output @ v.mT) / q.shape[-1] ** 0.5
    return ds @ k, ds.mT @ q, p.mT @ grad_output
