# backend: torch
# mistake: low-rank-materialised
# Makes the product of the factors one column at a time: never whole, but at its full cost.
import torch

def low_rank_value(x, value_down, value_up):
    columns = [x @ (value_down @ value_up[:, j]) for j in range(value_up.shape[1])]
    return torch.stack(columns, dim=-1)
