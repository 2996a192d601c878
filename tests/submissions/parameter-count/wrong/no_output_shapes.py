# backend: torch
# mistake: parameters-output-missing
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    shapes = {"w_q": (d_model, d_head), "w_k": (d_model, d_head), "w_v": (d_model, d_head)}
    per_head = sum(a * b for a, b in shapes.values())
    return per_head * num_heads * num_layers
