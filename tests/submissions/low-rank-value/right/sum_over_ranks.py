# backend: torch
# style: loops
def low_rank_value(x, value_down, value_up):
    out = 0
    for i in range(value_down.shape[1]):
        out = out + (x @ value_down[:, i]).unsqueeze(-1) * value_up[i]
    return out
