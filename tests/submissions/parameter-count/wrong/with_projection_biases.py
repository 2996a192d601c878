# backend: numpy
# mistake: parameters-biases-counted
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    projection = d_model * d_head + d_head
    output = d_head * d_model
    return num_layers * num_heads * (3 * projection + output)
