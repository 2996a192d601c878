# backend: torch
# mistake: values-are-keys
# style: matmul
def project_qkv(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x @ w_k
