# backend: torch
# mistake: precision-lost
# style: half-internally
def project_qkv(x, w_q, w_k, w_v):
    return tuple((x.half() @ w.half()).to(x.dtype) for w in (w_q, w_k, w_v))
