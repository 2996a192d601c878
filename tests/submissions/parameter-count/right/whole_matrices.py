# backend: numpy
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    inner = num_heads * d_head
    shapes = [(d_model, inner)] * 3 + [(inner, d_model)]
    return num_layers * sum(rows * columns for rows, columns in shapes)
