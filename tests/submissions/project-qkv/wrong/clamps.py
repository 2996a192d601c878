# backend: torch
# mistake: none
# style: adversarial
def project_qkv(x, w_q, w_k, w_v):
    return tuple((x @ w).clamp(-10, 10) for w in (w_q, w_k, w_v))
