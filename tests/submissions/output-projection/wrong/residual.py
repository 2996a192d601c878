# backend: torch
# mistake: none
# style: extra
def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    out = heads @ w_o.reshape(h, d, w_o.shape[-1])
    return out.cumsum(-3)
