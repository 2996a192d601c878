# backend: torch
# mistake: none
# style: shortcut
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    return x @ w_v @ w_o
