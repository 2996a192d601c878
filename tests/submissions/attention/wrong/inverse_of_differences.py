# backend: torch
# mistake: gradient-not-finite
# Right values: a difference that overflows makes a weight of 0. Its gradient is 0 times infinity.


def attention(q, k, v):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    weights = 1 / (s[..., None, :] - s[..., :, None]).exp().sum(-1)
    return weights @ v
