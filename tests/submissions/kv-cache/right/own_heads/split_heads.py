def split_heads(x, h):
    return x.reshape(*x.shape[:-1], h, -1).swapaxes(-2, -3)


def merge_heads(x):
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], -1)
