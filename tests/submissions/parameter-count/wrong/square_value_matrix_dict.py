# backend: torch
# mistake: parameters-full-value-matrix
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    head = {"q": d_model * d_head, "k": d_model * d_head, "v": d_model ** 2}
    return sum(head.values()) * num_heads * num_layers
