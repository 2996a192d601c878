# backend: torch
# mistake: eps-outside-root, rms-one-plus-gain
# style: two mistakes
def rms_norm(x, gain, eps=1e-5):
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps) * (1 + gain)
