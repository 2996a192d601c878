# backend: numpy
# mistake: none
# style: shortcut
def linear_attention(q, k, v):
    return v
