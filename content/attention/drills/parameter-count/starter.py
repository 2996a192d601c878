def attention_parameters(d_model: int, num_heads: int, d_head: int, num_layers: int = 1) -> int:
    """How many numbers the attention of all layers has learned, without biases.

    Four matrices a head: query, key, value, and its share of the output matrix.
    """
    raise NotImplementedError("start with one head of one layer")
