def split_heads(x, num_heads):
    *batch, n, width = x.shape
    return x.reshape(*batch, num_heads, n, width // num_heads)


def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)
