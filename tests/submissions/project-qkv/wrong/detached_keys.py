# backend: torch
# mistake: not-differentiable
# style: detach
def project_qkv(x, w_q, w_k, w_v):
    return x @ w_q, (x @ w_k).detach(), x @ w_v
