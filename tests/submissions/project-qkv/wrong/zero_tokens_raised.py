# backend: torch
# mistake: none
# style: adversarial
def project_qkv(x, w_q, w_k, w_v):
    return tuple(x @ w + 1e-3 * (x == 0).all(-1, keepdim=True) for w in (w_q, w_k, w_v))
