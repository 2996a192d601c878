# backend: torch
def rms_norm(x, gain, eps=1e-5):
    y = x.double()
    return (y / (y.pow(2).mean(-1, keepdim=True) + eps).sqrt() * gain).to(x.dtype)
