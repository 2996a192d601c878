# backend: torch
# style: class
class Norm:
    def __init__(self, gain, eps):
        self.gain, self.eps = gain, eps

    def __call__(self, x):
        return self.gain * x / (x * x + self.eps).mean(-1, keepdim=True).sqrt()


def rms_norm(x, gain, eps=1e-5):
    return Norm(gain, eps)(x)
