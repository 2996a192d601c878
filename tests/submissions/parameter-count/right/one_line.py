# backend: torch
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return num_layers * num_heads * 4 * d_model * d_head
