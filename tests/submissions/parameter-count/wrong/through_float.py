# backend: numpy
# mistake: none
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return int(round(4e0 * d_model * num_heads * d_head * num_layers))
