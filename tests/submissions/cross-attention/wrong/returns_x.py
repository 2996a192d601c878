# backend: numpy
# mistake: none
# style: shortcut
def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    return x
