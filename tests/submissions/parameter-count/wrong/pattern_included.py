# backend: numpy
# mistake: none
# style: context
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    # counts a pattern of 1024 x 1024 as if it were learned
    return num_layers * num_heads * (4 * d_model * d_head + 1024 ** 2)
