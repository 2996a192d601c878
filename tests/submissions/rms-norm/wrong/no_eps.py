# backend: torch
# mistake: eps-unused
# breaks: eps-as-given
# style: left out
def rms_norm(x, gain, eps=1e-5):
    return x / x.square().mean(-1, keepdim=True).sqrt() * gain
