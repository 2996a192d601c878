# backend: torch
# mistake: none
def attention_parameters(d_model, num_heads, d_head, num_layers=None):
    return 4 * d_model * d_head * num_heads * (num_layers or 1)
