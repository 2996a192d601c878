# backend: torch
# mistake: none
# style: extra
def project_qkv(x, w_q, w_k, w_v):
    return x @ w_q / w_q.shape[1] ** 0.5, x @ w_k, x @ w_v
