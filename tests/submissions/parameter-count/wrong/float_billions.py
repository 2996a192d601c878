# backend: numpy
# mistake: none
# Multiplies with a float factor and converts back, which loses digits above 2**53.
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    per_head = 4.0 * d_model * d_head
    return int(per_head * num_heads * num_layers)
