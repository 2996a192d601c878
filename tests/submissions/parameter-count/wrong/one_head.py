# backend: numpy
# mistake: parameters-heads-ignored
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return 4 * d_model * d_head * num_layers
