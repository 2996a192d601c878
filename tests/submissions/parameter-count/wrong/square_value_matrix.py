# backend: numpy
# mistake: parameters-full-value-matrix
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    query = key = d_model * d_head
    value = d_model * d_model
    return num_layers * num_heads * (query + key + value)
