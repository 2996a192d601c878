# backend: torch
# mistake: parameters-wrong-number-of-matrices
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return num_layers * num_heads * 6 * d_model * d_head
