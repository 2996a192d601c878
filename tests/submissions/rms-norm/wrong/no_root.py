# backend: torch
# mistake: norm-root-missing
# style: divided by the mean square
def rms_norm(x, gain, eps=1e-5):
    return x / (x.square().mean(-1, keepdim=True) + eps) * gain
