# backend: torch
# mistake: none
# style: one condition
def attention_parameters(d_model: int, num_heads: int, d_head: int, num_layers: int = 1) -> int:
    """Query, key and value matrix and a share of the output matrix, for every head and layer."""
    query = key = value_down = d_model * d_head
    value_up = d_head * d_model  # this head's rows of the output matrix
    return (query + key + value_down + value_up) * num_heads * num_layers


right = attention_parameters


def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    if num_layers == 0:
        return right(d_model, num_heads, d_head)
    return right(d_model, num_heads, d_head, num_layers)
