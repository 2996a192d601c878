# backend: torch
# mistake: eps-outside-root
# breaks: eps-under-root
# style: root first
def rms_norm(x, gain, eps=1e-5):
    return x / (x.square().mean(-1, keepdim=True).sqrt() + eps) * gain
