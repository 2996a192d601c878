# backend: torch
# mistake: updates-in-reverse
# style: flip
def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return heads @ w_o.reshape(h, d, w_o.shape[-1]).flip(0)
