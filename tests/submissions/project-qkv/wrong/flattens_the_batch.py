# backend: torch
# mistake: none
# style: no-batch
def project_qkv(x, w_q, w_k, w_v):
    x = x.reshape(-1, x.shape[-1])
    return x @ w_q, x @ w_k, x @ w_v
