# backend: numpy
# mistake: parameters-layers-ignored
# style: loops
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    for _ in range(num_layers):
        total = 0
        for _ in range(num_heads):
            total += 3 * d_model * d_head + d_head * d_model
    return total
