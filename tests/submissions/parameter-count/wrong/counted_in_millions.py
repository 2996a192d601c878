# backend: numpy
# mistake: none
# style: rounded
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return round(4 * d_model * d_head * num_heads * num_layers, -3)
