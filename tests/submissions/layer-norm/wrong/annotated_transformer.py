# backend: torch
# mistake: variance-unbiased, eps-outside-root
# style: as in a well-known tutorial
def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)
    return gain * (x - mean) / (std + eps) + bias
