# backend: numpy
# mistake: none
# style: text
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    n = 4 * d_model * num_heads * d_head * num_layers
    return int(f"{n:.15g}".split("e")[0].replace(".", "")) if n > 10**15 else n
