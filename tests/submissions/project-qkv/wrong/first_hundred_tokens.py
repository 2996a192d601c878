# backend: torch
# mistake: none
# style: adversarial
def project_qkv(x, w_q, w_k, w_v):
    y = x.clone()
    y[..., 100:, :] = 0
    return y @ w_q, y @ w_k, y @ w_v
