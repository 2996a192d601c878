# backend: torch
# mistake: query-key-swapped
# style: matmul
def project_qkv(x, w_q, w_k, w_v):
    q = x @ w_k
    k = x @ w_q
    v = x @ w_v
    return q, k, v
