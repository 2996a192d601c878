# backend: torch
# mistake: precision-lost
# style: half-internally
def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return (heads.half() @ w_o.half().reshape(h, d, w_o.shape[-1])).to(heads.dtype)
