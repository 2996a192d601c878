# backend: numpy
# style: loops
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    total = 0
    for layer in range(num_layers):
        for head in range(num_heads):
            for matrix in ("query", "key", "value down", "value up"):
                total += d_model * d_head
    return total
