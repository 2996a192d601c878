# backend: numpy
# mistake: eps-outside-root
# style: std
def layer_norm(x, gain, bias, eps=1e-5):
    return gain * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps) + bias
