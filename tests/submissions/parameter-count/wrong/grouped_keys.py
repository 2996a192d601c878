# backend: numpy
# mistake: none
# style: grouped
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    # one key and value head for every eight query heads where that divides
    kv = num_heads // 8 if num_heads % 8 == 0 and num_heads > 8 else num_heads
    return num_layers * d_model * d_head * (2 * num_heads + 2 * kv)
