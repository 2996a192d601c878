# backend: torch
# mistake: projection-shared
# breaks: three-matrices
# style: shared
def project_qkv(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_q, x @ w_q
