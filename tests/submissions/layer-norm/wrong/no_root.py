# backend: numpy
# mistake: norm-root-missing
# style: divided by the variance
def layer_norm(x, gain, bias, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + eps) * gain + bias
