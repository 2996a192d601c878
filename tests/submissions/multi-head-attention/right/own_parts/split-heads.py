def split_heads(x, num_heads):
    *batch, n, width = x.shape
    return x.reshape(*batch, n, num_heads, width // num_heads).transpose(-3, -2)


def merge_heads(x):
    *batch, h, n, width = x.shape
    return x.transpose(-3, -2).reshape(*batch, n, h * width)
