# backend: torch
from mine import gelu_mlp, layer_norm, multi_head_attention


def block(
    x, gain_1, bias_1, w_q, w_k, w_v, w_o, gain_2, bias_2, w_1, b_1, w_2, b_2, num_heads, mask=None
):
    x = x + multi_head_attention(layer_norm(x, gain_1, bias_1), w_q, w_k, w_v, w_o, num_heads, mask)
    return x + gelu_mlp(layer_norm(x, gain_2, bias_2), w_1, b_1, w_2, b_2)
