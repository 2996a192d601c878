# backend: numpy
# mistake: none
# breaks: one-layer-if-not-given
# style: default
def attention_parameters(d_model, num_heads, d_head, num_layers=12):
    return 4 * d_model * num_heads * d_head * num_layers
