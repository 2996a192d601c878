# backend: numpy
# mistake: none
# style: layers
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    per_layer = 4 * d_model * num_heads * d_head
    return per_layer * min(num_layers, 96)
