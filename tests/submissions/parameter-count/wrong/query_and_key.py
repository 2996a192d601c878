# backend: numpy
# mistake: parameters-wrong-number-of-matrices
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    query = key = d_model * d_head
    return (query + key) * num_heads * num_layers
