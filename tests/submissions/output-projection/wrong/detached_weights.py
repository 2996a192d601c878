# backend: torch
# mistake: not-differentiable
# style: detach
def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return heads @ w_o.detach().reshape(h, d, w_o.shape[-1])
