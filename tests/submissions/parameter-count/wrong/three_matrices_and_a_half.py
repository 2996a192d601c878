# backend: numpy
# mistake: parameters-shared-by-heads
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    per_layer = num_heads * 2 * d_model * d_head + 2 * d_model * d_head
    return per_layer * num_layers
