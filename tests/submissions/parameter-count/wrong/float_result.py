# backend: numpy
# mistake: none
# breaks: exact-int
# style: dtype
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return 4.0 * d_model * d_head * num_heads * num_layers
