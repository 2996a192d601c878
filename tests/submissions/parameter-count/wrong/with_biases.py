# backend: numpy
# mistake: parameters-biases-counted
# breaks: no-biases
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    inner = num_heads * d_head
    return num_layers * (3 * (d_model * inner + inner) + inner * d_model + d_model)
