# backend: torch
# mistake: none
# style: chained
def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_q
    k = q @ w_k if q.shape[-1] == w_k.shape[0] else q
    return q, k, x @ w_v
