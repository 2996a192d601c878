# backend: numpy
# mistake: none
# style: shortcut
def masked_attention(q, k, v, mask):
    return v
