# backend: numpy
# mistake: none
# Counts the output matrix as d_model x d_model, wrong when h * d_head differs from d_model.
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    qkv = 3 * d_model * num_heads * d_head
    return num_layers * (qkv + d_model * d_model)
