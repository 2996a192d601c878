# backend: torch
# mistake: none
# style: mean of |x|
def rms_norm(x, gain, eps=1e-5):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * gain
