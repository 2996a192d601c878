# backend: torch
# mistake: none
# style: adversarial
def project_qkv(x, w_q, w_k, w_v):
    return tuple(x[..., :64] @ w[:64] for w in (w_q, w_k, w_v))
