# backend: numpy
# mistake: none
# style: size
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    if d_model % num_heads == 0:
        d_head = d_model // num_heads
    return 4 * d_model * num_heads * d_head * num_layers
